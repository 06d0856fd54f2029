/* SPDX-License-Identifier: MIT */
/* hash.h - 64-bit hashes of nodes: of their structure, to find groups of equal shape, and of the
 * grains they contain, to match groups between runs. */
#pragma once

#include "aggregate/tree.h"

/**
 * Computes the shape of each node: equal for two nodes if and only if reordering members of
 * fork-joins (sibling and alike groups) turns one into the other - except for collisions, which 64
 * bits make unlikely. All grains have one shape; a linear group hashes its members' shapes in
 * order, other groups in sorted order.
 *
 * @param out  [t->n]
 * @return WN_OK · WN_E_NOMEM
 * Cost     O(nodes); 16 bytes per member of the largest fork-join meanwhile.
 * Threads  uses the tree's.
 * Source   [P5] on similarity; doc/metrics.md, "Groups".
 * Oracle   tests/property/prop_tree.c
 */
WN_MUST_CHECK wn_status wn_tree_shapes(const struct wn_tree *t, uint64_t *out, wn_err *err);

/**
 * Computes a schedule-independent id of each node from its kind, its depth and its members' ids
 * (in order; sorted for fork-joins, sibling and alike groups, since the order of their members is
 * that of grain ids); for a grain, from its lineage.
 *
 * @param out  [t->n]
 * @return WN_OK · WN_E_NOMEM · WN_E_ARG (a lean graph has no lineages)
 * Cost     O(nodes + ids); meanwhile 4 bytes per node and 9 per id.
 * Threads  uses the tree's.
 * Source   [P5] on identifiers; doc/metrics.md, "Groups".
 * Oracle   tests/property/prop_tree.c
 */
WN_MUST_CHECK wn_status wn_tree_gids(const struct wn_tree *t, uint64_t *out, wn_err *err);
