/* SPDX-License-Identifier: MIT */
/*
 * diff_json.c - writes a comparison of two runs as JSON, schema winnow.diff/1. Keys may be added,
 * never renamed; each is defined in doc/metrics.md. Lists of two are A and B. Unmeasured values are
 * null.
 */
#include "report/diff.h"
#include "report/json_private.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>
#include <string.h>

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
	json_put(j, o, "threads", answer(d->other_threads));
	json_put(j, o, "code", answer(d->other_code));
	json_put(j, o, "command", answer(d->other_command));
	json_put(j, o, "runtime", answer(d->other_runtime));
	json_put(j, o, "source", answer(d->other_source));
	json_put(j, o, "structure", answer(d->other_structure));
	return o;
}

static double
share(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : (double)NAN;
}

static void
put_ratio(struct json_maker *j, json_t *o, const char *key, uint64_t b, uint64_t a)
{
	json_put(j, o, key, json_ratio(wn_diff_ratio((double)b, (double)a)));
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
	json_t *o = json_object();
	put_ratio(j, o, "time_ratio", time_b, time_a);
	put_ratio(j, o, "elapsed_ratio", of_b->elapsed_ns, of_a->elapsed_ns);
	json_put(j, o, "speedup", json_ratio(speedup));
	json_put(j, o, "efficiency",
	         json_ratio(speedup * (double)a->n_threads / (double)b->n_threads));
	put_ratio(j, o, "work_ratio", of_b->work_ns, of_a->work_ns);
	put_ratio(j, o, "span_ratio", of_b->span_ns, of_a->span_ns);
	json_put(j, o, "parallelism_ratio",
	         json_ratio(wn_diff_ratio(of_b->parallelism, of_a->parallelism)));
	const struct wn_path *path_a = a->graph->path, *path_b = b->graph->path;
	json_put(j, o, "weight", json_text(path_a && path_b ? path_b->name : NULL));
	put_ratio(j, o, "work_weight_ratio", path_b ? path_b->work : 0, path_a ? path_a->work : 0);
	put_ratio(j, o, "span_weight_ratio", path_b ? path_b->span : 0, path_a ? path_a->span : 0);
	json_put(j, o, "idle_percent",
	         pair_ratios(j, share(wn_diff_idle_ns(a), a->thread_ns),
	                     share(wn_diff_idle_ns(b), b->thread_ns)));
	json_put(j, o, "overhead_percent",
	         pair_ratios(j, share(wn_diff_overhead_ns(a), a->thread_ns),
	                     share(wn_diff_overhead_ns(b), b->thread_ns)));
	return o;
}

