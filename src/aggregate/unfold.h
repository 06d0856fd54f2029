/* SPDX-License-Identifier: MIT */
/*
 * unfold.h - what verbs ask for, in one step: a graph folded, what has no problem put apart, and
 * opened from the node with some name. One rule for `winnow tree` and for drawings of its views.
 */
#ifndef WN_AGGREGATE_UNFOLD_H
#define WN_AGGREGATE_UNFOLD_H

#include "aggregate/view.h"

struct wn_unfold_options {
	const char *id; /* where to start, a name or a gid; NULL = the root */
	enum wn_view_aim aim;
	uint32_t depth;       /* of WN_VIEW_DEPTH */
	const char *problem;  /* the one type that counts; NULL = all but the extremes of
	                         instantaneous parallelism, which nearly every grain has */
	uint32_t n_lines;     /* 0 = 24 */
	bool has_all_members; /* as in struct wn_view_options */
};

struct wn_unfolded {
	const struct wn_metrics *m; /* borrowed */
	struct wn_tree *tree; /* what has no problem is apart, what is alike together; along the
	                         critical path it is as it was folded */
	struct wn_view *view;
	wn_tree_node root; /* of the view */
	enum wn_view_aim aim;
	uint32_t problems;            /* types that count: bit p */
	int only;                     /* the one type that counts, -1 = several */
	uint64_t n_nodes;             /* of the whole graph, drawn without groups */
	uint32_t n_groups, theta_max; /* of the tree before anything was set apart */
};

/* The types that count where the user names none. */
#define WN_PROBLEMS_DEFAULT (~(1u << WN_PROBLEM_INST_PAR_MIN | 1u << WN_PROBLEM_INST_PAR_MAX))

/**
 * Folds and unfolds.
 *
 * @param m    of a whole graph; it must outlive the result.
 * @param out  filled only on success; release with wn_unfolded_fini().
 * @return WN_OK · WN_E_EMPTY (nothing is drawn) · WN_E_LIMIT · WN_E_NOMEM · WN_E_ARG (no such id,
 *         and the nearest one above it that there is; no such type of problem)
 *
 * Cost     that of wn_tree_build(), wn_tree_separate() and wn_view_new().
 * Threads  starts threads of its own.
 */
WN_MUST_CHECK wn_status wn_unfold(struct wn_unfolded *out, const struct wn_metrics *m,
                                  const struct wn_unfold_options *options, wn_err *err);
void wn_unfolded_fini(struct wn_unfolded *u);

/**
 * The node that a user means by a name or a gid.
 *
 * @param whole  the tree before anything was set apart: a gid that `t` lacks may be of it. May be
 * t.
 * @param err    on failure, what there is not, and the nearest node above it.
 * @return WN_OK · WN_E_ARG · WN_E_NOMEM
 * Cost  O(nodes + ids), for each step up where there is no such node.
 */
WN_MUST_CHECK wn_status wn_unfold_find(const struct wn_tree *t, const struct wn_tree *whole,
                                       const char *id, wn_tree_node *out, wn_err *err);

/* The name of a node, in memory that *buffer keeps and grows; NULL when memory ran out. */
const char *wn_tree_name_grown(const struct wn_tree *t, wn_tree_node node, char **buffer,
                               size_t *capacity);

#endif /* WN_AGGREGATE_UNFOLD_H */
