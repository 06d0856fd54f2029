/* SPDX-License-Identifier: MIT */
/*
 * slow_tree.h - the tree of groups as the definitions give it, of nothing but the drawn graph's
 * nodes and edges, by recursion.
 */
#ifndef WN_PROPERTY_SLOW_TREE_H
#define WN_PROPERTY_SLOW_TREE_H

#include "aggregate/tree.h"
#include "metrics/columns.h"

struct slow {
	enum wn_tree_kind kind;
	uint32_t ref;
	bool is_run, has_problem;
	struct slow **members;
	uint32_t n;
	struct slow *above;
	wn_tree_node node; /* of the same place in the tree it was compared with */
};

/* By the greedy reduction, normalised; NULL if nothing is drawn. */
struct slow *slow_of_drawing(const struct wn_graph *g);
/* A copy of a tree, for further treatment. */
struct slow *slow_of_tree(const struct wn_tree *t, wn_tree_node node);
void slow_free(struct slow *s);

/* Separates in place; `alike` as in wn_tree_separate(). */
void slow_separate(struct slow *s, const uint8_t *is_problem, bool alike);
/* Nodes that are visible on the way to this one, and itself opened if it is a group. */
uint64_t slow_theta(const struct slow *s);
double slow_fold(const struct slow *s, enum wn_fold rule, const double *values);
/* The structure as text, members of fork-joins sorted; for free(). */
char *slow_shape(const struct slow *s);

/* Compares all but flags; notes in each slow node where it was found. "" or the first difference.
 */
const char *slow_compare(struct slow *s, const struct wn_tree *t);

#endif /* WN_PROPERTY_SLOW_TREE_H */
