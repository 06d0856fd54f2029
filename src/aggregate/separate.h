/* SPDX-License-Identifier: MIT */
/*
 * separate.h - trees in which what has no problem is out of the way: less is seen on the way to
 * what has.
 */
#ifndef WN_AGGREGATE_SEPARATE_H
#define WN_AGGREGATE_SEPARATE_H

#include "aggregate/tree.h"
#include "metrics/metrics.h"

struct wn_separation {
	bool alike; /* also fold branches of one shape */
};

/* For each grain: has it one of the problems in the mask (bit p for problem p)?  out: [g->n]. */
void wn_tree_problems(const struct wn_metrics *m, uint32_t mask, uint8_t *out);

/**
 * Marks grains, and the groups that hold them, with WN_TF_PROBLEM.
 *
 * @param is_problem  [t->g->n] not 0 where a grain has a problem; NULL = none has.
 * Cost  O(nodes).
 */
void wn_tree_mark(struct wn_tree *t, const uint8_t *is_problem);

/**
 * A new tree of the same leaves in which members without a problem are apart:
 *
 * - of a fork-join with several members, some of which have a problem: two or more without one are
 *   put, in order, into a sibling group, the last member;
 * - of a linear group with more than two members, some of which have a problem: each run of two or
 *   more without one becomes a linear group (WN_TF_RUN) where it was.
 *
 * With `alike`, then, of the members of each fork-join and sibling group two or more of one shape
 * (wn_tree_shapes()) are put into an alike group where the first of them was, those with a problem
 * apart from those without; numbered in the order in which they come.
 *
 * Without problems and without `alike` it is the same tree.
 *
 * @param t           made by wn_tree_build(); not modified.
 * @param is_problem  as for wn_tree_mark(); its marks are in the new tree.
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
 * The greatest theta of a grain with a problem, once the tree is separated - which it need not be.
 *
 * @param out  0 if no grain has one.
 * @return WN_OK · WN_E_NOMEM · WN_E_ARG (`t` is separated)
 * Cost     O(nodes); 5 bytes per node meanwhile.
 * Threads  uses the tree's.
 * Oracle   tests/property/prop_tree.c: that of the separated tree.
 */
WN_MUST_CHECK wn_status wn_tree_theta_apart(const struct wn_tree *t, const uint8_t *is_problem,
                                            uint32_t *out, wn_err *err);

/**
 * The greatest theta of a grain with a problem, in a separated or marked tree.
 *
 * @return false if no grain has one.
 * Cost  O(nodes).
 */
bool wn_tree_theta_of_problems(const struct wn_tree *t, uint32_t *out);

#endif /* WN_AGGREGATE_SEPARATE_H */
