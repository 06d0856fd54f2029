/* SPDX-License-Identifier: MIT */
#include "graph/weigh.h"

#include "graph/from_table.h"
#include "graph/replay.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns the weigher's count in the running piece. Ended pieces of a share of several chunks may
 * have been moved to other chunks. */
static uint64_t
counted(const struct replay *r, const struct live *l)
{
	const struct wn_counts *c = &r->g->counts[r->weigher->counter];
	return c->own[l->id] > l->weighed ? c->own[l->id] - l->weighed : 0;
}

static uint64_t
weight_of(const struct replay *r, const struct live *l)
{
	const struct wn_weigher *by = r->weigher;
	if (by->by == WN_WEIGH_TIME)
		return l->piece_ns;
	if (by->by == WN_WEIGH_COUNTER)
		return counted(r, l);
	uint64_t at = by->first[l->id] + l->n_fragments;
	return at < by->first[l->id + 1] ? by->pieces[at] : 0;
}

/* Returns the weight of the running piece so far, in proportion to time. */
static uint64_t
part_of_piece(const struct wn_weigher *by, const struct live *l)
{
	uint64_t at = by->first[l->id] + l->n_fragments;
	if (at >= by->first[l->id + 1] || by->pieces_ns[at] == 0)
		return 0;
	if (l->piece_ns >= by->pieces_ns[at])
		return by->pieces[at];
	return (uint64_t)llround((double)by->pieces[at] *
	                         ((double)l->piece_ns / (double)by->pieces_ns[at]));
}

void
weigh_so_far(const struct replay *r, const struct live *l, uint64_t dist[SPAN_N])
{
	const struct wn_weigher *by = r->weigher;
	uint64_t weight = by->by == WN_WEIGH_TIME      ? l->piece_ns
	                  : by->by == WN_WEIGH_COUNTER ? counted(r, l)
	                                               : part_of_piece(by, l);
	dist[SPAN_LOGICAL] = l->dist[SPAN_LOGICAL] + weight;
	dist[SPAN_SCHEDULED] = l->dist[SPAN_SCHEDULED] + weight;
}

wn_status
weigh_piece(struct replay *r, struct live *l)
{
	uint64_t weight = weight_of(r, l);
	wn_status st = fragment_add(r, l, l->dist[SPAN_LOGICAL], weight);
	l->dist[SPAN_LOGICAL] += weight;
	l->dist[SPAN_SCHEDULED] += weight;
	l->dist[SPAN_BURDENED] += l->piece_ns;
	l->piece_ns = 0;
	l->weighed += weight;
	return st;
}

/* Checks that everything independent of weights is the same in both replays. */
static bool
is_alike(const struct wn_graph *g, const struct wn_graph *w)
{
	return g->n == w->n && g->fragments.n == w->fragments.n &&
	       g->n_dependents == w->n_dependents &&
	       (g->detail < WN_DETAIL_WHOLE || g->n_joins == w->n_joins);
}

/* Copies the grains that the paths come from. */
static void
take_winners(struct wn_graph *g, const struct wn_graph *w)
{
	for (wn_grain id = 0; id < g->n; id++)
		g->flags[id] =
		    (uint16_t)((g->flags[id] & ~WN_GF_CRITICAL) | (w->flags[id] & WN_GF_CRITICAL));
	g->span_end = w->span_end;
	g->span_end_join = w->span_end_join;
	for (size_t i = 0; i < g->n_dependents; i++) {
		g->dependents[i].winner = w->dependents[i].winner;
		g->dependents[i].winner_pos = w->dependents[i].winner_pos;
	}
	for (size_t i = 0; g->detail == WN_DETAIL_WHOLE && i < g->n_joins; i++) {
		g->joins[i].winner = w->joins[i].winner;
		g->joins[i].winner_pos = w->joins[i].winner_pos;
	}
}

static struct wn_path *
path_new(const struct wn_graph *g, const char *name, const char *unit)
{
	struct wn_path *path = wn_calloc(1, sizeof *path);
	uint64_t *weight = path ? wn_calloc(g->n, sizeof *weight) : NULL;
	if (!weight) {
		wn_free(path);
		return NULL;
	}
	snprintf(path->name, sizeof path->name, "%s", name);
	path->unit = unit;
	path->weight = weight;
	return path;
}

