/* SPDX-License-Identifier: MIT */
/* unfold.h - folds a graph, separates nodes without problems, and opens a view from a named node,
 * in one call, for `winnow tree` and for drawings of its views. */
#pragma once

#include "aggregate/view.h"

struct wn_unfold_options {
	const char *id; /* where to start, a name or a gid; NULL = the root */
	enum wn_view_aim aim;
	uint32_t depth;       /* for WN_VIEW_DEPTH */
	const char *problem;  /* the only problem type that counts; NULL = all but the extremes of
	                         instantaneous parallelism, which nearly every grain has */
	uint32_t n_lines;     /* 0 = 24 */
	bool has_all_members; /* as in struct wn_view_options */
};

struct wn_unfolded {
	const struct wn_metrics *m; /* borrowed */
	struct wn_tree *tree; /* separated, with alike groups; along the critical path as folded */
	struct wn_view *view;
	wn_tree_node root; /* of the view */
	enum wn_view_aim aim;
	uint32_t problems;            /* problem types that count: bit p */
	int only;                     /* the only type that counts, -1 = several */
	uint64_t n_nodes;             /* of the whole graph drawn without groups */
	uint32_t n_groups, theta_max; /* of the tree before separation */
};

/* Problem types that count by default. */
#define WN_PROBLEMS_DEFAULT (~(1u << WN_PROBLEM_INST_PAR_MIN | 1u << WN_PROBLEM_INST_PAR_MAX))

/**
 * Folds a graph and opens the view.
 *
 * @param m    of a whole graph; it must outlive the result.
 * @param out  filled only on success; release with wn_unfolded_fini().
 * @return WN_OK · WN_E_EMPTY (nothing is drawn) · WN_E_LIMIT · WN_E_NOMEM · WN_E_ARG (no such id,
 *         with its nearest existing ancestor; no such problem type)
 *
 * Cost     that of wn_tree_build(), wn_tree_separate() and wn_view_new().
 * Threads  starts threads of its own.
 */
WN_MUST_CHECK wn_status wn_unfold(struct wn_unfolded *out, const struct wn_metrics *m,
                                  const struct wn_unfold_options *options, wn_err *err);
void wn_unfolded_fini(struct wn_unfolded *u);

/**
 * Resolves a user's name or gid to a node.
 *
 * @param whole  the tree before separation: a gid that `t` lacks may be in it. May be t.
 * @param err    on failure, the missing part and the nearest ancestor.
 * @return WN_OK · WN_E_ARG · WN_E_NOMEM
 * Cost  O(nodes + ids) for each missing ancestor.
 */
WN_MUST_CHECK wn_status wn_unfold_find(const struct wn_tree *t, const struct wn_tree *whole,
                                       const char *id, wn_tree_node *out, wn_err *err);

/* Returns the name of a node, in memory that *buffer keeps and grows; NULL when memory ran out. */
const char *wn_tree_name_grown(const struct wn_tree *t, wn_tree_node node, char **buffer,
                               size_t *capacity);
