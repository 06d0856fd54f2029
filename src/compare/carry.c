/* SPDX-License-Identifier: MIT */
#include "compare/carry.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "compare/match.h"
#include "graph/weigh.h"

#include <stdio.h>
#include <string.h>

/* --- checks for the same program --- */

/* Compares both command lines from the program's name on. */
static bool
has_same_command(const struct wn_trace *a, const struct wn_trace *b)
{
	size_t n_a, n_b;
	const char *x = wn_trace_argv(a, &n_a), *y = wn_trace_argv(b, &n_b);
	if (!x || !y || n_a == 0 || n_b == 0) /* not recorded */
		return true;
	size_t first_a = strnlen(x, n_a), first_b = strnlen(y, n_b);
	while (first_a > 0 && x[first_a - 1] != '/')
		first_a--;
	while (first_b > 0 && y[first_b - 1] != '/')
		first_b--;
	return n_a - first_a == n_b - first_b &&
	       memcmp(x + first_a, y + first_b, n_a - first_a) == 0;
}

/* Returns the program's module, or NULL. */
static const struct wn_trace_module *
program_of(const struct wn_trace *t)
{
	const struct wn_trace_module *modules;
	size_t n = wn_trace_modules(t, &modules), n_bytes;
	const char *argv = wn_trace_argv(t, &n_bytes);
	char name[256];
	if (!argv || n_bytes == 0)
		return NULL;
	snprintf(name, sizeof name, "%.*s", (int)strnlen(argv, n_bytes), argv);
	for (size_t i = 0; i < n; i++)
		if (modules[i].build_id_bytes &&
		    strcmp(wn_base_name(modules[i].path), wn_base_name(name)) == 0)
			return &modules[i];
	return NULL;
}

static bool
has_same_build(const struct wn_trace *a, const struct wn_trace *b)
{
	const struct wn_trace_module *x = program_of(a), *y = program_of(b);
	return !x || !y ||
	       (x->build_id_bytes == y->build_id_bytes &&
	        memcmp(x->build_id, y->build_id, x->build_id_bytes) == 0);
}

/* Returns whether the program counted itself, built for that. */
static bool
is_by_compiler(const struct wn_trace *t)
{
	const struct wn_trace_counter *counters;
	size_t n = wn_trace_counters(t, &counters);
	for (size_t i = 0; i < n; i++)
		if (counters[i].name && wn_is_counted_by_itself(counters[i].by))
			return true;
	return false;
}

/* Formats a command line in few characters, with separated arguments. */
static void
describe_command(const struct wn_trace *t, char out[64])
{
	size_t n_bytes;
	const char *argv = wn_trace_argv(t, &n_bytes);
	size_t n = argv && n_bytes < 63 ? n_bytes : argv ? 63 : 0;
	for (size_t i = 0; i < n; i++)
		out[i] = argv[i] ? argv[i] : ' ';
	while (n > 0 && out[n - 1] == ' ')
		n--;
	out[n] = '\0';
}

wn_status
wn_carry_check(const struct wn_trace *run, const struct wn_trace *counts, bool *is_other_build,
               wn_err *err)
{
	char here[64], there[64];
	describe_command(run, here);
	describe_command(counts, there);
	if (!has_same_command(run, counts))
		return wn_fail(err, WN_E_INVARIANT, WN_NO_OFFSET,
		               "counts of another run: of '%s', not of '%s'", there, here);
	*is_other_build = !has_same_build(run, counts);
	if (*is_other_build && !is_by_compiler(counts))
		return wn_fail(err, WN_E_INVARIANT, WN_NO_OFFSET,
		               "counts of another run: of another build of '%s'", here);
	return WN_OK;
}

/* --- columns --- */

struct carrier {
	struct wn_graph *g, *from;
	struct wn_match match;          /* [0] is g */
	uint64_t *first[2], *pieces[2]; /* of g, and of `from`: durations of pieces */
	const struct wn_counts *weight; /* of `from`, or NULL */
	wn_err *err;
};

static uint64_t
n_pieces(const struct carrier *c, int side, wn_grain id)
{
	return c->first[side][id + 1] - c->first[side][id];
}

/* Returns the other run's grain of the same name, if that did the same. */
static wn_grain
namesake(const struct carrier *c, wn_grain id)
{
	wn_grain there = c->match.to[0][id];
	if (there == WN_NO_GRAIN || !(c->from->flags[there] & WN_GF_STARTED))
		return WN_NO_GRAIN;
	/* a thread's own part of a region depends on the schedule */
	if (!wn_is_grain(c->g, id) && n_pieces(c, 0, id) != n_pieces(c, 1, there))
		return WN_NO_GRAIN;
	return there;
}

