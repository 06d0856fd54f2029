/* SPDX-License-Identifier: MIT */
/* match.h - matches the grains of two runs: those with the same lineage, for loops with the same
 * range of iterations. */
#pragma once

#include "compare/match_names.h"

struct wn_match {
	struct wn_names names[2]; /* of A and of B, with their graphs */
	wn_grain *to[2];          /* to[0][id of A] = id of B, to[1] back; WN_NO_GRAIN: none */
	uint64_t n_matched;       /* grains (wn_is_grain()) that both runs have */
	uint64_t n_only[2];       /* grains that only A, only B has */
	uint64_t n_by_order;      /* pairs whose name is not unique in their run (their creation was
	                             lost): paired in order */
};

/**
 * Matches two runs by names, including contexts and implicit tasks; wrong only if two different
 * names in two runs have the same 64-bit hash.
 *
 * @param a, b  whole graphs; must outlive the result.
 * @param out   written only on success; release with wn_match_fini().
 * @return WN_OK · WN_E_NOMEM · WN_E_ARG (a lean graph) · WN_E_INVARIANT
 *
 * Cost     O(n); 12 bytes per id, and meanwhile 32 per id.
 * Threads  pure.
 * Source   [P3], [P5]: work deviation of grains with the same schedule-independent id.
 * Oracle   tests/property/prop_compare.c
 */
WN_MUST_CHECK wn_status wn_match_init(struct wn_match *out, const struct wn_graph *a,
                                      const struct wn_graph *b, wn_err *err);
/* The same with fewer bits of each hash, so that tests can exercise collisions. */
WN_MUST_CHECK wn_status wn_match_init_with(struct wn_match *out, const struct wn_graph *a,
                                           const struct wn_graph *b, unsigned hash_bits,
                                           wn_err *err);
void wn_match_fini(struct wn_match *match);

/* Returns work(B) / work(A) of a grain of B; NAN if A has no such grain, it did not start in both,
 * or A's did no work. [P5]'s work deviation, with A as the reference. Cost  O(1). */
double wn_work_deviation(const struct wn_match *match, wn_grain id_of_b);
