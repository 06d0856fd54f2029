/* SPDX-License-Identifier: MIT */
/*
 * table_spans.c - longest paths through a graph that is a tree of fork-joins.
 *
 * Reduced form: a grain's whole work, then for each of its fork-joins the longest child, which is
 * stored in the join. Fragments: a grain is cut where it created a child and where it resumed
 * after a wait, as in the R prototype; execution time counts. Leaves come first, so that each sum
 * is one pass; the starts of fragments follow on the way back.
 */
#include "graph/from_table.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct spans {
	struct table_maker *t;
	struct wn_graph *g;
	uint64_t *length_ns; /* [n] fragments: from its first one's start to its last one's end */
	uint64_t *start_ns;  /* [n] fragments: distance of the first one from the start */
	uint32_t *place;     /* [n] index of a child in its fork-join, from 1 */
	wn_grain *winner;    /* [n_fjs] fragments: WN_NO_GRAIN = the owner itself was later */
	uint64_t *breaks;    /* scratch: cuts of a grain */
	uint64_t *pieces;    /* scratch: length of each fragment */
	size_t breaks_capacity, pieces_capacity;
};

static bool
is_at_table_end(const struct spans *s, wn_grain id, uint32_t fj)
{
	return fj == s->t->first_fj[id + 1];
}

static uint32_t
n_fragments(const struct spans *s, wn_grain id)
{
	return 1 + s->t->first_child[id + 1] - s->t->first_child[id] + s->t->first_fj[id + 1] -
	       s->t->first_fj[id];
}

/* Collects the prototype's cuts: the execution is [1, 1 + exec]; instants of 0 are ignored. */
static size_t
gather_breaks(struct spans *s, wn_grain id)
{
	const struct table_maker *t = s->t;
	size_t n = 0;
	s->breaks[n++] = 1;
	s->breaks[n++] = 1 + s->g->exec_ns[id];
	for (uint64_t i = t->wait_first[id]; i < t->wait_first[id + 1]; i++)
		if (t->waits[i])
			s->breaks[n++] = t->waits[i];
	for (uint32_t i = t->first_child[id]; i < t->first_child[id + 1]; i++) {
		double instant = t->instant[t->children[i]];
		if (instant >= 1)
			s->breaks[n++] = (uint64_t)instant;
	}
	qsort(s->breaks, n, sizeof *s->breaks, wn_compare_u64);
	return n;
}

/* Used where instants and children are inconsistent: places each fork at its instant, as far as
 * the order of births allows; each wait at its instant, else right after the last birth before it.
 */
static void
guess_pieces(struct spans *s, wn_grain id)
{
	const struct table_maker *t = s->t;
	uint64_t end = 1 + s->g->exec_ns[id], at = 1;
	uint64_t n_waits = t->wait_first[id + 1] - t->wait_first[id];
	bool has_waits = n_waits == t->first_fj[id + 1] - t->first_fj[id];
	uint32_t child = t->first_child[id], n = 0, join = 0;
	for (uint32_t fj = t->first_fj[id]; !is_at_table_end(s, id, fj); fj++, join++) {
		for (uint32_t k = 0; k <= s->g->fjs[fj].n_children; k++) {
			bool is_join = k == s->g->fjs[fj].n_children;
			double instant = is_join ? has_waits
			                               ? (double)t->waits[t->wait_first[id] + join]
			                               : (double)NAN
			                         : t->instant[t->children[child++]];
			uint64_t cut = instant > (double)at ? (uint64_t)instant : at;
			cut = cut < end ? cut : end;
			s->pieces[n++] = cut - at;
			at = cut;
		}
	}
	s->pieces[n] = end - at;
}

