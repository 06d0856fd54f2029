/* SPDX-License-Identifier: MIT */
/* verdict.h - which grains have which problem: as the file says, or by a threshold that has moved.
 */
#ifndef WN_PAGE_VERDICT_H
#define WN_PAGE_VERDICT_H

#include "page/private.h"

/* Which nodes of a chunk are grains; kinds [n_nodes]. Once; false: out of memory, as all of these.
 */
bool verdict_shape(struct page_chunk *c, const uint8_t *kinds);
/* What the file says of a chunk's grains: bit k of problems[row]. Once. */
bool verdict_given(struct page *p, struct page_chunk *c, const uint64_t *problems,
                   const uint8_t *missing);
/* The problems that are looked at have changed, or what grains have of them: in one chunk, or in
 * any. */
bool verdict_choose(struct page *p, struct page_chunk *only);
/* Grains of a group that a threshold which has moved could not be held against. */
uint32_t verdict_lacking(const struct page *p, const struct row *r);

/* Keys of a value, and of a chunk's. */
float verdict_key(double value);
size_t verdict_key_bytes(uint32_t n_grains);
bool verdict_new_keys(const struct page_chunk *c, struct verdict *v);
void verdict_set_key(struct verdict *v, uint32_t row, double value);
void verdict_free_keys(struct verdict *v);
/* Who is beyond the threshold, to out [n_grains bits]; false: keys alone do not tell. */
bool verdict_judge(const struct page_chunk *c, const struct verdict *v, double threshold,
                   bool is_below, uint64_t *out);
void verdict_free(struct page_chunk *c);

#endif /* WN_PAGE_VERDICT_H */
