/* SPDX-License-Identifier: MIT */
/* tree_private.h - declarations shared by the files of this folder. */
#pragma once

#include "aggregate/tree.h"

/* tree.c: allocates the seven columns for n nodes, zeroed; false when memory ran out. */
bool tree_columns(struct wn_tree *t, size_t n);
/* Computes problem and critical flags of groups from those of the leaves, in a column of flags. */
void tree_flags_up(const struct wn_tree *t, uint8_t *flags);
/* The same for the tree's own flags; also computes totals. */
void tree_finish(struct wn_tree *t);

/*
 * sweep.c: visits all nodes, members before their group (up) or after it (down), on the tree's
 * threads.
 *
 * The nodes are divided into ranges of equal size. For each range, the function gets the nodes
 * whose contents end there. Nodes whose contents extend into the next range are open: they are
 * passed one by one, after all ranges (up) or before them (down). So the inputs of a node's value,
 * and their order, do not depend on the number of threads.
 *
 * fn(user, from, to, limit) must visit nodes from..to - 1, backwards when sweeping up, and skip
 * those with end > limit. It may write only data of the visited nodes (up) or of their members
 * (down).
 */
typedef void sweep_fn(void *user, wn_tree_node from, wn_tree_node to, wn_tree_node limit);
void tree_sweep_up(const struct wn_tree *t, sweep_fn *fn, void *user);
void tree_sweep_down(const struct wn_tree *t, sweep_fn *fn, void *user);
