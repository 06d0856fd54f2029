/* SPDX-License-Identifier: MIT */
/* diff_json.c - writes a comparison of two runs as JSON, schema winnow.diff/1. Keys may be added,
 * never renamed; each is defined in doc/metrics.md. Lists of two are A and B. Unmeasured values are
 * null. */
#include "report/diff.h"
#include "report/json_private.h"

#include "base/mem.h"

#include <math.h>

static json_t *
pair_counts(struct json_maker *j, const uint64_t n[2])
{
	json_t *list = json_array();
	json_push(j, list, json_count(n[0]));
	json_push(j, list, json_count(n[1]));
	return list;
}

static json_t *
pair_ratios(struct json_maker *j, double a, double b)
{
	json_t *list = json_array();
	json_push(j, list, json_ratio(a));
	json_push(j, list, json_ratio(b));
	return list;
}

static json_t *
answer(uint8_t value)
{
	return value == WN_DIFF_NOT_KNOWN ? json_null() : json_boolean(value == WN_DIFF_YES);
}

static json_t *
clarity(uint8_t value)
{
	return value == WN_UNKNOWN ? json_null() : json_boolean(value == WN_CLEAR);
}

static json_t *
run(struct json_maker *j, const struct wn_report *r)
{
	json_t *o = json_object();
	struct json_maker of_run = {.r = r};
	json_put(j, o, "program", json_program(&of_run));
	json_put(j, o, "recording", json_recording(&of_run));
	json_put(j, o, "graph", json_graph(&of_run));
	json_put(j, o, "totals", json_totals(&of_run));
	json_put(j, o, "advice", json_advice(&of_run));
	json_put(j, o, "time", json_time(&of_run));
	j->is_failed = j->is_failed || of_run.is_failed;
	return o;
}

static json_t *
differs(struct json_maker *j, const struct wn_diff *d)
{
	json_t *o = json_object();
#define KEYS_OF_DIFFERS
#include "report/keys.def"
	return o;
}

static double
share(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : (double)NAN;
}

static json_t *
ratio(uint64_t b, uint64_t a)
{
	return json_ratio(wn_diff_ratio((double)b, (double)a));
}

static json_t *
totals(struct json_maker *j, const struct wn_diff *d)
{
	const struct wn_report *a = d->run[0], *b = d->run[1];
	const struct wn_totals *of_a = &a->metrics->totals, *of_b = &b->metrics->totals;
	bool has_walls = a->header->finished && b->header->finished && a->header->wall_ns;
	uint64_t time_a = has_walls ? a->header->wall_ns : of_a->elapsed_ns;
	uint64_t time_b = has_walls ? b->header->wall_ns : of_b->elapsed_ns;
	double speedup = wn_diff_ratio((double)time_a, (double)time_b);
	const struct wn_path *path_a = a->graph->path, *path_b = b->graph->path;
	json_t *o = json_object();
#define KEYS_OF_DIFF_TOTALS
#include "report/keys.def"
	return o;
}

static json_t *
grains(struct json_maker *j, const struct wn_diff *d)
{
	json_t *o = json_object();
#define KEYS_OF_DIFF_GRAINS
#include "report/keys.def"
	return o;
}

static json_t *
problems(struct json_maker *j, const struct wn_diff *d)
{
	char condition[64];
	const struct wn_deviation_problem *p = &d->deviation;
	bool is_known = p->n_deviations > 0;
	json_t *list = json_array(), *o = json_object();
	snprintf(condition, sizeof condition, "> %g", p->threshold);
	json_put(j, o, "type", json_string("work_deviation"));
	json_put(j, o, "condition", json_string(condition));
	json_put(j, o, "count", json_count_if(is_known, p->count));
	json_put(j, o, "on_critical_path", json_count_if(is_known, p->on_critical_path));
	json_put(j, o, "work_ns", json_count_if(is_known, p->work_ns));
	json_put(j, o, "compared", json_count(p->n_deviations));
	json_push(j, list, o);
	return list;
}

static json_t *
place_of(struct json_maker *j, const struct wn_report_place *place)
{
	if (!place)
		return json_null();
	json_t *o = json_object();
	json_put_place(j, o, place);
	return o;
}

