/* SPDX-License-Identifier: MIT */
/*
 * bundle.h - a tree of groups in so few nodes that a picture of it can be read: groups are opened
 * in proportion to what they weigh, and of those that stay closed the siblings that are alike are
 * one. Nothing is left out: each grain is in one node. Private to this folder.
 */
#ifndef WN_EXPORT_BUNDLE_H
#define WN_EXPORT_BUNDLE_H

#include "aggregate/tree.h"
#include "export/export.h"

enum bundle_kind {
	BUNDLE_CLOSED = 0, /* a grain, or all that is in some members of one group */
	BUNDLE_CHAIN,      /* an open linear group: one after the other */
	BUNDLE_ROW         /* an open fork-join: branches, between a fork and a join */
};

struct bundle {
	wn_tree_node node;                   /* the group; of several members the first one */
	uint32_t parent;                     /* UINT32_MAX of the first */
	uint32_t n_members;                  /* of its group that this is, 1 or more */
	uint64_t n_grains;                   /* inside; of the papers: without implicit tasks */
	uint64_t n_drawn;                    /* inside, implicit tasks that are drawn among them */
	uint64_t weight;                     /* of all inside, on the graph's path */
	const struct wn_export_place *place; /* of what is closed: its heads'; NULL = several */
	uint8_t kind;                        /* enum bundle_kind */
	bool is_critical;                    /* something inside is */
};

struct bundles {
	struct bundle *items; /* [n] in pre-order */
	size_t n, capacity;
	uint32_t *in; /* [nodes of the tree] the item that each node is, or is in; UINT32_MAX: of
	                 nodes that are not inside the root */
};

/**
 * @param root    the node to draw.
 * @param n_most  about how many circles and points of fork and join there may be; at least 10.
 *                Where one group after the other forks, there may be a few more.
 * @param out     empty on failure; release with bundles_fini().
 * @return WN_OK · WN_E_NOMEM
 *
 * Cost     O(nodes of the tree + n_most log n_most), 28 bytes per node meanwhile, 4 for good.
 * Threads  pure.
 */
WN_MUST_CHECK wn_status bundles_make(const struct wn_export *x, const struct wn_tree *t,
                                     wn_tree_node root, uint32_t n_most, struct bundles *out,
                                     wn_err *err);
void bundles_fini(struct bundles *b);

#endif /* WN_EXPORT_BUNDLE_H */
