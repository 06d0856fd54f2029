/* SPDX-License-Identifier: MIT */
/*
 * similar.h - structural similarity of two groups, in one graph or in two: the Weisfeiler-Lehman
 * subtree kernel on their unaggregated, reduced graphs.
 *
 * Each node starts with its kind (start, end, fork, join, grain) as a label; in each of h rounds
 * it gets a new one, computed from its own and the multiset of its neighbours'. A graph is
 * characterised by the number of occurrences of each label in each round. Edges have no direction
 * and no kind; dependences, and edges from true creators to tasks joined by another grain, are
 * left out, as [P5] has neither.
 */
#pragma once

#include "aggregate/tree.h"
#include "graph/draw.h"

#define WN_WL_ROUNDS     5u /* default of h */
#define WN_WL_ROUNDS_MAX 100u

/* A graph reduced to node kinds and edges. */
struct wn_outline {
	uint32_t n;
	uint8_t *kind;       /* [n] enum wn_node_kind */
	uint32_t *first;     /* [n + 1] in neighbours */
	uint32_t *neighbour; /* each edge twice */
};

/**
 * Extracts the reduced graph of a group: its grains, forks and joins, and the edges between these.
 * For the root it is the whole graph with S and E, as wn_draw_nodes() enumerates it.
 *
 * @param t      as wn_tree_build() makes it, not separated.
 * @param group  any node.
 * @param out    written only on success; release with wn_outline_fini().
 * @return WN_OK · WN_E_NOMEM
 *
 * Cost     O(nodes inside); 13 bytes for each node and 8 for each edge, and 12 more meanwhile.
 * Threads  pure.
 * Oracle   tests/property/prop_similar.c: the drawn graph.
 */
WN_MUST_CHECK wn_status wn_outline_init(struct wn_outline *out, const struct wn_tree *t,
                                        wn_tree_node group, wn_err *err);
void wn_outline_fini(struct wn_outline *outline);

struct wn_wl_count {
	uint64_t label, count;
};

/* Number of occurrences of each label, by round. */
struct wn_wl {
	unsigned n_rounds;                  /* h */
	size_t first[WN_WL_ROUNDS_MAX + 2]; /* of each round, in counts; round h + 1: the end */
	struct wn_wl_count *counts;         /* in a round, by label */
	double self;                        /* the kernel of the graph with itself */
};

/**
 * Counts the labels of h rounds.
 *
 * @param n_rounds  at most WN_WL_ROUNDS_MAX.
 * @param out       written only on success; release with wn_wl_fini().
 * @return WN_OK · WN_E_NOMEM · WN_E_ARG
 *
 * Cost     O(h * (nodes + edges)); labels are 64-bit hashes; 48 bytes per node meanwhile.
 * Threads  pure.
 * Source   [P5], after Shervashidze et al. 2011; doc/metrics.md, "Similarity".
 * Oracle   tests/property/prop_similar.c: labels as texts.
 */
WN_MUST_CHECK wn_status wn_wl_init(struct wn_wl *out, const struct wn_outline *graph,
                                   unsigned n_rounds, wn_err *err);
void wn_wl_fini(struct wn_wl *wl);

/* k(G, H): sum over all rounds and labels of the product of the two counts. Both need the same
 * number of rounds. */
double wn_wl_kernel(const struct wn_wl *a, const struct wn_wl *b);
/* k(G, H) / sqrt(k(G, G) k(H, H)): 0 to 1. */
double wn_wl_similarity(const struct wn_wl *a, const struct wn_wl *b);
/* Returns whether all labels occur equally often in both. True for graphs of equal structure; the
 * reverse need not hold. */
bool wn_wl_is_same(const struct wn_wl *a, const struct wn_wl *b);
