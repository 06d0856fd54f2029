/* SPDX-License-Identifier: MIT */
/* check.h - validates a tree of groups. */
#pragma once

#include "aggregate/tree.h"

/**
 * Verifies a tree, separated or not: its grains and fork-joins are those of the drawn reduced
 * graph, each once; every grain is in the fork-join that joins it, and every fork-join in its
 * owner's linear group, in order; columns are consistent; no linear group is directly inside
 * another one except runs; theta matches the formula.
 *
 * @param t    of a whole graph, with all drawn nodes.
 * @param err  on failure, the rule and the node.
 * @return WN_OK · WN_E_INVARIANT · WN_E_NOMEM · WN_E_ARG (a lean graph)
 * Cost     O(n); 1 byte per id and per fork-join, and what wn_draw_new() takes. Threads  pure.
 */
WN_MUST_CHECK wn_status wn_tree_check(const struct wn_tree *t, wn_err *err);
