/* SPDX-License-Identifier: MIT */
/*
 * view.h - the visible nodes of a tree while some of its groups are open: the lines of `winnow
 * tree`, the nodes of an aggregated drawing.
 *
 * A view starts with one closed node and repeatedly opens the group with the highest score, until
 * no group should open or there is no room. It shows the members of an open group that are worth a
 * line, in order, and one line that sums up the others. The grain at the start of a linear group
 * has no line if it has less than a fiftieth of the group's score.
 */
#pragma once

#include "aggregate/tree.h"
#include "metrics/metrics.h"

#define WN_NO_VIEW_LINE UINT32_MAX

enum wn_view_aim {
	WN_VIEW_PROBLEMS = 0, /* towards the problems; without problems, towards the work */
	WN_VIEW_CRITICAL,     /* along the critical path; elsewhere along the longest path inside
	                         (aggregate/local.h) */
	WN_VIEW_DEPTH         /* a fixed number of levels */
};

struct wn_view_options {
	wn_tree_node root;
	enum wn_view_aim aim;
	uint32_t depth;   /* for WN_VIEW_DEPTH: levels of groups to open, 0 = none */
	uint32_t n_lines; /* room; at least 1 */
	uint32_t n_shown; /* members of a group with a line of their own, at most; 0 = no limit. Not
	                     for WN_VIEW_DEPTH */
	uint32_t problems;    /* which types count as problems: bit p */
	bool has_all_members; /* no line sums members up: a drawing needs all of them. A group whose
	                         members do not fit stays closed */
};

/* Totals of the grains inside a node, or inside members that are summed up. */
struct wn_view_sums {
	uint64_t n_grains;      /* as the papers count: without implicit tasks */
	uint64_t work_ns;       /* of all */
	uint64_t weight;        /* of all, on the graph's path (wn_path_weight()) */
	uint64_t n_critical;    /* grains and implicit tasks on the critical path */
	uint64_t n_problematic; /* grains with a problem that counts */
};

struct wn_view_line {
	wn_tree_node node;  /* WN_NO_TREE_NODE: this line sums up other members of its group */
	uint32_t parent;    /* line of its group; WN_NO_VIEW_LINE for the first line */
	uint32_t depth;     /* 0 for the first line */
	uint32_t n_members; /* 1, or number summed up */
	bool is_open;
	bool is_last;     /* last line of its group */
	uint64_t span_ns; /* longest path inside, each parent's work before its children's ... */
	uint64_t span;    /* ... and the heaviest, by the weight of the graph's path */
	struct wn_view_sums sums;
	uint64_t
	    *problem; /* [m->n_problems] how many grains inside have it; in the view's memory */
};

struct wn_view {
	const struct wn_tree *t;
	const struct wn_metrics *m;
	struct wn_view_line *lines; /* [n] in pre-order; lines[0] is the root of the view */
	size_t n;
	uint64_t theta;     /* nodes of an aggregated drawing with these groups open, and the nodes
	                       above the root: 1 + a() of each. [P5] */
	uint64_t n_closed;  /* groups left closed for lack of room */
	bool is_local;      /* the critical path was requested but does not pass here */
	bool is_by_work;    /* problems were requested but there are none */
	uint64_t *problems; /* owns lines[].problem */
};

struct wn_view_options wn_view_options_default(void);

/* Returns the group whose members a line shows when open: itself, or if all its members form one
 * alike group, that group. They open and close together. */
wn_tree_node wn_view_group(const struct wn_tree *t, wn_tree_node node);

/**
 * Builds a view of a tree.
 *
 * @param m    of the tree's graph; it and the tree must outlive the view.
 * @param out  written only on success; release with wn_view_free().
 * @return WN_OK · WN_E_NOMEM
 *
 * Cost     O(nodes inside the root + lines log lines); temporarily 24 bytes per node inside.
 * Threads  pure.
 * Source   [P5] section III, navigation; doc/metrics.md, "Groups".
 * Oracle   tests/property/prop_view.c
 */
WN_MUST_CHECK wn_status wn_view_new(const struct wn_tree *t, const struct wn_metrics *m,
                                    const struct wn_view_options *options, struct wn_view **out,
                                    wn_err *err);
/* NULL is fine. */
void wn_view_free(struct wn_view *v);