/* Fills s->pieces[n_fragments]. */
static wn_status
cut_grain(struct spans *s, wn_grain id, bool is_counted)
{
	const struct table_maker *t = s->t;
	uint32_t n = n_fragments(s, id);
	size_t most = 2 + (size_t)(t->wait_first[id + 1] - t->wait_first[id]) + n;
	if (wn_grow(&s->breaks, &s->breaks_capacity, most, sizeof *s->breaks) != 0 ||
	    wn_grow(&s->pieces, &s->pieces_capacity, n, sizeof *s->pieces) != 0)
		return table_no_memory(s->t);
	if (id == 0) {
		memset(s->pieces, 0, n * sizeof *s->pieces);
		return WN_OK;
	}
	size_t n_breaks = gather_breaks(s, id);
	bool is_good =
	    n_breaks == (size_t)n + 1 && s->breaks[n_breaks - 1] == 1 + s->g->exec_ns[id];
	if (is_good) {
		for (uint32_t i = 0; i < n; i++)
			s->pieces[i] = s->breaks[i + 1] - s->breaks[i];
		return WN_OK;
	}
	if (is_counted) {
		s->g->imported->n_guessed++;
		s->g->imported->n_parents_guessed += n > 1;
	}
	guess_pieces(s, id);
	return WN_OK;
}

static int
add_fragment(struct spans *s, struct wn_run *run, struct wn_pool *cells, uint64_t start_ns,
             uint64_t ns)
{
	wn_durations_add(&s->g->durations, start_ns, ns);
	return wn_run_add(run, cells, start_ns, ns);
}

/* Walks a grain's fragments from its start. The upward pass computes its length from children's;
 * the downward pass computes children's starts, and stores the fragments. */
static wn_status
walk_fragments(struct spans *s, wn_grain id, struct wn_run *run, struct wn_pool *cells)
{
	struct wn_graph *g = s->g;
	uint32_t child = s->t->first_child[id], i = 0;
	uint64_t begin = run ? s->start_ns[id] : 0, at = begin;
	for (uint32_t fj = s->t->first_fj[id]; !is_at_table_end(s, id, fj); fj++) {
		uint64_t latest = 0;
		wn_grain winner = WN_NO_GRAIN;
		for (uint32_t k = 0; k < g->fjs[fj].n_children; k++, child++) {
			wn_grain c = s->t->children[child];
			if (run && id && add_fragment(s, run, cells, at, s->pieces[i]) != 0)
				return table_no_memory(s->t);
			at += s->pieces[i++];
			if (run)
				s->start_ns[c] = at;
			uint64_t end = at + s->length_ns[c];
			if (winner == WN_NO_GRAIN || end > latest ||
			    (end == latest && c < winner)) {
				latest = end;
				winner = c;
			}
		}
		if (run && id && add_fragment(s, run, cells, at, s->pieces[i]) != 0)
			return table_no_memory(s->t);
		at += s->pieces[i++];
		/* the start of the program has no fragment that could be later */
		s->winner[fj] = id == 0 || latest > at ? winner : WN_NO_GRAIN;
		at = latest > at ? latest : at;
	}
	if (run && id && add_fragment(s, run, cells, at, s->pieces[i]) != 0)
		return table_no_memory(s->t);
	s->length_ns[id] = at + s->pieces[i] - begin;
	return WN_OK;
}

static wn_status
make_fragments(struct spans *s)
{
	struct wn_pool cells;
	wn_status st = WN_OK;
	struct wn_durations *d = &s->g->durations;
	d->counts_empty = true; /* as the prototype does */
	d->count = wn_calloc(WN_DURATIONS_SHORT, sizeof *d->count);
	if (!d->count)
		return table_no_memory(s->t);
	for (uint32_t at = s->t->n_order; st == WN_OK && at-- > 0;) {
		wn_grain id = s->t->order[at];
		if ((st = cut_grain(s, id, true)) == WN_OK)
			st = walk_fragments(s, id, NULL, NULL);
	}
	s->g->imported->span_fragments_ns = s->length_ns[0];
	wn_pool_init(&cells, sizeof(struct wn_run_cell));
	for (uint32_t at = 0; st == WN_OK && at < s->t->n_order; at++) {
		wn_grain id = s->t->order[at];
		struct wn_run run = {0};
		if ((st = cut_grain(s, id, false)) == WN_OK)
			st = walk_fragments(s, id, &run, &cells);
		if (st == WN_OK && wn_run_close(&run, &cells, id, &s->g->fragments) != 0)
			st = table_no_memory(s->t);
	}
	wn_pool_fini(&cells);
	return st;
}