static json_t *
site_problems(struct json_maker *j, const struct wn_diff *d, const struct wn_diff_site *site)
{
	json_t *o = json_object();
	const struct wn_metrics *m = d->run[0]->metrics;
	for (int p = 0; p < m->n_problems && p < d->run[1]->metrics->n_problems; p++) {
		uint64_t n[2] = {site->diff.problem[0][p], site->diff.problem[1][p]};
		json_put(j, o, m->problem_types[p].name, pair_counts(j, n));
	}
	return o;
}

/* Indexed by enum wn_pairing. */
static const char *const pairings[] = {NULL, "name", "moved", "grains"};

static json_t *
site(struct json_maker *j, const struct wn_diff *d, const struct wn_diff_site *site)
{
	const struct wn_place_diff *diff = &site->diff;
	const struct wn_report_place *at = site->at[0] ? site->at[0] : site->at[1];
	json_t *o = json_object(), *creation = json_array();
	for (int side = 0; side < 2; side++)
		json_push(j, creation,
		          json_count_if(diff->n[side] > 0 &&
		                            diff->n_creation_known[side] == diff->n[side],
		                        diff->creation_ns[side]));
#define KEYS_OF_DIFF_SITES
#include "report/keys.def"
	return o;
}

static json_t *
sites(struct json_maker *j, const struct wn_diff *d)
{
	json_t *list = json_array();
	for (size_t i = 0; i < d->n_sites; i++)
		json_push(j, list, site(j, d, &d->sites[i]));
	return list;
}

static json_t *
group_name(struct json_maker *j, const struct wn_groups *groups, uint32_t group)
{
	size_t n = wn_group_name(groups, group, NULL, 0);
	char *text = wn_calloc(n + 1, 1);
	if (text)
		wn_group_name(groups, group, text, n + 1);
	return json_taken(j, text);
}

static json_t *
grain_name(struct json_maker *j, const struct wn_graph *g, wn_grain id)
{
	size_t n = wn_graph_lineage(g, id, NULL, 0);
	char *text = wn_calloc(n + 1, 1);
	if (text)
		wn_graph_lineage(g, id, text, n + 1);
	return json_taken(j, text);
}

static json_t *
group(struct json_maker *j, const struct wn_diff *d, const uint32_t of[2])
{
	int named = of[0] == WN_NO_GROUP;
	json_t *o = json_object(), *members = json_array(), *inside = json_array(),
	       *work = json_array(), *own = json_array();
	for (int side = 0; side < 2; side++) {
		bool is_there = of[side] != WN_NO_GROUP;
		struct wn_group item = {0};
		if (is_there)
			item = d->groups[side].items[of[side]];
		json_push(j, members, json_count_if(is_there, item.n_members));
		json_push(j, inside, json_count_if(is_there, item.n_grains));
		json_push(j, work, json_count_if(is_there, item.work_ns));
		json_push(j, own, json_count_if(is_there, item.own_work_ns));
	}
	bool is_paired = of[0] != WN_NO_GROUP && of[1] != WN_NO_GROUP;
	const struct wn_group none = {0}, *a = is_paired ? &d->groups[0].items[of[0]] : &none,
			      *b = is_paired ? &d->groups[1].items[of[1]] : &none;
#define KEYS_OF_DIFF_GROUP
#include "report/keys.def"
	return o;
}

static json_t *
changes(struct json_maker *j, const struct wn_diff *d, enum wn_change_kind kind)
{
	json_t *list = json_array();
	for (size_t i = 0; i < d->changes.n; i++)
		if (d->changes.items[i].kind == kind && d->change_is_inside[i])
			json_push(j, list, group(j, d, d->changes.items[i].group));
	return list;
}

static json_t *
moves(struct json_maker *j, const struct wn_diff *d)
{
	json_t *list = json_array();
	for (size_t i = 0; i < d->changes.n_moves && !d->is_part; i++) {
		const struct wn_move *move = &d->changes.moves[i];
		json_t *o = json_object();
		for (int side = 0; side < 2; side++)
			json_put(j, o, side ? "b" : "a",
			         move->is_group
			             ? group_name(j, &d->groups[side], move->part[side])
			             : grain_name(j, d->run[side]->graph, move->part[side]));
		json_put(j, o, "grains", json_count(move->n_grains));
		json_push(j, list, o);
	}
	return list;
}

