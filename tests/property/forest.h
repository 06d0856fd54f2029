/* SPDX-License-Identifier: MIT */
/*
 * forest.h - grain graphs without a trace: trees of tasks of any size, only as far as folding looks
 * at them (kinds, flags, fork-joins, parents, and what names need). Also used by bench/.
 */
#ifndef WN_PROPERTY_FOREST_H
#define WN_PROPERTY_FOREST_H

#include "graph/graph.h"

enum forest_shape {
	FOREST_FIB,    /* tasks that make two, one of them smaller */
	FOREST_FLAT,   /* many tasks from one, each with a few below it, here and there */
	FOREST_WIDE,   /* all from one */
	FOREST_CHAIN,  /* each from the one before */
	FOREST_RANDOM, /* several fork-joins here and there, several contexts, lone grains */
	FOREST_SHAPES_N
};

extern const char *const forest_names[FOREST_SHAPES_N];

/* n_ids ids, of which the first is the context. Ids are in the order of birth, in a run on one
 * thread that works on its newest task. */
struct wn_graph *forest_new(enum forest_shape shape, uint32_t n_ids, uint64_t seed);

/* The same with other ids for all but contexts, and other numbers of fork-joins, those of an owner
 * in the same order. *new_id (may be NULL): [n], for wn_free(). */
struct wn_graph *forest_shuffle(const struct wn_graph *g, uint64_t seed, wn_grain **new_id);

void forest_free(struct wn_graph *g);

#endif /* WN_PROPERTY_FOREST_H */