/* Walks back along the path: from the end of a grain to its last join, from there into the child
 * that was waited for, or back in the grain; from a grain's first fragment to its parent, before
 * the fork. */
static void
count_critical(const struct spans *s)
{
	uint32_t *n = s->g->imported->critical_fragments;
	wn_grain id = 0;
	uint32_t fj = s->t->first_fj[1]; /* the fork-joins of the nodes below follow */
	for (;;) {
		bool is_first = fj == s->t->first_fj[id];
		if (fj == s->t->first_fj[id + 1])
			n[id] += 1; /* the last fragment */
		if (is_first && id == 0)
			return;
		if (is_first) { /* the fragments before its creation, back to the previous join */
			wn_grain child = id;
			id = s->g->parent[child];
			fj = s->g->fj[child];
			n[id] += s->place[child];
			continue;
		}
		fj--;
		if (s->winner[fj] == WN_NO_GRAIN) {
			n[id] += s->g->fjs[fj].n_children + 1;
			continue;
		}
		id = s->winner[fj];
		fj = s->t->first_fj[id + 1];
	}
}

static uint8_t
join_kind(const struct wn_graph *g, wn_grain child)
{
	return g->kind[child] == WN_GRAIN_IMPLICIT ? WN_JOIN_REGION
	       : g->kind[child] == WN_GRAIN_CHUNK  ? WN_JOIN_LOOP
	                                           : WN_JOIN_TASKWAIT;
}

/* Makes joins of the innermost grains first: a join is never older than the joins that determine
 * it. */
static wn_status
make_joins(struct spans *s)
{
	struct wn_graph *g = s->g;
	if (wn_grow(&g->joins, &g->joins_capacity, g->n_fjs, sizeof *g->joins) != 0)
		return table_no_memory(s->t);
	for (uint32_t at = s->t->n_order; at-- > 0;) {
		wn_grain id = s->t->order[at];
		uint32_t child = s->t->first_child[id];
		uint64_t wait = s->t->wait_first[id];
		for (uint32_t fj = s->t->first_fj[id]; !is_at_table_end(s, id, fj); fj++) {
			wn_grain first = s->t->children[child];
			for (uint32_t k = 0; k < g->fjs[fj].n_children; k++, child++) {
				wn_grain c = s->t->children[child];
				g->after_join[c] = g->last_join[id];
				s->place[c] = k + 1;
			}
			g->joins[g->n_joins] = (struct wn_join){
			    .owner = id,
			    .prev = g->last_join[id],
			    .winner = WN_NO_GRAIN,
			    .winner_pos = WN_NO_JOIN,
			    .fj = fj,
			    .waitpoint = WN_NO_GRAIN,
			    .instant_ns = wait < s->t->wait_first[id + 1] ? s->t->waits[wait++] : 0,
			    .kind = join_kind(g, first)};
			g->last_join[id] = (uint32_t)g->n_joins++;
		}
	}
	return WN_OK;
}

/* Creates a column of the graph, unless the table has it. NULL: it has, or memory ran out. */
static double *
own_column(struct spans *s, const char *name, const char *unit, wn_status *st)
{
	struct wn_graph *g = s->g;
	if (wn_graph_extra(g, name))
		return NULL;
	double *values = wn_calloc(g->n, sizeof *values);
	if (!values) {
		*st = table_no_memory(s->t);
		return NULL;
	}
	for (wn_grain id = 0; id < g->n; id++)
		values[id] = g->kind[id] ? 0 : (double)NAN;
	g->extras[g->n_extras++] = (struct wn_extra){name, unit, values, true};
	return values;
}

/* Reduced form: computes the winner of each join, and the distances of grains from the start. */
static wn_status
weigh_work(struct spans *s)
{
	wn_status st = WN_OK;
	(void)own_column(s, "root_dist", wn_trace_unit(s->g->trace), &st);
	return st == WN_OK ? table_weigh(s->g, "work_cycles", NULL, s->t->err) : st;
}

