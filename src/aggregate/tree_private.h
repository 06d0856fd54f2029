/* SPDX-License-Identifier: MIT */
/* tree_private.h - what the files of this folder share. */
#ifndef WN_AGGREGATE_TREE_PRIVATE_H
#define WN_AGGREGATE_TREE_PRIVATE_H

#include "aggregate/tree.h"

/* tree.c: the seven columns for n nodes, zeroed; false when memory ran out. */
bool tree_columns(struct wn_tree *t, size_t n);
/* Problem and critical flags of groups from those of the leaves, in a column of flags. */
void tree_flags_up(const struct wn_tree *t, uint8_t *flags);
/* The same of the tree's own; totals. */
void tree_finish(struct wn_tree *t);

/*
 * sweep.c: all nodes, members before their group (up) or after it (down), on the tree's threads.
 *
 * The nodes are cut into ranges of one size. Of a range, the function gets all nodes whose inside
 * ends there; the others, whose inside goes on in the next range, are open: they come one by one,
 * after all ranges (up) or before (down). So what a node's value is made of, and in which order,
 * does not depend on how many threads there are.
 *
 * fn(user, from, to, limit) must go through nodes from..to - 1, backwards when sweeping up, and
 * leave out those with end > limit. It may write only what belongs to the nodes it is at (up), or
 * to their members (down).
 */
typedef void sweep_fn(void *user, wn_tree_node from, wn_tree_node to, wn_tree_node limit);
void tree_sweep_up(const struct wn_tree *t, sweep_fn *fn, void *user);
void tree_sweep_down(const struct wn_tree *t, sweep_fn *fn, void *user);

#endif /* WN_AGGREGATE_TREE_PRIVATE_H */
