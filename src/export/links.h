/* SPDX-License-Identifier: MIT */
/* links.h - links between nodes that represent many grains, in addition to fork and join edges:
 * task dependences, and edges from creators to what others joined. Links between the same two nodes
 * are merged and counted; links inside a node are omitted. Private to this folder. */
#pragma once

#include "export/export.h"

#define LINKS_NONE UINT32_MAX

struct link {
	uint32_t from, to; /* nodes */
	uint32_t next;     /* next with the same `from`; LINKS_NONE */
	bool is_rogue;     /* from the creator of a grain that another joined; else a dependence */
	bool is_critical;  /* one of the merged edges is on the path */
	uint64_t n;
};

struct links {
	struct link *items; /* [n] in order of `from`'s first occurrence; see next */
	size_t n, capacity;
	uint32_t *first; /* [nodes] */
};

/**
 * @param node_of [x->g->n] the node that each drawn grain is in; LINKS_NONE: in none.
 * @param n_nodes number of nodes.
 * @param out     empty on failure; release with links_fini().
 * @return WN_OK · WN_E_NOMEM
 *
 * A gate counts as a dependence of each successor on each predecessor.
 *
 * Cost     O(edges of the graph * links of one node). 24 bytes for each edge to or from a gate.
 * Threads  pure.
 * Oracle   tests/export/prop_draw.c; cases/taskgraph-links.sh: counted from the exported table of
 * edges
 */
WN_MUST_CHECK wn_status links_make(const struct wn_export *x, const uint32_t *node_of,
                                   uint32_t n_nodes, struct links *out, wn_err *err);
void links_fini(struct links *l);
