/* SPDX-License-Identifier: MIT */
/* carry.h - transfers counts of one run to the grains of another: a program's instructions are
 * counted once, slowly, and its times are taken from undisturbed runs [P2]. Grains are matched by
 * their lineages, which do not depend on the schedule. */
#pragma once

#include "graph/graph.h"
#include "metrics/metrics.h"

/**
 * Checks that two runs are of one program with one input: by their command lines, except the
 * program's folder, and by the program's build, unless the compiler added the counters, which
 * takes a separate build.
 *
 * @param is_other_build  written on success: the program was built differently for counting.
 * @return WN_OK · WN_E_INVARIANT (another run; err contains which)
 * Cost     O(modules). Threads  pure.
 */
WN_MUST_CHECK wn_status wn_carry_check(const struct wn_trace *run, const struct wn_trace *counts,
                                       bool *is_other_build, wn_err *err);

/**
 * Transfers the counters of `counts` to `g` (g->counts, g->carried): a grain gets the count of the
 * grain with the same name, and has no value without one. An implicit task or context gets a value
 * only if it was cut into as many pieces there. Counters that g has itself are kept.
 *
 * @param g       whole, recorded.
 * @param counts  whole; its trace must outlive g; its path may be replaced.
 * @param weight  a counter to use as the weight of g's path, too, or NULL; must outlive g. Where a
 * grain has other pieces there, its count is divided by time. Weights that g has itself are left
 * to wn_graph_use_weight().
 * @return WN_OK · WN_E_INVARIANT (another run: wn_carry_check(), or no grain is in both; nothing
 * was counted) · WN_E_ARG (a lean graph, or an imported table) · WN_E_NOMEM
 *
 * Cost     that of wn_match_init(), and 8 bytes per id and counter; with a weight that of two
 *          replays.
 * Threads  needs exclusive use of both traces.
 * Source   [P2], profiles of instructions carried across runs; doc/metrics.md, "Carried counts".
 * Oracle   tests/property/prop_graph.c, tests/property/prop_counts.c, tests/counters/carry.sh
 */
WN_MUST_CHECK wn_status wn_carry(struct wn_graph *g, struct wn_graph *counts, const char *weight,
                                 wn_err *err);

/* Applies the options for counters and weight to a graph that has just been built. As wn_carry()
 * and wn_graph_use_weight(). */
WN_MUST_CHECK wn_status wn_carry_as(struct wn_graph *g, const struct wn_options *options,
                                    wn_err *err);