static json_t *
grains(struct json_maker *j, const struct wn_diff *d)
{
	json_t *o = json_object();
	json_put(j, o, "matched", json_count(d->n_matched));
	json_put(j, o, "only_a", json_count(d->n_only[0]));
	json_put(j, o, "only_b", json_count(d->n_only[1]));
	json_put(j, o, "moved", json_count_if(!d->is_part, d->changes.n_moved));
	json_put(j, o, "matched_by_order", json_count(d->match.n_by_order));
	json_put(j, o, "work_difference_ns", json_ratio(d->pairs_ns));
	json_put(j, o, "work_error_ns", json_ratio(d->error_ns));
	json_put(j, o, "is_clear", clarity(d->clarity));
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

static void
put_place(struct json_maker *j, json_t *o, const char *key, const struct wn_report_place *place)
{
	const struct wn_place *at = place && !place->is_foreign ? &place->source : NULL;
	json_t *of_run = place ? json_object() : json_null();
	if (place) {
		json_put(j, of_run, "file", json_text(at ? at->file : NULL));
		json_put(j, of_run, "line",
		         json_count_if(at && at->line > 0, at ? (uint64_t)at->line : 0));
		json_put(j, of_run, "function", json_text(at ? at->function : NULL));
		json_put(j, of_run, "place", json_text(place->label));
	}
	json_put(j, o, key, of_run);
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
	put_place(j, o, "a", site->at[0]);
	put_place(j, o, "b", site->at[1]);
	json_put(j, o, "paired_by", json_text(pairings[site->paired]));
	json_put(j, o, "kind", json_string(wn_report_kind(at->kind)));
	json_put(j, o, "grains", pair_counts(j, diff->n));
	json_put(j, o, "work_ns", pair_counts(j, diff->work_ns));
	put_ratio(j, o, "work_ratio", diff->work_ns[1], diff->work_ns[0]);
	json_put(j, o, "median_deviation", json_ratio(diff->median_deviation));
	json_put(j, o, "compared", json_count(diff->n_pairs));
	json_put(j, o, "work_difference_ns",
	         diff->n_pairs ? json_ratio(diff->pairs_ns) : json_null());
	json_put(j, o, "work_error_ns", json_ratio(diff->error_ns));
	json_put(j, o, "is_clear", clarity(diff->clarity));
	for (int side = 0; side < 2; side++)
		json_push(j, creation,
		          json_count_if(diff->n[side] > 0 &&
		                            diff->n_creation_known[side] == diff->n[side],
		                        diff->creation_ns[side]));
	json_put(j, o, "creation_ns", creation);
	json_put(j, o, "problem_grains", pair_counts(j, diff->n_problems));
	json_put(j, o, "problems", site_problems(j, d, site));
	json_put(j, o, "deviating", json_count_if(diff->n_deviations > 0, diff->n_deviating));
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
	json_put(j, o, "id", group_name(j, &d->groups[named], of[named]));
	json_put(j, o, "kind",
	         json_string(wn_group_kind_name(d->groups[named].items[of[named]].kind)));
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
	json_put(j, o, "members", members);
	json_put(j, o, "grains", inside);
	json_put(j, o, "work_ns", work);
	json_put(j, o, "members_work_ns", own);
	if (of[0] == WN_NO_GROUP || of[1] == WN_NO_GROUP) {
		json_put(j, o, "work_deviation", json_null());
		json_put(j, o, "members_work_deviation", json_null());
		return o;
	}
	const struct wn_group *a = &d->groups[0].items[of[0]], *b = &d->groups[1].items[of[1]];
	put_ratio(j, o, "work_deviation", b->work_ns, a->work_ns);
	put_ratio(j, o, "members_work_deviation", b->own_work_ns, a->own_work_ns);
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
	json_put(j, o, "is_same", json_boolean(d->changes.is_same));
	json_put(j, o, "changed_groups", json_count(n[WN_CHANGE_SHAPE]));
	json_put(j, o, "created_groups", json_count(n[WN_CHANGE_CREATED]));
	json_put(j, o, "vanished_groups", json_count(n[WN_CHANGE_VANISHED]));
	json_put(j, o, "moved_parts", json_count_if(!d->is_part, d->changes.n_moves));
	return o;
}

static json_t *
groups(struct json_maker *j, const struct wn_diff *d, size_t n_top)
{
	json_t *o = json_object(), *worst = json_array();
	uint64_t n[2] = {d->groups[0].n, d->groups[1].n};
	json_put(j, o, "count", pair_counts(j, n));
	json_put(j, o, "changed", changes(j, d, WN_CHANGE_SHAPE));
	json_put(j, o, "created", changes(j, d, WN_CHANGE_CREATED));
	json_put(j, o, "vanished", changes(j, d, WN_CHANGE_VANISHED));
	json_put(j, o, "moved", moves(j, d));
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
	json_put(j, o, "by_difference", worst);
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
	struct json_maker j = {0};
	json_t *o = json_object(), *runs = json_array();
	json_put(&j, o, "schema", json_string("winnow.diff/1"));
	json_put(&j, o, "unit", json_string(wn_trace_unit(d->run[0]->trace)));
	json_put(&j, o, "headline", json_lines(&j, write_headline, d));
	json_put(&j, o, "word", json_string(wn_diff_word_name(d->word)));
	json_put(&j, o, "reference", json_string("a"));
	json_put(&j, o, "part", d->is_part ? json_text(d->part) : json_null());
	json_push(&j, runs, run(&j, d->run[0]));
	json_push(&j, runs, run(&j, d->run[1]));
	json_put(&j, o, "runs", runs);
	json_put(&j, o, "differs", differs(&j, d));
	json_put(&j, o, "totals", totals(&j, d));
	json_put(&j, o, "grains", grains(&j, d));
	json_put(&j, o, "structure", structure(&j, d));
	json_put(&j, o, "problems", problems(&j, d));
	json_put(&j, o, "sites", sites(&j, d));
	json_put(&j, o, "groups", groups(&j, d, n_top ? n_top : 20));
	json_put(&j, o, "similarity", similarity(&j, d));
	json_put(&j, o, "fidelity", fidelity(&j, d));
	if (j.is_failed) {
		json_decref(o);
		return wn_no_memory(err);
	}
	*out = o;
	return WN_OK;
}
