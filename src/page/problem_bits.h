/* SPDX-License-Identifier: MIT */
/* problem_bits.h - which grains have which problem: by the file's thresholds, or by one that the
 * user has moved.
 */
#ifndef WN_PAGE_PROBLEM_BITS_H
#define WN_PAGE_PROBLEM_BITS_H

#include "page/private.h"

/* Which nodes of a chunk are grains; kinds [n_nodes]. Once; false: out of memory, as all of these.
 */
bool problem_bits_shape(struct page_chunk *c, const uint8_t *kinds);
/* What the file says of a chunk's grains: bit k of problems[row]. Once. */
bool problem_bits_read(struct page *p, struct page_chunk *c, const uint64_t *problems,
                       const uint8_t *missing);
/* The problems that are looked at have changed, or what grains have of them: in one chunk, or in
 * any. */
bool problem_bits_choose(struct page *p, struct page_chunk *only);
/* Grains of a group that a threshold which has moved could not be held against. */
uint32_t problem_bits_n_unknown(const struct page *p, const struct row *r);

/* Keys of a value, and of a chunk's. */
float problem_key(double value);
size_t problem_key_bytes(uint32_t n_grains);
bool problem_keys_new(const struct page_chunk *c, struct problem_bits *v);
void problem_key_set(struct problem_bits *v, uint32_t row, double value);
void problem_keys_free(struct problem_bits *v);
/* Who is beyond the threshold, to out [n_grains bits]; false: keys alone do not tell. */
bool problem_keys_compare(const struct page_chunk *c, const struct problem_bits *v,
                          double threshold, bool is_below, uint64_t *out);
void problem_bits_free(struct page_chunk *c);

#endif /* WN_PAGE_PROBLEM_BITS_H */