void
wn_path_free(struct wn_path *path)
{
	if (!path)
		return;
	wn_free(path->weight);
	wn_fragments_fini(&path->fragments);
	wn_free(path);
}

static void
path_put(struct wn_graph *g, struct wn_path *path)
{
	wn_path_free(g->path);
	g->path = path;
}

/* Adds the costs between pieces: task creation, which its creator does, and chunk dispatch, which
 * belongs to no other grain. */
static void
add_burdens(const struct wn_graph *g, struct wn_path *path)
{
	for (wn_grain id = 0; id < g->n; id++) {
		path->weight[id] += wn_made_ns(g, id);
		path->work += wn_made_ns(g, id);
	}
	for (size_t i = 0; i < g->n_loops; i++)
		path->work += g->loops[i].overhead_ns;
}

wn_status
wn_graph_weigh(struct wn_graph *g, const struct wn_weigher *weigher, const char *name,
               const char *unit, wn_err *err)
{
	struct wn_graph *w = NULL;
	struct wn_path *path = path_new(g, name, unit);
	struct wn_fragment f;
	wn_status st = WN_OK;
	if (!path)
		return wn_no_memory_for(err, g->n, "grains");
	struct graph_plan plan = {.detail = g->detail,
	                          .weigher = weigher,
	                          .like = g->detail == WN_DETAIL_WHOLE ? g : NULL};
	WN_TRY(graph_build(g->trace, &plan, &w, err));
	if (!is_alike(g, w))
		WN_TRY(wn_fail(err, WN_E_INVARIANT, WN_NO_OFFSET,
		               "the recording is not what it was when it was read first"));
	take_winners(g, w);
	path->span = w->span_ns;
	path->fragments = w->fragments;
	path->has_fragments = true;
	w->fragments = (struct wn_fragments){0};
	wn_fragments_begin(&path->fragments, &f);
	while (wn_fragments_next(&f)) {
		path->weight[f.grain] += f.ns;
		path->work += f.ns;
	}
	if (weigher->by == WN_WEIGH_TIME)
		add_burdens(g, path);
	path_put(g, path);
	path = NULL;
out:
	wn_path_free(path);
	wn_graph_free(w);
	return st;
}

wn_status
wn_fragments_list(const struct wn_fragments *all, uint32_t n, uint64_t **first, uint64_t **values,
                  wn_err *err)
{
	uint64_t *at = wn_calloc((size_t)n + 1, sizeof *at);
	uint64_t *value = wn_calloc(all->n, sizeof *value);
	struct wn_fragment f;
	if (!at || !value) {
		wn_free(at);
		wn_free(value);
		return wn_no_memory_for(err, n, "grains");
	}
	wn_fragments_begin(all, &f);
	while (wn_fragments_next(&f))
		at[f.grain + 1]++;
	for (uint32_t id = 0; id < n; id++)
		at[id + 1] += at[id];
	uint64_t next = 0;
	wn_fragments_begin(all, &f);
	while (wn_fragments_next(&f)) {
		next = f.is_first ? at[f.grain] : next + 1;
		value[next] = f.ns;
	}
	*first = at;
	*values = value;
	return WN_OK;
}

/* Switches back from another weight: to the original weights of pieces. */
static wn_status
return_to_work(struct wn_graph *g, const char *unit, wn_err *err)
{
	uint64_t *first = NULL, *pieces = NULL;
	wn_status st = wn_fragments_list(&g->fragments, g->n, &first, &pieces, err);
	if (st != WN_OK)
		return st;
	struct wn_weigher work = {
	    .by = WN_WEIGH_PIECES, .first = first, .pieces = pieces, .pieces_ns = pieces};
	st = wn_graph_weigh(g, &work, "work", unit, err);
	wn_free(first);
	wn_free(pieces);
	return st;
}

