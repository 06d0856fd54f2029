/* SPDX-License-Identifier: MIT */
/*
 * carry.h - counts of one run for the grains of another: a program's instructions are counted once,
 * slowly, and its times are taken from runs that nothing slows down [P2]. Which grain is which is
 * told by lineages, which no schedule changes.
 */
#ifndef WN_COMPARE_CARRY_H
#define WN_COMPARE_CARRY_H

#include "graph/graph.h"
#include "metrics/metrics.h"

/**
 * Are these two runs of one program on one input? By command lines, but for the program's folder,
 * and by the build of the program, where the compiler did not count: what it has built for counting
 * is another build.
 *
 * @param is_other_build  written on success: the program was built differently for counting.
 * @return WN_OK · WN_E_INVARIANT (another run; err says which)
 * Cost     O(modules). Threads  pure.
 */
WN_MUST_CHECK wn_status wn_carry_check(const struct wn_trace *run, const struct wn_trace *counts,
                                       bool *is_other_build, wn_err *err);

/**
 * Makes the counters of `counts` counters of `g` (g->counts, g->carried): a grain has what its
 * namesake has counted there, and one without a namesake has no value. An implicit task or context
 * has a value only if it did the same there: was cut into as many pieces. Counters that g has
 * itself stay its own.
 *
 * @param g       whole, recorded.
 * @param counts  whole; its trace must outlive g; its path may be replaced.
 * @param weight  a counter that is to be the weight of g's path, too, or NULL; must outlive g.
 * Where a grain has other pieces there, its count is divided by time. Names of what g has itself
 * are left to wn_graph_use_weight().
 * @return WN_OK · WN_E_INVARIANT (another run: wn_carry_check(), or no grain is in both; nothing
 * was counted) · WN_E_ARG (a lean graph, or an imported table) · WN_E_NOMEM
 *
 * Cost     that of wn_match_init(), and 8 bytes per id and counter; with a weight that of two
 *          replays.
 * Threads  none of the two traces may be used elsewhere meanwhile.
 * Source   [P2], profiles of instructions carried across runs; doc/metrics.md, "Carried counts".
 * Oracle   tests/property/prop_graph.c, tests/property/prop_counts.c, tests/counters/carry.sh
 */
WN_MUST_CHECK wn_status wn_carry(struct wn_graph *g, struct wn_graph *counts, const char *weight,
                                 wn_err *err);

/* What options say of counters and weight, done to a graph that has just been built. As wn_carry()
 * and wn_graph_use_weight(). */
WN_MUST_CHECK wn_status wn_carry_as(struct wn_graph *g, const struct wn_options *options,
                                    wn_err *err);

#endif /* WN_COMPARE_CARRY_H */
