/* SPDX-License-Identifier: MIT */
/*
 * group.h - evaluates expressions on the nodes of a tree, grains and groups alike.
 *
 * The names are those of grains (metrics/scope.h); on a group they have the folded value of the
 * column, missing where the column does not fold.
 */
#pragma once

#include "aggregate/tree.h"
#include "expr/expr.h"
#include "metrics/columns.h"

/**
 * Evaluates an expression on each node.
 *
 * @param e    parsed with wn_scope_names() of the same metrics, without aggregates.
 * @param out  [t->n]
 * @return WN_OK · WN_E_NOMEM
 *
 * Cost     O(nodes * ops); 8 bytes per node for each different name meanwhile.
 * Threads  uses the tree's; the same result for any number.
 * Oracle   tests/property/prop_group.c
 */
WN_MUST_CHECK wn_status wn_group_evaluate(const struct wn_tree *t, const struct wn_metrics *m,
                                          const struct wn_expr *e, double *out, wn_err *err);

/**
 * Computes a column for each node, whatever its fold rule: wn_tree_column() if it folds; else the
 * value for grains, missing for groups (except their `kind`).
 *
 * @param column  one of m->columns.
 * @param out     [t->n]
 * @return WN_OK · WN_E_NOMEM
 * Cost     as wn_tree_column().
 */
WN_MUST_CHECK wn_status wn_group_column(const struct wn_tree *t, const struct wn_metrics *m,
                                        const struct wn_column *column, double *out, wn_err *err);

/**
 * Computes a user-defined metric with WN_FOLD_AGAIN for each node: the value for grains, for
 * groups the expression over the folded values of its names.
 *
 * @param column  one of the last m->n_user_columns of m->columns.
 * @param out     [t->n]
 * @return WN_OK · WN_E_NOMEM
 * Cost     as wn_group_evaluate(), for it and the metrics it uses.
 */
WN_MUST_CHECK wn_status wn_group_again(const struct wn_tree *t, const struct wn_metrics *m,
                                       const struct wn_column *column, double *out, wn_err *err);
