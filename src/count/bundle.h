/* SPDX-License-Identifier: MIT */
/* bundle.h - the counts that one call-back adds, known when its block is translated: instructions
 * by class, and accesses of known size. Twelve sums are packed into three words, 16 bits each, so
 * that adding them takes three additions. Before a field can overflow, the thread adds its packed
 * words to its full-width counts (thread_settle). */
#pragma once

#include "count/insn_class.h"

#include <stdint.h>

#define BUNDLE_WORDS_N  3u
#define BUNDLE_FIELDS_N (4 * BUNDLE_WORDS_N)
#define BUNDLE_MAX      65535 /* of a field */

enum bundle_field {
	BUNDLE_MIX, /* one for each class */
	BUNDLE_READS = INSN_CLASS_N,
	BUNDLE_WRITES,
	BUNDLE_READ_BYTES,
	BUNDLE_WRITE_BYTES,
};

_Static_assert(BUNDLE_WRITE_BYTES + 1 == BUNDLE_FIELDS_N, "a field for each sum");

struct __attribute__((aligned(64))) bundle {
	uint64_t words[BUNDLE_WORDS_N];
	int64_t cost;    /* the largest value of its fields */
	uint64_t n_insn; /* all classes */
	uint64_t at;     /* of a single instruction: where it is */
};

static inline uint64_t
bundle_field(const uint64_t *words, unsigned field)
{
	return words[field / 4] >> 16 * (field % 4) & BUNDLE_MAX;
}

/* A block has at most 512 instructions of at most 64 bytes each, so no field overflows. */
static inline void
bundle_add(struct bundle *b, unsigned field, uint64_t n)
{
	b->words[field / 4] += n << 16 * (field % 4);
	int64_t value = (int64_t)bundle_field(b->words, field);
	if (value > b->cost)
		b->cost = value;
}
