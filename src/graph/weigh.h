/* SPDX-License-Identifier: MIT */
/* weigh.h - weights of pieces of grains on a path, other than work. Such paths come from a second
 * replay of the trace, whose pieces, forks and joins are those of the first: only weights differ,
 * and so the latest of those that a join waits for. */
#pragma once

#include "graph/graph.h"

enum wn_weigh_by {
	WN_WEIGH_TIME = 0, /* work; between pieces, the cost of task creation and chunk dispatch */
	WN_WEIGH_COUNTER,  /* count of a trace's counter */
	WN_WEIGH_PIECES    /* given for each piece */
};

struct wn_weigher {
	enum wn_weigh_by by;
	size_t counter; /* of WN_WEIGH_COUNTER: its number */
	/* WN_WEIGH_PIECES: the weight of each piece of each grain, in order */
	const uint64_t *first; /* [g->n + 1] in pieces */
	const uint64_t *pieces;
	const uint64_t *pieces_ns; /* and their durations; a part of a piece weighs in proportion */
};

/**
 * Computes the path by a weigher as g->path: marks WN_GF_CRITICAL along it and nowhere else, and
 * sets the winners of a whole graph's joins.
 *
 * @param name, unit  of what is weighed; unit is borrowed.
 * @return WN_OK · WN_E_NOMEM · WN_E_INVARIANT (the trace has changed meanwhile)
 * Cost     that of wn_graph_build(); afterwards 8 bytes per id and 3 to 8 per fragment.
 * Threads  needs exclusive use of g's trace.
 * Source   [P2]; Cilkview's burdened span for WN_WEIGH_TIME.
 * Oracle   tests/property/prop_graph.c
 */
WN_MUST_CHECK wn_status wn_graph_weigh(struct wn_graph *g, const struct wn_weigher *weigher,
                                       const char *name, const char *unit, wn_err *err);

/* Lists fragments: the number before each grain's, [n + 1], and each value, [all->n]; the caller
 * frees both. */
WN_MUST_CHECK wn_status wn_fragments_list(const struct wn_fragments *all, uint32_t n,
                                          uint64_t **first, uint64_t **values, wn_err *err);