static bool
fill_column(const struct carrier *c, const struct wn_counts *from, struct wn_counts *to)
{
	const struct wn_graph *g = c->g;
	*to = (struct wn_counts){.name = from->name,
	                         .unit = from->unit,
	                         .by = from->by,
	                         .n_threads = from->n_threads,
	                         .is_carried = true,
	                         .own = wn_calloc(g->n, sizeof *to->own),
	                         .is_unknown = wn_calloc((size_t)g->n / 8 + 1, 1)};
	if (!to->own || !to->is_unknown)
		return false;
	for (wn_grain id = 0; id < g->n; id++) {
		wn_grain there = namesake(c, id);
		if (there == WN_NO_GRAIN || wn_count_is_unknown(from, there))
			to->is_unknown[id / 8] |= (uint8_t)(1u << id % 8);
		else
			to->own[id] = from->own[there];
		to->sum[WN_ACCOUNT_OWN] += to->own[id];
	}
	return true;
}

static wn_status
add_columns(struct carrier *c)
{
	struct wn_graph *g = c->g;
	size_t n = g->n_counts + c->from->n_counts;
	struct wn_counts *counts = wn_calloc(n, sizeof *counts);
	if (!counts)
		return wn_no_memory(c->err);
	if (g->n_counts)
		memcpy(counts, g->counts, g->n_counts * sizeof *counts);
	wn_free(g->counts);
	g->counts = counts;
	for (size_t i = 0; i < c->from->n_counts; i++) {
		const struct wn_counts *from = &c->from->counts[i];
		if (!from->name || wn_counts_named(g, from->name))
			continue;
		if (!fill_column(c, from, &g->counts[g->n_counts++]))
			return wn_no_memory_for(c->err, g->n, "grains");
		g->carried->by = from->by;
		if (from->n_threads > g->carried->n_threads)
			g->carried->n_threads = from->n_threads;
	}
	return WN_OK;
}

/* Returns the lineage, truncated if it is very long. */
static void
name_first(const struct wn_graph *g, wn_grain id, char *name, size_t name_bytes)
{
	if (!*name && wn_graph_lineage(g, id, name, name_bytes) >= name_bytes)
		memcpy(name + name_bytes - 4, "...", 4);
}

static void
count_pairs(const struct carrier *c)
{
	struct wn_carried *out = c->g->carried;
	out->n_by_order = c->match.n_by_order;
	for (wn_grain id = 0; id < c->g->n; id++) {
		if (!wn_is_grain(c->g, id))
			continue;
		wn_grain there = namesake(c, id);
		out->n_matched += there != WN_NO_GRAIN;
		out->n_without_counts += there == WN_NO_GRAIN;
		if (there == WN_NO_GRAIN)
			name_first(c->g, id, out->first_without_counts,
			           sizeof out->first_without_counts);
		out->n_divided +=
		    there != WN_NO_GRAIN && n_pieces(c, 0, id) != n_pieces(c, 1, there);
	}
	for (wn_grain id = 0; id < c->from->n; id++) {
		if (!wn_is_grain(c->from, id) || c->match.to[1][id] != WN_NO_GRAIN)
			continue;
		out->n_without_grains++;
		name_first(c->from, id, out->first_without_grains,
		           sizeof out->first_without_grains);
	}
}

/* --- the weight of a path --- */

/* Divides a grain's count among its pieces here, as counted there or else by time. */
static void
divide(const struct carrier *c, wn_grain id, wn_grain there, const uint64_t *first,
       const uint64_t *counted, uint64_t *out)
{
	uint64_t n = n_pieces(c, 0, id), sum = 0, given = 0, all_ns = 0, ns = 0;
	const uint64_t *theirs = counted + first[there], *ours = c->pieces[0] + c->first[0][id];
	if (n == first[there + 1] - first[there]) {
		memcpy(out, theirs, n * sizeof *out);
		return;
	}
	for (uint64_t i = 0; i < first[there + 1] - first[there]; i++)
		sum += theirs[i];
	for (uint64_t i = 0; i < n; i++)
		all_ns += ours[i];
	for (uint64_t i = 0; i < n; i++) {
		ns += ours[i];
		double part = all_ns ? (double)ns / (double)all_ns : 1;
		uint64_t upto = i + 1 < n ? (uint64_t)(part * (double)sum) : sum;
		upto = upto > sum ? sum : upto;
		out[i] = upto - given;
		given = upto;
	}
}

