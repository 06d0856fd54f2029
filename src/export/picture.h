/* SPDX-License-Identifier: MIT */
/* picture.h - the page's two pictures of a run as documents: the work map and the structure. */
#ifndef WN_EXPORT_PICTURE_H
#define WN_EXPORT_PICTURE_H

#include "aggregate/tree.h"
#include "metrics/metrics.h"

#include <stdio.h>

struct wn_picture_options {
	bool is_map;           /* else the structure */
	bool is_by_place;      /* colours tell places, not problems */
	wn_tree_node root;     /* what is drawn */
	wn_tree_node selected; /* the structure is open on the way to it; WN_NO_TREE_NODE: to the
	                          worst problem */
	int problem;           /* the one that is shown; -1 = all but the extremes of instantaneous
	                          parallelism */
};

/**
 * Writes one document.
 *
 * @param tree  of m->g, made by wn_tree_build(), not separated.
 * @return WN_OK · WN_E_IO (part of it may be written) · WN_E_NOMEM
 *
 * Cost     O(nodes); about 90 bytes per node.
 * Threads  uses the tree's.
 * Oracle   tests/property/prop_page.c
 */
WN_MUST_CHECK wn_status wn_export_picture(const struct wn_tree *tree, const struct wn_metrics *m,
                                          const struct wn_picture_options *options, FILE *to,
                                          wn_err *err);

#endif /* WN_EXPORT_PICTURE_H */
