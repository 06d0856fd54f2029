/* SPDX-License-Identifier: MIT */
/* nested_private.h - attributes of a folded graph, which nested_find.c computes and nested.c writes
 * as nested GraphML. */
#pragma once

#include "aggregate/local.h"
#include "export/graphml_parts.h"
#include "export/layout.h"
#include "export/nested.h"
#include "export/ramp.h"

struct nested {
	const struct wn_export *x;
	const struct wn_graph *g;
	const struct wn_metrics *m;
	const struct wn_tree *t;
	const struct wn_nested_options *given;
	wn_tree_node root; /* root of the written part */
	struct wn_layout *layout;
	struct wn_out *o;
	wn_err *err;

	/* [t->n] */
	uint32_t *place; /* index among its group's nodes: the n of n0::n<n> */
	uint32_t *n_grains;
	uint64_t *gid;
	uint32_t *group; /* number among groups */
	/* positions in the tree */
	wn_tree_node *of_grain; /* [g->n] */
	wn_tree_node *of_fj;    /* [g->n_fjs] */

	const struct wn_column **columns; /* [n_columns] attributes of nodes */
	size_t n_columns;
	double **folded; /* [n_columns][groups] NULL if groups have no such value */
	struct wn_steps steps;
	struct wn_local_path local; /* is_on is NULL if not requested; for the nodes inside: */
	uint64_t *end_ns;           /* work on the longest path to its end */
	uint32_t *n_hops, *depth;   /* most nodes on a path through it, and before it */

	uint32_t *path; /* scratch */
	size_t path_capacity;
	char *name;
	size_t name_capacity;
	uint64_t n_edges;
};

static inline bool
nested_is_pale(const struct nested *d)
{
	return d->given->view != WN_NESTED_STRUCTURE;
}

static inline uint32_t
nested_mask(const struct nested *d)
{
	return nested_is_pale(d) ? 1u << d->given->view : d->given->problems;
}

static inline bool
nested_is_problematic(const struct nested *d, wn_grain id)
{
	return d->m->problems[id] & nested_mask(d);
}

static inline bool
nested_is_local(const struct nested *d, wn_tree_node node)
{
	return d->local.is_on && node >= d->local.group && node < d->local.group + d->local.n;
}

static inline bool
nested_is_on_local(const struct nested *d, wn_tree_node node)
{
	return nested_is_local(d, node) && d->local.is_on[node - d->local.group];
}

/* Computes the remaining fields for d->t, which is numbered; `whole` is the tree it was made from.
 * On failure some fields are set. O(nodes * columns). WN_OK · WN_E_NOMEM · WN_E_ARG (no such node
 * as `local`) */
WN_MUST_CHECK wn_status nested_find(struct nested *d, const struct wn_tree *whole);
void nested_fini(struct nested *d);
