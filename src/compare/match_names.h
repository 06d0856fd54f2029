/* SPDX-License-Identifier: MIT */
/*
 * match_names.h - schedule-independent names of grains, as 64-bit hashes.
 *
 * A name is the lineage (wn_graph_lineage()), hashed one dot-separated part after the other, so
 * that each grain's hash follows from its parent's, and a text has the same hash as its grain.
 */
#pragma once

#include "graph/graph.h"

#define WN_NAME_ROOT UINT64_C(0x9d39247e33776d41) /* of "R": the program's first thread */

struct wn_names {
	const struct wn_graph *g; /* borrowed */
	uint64_t *path; /* [g->n] prefix for its children's names: its own name, except for implicit
	                   tasks, whose threads occur in few names below them */
};

/**
 * Computes the names of all ids of a graph.
 *
 * @param g    whole, not lean; must outlive the names.
 * @param out  written only on success; release with wn_names_fini().
 * @return WN_OK · WN_E_NOMEM · WN_E_ARG (a lean graph) · WN_E_INVARIANT (a grain above itself)
 *
 * Cost     O(n); 8 bytes per id, and 4 for each step of the deepest path meanwhile. Threads  pure.
 * Source   [P3], [P5] on ids that do not depend on the schedule; doc/metrics.md, "Lineage".
 * Oracle   tests/property/prop_compare.c: the texts.
 */
WN_MUST_CHECK wn_status wn_names_init(struct wn_names *out, const struct wn_graph *g, wn_err *err);
void wn_names_fini(struct wn_names *names);

/* Returns a grain's own name. Cost  O(1). */
uint64_t wn_name_of(const struct wn_names *names, wn_grain id);

/* Returns the name that extends `path` by a text of dot-separated parts; "" extends nothing. */
uint64_t wn_name_continued(uint64_t path, const char *text, size_t length);

/* Returns whether two grains, of one graph or of two, have the same lineage. Compares texts, part
 * by part, from the end. Cost  O(depth). */
bool wn_names_agree(const struct wn_graph *ga, wn_grain a, const struct wn_graph *gb, wn_grain b);
