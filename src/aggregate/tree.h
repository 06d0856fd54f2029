/* SPDX-License-Identifier: MIT */
/*
 * tree.h - folds the grain graph into a tree of groups, stored as columns.
 *
 * The leaves are the drawn grains (wn_is_drawn()), each once. They are grouped as [P5] reduces a
 * graph: the branches between a fork and its join form a fork-join group, and a grain with the
 * fork-joins that follow it a linear group.
 *
 *      S -> f.0.0 -> 1 -> f.1.0 -> 2, 3 -> j.1.0 -> f.1.1 -> 4 -> j.1.1 -> j.0.0 -> E
 *
 *      0 fork-join (of 0)              node   kind       parent  end
 *        1 linear (of 1)               0      fork-join  -       9
 *          2 grain 1                   1      linear     0       9
 *          3 fork-join                 2      grain      1       3
 *            4 grain 2                 3      fork-join  1       6
 *            5 grain 3                 ...
 *          6 fork-join
 *            7 grain 4
 *
 * Nodes are in PRE-ORDER: the first child of a group i is i + 1, the next sibling of any node is
 * end[i] (if that is below the parent's end), the nodes inside i are those from i + 1 to end[i],
 * and anything computed from children takes one backward scan.
 *
 * The tree is normalised: no linear group is directly inside another one except runs (below). A
 * grain's position follows from the fork-join that joined it; its creator is in the graph (parent,
 * WN_GF_ROGUE), as are dependences.
 */
#pragma once

#include "graph/grain_names.h"
#include "graph/graph.h"

typedef uint32_t wn_tree_node;
#define WN_NO_TREE_NODE UINT32_MAX
#define WN_TREE_ROOT    0u

enum wn_tree_kind {
	WN_TREE_GRAIN = 0, /* a leaf; ref: the grain */
	WN_TREE_LINEAR,    /* one after the other: a grain and its fork-joins; ref: the grain that
	                      owns them, or the context outside all regions whose fork-joins they
	                      are. With WN_TF_RUN: some that follow one another in a linear group */
	WN_TREE_FORK_JOIN, /* the branches between a fork and its join; ref: the fork-join */
	WN_TREE_SIBLING,   /* branches of a fork-join that have no problem; ref: the fork-join. Or
	                      the root, where several contexts hang off S; ref: WN_NO_FJ */
	WN_TREE_ALIKE,     /* branches of one shape; ref: the fork-join (WN_NO_FJ below the root) */
	WN_TREE_KIND_N
};

enum wn_tree_flag {
	WN_TF_PROBLEM = 1,  /* it, or something inside, has a problem (wn_tree_mark()) */
	WN_TF_CRITICAL = 2, /* it, or a grain inside, is on the critical path */
	WN_TF_RUN = 4       /* a linear group made by separation, inside a linear group */
};

struct wn_tree {
	const struct wn_graph *g; /* borrowed */
	uint32_t n;               /* nodes; 0 if nothing is drawn */
	unsigned n_threads;       /* threads that functions on the tree may use */

	/* columns [n] */
	uint8_t *kind;        /* enum wn_tree_kind */
	uint8_t *flags;       /* enum wn_tree_flag */
	wn_tree_node *parent; /* WN_NO_TREE_NODE for the root */
	wn_tree_node *end;    /* one past the last node inside */
	uint32_t *ref;        /* meaning: see enum wn_tree_kind */
	uint32_t *n_children; /* members of a group, 0 for grains */
	uint32_t *theta;      /* visible nodes once the node and everything above are open: [P5] */

	uint32_t *number;  /* NULL, or the result of wn_tree_number() */
	bool is_separated; /* made by wn_tree_separate() */

	/* totals */
	uint32_t n_of_kind[WN_TREE_KIND_N];
	uint32_t theta_max; /* over grains; 0 if there are none */
};

struct wn_tree_options {
	unsigned n_threads;   /* 0 = as many as there are CPUs, for large graphs */
	bool drops_childless; /* as in [P5]: without implicit tasks that created nothing, and
	                         without groups that contain only such */
};

