/* SPDX-License-Identifier: MIT */
/*
 * weigh.h - what pieces of grains weigh on a path, if not their work. Paths of such weights come
 * from a second replay of the trace, whose pieces, forks and joins are those of the first: only
 * what they weigh differs, and so who is the last of those that a join waits for.
 */
#ifndef WN_GRAPH_WEIGH_H
#define WN_GRAPH_WEIGH_H

#include "graph/graph.h"

enum wn_weigh_by {
	WN_WEIGH_TIME = 0, /* work; and between pieces, what making tasks and getting chunks cost */
	WN_WEIGH_COUNTER,  /* what a counter of the trace has counted of it */
	WN_WEIGH_PIECES    /* told for each piece */
};

struct wn_weigher {
	enum wn_weigh_by by;
	size_t counter; /* of WN_WEIGH_COUNTER: its number */
	/* WN_WEIGH_PIECES: what each piece of each grain weighs, in its order */
	const uint64_t *first; /* [g->n + 1] in pieces */
	const uint64_t *pieces;
	const uint64_t
	    *pieces_ns; /* and how long it took; a part of a piece weighs in proportion */
};

/**
 * Puts the path by a weigher into g->path: marks WN_GF_CRITICAL along it and nowhere else, and has
 * the joins of a whole graph won by it.
 *
 * @param name, unit  of what is weighed; unit is borrowed.
 * @return WN_OK · WN_E_NOMEM · WN_E_INVARIANT (the trace has changed meanwhile)
 * Cost     that of wn_graph_build(); afterwards 8 bytes per id and 3 to 8 per fragment.
 * Threads  g's trace may not be used elsewhere meanwhile.
 * Source   [P2]; Cilkview's burdened span for WN_WEIGH_TIME.
 * Oracle   tests/property/prop_graph.c
 */
WN_MUST_CHECK wn_status wn_graph_weigh(struct wn_graph *g, const struct wn_weigher *weigher,
                                       const char *name, const char *unit, wn_err *err);

/* Of fragments: how many there are before each grain's, [n + 1], and each one's value, [all->n];
 * both are the caller's. */
WN_MUST_CHECK wn_status wn_fragments_list(const struct wn_fragments *all, uint32_t n,
                                          uint64_t **first, uint64_t **values, wn_err *err);

#endif /* WN_GRAPH_WEIGH_H */
