/* SPDX-License-Identifier: MIT */
/* local.h - the critical path of one group: the longest chain of work from its first node to its
 * last, within the group. The critical path of the whole graph is marked by WN_TF_CRITICAL. */
#pragma once

#include "aggregate/tree.h"

struct wn_local_path {
	wn_tree_node group; /* nodes [group, group + n) are the group and its contents */
	uint32_t n;
	uint64_t span_ns;       /* work on the path */
	uint32_t n_grains;      /* grains on the path */
	uint8_t *is_on;         /* [n] whether the node, or anything inside it, is on the path */
	uint64_t *root_dist_ns; /* [n] work before it on the longest path to it */
};

/**
 * Finds the critical path of the reduced graph, in which the whole work of a grain comes before
 * that of its children, as [P5] draws it; forks and joins weigh nothing. Ties: the path through
 * the earlier members.
 *
 * @param group  any node of any tree, separated or not.
 * @param out    written only on success; release with wn_local_path_fini().
 * @return WN_OK · WN_E_NOMEM
 *
 * Cost     O(nodes inside); 9 bytes for each, and meanwhile 8 more. Threads  pure.
 * Source   [P5] on critical paths of groups that are closed; doc/metrics.md, "Groups".
 * Oracle   tests/property/prop_similar.c: longest path on the drawn graph's edges.
 */
WN_MUST_CHECK wn_status wn_local_path_init(struct wn_local_path *out, const struct wn_tree *t,
                                           wn_tree_node group, wn_err *err);
void wn_local_path_fini(struct wn_local_path *path);
