/* SPDX-License-Identifier: MIT */
/*
 * table_weight.c - computes the longest path of an imported reduced graph, by any weight.
 *
 * Joins are ordered with those of the innermost grains first, so that all branches of a fork-join
 * are measured before its join.
 */
#include "graph/from_table.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>
#include <string.h>

struct weigh {
	struct wn_graph *g;
	uint64_t *weight;  /* [n] */
	uint64_t *tail;    /* [n] from a grain's start to its last join so far */
	wn_grain *longest; /* [n_fjs] */
	uint64_t *fork;    /* [n_fjs] from its owner's start, then from the program's */
};

static uint64_t
whole(double value)
{
	return value > 0 && value < 1e18 ? (uint64_t)llround(value) : 0;
}

/* Returns false if there is no such column. */
static bool
fill(struct weigh *w, const char *name)
{
	const struct wn_graph *g = w->g;
	const double *extra = wn_graph_extra(g, name);
	bool is_work = strcmp(name, "work_cycles") == 0, is_exec = strcmp(name, "exec_cycles") == 0;
	if (!is_work && !is_exec && !extra)
		return false;
	for (wn_grain id = 0; id < g->n; id++)
		if (wn_is_grain(g, id))
			w->weight[id] = is_work   ? wn_work_ns(g, id)
			                : is_exec ? g->exec_ns[id]
			                          : whole(extra[id]);
	return true;
}

/* Returns whether a's tail is longer, or equal and a comes first. */
static bool
is_longer(const struct weigh *w, wn_grain a, wn_grain b)
{
	if (b == WN_NO_GRAIN || w->tail[a] != w->tail[b])
		return b == WN_NO_GRAIN || w->tail[a] > w->tail[b];
	return a < b;
}

/* Incomplete grains are not compared yet: a grain is offered when its last join has been
 * processed. */
static void
offer(struct weigh *w, wn_grain id)
{
	uint32_t fj = w->g->fj[id];
	if (fj != WN_NO_FJ && is_longer(w, id, w->longest[fj]))
		w->longest[fj] = id;
}

/* Computes the distances of grains from the start, unless the table has them: outer joins come
 * last. */
static void
place(struct weigh *w)
{
	struct wn_graph *g = w->g;
	double *dist = NULL;
	for (size_t i = 0; i < g->n_extras; i++)
		if (g->extras[i].is_derived && strcmp(g->extras[i].name, "root_dist") == 0)
			dist = g->extras[i].values;
	for (uint32_t i = (uint32_t)g->n_joins; i-- > 0;) {
		uint32_t outer = g->fj[g->joins[i].owner];
		w->fork[g->joins[i].fj] += outer == WN_NO_FJ ? 0 : w->fork[outer];
	}
	for (wn_grain id = 0; dist && id < g->n; id++)
		if (g->fj[id] != WN_NO_FJ)
			dist[id] = (double)w->fork[g->fj[id]];
}

static void
walk(struct weigh *w)
{
	struct wn_graph *g = w->g;
	for (wn_grain id = 0; id < g->n; id++) {
		w->tail[id] = w->weight[id];
		if (g->kind[id] != WN_GRAIN_NONE && g->last_join[id] == WN_NO_JOIN)
			offer(w, id);
	}
	for (uint32_t i = 0; i < g->n_joins; i++) {
		struct wn_join *join = &g->joins[i];
		wn_grain longest = w->longest[join->fj];
		w->fork[join->fj] = w->tail[join->owner];
		if (longest != WN_NO_GRAIN) {
			join->winner = longest;
			join->winner_pos = g->last_join[longest];
			w->tail[join->owner] += w->tail[longest];
		}
		if (g->last_join[join->owner] == i)
			offer(w, join->owner);
	}
	place(w);
	g->span_ns = g->span_scheduled_ns = g->span_burdened_ns = w->tail[0];
}

wn_status
table_weigh(struct wn_graph *g, const char *name, uint64_t **weight, wn_err *err)
{
	struct weigh w = {.g = g,
	                  .weight = wn_calloc(g->n, sizeof *w.weight),
	                  .tail = wn_calloc(g->n, sizeof *w.tail),
	                  .longest = wn_calloc(g->n_fjs, sizeof *w.longest),
	                  .fork = wn_calloc(g->n_fjs, sizeof *w.fork)};
	wn_status st = WN_OK;
	if (!w.weight || !w.tail || !w.longest || !w.fork)
		st = wn_no_memory(err);
	else if (!fill(&w, name))
		st = wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "the table has no column '%s' of numbers",
		             name);
	if (st == WN_OK) {
		memset(w.longest, 0xff, g->n_fjs * sizeof *w.longest);
		walk(&w);
	}
	if (st == WN_OK && weight) {
		*weight = w.weight;
		w.weight = NULL;
	}
	WN_FREE_ALL(w.weight, w.tail, w.longest, w.fork);
	return st;
}
