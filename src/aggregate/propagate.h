/* SPDX-License-Identifier: MIT */
/* propagate.h - computes values of groups from those of the grains inside. */
#pragma once

#include "aggregate/tree.h"
#include "metrics/columns.h"

/* Returns the value of a grain, NAN if it has none. Called on several threads at once. */
typedef double wn_tree_value_fn(void *user, wn_grain id);

/**
 * Computes a value for each node: for grains by the callback, for groups by folding their members'
 * values with the rule (table/fold.h). Missing values (NAN) are ignored; NAN where none is left.
 *
 * @param rule  any but WN_FOLD_NONE and WN_FOLD_AGAIN.
 * @param out   [t->n]
 * @return WN_OK · WN_E_ARG (another rule) · WN_E_NOMEM (then `out` holds nothing useful)
 *
 * Cost     O(nodes); 32 bytes for each level of the tree meanwhile; for medians also 24 per member
 *          of the largest group.
 * Threads  uses the tree's for values of grains; the result is the same for any number, bit for
 * bit: members are taken in order. Source   [P5] section III, propagation; doc/metrics.md,
 * "Groups". Oracle   tests/property/prop_tree.c
 */
WN_MUST_CHECK wn_status wn_tree_propagate(const struct wn_tree *t, enum wn_fold rule,
                                          wn_tree_value_fn *value, void *user, double *out,
                                          wn_err *err);

/* The same for a column of a run's metrics, by the column's own rule; WN_FOLD_AGAIN by
 * wn_group_again(). */
WN_MUST_CHECK wn_status wn_tree_column(const struct wn_tree *t, const struct wn_metrics *m,
                                       const struct wn_column *column, double *out, wn_err *err);

/**
 * Counts the grains inside each node (1 for a grain): a group's n_grains. Its n_members is
 * n_children.
 *
 * @param out  [t->n]
 * Cost  O(nodes).
 */
void wn_tree_count_grains(const struct wn_tree *t, uint32_t *out);

/* Distribution of the values of a group's members. Missing values are ignored; quartiles between
 * two values are interpolated (as R's quantile(), type 7). All NAN if n is 0. */
struct wn_tree_spread {
	uint32_t n; /* members with a value */
	double min, quartile1, median, quartile3, max;
};

/**
 * @param values  [t->n], made by wn_tree_propagate().
 * @return WN_OK · WN_E_NOMEM
 * Cost  O(members).
 */
WN_MUST_CHECK wn_status wn_tree_spread_of(const struct wn_tree *t, wn_tree_node group,
                                          const double *values, struct wn_tree_spread *out,
                                          wn_err *err);
