/* SPDX-License-Identifier: MIT */
/* separate.h - builds trees in which grains without problems are grouped apart, so that fewer
 * nodes are visible on the way to the problems. */
#pragma once

#include "aggregate/tree.h"
#include "metrics/metrics.h"

struct wn_separation {
	bool alike; /* also group branches of equal shape */
};

/* Computes for each grain whether it has one of the problems in the mask (bit p for problem p).
 * out: [g->n]. */
void wn_tree_problems(const struct wn_metrics *m, uint32_t mask, uint8_t *out);

/**
 * Marks grains, and the groups that contain them, with WN_TF_PROBLEM.
 *
 * @param is_problem  [t->g->n] not 0 where a grain has a problem; NULL = none has.
 * Cost  O(nodes).
 */
void wn_tree_mark(struct wn_tree *t, const uint8_t *is_problem);

/**
 * Builds a new tree of the same leaves in which members without a problem are separated:
 *
 * - in a fork-join with several members, some of which have a problem: two or more without one are
 *   put, in order, into a sibling group, the last member;
 * - in a linear group with more than two members, some of which have a problem: each run of two or
 *   more without one becomes a linear group (WN_TF_RUN) in its place.
 *
 * With `alike`, two or more members of equal shape (wn_tree_shapes()) of each fork-join and
 * sibling group are then put into an alike group at the place of the first one, those with a
 * problem apart from those without; numbered in this order.
 *
 * Without problems and without `alike` the result equals the old tree.
 *
 * @param t           made by wn_tree_build(); not modified.
 * @param is_problem  as for wn_tree_mark(); the new tree has its marks.
 * @param options     NULL = defaults.
 * @param out         written only on success; release with wn_tree_free(). Borrows t->g, not `t`.
 * @return WN_OK · WN_E_NOMEM · WN_E_LIMIT (2^31 nodes or more) · WN_E_ARG (`t` is separated)
 *
 * Cost     O(nodes); meanwhile 5 bytes per node, with `alike` 17.
 * Threads  uses the tree's; the same result for any number.
 * Source   [P5] section III, separation; doc/metrics.md, "Groups". Alike groups are our own.
 * Oracle   tests/property/prop_tree.c
 */
WN_MUST_CHECK wn_status wn_tree_separate(const struct wn_tree *t, const uint8_t *is_problem,
                                         const struct wn_separation *options, struct wn_tree **out,
                                         wn_err *err);

/**
 * Computes the largest theta of a grain with a problem in the separated tree, without building
 * that tree.
 *
 * @param out  0 if no grain has a problem.
 * @return WN_OK · WN_E_NOMEM · WN_E_ARG (`t` is separated)
 * Cost     O(nodes); 5 bytes per node meanwhile.
 * Threads  uses the tree's.
 * Oracle   tests/property/prop_tree.c: that of the separated tree.
 */
WN_MUST_CHECK wn_status wn_tree_theta_apart(const struct wn_tree *t, const uint8_t *is_problem,
                                            uint32_t *out, wn_err *err);
