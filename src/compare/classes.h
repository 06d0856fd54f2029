/* SPDX-License-Identifier: MIT */
/* classes.h - classifies the groups of one tree by shape. */
#pragma once

#include "aggregate/tree.h"

#define WN_NO_CLASS UINT32_MAX

/* Groups of one shape (wn_tree_shapes()): linear ones and fork-joins. */
struct wn_class {
	uint64_t shape;
	uint32_t first, n; /* in members: in the order of the tree */
	uint32_t n_grains; /* inside each */
	uint32_t n_nodes;  /* of the reduced graph, inside each */
	uint32_t within;   /* class of the enclosing groups, if each of those contains just one of
	                      these; else WN_NO_CLASS */
	uint64_t work_ns, least_ns, median_ns, most_ns; /* total; of single groups */
};

struct wn_classes {
	const struct wn_tree *t; /* borrowed */
	struct wn_class *items;  /* most work first */
	uint32_t n;
	wn_tree_node *members; /* by class */
	uint32_t *of;          /* [t->n] class, WN_NO_CLASS of grains */
	uint64_t *work_ns;     /* [t->n] of each node with its contents */
};

/**
 * Sorts the groups of a tree by shape.
 *
 * @param t    not separated.
 * @param out  written only on success; release with wn_classes_fini().
 * @return WN_OK · WN_E_NOMEM
 *
 * Cost     O(nodes), and c log c for c classes; 24 bytes per node, meanwhile 48 more.
 * Threads  pure.
 * Oracle   tests/property/prop_similar.c
 */
WN_MUST_CHECK wn_status wn_classes_init(struct wn_classes *out, const struct wn_tree *t,
                                        wn_err *err);
void wn_classes_fini(struct wn_classes *classes);