static json_t *
structure(struct json_maker *j, const struct wn_diff *d)
{
	uint64_t n[WN_CHANGE_KIND_N] = {0};
	json_t *o = json_object();
	for (size_t i = 0; i < d->changes.n; i++)
		n[d->changes.items[i].kind] += d->change_is_inside[i];
#define KEYS_OF_DIFF_STRUCTURE
#include "report/keys.def"
	return o;
}

static json_t *
groups(struct json_maker *j, const struct wn_diff *d, size_t n_top)
{
	json_t *o = json_object(), *worst = json_array();
	uint64_t n[2] = {d->groups[0].n, d->groups[1].n};
	for (size_t i = 0; i < d->n_ordered && i < n_top; i++) {
		uint32_t of[2] = {d->group_order[i], d->changes.to[0][d->group_order[i]]};
		json_t *o_group = group(j, d, of);
		if (i < WN_DIFF_GROUPS) {
			const struct wn_diff_spread *spread = &d->spread[i];
			json_put(j, o_group, "work_error_ns", json_ratio(spread->error_ns));
			json_put(j, o_group, "is_clear", clarity(spread->clarity));
		}
		json_push(j, worst, o_group);
	}
#define KEYS_OF_DIFF_GROUPS
#include "report/keys.def"
	return o;
}

static json_t *
similarity(struct json_maker *j, const struct wn_diff *d)
{
	if (!d->similarity)
		return json_null();
	json_t *o = json_object(), *list = json_array();
	json_put(j, o, "rounds", json_count(d->similarity->n_rounds));
	for (size_t i = 0; i < d->similarity->n; i++) {
		const struct wn_diff_alike *item = &d->similarity->items[i];
		json_t *of = json_object();
		json_put(j, of, "id", json_string(item->name));
		json_put(j, of, "similarity", json_ratio(item->similarity));
		json_put(j, of, "same_labels", json_boolean(item->has_same_labels));
		json_put(j, of, "same_shape", json_boolean(item->has_same_shape));
		json_push(j, list, of);
	}
	json_put(j, o, "groups", list);
	return o;
}

static void
push_note(struct json_maker *j, json_t *list, const char *run, const char *note)
{
	json_t *o = json_object();
	json_put(j, o, "run", json_text(run));
	json_put(j, o, "note", json_string(note));
	json_push(j, list, o);
}

static json_t *
fidelity(struct json_maker *j, const struct wn_diff *d)
{
	static const char *const names[2] = {"a", "b"};
	json_t *list = json_array();
	push_note(j, list, NULL,
	          "differences of whole runs are not told from the machine's: one run of each");
	if (d->other_code == WN_DIFF_NOT_KNOWN)
		push_note(j, list, NULL, "whether the code is the same: no build ids");
	if (d->n_only[0] + d->n_only[1] > d->n_matched)
		push_note(j, list, NULL, "work deviations of most grains: one run has them alone");
	if (d->match.n_by_order)
		push_note(j, list, NULL, "grains of one name are matched in their order");
	for (int side = 0; side < 2; side++) {
		bool is_stale = false;
		for (size_t i = 0; i < d->run[side]->places.n_modules; i++)
			is_stale |= d->run[side]->places.modules[i].is_stale ||
			            d->run[side]->places.modules[i].is_missing;
		if (is_stale)
			push_note(j, list, names[side],
			          "names of places: a file of code is not the one that ran");
		if (d->run[side]->metrics->totals.is_calibrated &&
		    !d->run[1 - side]->metrics->totals.is_calibrated)
			push_note(
			    j, list, names[side],
			    "the cost of recording is not in its times, and is in the other's");
		if (!wn_report_is_complete(d->run[side]))
			push_note(j, list, names[side], "the recording is not complete");
	}
	return list;
}

static wn_status
write_headline(const void *diff, FILE *to, wn_err *err)
{
	return wn_diff_text_headline(diff, to, err);
}

wn_status
wn_diff_json(const struct wn_diff *d, size_t n_top, json_t **out, wn_err *err)
{
	struct json_maker maker = {0}, *j = &maker;
	json_t *o = json_object(), *runs = json_array();
	json_push(j, runs, run(j, d->run[0]));
	json_push(j, runs, run(j, d->run[1]));
#define KEYS_OF_DIFF
#include "report/keys.def"
	return json_finish(j, o, out, err);
}
