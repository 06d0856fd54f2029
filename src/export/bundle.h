/* SPDX-License-Identifier: MIT */
/* bundle.h - reduces a tree of groups to so few nodes that a picture of it is readable: groups are
 * opened in proportion to their weight, and similar closed siblings are merged. Each grain is in
 * exactly one node. Private to this folder. */
#pragma once

#include "aggregate/tree.h"
#include "export/export.h"

enum bundle_kind {
	BUNDLE_CLOSED = 0, /* a grain, or the content of some members of one group */
	BUNDLE_CHAIN,      /* an open linear group: a sequence */
	BUNDLE_ROW         /* an open fork-join: branches between a fork and a join */
};

struct bundle {
	wn_tree_node node;  /* the group; for several members, the first one */
	uint32_t parent;    /* UINT32_MAX for the root */
	uint32_t n_members; /* number of members that this item represents, 1 or more */
	uint64_t n_grains;  /* grains inside, as the papers count them: without implicit tasks */
	uint64_t n_drawn;   /* implicit tasks inside that are drawn */
	uint64_t weight;    /* weight on the graph's path */
	const struct wn_export_place
	    *place;       /* place of the first grains of closed members; NULL = several */
	uint8_t kind;     /* enum bundle_kind */
	bool is_critical; /* something inside is critical */
};

struct bundles {
	struct bundle *items; /* [n] in pre-order */
	size_t n, capacity;
	uint32_t *in; /* [nodes of the tree] the item that each node is or lies in; UINT32_MAX:
	                 outside the root */
};

/**
 * @param root    the node to draw.
 * @param n_most  approximate limit of circles and points of fork and join; at least 10. A sequence
 * of forking groups may exceed it slightly.
 * @param out     empty on failure; release with bundles_fini().
 * @return WN_OK · WN_E_NOMEM
 *
 * Cost     O(nodes of the tree + n_most log n_most), 28 bytes per node during the call, 4 in the
 * result. Threads  pure.
 */
WN_MUST_CHECK wn_status bundles_make(const struct wn_export *x, const struct wn_tree *t,
                                     wn_tree_node root, uint32_t n_most, struct bundles *out,
                                     wn_err *err);
void bundles_fini(struct bundles *b);