/**
 * Folds a graph into a reduced and normalised tree.
 *
 * @param g          whole or lean; not modified; must outlive the tree.
 * @param n_threads  0 = as many as there are CPUs, for large graphs. The result does not depend on
 *                   it.
 * @param out        written only on success; release with wn_tree_free().
 * @return WN_OK · WN_E_NOMEM · WN_E_LIMIT (2^31 nodes or more) · WN_E_INVARIANT (a grain inside
 *         its own fork-join: never in graphs of wn_graph_build())
 *
 * Cost     O(n + fork-joins); 22 bytes per node (a grain without children is one node, one with
 *          children three), temporarily 8 bytes per id and 20 per fork-join, 4 more for each
 *          further thread.
 * Threads  pure; starts n_threads - 1 threads of its own.
 * Source   [P5] section III, reduction and normalisation; doc/metrics.md, "Groups".
 * Oracle   tests/property/prop_tree.c: the reduction, step by step, on the drawn graph.
 */
WN_MUST_CHECK wn_status wn_tree_build(const struct wn_graph *g, unsigned n_threads,
                                      struct wn_tree **out, wn_err *err);
/* The same with options. */
WN_MUST_CHECK wn_status wn_tree_build_as(const struct wn_graph *g,
                                         const struct wn_tree_options *options,
                                         struct wn_tree **out, wn_err *err);
/* NULL is fine. */
void wn_tree_free(struct wn_tree *t);

/* Iterate over the members of a group: for (c = wn_tree_first(t, i); c != WN_NO_TREE_NODE; c =
 * wn_tree_next(t, c)). */
static inline wn_tree_node
wn_tree_first(const struct wn_tree *t, wn_tree_node group)
{
	return t->end[group] > group + 1 ? group + 1 : WN_NO_TREE_NODE;
}

static inline wn_tree_node
wn_tree_next(const struct wn_tree *t, wn_tree_node node)
{
	wn_tree_node next = t->end[node], parent = t->parent[node];
	return parent != WN_NO_TREE_NODE && next < t->end[parent] ? next : WN_NO_TREE_NODE;
}

/* Number of nodes that become visible when a group opens: its other members, and the fork and the
 * join of a fork-join. theta(node) = theta(parent) + a(node), theta above the root = 0. [P5] */
static inline uint32_t
wn_tree_adds(enum wn_tree_kind kind, uint32_t n_children)
{
	if (kind == WN_TREE_GRAIN)
		return 1;
	return n_children - 1 + (kind == WN_TREE_FORK_JOIN ? 2 : 0);
}

/**
 * Writes the readable id of a node. T stands for a grain's lineage (wn_graph_lineage()):
 *
 *     T                    the grain
 *     T/L                  its linear group: itself and its fork-joins
 *     T/L/R<first>-<last>  members first to last of that, from 0, as a run
 *     T/F<k>               its k-th fork-join, from 0, as drawings number them
 *     T/F<k>/S             the branches of that without problems
 *     T/F<k>/A<n>          the n-th group of branches of one shape, from 0; also T/F<k>/S/A<n>
 *     R/S                  the root, where several contexts hang off S; R/S/A<n> in it
 *
 * Names with two parts after T occur in separated trees only. In a lean graph T is not known: "?".
 *
 * @param buffer  [size] receives at most size - 1 characters and a NUL.
 * @return the length of the full text, as snprintf.
 * Cost     O(depth of the grain + older siblings). Threads  pure.
 * Source   [P3], [P5] on ids that do not depend on the schedule; doc/metrics.md, "Groups".
 */
size_t wn_tree_name(const struct wn_tree *t, wn_tree_node node, char *buffer, size_t size);

/* The same where T is the grain's name, shortened if it is long (graph/grain_names.h). */
size_t wn_tree_name_by(const struct wn_tree *t, const struct wn_names *names, wn_tree_node node,
                       char *buffer, size_t size);

/**
 * Precomputes the indices that occur in ids, for callers that name many nodes: then naming does
 * not depend on the number of older siblings.
 *
 * @return WN_OK · WN_E_NOMEM
 * Cost     O(nodes); 4 bytes per node, for the lifetime of the tree.
 */
WN_MUST_CHECK wn_status wn_tree_number(struct wn_tree *t, wn_err *err);

/**
 * Finds the node that has an id: the inverse of wn_tree_name().
 *
 * @param err  on failure, the part of the id that does not exist.
 * @return WN_OK · WN_E_ARG (no such node, or not an id; a lean graph) · WN_E_NOMEM
 * Cost     O(ids + nodes); 8 bytes per id meanwhile. Threads  pure.
 */
WN_MUST_CHECK wn_status wn_tree_find(const struct wn_tree *t, const char *text, wn_tree_node *out,
                                     wn_err *err);

/* Returns the leaf of a grain, WN_NO_TREE_NODE if it is not drawn. Cost  O(nodes). */
wn_tree_node wn_tree_node_of(const struct wn_tree *t, wn_grain id);
