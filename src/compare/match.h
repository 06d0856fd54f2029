/* SPDX-License-Identifier: MIT */
/*
 * match.h - which grain of one run is which of another: the one with the same lineage, and of loops
 * the same range of iterations.
 */
#ifndef WN_COMPARE_MATCH_H
#define WN_COMPARE_MATCH_H

#include "compare/names.h"

struct wn_match {
	struct wn_names names[2]; /* of A and of B, with their graphs */
	wn_grain *to[2];          /* to[0][id of A] = id of B, to[1] back; WN_NO_GRAIN: none */
	uint64_t n_matched;       /* grains (wn_is_grain()) that both have */
	uint64_t n_only[2];       /* grains that only A, only B has */
	uint64_t n_by_order; /* pairs whose name others of the same run have, too (their creation
	                        was lost): the k-th is taken for the k-th */
};

/**
 * Matches two runs by names. Contexts and implicit tasks are matched, too; wrong only if two
 * different names have the same 64-bit hash, in two runs and nowhere else.
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
/* The same with only so many bits of each hash, so that tests can see how equal ones are told
 * apart. */
WN_MUST_CHECK wn_status wn_match_init_with(struct wn_match *out, const struct wn_graph *a,
                                           const struct wn_graph *b, unsigned hash_bits,
                                           wn_err *err);
void wn_match_fini(struct wn_match *match);

/* work(B) / work(A) of a grain of B; NAN if A has no such grain, it did not start in both, or A's
 * did no work. [P5]'s work deviation, with A as the reference. Cost  O(1). */
double wn_work_deviation(const struct wn_match *match, wn_grain id_of_b);

#endif /* WN_COMPARE_MATCH_H */