/* Depth: the largest number of nodes before it. Heights come first, from the leaves. */
static wn_status
add_depth(struct spans *s)
{
	wn_status st = WN_OK;
	double *depth = own_column(s, "depth", "", &st);
	uint32_t *height = wn_calloc(s->g->n, sizeof *height);
	if (!height)
		return table_no_memory(s->t);
	for (uint32_t at = s->t->n_order; depth && at-- > 0;) {
		wn_grain id = s->t->order[at];
		uint32_t child = s->t->first_child[id];
		for (uint32_t fj = s->t->first_fj[id]; !is_at_table_end(s, id, fj); fj++) {
			uint32_t most = 0;
			for (uint32_t k = 0; k < s->g->fjs[fj].n_children; k++, child++)
				if (height[s->t->children[child]] > most)
					most = height[s->t->children[child]];
			height[id] += 3 + most; /* to the fork, to the child, to the join */
		}
	}
	for (uint32_t at = 0; depth && at < s->t->n_order; at++) {
		wn_grain id = s->t->order[at];
		uint32_t child = s->t->first_child[id];
		double last = depth[id];
		for (uint32_t fj = s->t->first_fj[id]; !is_at_table_end(s, id, fj); fj++) {
			uint32_t most = 0;
			for (uint32_t k = 0; k < s->g->fjs[fj].n_children; k++, child++) {
				depth[s->t->children[child]] = last + 2;
				if (height[s->t->children[child]] > most)
					most = height[s->t->children[child]];
			}
			last += 3 + most;
		}
	}
	wn_free(height);
	return st;
}

static wn_status
measure(struct spans *s)
{
	struct wn_graph *g = s->g;
	wn_status st;
	for (wn_grain id = 1; id < g->n; id++)
		g->instant_ns[id] = s->t->instant[id] > 0 ? (uint64_t)s->t->instant[id] : 0;
	WN_TRY(make_joins(s));
	WN_TRY(weigh_work(s));
	WN_TRY(add_depth(s));
	g->span_end = 0;
	g->span_end_join = g->last_join[0];
	if (g->imported->has_fragments) {
		WN_TRY(make_fragments(s));
		g->imported->critical_fragments = wn_calloc(g->n, sizeof(uint32_t));
		if (!g->imported->critical_fragments)
			return table_no_memory(s->t);
		count_critical(s);
		for (wn_grain id = 1; id < g->n; id++) /* S is not cut */
			g->imported->n_critical_fragments += g->imported->critical_fragments[id];
		g->imported->fragment_winner = s->winner;
		s->winner = NULL;
	}
out:
	return st;
}

wn_status
table_spans(struct table_maker *t)
{
	struct spans s = {.t = t,
	                  .g = t->g,
	                  .length_ns = wn_calloc(t->g->n, sizeof *s.length_ns),
	                  .start_ns = wn_calloc(t->g->n, sizeof *s.start_ns),
	                  .place = wn_calloc(t->g->n, sizeof *s.place),
	                  .winner = wn_calloc(t->g->n_fjs, sizeof *s.winner)};
	bool has_all = s.length_ns && s.start_ns && s.place && s.winner;
	wn_status st = has_all ? measure(&s) : table_no_memory(t);
	WN_FREE_ALL(s.length_ns, s.start_ns, s.place, s.winner, s.breaks, s.pieces);
	return st;
}

void
wn_graph_use_fragments(struct wn_graph *g)
{
	if (!g->imported || !g->imported->has_fragments || g->imported->is_fragments)
		return;
	g->imported->is_fragments = true;
	for (size_t i = 0; i < g->n_joins; i++) {
		wn_grain winner = g->imported->fragment_winner[g->joins[i].fj];
		g->joins[i].winner = winner;
		g->joins[i].winner_pos = winner == WN_NO_GRAIN ? WN_NO_JOIN : g->last_join[winner];
	}
	g->span_ns = g->span_scheduled_ns = g->span_burdened_ns = g->imported->span_fragments_ns;
	wn_graph_mark_critical(g);
}
