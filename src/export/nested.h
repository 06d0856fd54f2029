/* SPDX-License-Identifier: MIT */
/*
 * nested.h - writes the folded graph as nested GraphML, whose groups yEd opens and closes.
 *
 * A group is a node of type folder, closed at first, with two realizers (open, closed) and a graph
 * inside; a fork-join's graph starts with its fork and its join. Edges are those of the reduced
 * form, all in the outermost graph, as each level must enclose both ends of its edges.
 */
#pragma once

#include "aggregate/tree.h"
#include "export/export.h"
#include "metrics/metrics.h"

#define WN_COLOUR_LOCAL     "#0000FF"
#define WN_COLOUR_GROUP     "#00FF00"
#define WN_COLOUR_PROBLEM   "#FF0000"
#define WN_NESTED_STRUCTURE (-1)

struct wn_nested_options {
	int view; /* WN_NESTED_STRUCTURE, or the problem type to highlight: its grains are coloured
	             by severity, all others are pale, and groups without the problem are separated
	           */
	uint32_t problems; /* structural view: types that make a group's border red: bit p */
	const char *local; /* name of a node whose longest inner path is blue; NULL = none */
	bool is_flat;      /* problem grains are red, regardless of severity */
};

/**
 * Writes one document.
 *
 * @param x      in the reduced form.
 * @param tree   of x->g, made by wn_tree_build(), not separated.
 * @param m      of x->g.
 * @return WN_OK · WN_E_IO (part of it may be written) · WN_E_NOMEM · WN_E_LIMIT · WN_E_ARG (the
 *         other form)
 *
 * Cost     O(nodes * depth + edges * depth): ids are paths. 12 bytes per node, 4 per id and per
 *          fork-join, 8 per group and column.
 * Threads  uses the tree's.
 * Source   [P5] section IV, views; doc/metrics.md, "Groups".
 * Oracle   tests/export/check-nested.py, tests/export/nested.rng
 */
WN_MUST_CHECK wn_status wn_export_nested(const struct wn_export *x, const struct wn_tree *tree,
                                         const struct wn_metrics *m,
                                         const struct wn_nested_options *options, FILE *to,
                                         wn_err *err);

/* Tests whether any drawn grain has a value for problem type p. */
bool wn_nested_is_measured(const struct wn_metrics *m, int p);