/* Unchanged since it was built: nothing is replayed. */
static wn_status
use_work(struct wn_graph *g, wn_err *err)
{
	const char *unit = wn_trace_unit(g->trace);
	if (g->path)
		return return_to_work(g, unit, err);
	struct wn_path *path = path_new(g, "work", unit);
	if (!path)
		return wn_no_memory_for(err, g->n, "grains");
	path->span = g->span_ns;
	for (wn_grain id = 0; id < g->n; id++) {
		path->weight[id] = wn_work_ns(g, id);
		path->work += wn_work_ns(g, id);
	}
	path_put(g, path);
	return WN_OK;
}

/* For tables: the prototype's names of a recording's work and time. */
static const char *
column_of(const char *weight)
{
	return strcmp(weight, "work") == 0   ? "work_cycles"
	       : strcmp(weight, "time") == 0 ? "exec_cycles"
	                                     : weight;
}

static wn_status
use_column(struct wn_graph *g, const char *name, wn_err *err)
{
	uint64_t *weight;
	if (g->imported->is_fragments)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
		               "of an imported table only the reduced graph has other weights");
	wn_status st = table_weigh(g, column_of(name), &weight, err);
	if (st != WN_OK)
		return st;
	bool is_time = strcmp(column_of(name), name) != 0 || strstr(name, "_cycles");
	struct wn_path *path = path_new(g, column_of(name), is_time ? wn_trace_unit(g->trace) : "");
	if (!path) {
		wn_free(weight);
		return wn_no_memory_for(err, g->n, "grains");
	}
	wn_free(path->weight);
	path->weight = weight;
	path->span = g->span_ns;
	for (wn_grain id = 0; id < g->n; id++)
		path->work += weight[id];
	path_put(g, path);
	wn_graph_mark_critical(g);
	return WN_OK;
}

const struct wn_counts *
wn_counts_named(const struct wn_graph *g, const char *name)
{
	for (size_t i = 0; name && i < g->n_counts; i++)
		if (g->counts[i].name && strcmp(g->counts[i].name, name) == 0)
			return &g->counts[i];
	return NULL;
}

/* Must match plugin/clang/count/slot.cc. */
bool
wn_is_counted_by_itself(const char *by)
{
	static const char words[] = "LLVM IR";
	return by && strncmp(by, words, sizeof words - 1) == 0;
}

static wn_status
use_counter(struct wn_graph *g, const struct wn_counts *c, wn_err *err)
{
	struct wn_weigher by = {.by = WN_WEIGH_COUNTER, .counter = (size_t)(c - g->counts)};
	wn_status st = wn_graph_weigh(g, &by, c->name, c->unit, err);
	for (wn_grain id = 0; st == WN_OK && id < g->n; id++)
		g->path->n_unknown += wn_is_grain(g, id) && wn_count_is_unknown(c, id);
	return st;
}

/* Lists the available names, as far as there is room, and the number of others. */
static wn_status
complain(const struct wn_graph *g, const char *name, wn_err *err)
{
	char list[120] = "work, time", more[40] = "";
	size_t used = strlen(list), n_more = 0;
	for (size_t i = 0; i < g->n_counts; i++) {
		const char *counter = g->counts[i].name;
		size_t n = counter ? strlen(counter) : 0;
		if (n_more || used + n + 3 > sizeof list)
			n_more += counter != NULL;
		else if (counter)
			used += (size_t)snprintf(list + used, sizeof list - used, ", %s", counter);
	}
	if (n_more)
		snprintf(more, sizeof more, " and %zu more", n_more);
	return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
	               "--weight '%.40s': the recording has no such weight; it has %s%s", name,
	               list, more);
}

wn_status
wn_graph_use_weight(struct wn_graph *g, const char *name, wn_err *err)
{
	struct wn_weigher time = {.by = WN_WEIGH_TIME};
	const struct wn_counts *c = wn_counts_named(g, name);
	if (g->imported)
		return use_column(g, name, err);
	if (strcmp(name, "work") == 0)
		return use_work(g, err);
	if (strcmp(name, "time") == 0)
		return wn_graph_weigh(g, &time, name, wn_trace_unit(g->trace), err);
	return c && !c->is_carried ? use_counter(g, c, err) : complain(g, name, err);
}