static wn_status
use_carried(struct carrier *c, const char *weight)
{
	struct wn_graph *g = c->g;
	uint64_t *first = NULL, *counted = NULL, *out = NULL, n_unknown = 0;
	wn_status st;
	WN_TRY(wn_graph_use_weight(c->from, weight, c->err));
	WN_TRY(wn_fragments_list(&c->from->path->fragments, c->from->n, &first, &counted, c->err));
	out = wn_calloc(c->first[0][g->n], sizeof *out);
	if (!out)
		WN_TRY(wn_no_memory_for(c->err, g->n, "grains"));
	for (wn_grain id = 0; id < g->n; id++) {
		wn_grain there = namesake(c, id);
		bool is_known = there != WN_NO_GRAIN && !wn_count_is_unknown(c->weight, there);
		n_unknown += wn_is_grain(g, id) && !is_known;
		if (is_known && n_pieces(c, 0, id))
			divide(c, id, there, first, counted, out + c->first[0][id]);
	}
	struct wn_weigher by = {
	    .by = WN_WEIGH_PIECES, .first = c->first[0], .pieces = out, .pieces_ns = c->pieces[0]};
	WN_TRY(wn_graph_weigh(g, &by, weight, c->weight->unit, c->err));
	g->path->n_unknown = n_unknown;
out:
	WN_FREE_ALL(first, counted, out);
	return st;
}

static bool
counts_anything(const struct wn_graph *g)
{
	for (size_t i = 0; i < g->n_counts; i++)
		if (g->counts[i].name)
			return true;
	return false;
}

static wn_status
carry(struct carrier *c, const char *weight)
{
	wn_status st;
	WN_TRY(wn_match_init(&c->match, c->g, c->from, c->err));
	WN_TRY(wn_fragments_list(&c->g->fragments, c->g->n, &c->first[0], &c->pieces[0], c->err));
	WN_TRY(wn_fragments_list(&c->from->fragments, c->from->n, &c->first[1], &c->pieces[1],
	                         c->err));
	count_pairs(c);
	if (c->g->carried->n_matched == 0 && c->g->carried->n_without_counts)
		WN_TRY(wn_fail(c->err, WN_E_INVARIANT, WN_NO_OFFSET,
		               "counts of another run: they have none of its grains"));
	bool is_own = weight && wn_counts_named(c->g, weight);
	c->weight = is_own ? NULL : wn_counts_named(c->from, weight);
	WN_TRY(add_columns(c));
	if (c->weight)
		st = use_carried(c, weight);
out:
	wn_match_fini(&c->match);
	for (int side = 0; side < 2; side++) {
		wn_free(c->first[side]);
		wn_free(c->pieces[side]);
	}
	return st;
}

wn_status
wn_carry(struct wn_graph *g, struct wn_graph *counts, const char *weight, wn_err *err)
{
	struct carrier c = {.g = g, .from = counts, .err = err};
	bool is_other_build = false;
	if (!g->thread_time || !counts->thread_time)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
		               "counts are of recorded runs, not of imported tables");
	wn_status st = wn_carry_check(g->trace, counts->trace, &is_other_build, err);
	if (st != WN_OK)
		return st;
	if (!counts_anything(counts))
		return wn_fail(err, WN_E_INVARIANT, WN_NO_OFFSET,
		               "nothing was counted in it; winnow count counts");
	wn_free(g->carried);
	g->carried = wn_calloc(1, sizeof *g->carried);
	if (!g->carried)
		return wn_no_memory(err);
	g->carried->is_other_build = is_other_build;
	g->carried->n_execs = wn_trace_header(counts->trace)->n_execs;
	g->carried->n_missing = wn_trace_counters_missing(counts->trace, &g->carried->missing);
	return carry(&c, weight);
}

wn_status
wn_carry_as(struct wn_graph *g, const struct wn_options *options, wn_err *err)
{
	wn_status st = WN_OK;
	wn_err why;
	if (options && options->counts)
		st = wn_carry(g, options->counts, options->weight, &why);
	if (st != WN_OK)
		return wn_fail(err, st, WN_NO_OFFSET, "--counts %.80s: %.140s",
		               options->counts_file ? options->counts_file : "", why.msg);
	bool is_done =
	    g->path && options && options->weight && strcmp(g->path->name, options->weight) == 0;
	return options && options->weight && !is_done ? wn_graph_use_weight(g, options->weight, err)
	                                              : WN_OK;
}
