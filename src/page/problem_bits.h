/* SPDX-License-Identifier: MIT */
/* problem_bits.h - stores which grains have which problem, by the file's thresholds or by the
 * user's. */
#pragma once

#include "page/private.h"

#define BITS_WORDS(n) ((size_t)(n) / 64 + 1)

static inline bool
bits_has(const uint64_t *bits, uint32_t at)
{
	return bits && bits[at / 64] >> at % 64 & 1;
}

/* Counts set bits before each word; returns the total. */
static inline uint32_t
bits_count(const uint64_t *bits, uint32_t *before, size_t n_words)
{
	uint32_t n = 0;
	for (size_t w = 0; w < n_words; w++) {
		before[w] = n;
		n += (uint32_t)__builtin_popcountll(bits[w]);
	}
	return n;
}

/* Returns the number of set bits before one. */
static inline uint32_t
bits_before(const uint64_t *bits, const uint32_t *before, uint32_t at)
{
	uint64_t part = bits[at / 64] & ((UINT64_C(1) << at % 64) - 1);
	return before[at / 64] + (uint32_t)__builtin_popcountll(part);
}

/* Records which nodes of a chunk are grains; kinds [n_nodes]. Called once; false: out of memory,
 * here and below. */
bool problem_bits_shape(struct page_chunk *c, const uint8_t *kinds);
/* Stores the file's problem bits of a chunk's grains: bit k of problems[row]. Called once. */
bool problem_bits_read(struct page *p, struct page_chunk *c, const uint64_t *problems,
                       const uint8_t *missing);

/* Computes the key of a value, and the keys of a chunk. */
float problem_key(double value);
size_t problem_key_bytes(uint32_t n_grains);
bool problem_keys_new(const struct page_chunk *c, struct problem_bits *v);
void problem_key_set(struct problem_bits *v, uint32_t row, double value);
void problem_keys_free(struct problem_bits *v);
/* Writes which grains are beyond the threshold to out [n_grains bits]; false: keys alone cannot
 * decide. */
bool problem_keys_compare(const struct page_chunk *c, const struct problem_bits *v,
                          double threshold, bool is_below, uint64_t *out);
void problem_bits_free(struct page_chunk *c);
