/* SPDX-License-Identifier: MIT */
/*
 * draw.h - enumerates the nodes and edges of a grain graph, computed from the columns on demand.
 *
 *   reduced                     fragments
 *
 *      S                            S
 *      |scope                       |
 *     f.0.0                        0.1 --> f.0.1 --> 1.1 --> f.1.1 --> 2.1 --.
 *      |create                                                |              |
 *      1                                                     1.2             |
 *      |scope                                                 |  f.1.2 ...   |
 *     f.1.0                                                  j.1.0 <---------'
 *     /    \create                                            |
 *    2      3                                                1.3 --> j.0.0 --> 0.2 --> E
 *     \    /sync
 *     j.1.0
 *      |continue
 *     j.0.0
 *      |continue
 *      E
 *
 * Reduced: S, E, each drawn grain (wn_is_drawn()) once, before its forks, and a fork and a join for
 * each fork-join that has drawn children. A thread's context outside all regions is not drawn; its
 * fork-joins hang off S one after the other and end in E.
 *
 * Fragments: each grain, and each context that has children, is the chain of its pieces between
 * forks and joins. A fork has one child; but all implicit tasks of a region share a fork, and so
 * do all chunks that one thread gets of a loop, because their parent does not run in between.
 *
 * A child that outlived its parent (WN_GF_ROGUE) is drawn below the grain that joined it, with an
 * additional edge from its true creator (wn_edge.is_rogue), which is not part of the grammar.
 * Neither are edges of depend clauses (WN_EDGE_DEPEND), and their gates.
 */
#pragma once

#include "graph/graph.h"

enum wn_form { WN_FORM_REDUCED = 0, WN_FORM_FRAGMENTS = 1 };

enum wn_node_kind {
	WN_NODE_START = 0,
	WN_NODE_END,
	WN_NODE_FORK,
	WN_NODE_JOIN,
	WN_NODE_GRAIN,    /* reduced form only */
	WN_NODE_FRAGMENT, /* fragments form only */
	WN_NODE_GATE,     /* between several tasks and several others that depend on all of them */
	WN_NODE_KIND_N
};

/* Identifies a node permanently: the same trace gives the same ids. */
struct wn_node_id {
	enum wn_node_kind kind;
	wn_grain grain; /* itself; a fork's and a join's owner; WN_NO_GRAIN for S and E */
	uint32_t index; /* fork or join: the fork-join's number; fork in the fragments form: running
	                   number from 1; fragment: from 1; gate: its number; else 0 */
	uint32_t fj;    /* joins, and forks in the reduced form: the fork-join; else WN_NO_FJ */
};

struct wn_node {
	struct wn_node_id id;
	uint64_t weight_ns; /* a grain's work, a fragment's duration; else 0 */
	bool is_critical;
	uint16_t cpu; /* of a fragment: CPU it ran on; UINT16_MAX unknown */
};

enum wn_edge_kind {
	WN_EDGE_CREATE = 0, /* fork to child */
	WN_EDGE_SYNC,       /* end of a child to join */
	WN_EDGE_CONTINUE,   /* from a join onwards; in the fragments form also fork to next fragment
	                     */
	WN_EDGE_SCOPE,      /* grain or start to its fork; fragment to its fork or join */
	WN_EDGE_DEPEND, /* end of a task to one that depends on it, or to a gate; gate to task; in
	                   the fragments form also to the fragment after a wait for some tasks */
	WN_EDGE_KIND_N
};

struct wn_edge {
	struct wn_node_id from, to;
	enum wn_edge_kind kind;
	uint64_t weight_ns; /* weight of its source node */
	bool is_critical;   /* both ends are critical */
	bool is_rogue;      /* from the true creator to a child joined by another grain */
};

/* A result other than WN_OK stops the enumeration, which returns it. */
typedef wn_status wn_node_fn(const struct wn_node *node, void *user);
typedef wn_status wn_edge_fn(const struct wn_edge *edge, void *user);

struct wn_draw;

/**
 * Prepares the enumeration: links owners to fork-joins, and fork-joins to children.
 *
 * @param g    not modified; must outlive the result.
 * @param out  written only on success; release with wn_draw_free().
 * @return WN_OK · WN_E_NOMEM · WN_E_LIMIT (2^32 - 1 fragments or more, in that form)
 *
 * Cost     O(n). Reduced: 9 bytes per id, 13 per fork-join, 1 per join. Fragments: 17 per id, 9 per
 *          fork-join, 9 per join, 4 per fragment.
 * Threads  pure.
 */
WN_MUST_CHECK wn_status wn_draw_new(const struct wn_graph *g, enum wn_form form,
                                    struct wn_draw **out, wn_err *err);

/* NULL is fine. */
void wn_draw_free(struct wn_draw *d);

/**
 * Calls the callback for each node: S first, E last, each owner before its forks and joins.
 *
 * @return WN_OK, or what the callback returned
 *
 * Cost     O(n).  Threads  pure.
 * Source   [P5] section II, grammar of reduced graphs; [P3] section III for fragments.
 * Oracle   tests/export/prop_draw.c, tests/export/check-graph.awk
 */
WN_MUST_CHECK wn_status wn_draw_nodes(const struct wn_draw *d, wn_node_fn *call, void *user);

/* The same for each edge, in an order that follows the nodes. */
WN_MUST_CHECK wn_status wn_draw_edges(const struct wn_draw *d, wn_edge_fn *call, void *user);

/* Counts nodes and edges. Cost  O(n). */
void wn_draw_count(const struct wn_draw *d, uint64_t *n_nodes, uint64_t *n_edges);

#define WN_NODE_NAME_BYTES 32

/* Formats "0" for S, "E", "f.1.0", "j.1.0", "17", "17.2", "d.3" for a gate. Returns `out`. */
const char *wn_node_name(struct wn_node_id id, char out[WN_NODE_NAME_BYTES]);

/*
 * The reduced form as a tree, for layouts: drawn fork-joins of an owner in the order in which they
 * were opened, drawn children of a fork-join by id. All return WN_NO_FJ or WN_NO_GRAIN at the end.
 */
uint32_t wn_draw_first_fj(const struct wn_draw *d, wn_grain owner);
uint32_t wn_draw_next_fj(const struct wn_draw *d, uint32_t fj);
/* Returns the index in that order, from 0: the last number in the names of the fork and the join.
 */
uint32_t wn_draw_fj_number(const struct wn_draw *d, uint32_t fj);
wn_grain wn_draw_first_child(const struct wn_draw *d, uint32_t fj);
wn_grain wn_draw_next_child(const struct wn_draw *d, wn_grain child);
bool wn_draw_fork_is_critical(const struct wn_draw *d, uint32_t fj);
bool wn_draw_join_is_critical(const struct wn_draw *d, uint32_t fj);
