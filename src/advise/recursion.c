/* SPDX-License-Identifier: MIT */
/*
 * recursion.c - merges findings of one cause. Places that create tasks for one another, directly or
 * through others, are one recursion: one cut-off stops the tasks of all of them, so their small
 * tasks are one finding, at the place with the largest part of it.
 *
 * The places of tasks are the nodes of a directed graph, with an edge from the place of a task to
 * that of each task it creates; a recursion is a strongly connected component (doc/metrics.md).
 */
#include "advise/advise_private.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/mix.h"

#include <string.h>

struct edges {
	struct edge {
		uint32_t from, to;
	} * items;
	size_t n, capacity;
	uint64_t *seen; /* [n_seen] hash table of from and to, plus 1; 0 = empty */
	size_t n_seen;
};

/* Beyond this number of distinct edges nothing is merged: no program has so many places. */
enum { EDGES_MAX = 1 << 11 };

static bool
is_seen(struct edges *edges, uint32_t from, uint32_t to)
{
	uint64_t key = ((uint64_t)from << 32 | to) + 1;
	size_t at = wn_mix(0, key) & (edges->n_seen - 1);
	for (; edges->seen[at]; at = (at + 1) & (edges->n_seen - 1))
		if (edges->seen[at] == key)
			return true;
	edges->seen[at] = key;
	return false;
}

static wn_status
find_edges(const struct advice *a, struct edges *edges, wn_err *err)
{
	const struct wn_graph *g = a->g;
	edges->n_seen = 2 * EDGES_MAX;
	edges->seen = wn_calloc(edges->n_seen, sizeof *edges->seen);
	edges->items = wn_calloc(EDGES_MAX, sizeof *edges->items);
	if (!edges->seen || !edges->items)
		return wn_no_memory(err);
	size_t last_from = SIZE_MAX, last_to = SIZE_MAX;
	for (wn_grain id = 0; id < g->n && edges->n < EDGES_MAX; id++) {
		wn_grain parent = g->parent[id];
		if (!advice_is_task(g, id) || parent == WN_NO_GRAIN || !advice_is_task(g, parent))
			continue;
		size_t from = advice_place(a, g->site[parent]), to = advice_place(a, g->site[id]);
		if ((from == last_from && to == last_to) ||
		    is_seen(edges, (uint32_t)from, (uint32_t)to))
			continue;
		last_from = from;
		last_to = to;
		edges->items[edges->n++] = (struct edge){(uint32_t)from, (uint32_t)to};
	}
	return WN_OK;
}

/* Marks what is reached from `place` along edges, or against them. */
static void
reach(const struct edges *edges, uint32_t place, bool is_backwards, uint8_t *is_reached)
{
	is_reached[place] = 1;
	for (bool is_new = true; is_new;) {
		is_new = false;
		for (size_t i = 0; i < edges->n; i++) {
			const struct edge *e = &edges->items[i];
			uint32_t from = is_backwards ? e->to : e->from;
			uint32_t to = is_backwards ? e->from : e->to;
			if (is_reached[from] && !is_reached[to])
				is_new = (is_reached[to] = 1);
		}
	}
}

/* The place with the largest finding that has not been looked at; n_places: none. */
static size_t
largest(const struct advice *a, const uint8_t *is_done)
{
	size_t best = a->n_places;
	for (size_t place = 0; place < a->n_places; place++) {
		const struct entry *e = advice_at(a, WN_RULE_SMALL_TASKS, place);
		if (is_done[place] || e->n == 0)
			continue;
		if (best == a->n_places ||
		    e->gain_ns > advice_at(a, WN_RULE_SMALL_TASKS, best)->gain_ns)
			best = place;
	}
	return best;
}

wn_status
merge_recursions(struct advice *a, wn_err *err)
{
	size_t n = a->n_places + 1, best;
	struct edges edges = {0};
	uint8_t *is_done = wn_calloc(n, 1), *is_after = wn_calloc(n, 1),
		*is_before = wn_calloc(n, 1);
	wn_status st = is_done && is_after && is_before ? WN_OK : wn_no_memory(err);
	if (st == WN_OK && largest(a, is_done) < a->n_places)
		st = find_edges(a, &edges, err);
	while (st == WN_OK && edges.n > 0 && edges.n < EDGES_MAX &&
	       (best = largest(a, is_done)) < a->n_places) {
		is_done[best] = 1;
		if (!advice_is_significant(a, advice_at(a, WN_RULE_SMALL_TASKS, best)))
			break;
		memset(is_after, 0, n);
		memset(is_before, 0, n);
		reach(&edges, (uint32_t)best, false, is_after);
		reach(&edges, (uint32_t)best, true, is_before);
		for (size_t place = 0; place < a->n_places; place++)
			is_after[place] &= is_before[place];
		advice_merge(a, WN_RULE_SMALL_TASKS, is_after);
	}
	WN_FREE_ALL(is_done, is_after, is_before, edges.seen, edges.items);
	return st;
}
