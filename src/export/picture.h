/* SPDX-License-Identifier: MIT */
/* picture.h - writes the page's two pictures of a run as documents: the work map and the structure.
 */
#pragma once

#include "aggregate/tree.h"
#include "metrics/metrics.h"

#include <stdio.h>

struct wn_picture_options {
	bool is_map;           /* work map; else the structure */
	bool is_by_place;      /* colour by place, not by problem */
	wn_tree_node root;     /* root of the drawing */
	wn_tree_node selected; /* node to which the structure is expanded; WN_NO_TREE_NODE: the
	                          worst problem */
	int problem;           /* problem type shown; -1 = all except the extremes of instantaneous
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
