/* SPDX-License-Identifier: MIT */
/*
 * links.h - what is said beside the grammar of the graph, between nodes that stand for many grains:
 * dependences of tasks, and who made what others joined. Those between the same two nodes are one,
 * with how many they are; what stays inside a node is none. Private to this folder.
 */
#ifndef WN_EXPORT_LINKS_H
#define WN_EXPORT_LINKS_H

#include "export/export.h"

#define LINKS_NONE UINT32_MAX

struct link {
	uint32_t from, to; /* nodes */
	uint32_t next;     /* of the same `from`; LINKS_NONE */
	bool is_rogue; /* from the true creator of what somebody else joined; else a dependence */
	bool is_critical; /* the path goes along one of them */
	uint64_t n;
};

struct links {
	struct link *items; /* [n] by `from`'s first mention; see next */
	size_t n, capacity;
	uint32_t *first; /* [nodes] */
};

/**
 * @param node_of [x->g->n] the node that each drawn grain is in; LINKS_NONE: in none.
 * @param n_nodes how many there are.
 * @param out     empty on failure; release with links_fini().
 * @return WN_OK · WN_E_NOMEM
 *
 * What a gate stands between counts as if each of those before it were depended on by each behind.
 *
 * Cost     O(edges of the graph * links of one node). 24 bytes for each edge to or from a gate.
 * Threads  pure.
 * Oracle   tests/export/prop_draw.c; cases/taskgraph-links.sh: counted from the exported table of
 * edges
 */
WN_MUST_CHECK wn_status links_make(const struct wn_export *x, const uint32_t *node_of,
                                   uint32_t n_nodes, struct links *out, wn_err *err);
void links_fini(struct links *l);

#endif /* WN_EXPORT_LINKS_H */
