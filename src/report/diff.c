/* SPDX-License-Identifier: MIT */
#include "report/diff.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEVIATION_DEFAULT 2.0

const char *
wn_diff_word_name(enum wn_diff_word word)
{
	static const char *const names[WN_DIFF_WORD_N] = {
	    [WN_DIFF_REPEAT] = "repeat",         [WN_DIFF_INFLATION] = "work inflation",
	    [WN_DIFF_REGRESSION] = "regression", [WN_DIFF_RUNTIME] = "other runtime",
	    [WN_DIFF_INPUT] = "other input",
	};
	return names[word];
}

uint64_t
wn_diff_idle_ns(const struct wn_report *r)
{
	const struct wn_totals *t = &r->metrics->totals;
	return t->idle_ready_ns + t->idle_empty_ns + r->model.ns[WN_TIME_SERIAL_IDLE];
}

uint64_t
wn_diff_overhead_ns(const struct wn_report *r)
{
	const struct wn_totals *t = &r->metrics->totals;
	return t->creation_ns + t->dispatch_ns + t->scheduling_ns + t->leaving_ns + t->mutex_ns +
	       t->forking_ns;
}

uint32_t
wn_diff_threads(const struct wn_report *r)
{
	return r->graph->thread_time ? r->n_threads : r->metrics->totals.n_cpus;
}

/* --- what else differs --- */

/* Returns where the program's base name begins in "prog args". */
static const char *
without_folder(const char *command)
{
	const char *end = command + strcspn(command, " "), *name = command;
	for (const char *p = command; p < end; p++)
		if (*p == '/')
			name = p + 1;
	return name;
}

static bool
hides_arguments(const char *command)
{
	size_t n = strlen(command), n_hidden = sizeof WN_COMMAND_HIDDEN - 1;
	return n >= n_hidden && strcmp(command + n - n_hidden, WN_COMMAND_HIDDEN) == 0;
}

static uint8_t
differ_in_command(const struct wn_report *a, const struct wn_report *b)
{
	if (!a->command[0] || !b->command[0] || a->graph->imported || b->graph->imported)
		return WN_DIFF_NOT_KNOWN; /* for an imported table, the command is a file name */
	bool is_other = strcmp(without_folder(a->command), without_folder(b->command)) != 0;
	bool a_hides = hides_arguments(a->command), b_hides = hides_arguments(b->command);
	return a_hides != b_hides || (a_hides && !is_other) ? WN_DIFF_NOT_KNOWN : is_other;
}

/* Returns the runtime's name without its path: "libomp /usr/lib/libomp.so.5". */
static uint8_t
differ_in_runtime(const struct wn_report *a, const struct wn_report *b)
{
	const char *ra = a->header->runtime, *rb = b->header->runtime;
	size_t na = strcspn(ra, " "), nb = strcspn(rb, " ");
	if (na == 0 || nb == 0)
		return a->header->sources == b->header->sources ? WN_DIFF_NO : WN_DIFF_NOT_KNOWN;
	return na != nb || memcmp(ra, rb, na) != 0;
}

static const struct wn_trace_module *
module_named(const struct wn_report *r, const char *name)
{
	const struct wn_trace_module *modules;
	size_t n = wn_trace_modules(r->trace, &modules);
	for (size_t i = 0; i < n; i++) {
		const char *slash = strrchr(modules[i].path, '/');
		if (strcmp(slash ? slash + 1 : modules[i].path, name) == 0)
			return &modules[i];
	}
	return NULL;
}

/* Compares the code files that grains come from. */
static uint8_t
differ_in_code(const struct wn_report *a, const struct wn_report *b)
{
	uint8_t answer = WN_DIFF_NOT_KNOWN;
	for (size_t i = 0; i < a->places.n; i++) {
		const struct wn_report_place *place = &a->places.items[i];
		if (!place->source.module || place->is_foreign || place->kind == WN_GRAIN_NONE)
			continue;
		const struct wn_trace_module *in_a = module_named(a, place->source.module);
		const struct wn_trace_module *in_b = module_named(b, place->source.module);
		if (in_a && !in_b)
			return WN_DIFF_YES;
		if (!in_a || in_a->build_id_bytes == 0 || in_b->build_id_bytes == 0)
			continue;
		if (in_a->build_id_bytes != in_b->build_id_bytes ||
		    memcmp(in_a->build_id, in_b->build_id, in_a->build_id_bytes) != 0)
			return WN_DIFF_YES;
		answer = WN_DIFF_NO;
	}
	return answer;
}

/* Changes that the number of threads explains: chunks of a static loop, implicit tasks' grains. */
static bool
follows_threads(const struct wn_diff *d, const struct wn_change *change)
{
	int side = change->group[0] == WN_NO_GROUP;
	uint8_t kind = d->groups[side].items[change->group[side]].kind;
	return d->other_threads == WN_DIFF_YES &&
	       (kind == WN_GROUP_LOOP || kind == WN_GROUP_SECTIONS || kind == WN_GROUP_THREAD);
}

static void
find_word(struct wn_diff *d)
{
	const struct wn_report *a = d->run[0], *b = d->run[1];
	d->other_threads = wn_diff_threads(a) != wn_diff_threads(b);
	d->other_command = differ_in_command(a, b);
	d->other_runtime = differ_in_runtime(a, b);
	d->other_source = a->header->sources != b->header->sources;
	d->other_code = differ_in_code(a, b);
	for (size_t i = 0; i < d->changes.n; i++)
		if (!follows_threads(d, &d->changes.items[i]))
			d->other_structure = WN_DIFF_YES;
	if (d->other_command == WN_DIFF_YES)
		d->word = WN_DIFF_INPUT;
	else if (d->other_code == WN_DIFF_YES)
		d->word = WN_DIFF_REGRESSION;
	else if (d->other_structure)
		d->word = WN_DIFF_INPUT;
	else if (d->other_threads)
		d->word = WN_DIFF_INFLATION;
	else if (d->other_runtime == WN_DIFF_YES || d->other_source)
		d->word = WN_DIFF_RUNTIME;
}

/* --- a part --- */

/* Marks groups inside `part` or inside a group created by `grain`. Each path up is walked once. */
static void
mark_groups(const struct wn_groups *groups, uint32_t part, wn_grain grain, uint8_t *marks)
{
	enum { NOT_SEEN, INSIDE, OUTSIDE };
	for (uint32_t i = 0; i < groups->n; i++) {
		uint32_t at = i;
		uint8_t mark = OUTSIDE;
		while (at != WN_NO_GROUP && marks[at] == NOT_SEEN) {
			if (at == part || groups->items[at].owner == grain)
				break;
			at = groups->items[at].parent;
		}
		if (at != WN_NO_GROUP)
			mark = marks[at] == NOT_SEEN ? (uint8_t)INSIDE : marks[at];
		for (uint32_t up = i; up != at; up = groups->items[up].parent)
			marks[up] = mark;
		if (at != WN_NO_GROUP)
			marks[at] = mark;
	}
	for (uint32_t i = 0; i < groups->n; i++)
		marks[i] = marks[i] == INSIDE;
}

/* Resolves T/F<k> and T/J by grain T, as imported tasks have names other than their paths. */
static wn_status
find_by_owner(const struct wn_groups *groups, const char *name, uint32_t *part)
{
	const char *slash = strchr(name, '/');
	wn_grain owner;
	wn_status st =
	    slash ? wn_graph_find(groups->g, name, (size_t)(slash - name), &owner, NULL) : WN_E_ARG;
	for (uint32_t i = 0; st == WN_OK && i < groups->n; i++) {
		char last[32] = "/J";
		if (groups->items[i].owner != owner)
			continue;
		if (groups->items[i].kind == WN_GROUP_FORK_JOIN)
			snprintf(last, sizeof last, "/F%u", (unsigned)groups->items[i].number);
		else if (groups->items[i].kind != WN_GROUP_LATE)
			continue;
		if (strcmp(slash, last) == 0)
			*part = i;
	}
	return st == WN_E_NOMEM ? st : WN_OK;
}

static wn_status
mark_side(struct wn_diff *d, int side, const char *name, bool *is_there, uint8_t **of_group)
{
	const struct wn_graph *g = d->run[side]->graph;
	const struct wn_groups *groups = &d->groups[side];
	uint32_t part = WN_NO_GROUP;
	wn_grain grain = WN_NO_GRAIN;
	if (wn_group_find(groups, name, &part) != WN_OK)
		return WN_E_NOMEM;
	if (part == WN_NO_GROUP && find_by_owner(groups, name, &part) != WN_OK)
		return WN_E_NOMEM;
	if (part == WN_NO_GROUP && wn_graph_find(g, name, strlen(name), &grain, NULL) == WN_E_NOMEM)
		return WN_E_NOMEM;
	*of_group = wn_calloc(groups->n, 1);
	d->is_inside[side] = wn_calloc(g->n, 1);
	if (!*of_group || !d->is_inside[side])
		return WN_E_NOMEM;
	if (part == WN_NO_GROUP && grain == WN_NO_GRAIN)
		return WN_OK;
	*is_there = true;
	mark_groups(groups, part, grain, *of_group);
	for (wn_grain id = 0; id < g->n; id++)
		d->is_inside[side][id] =
		    id == grain || (groups->of[id] != WN_NO_GROUP && (*of_group)[groups->of[id]]);
	return WN_OK;
}

static void
count_grains(struct wn_diff *d)
{
	for (int side = 0; side < 2; side++) {
		const struct wn_graph *g = d->run[side]->graph;
		for (wn_grain id = 0; id < g->n; id++) {
			bool is_matched = d->match.to[side][id] != WN_NO_GRAIN;
			if (!wn_is_grain(g, id) || (d->is_inside[side] && !d->is_inside[side][id]))
				continue;
			d->n_matched += is_matched && side == 0;
			d->n_only[side] += !is_matched;
		}
	}
}

/* Without `name`, every grain is inside. */
static wn_status
find_part(struct wn_diff *d, const char *name, uint8_t *of_group[2], wn_err *err)
{
	wn_status st = WN_OK;
	bool is_there = false;
	d->change_is_inside = wn_calloc(d->changes.n, sizeof *d->change_is_inside);
	if (!d->change_is_inside)
		return WN_E_NOMEM;
	if (name) {
		d->is_part = true;
		snprintf(d->part, sizeof d->part, "%s", name);
		for (int side = 0; side < 2; side++)
			WN_TRY(mark_side(d, side, name, &is_there, &of_group[side]));
		if (!is_there)
			return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
			               "no group or grain of either run is called '%.100s'", name);
	}
	for (size_t i = 0; i < d->changes.n; i++) {
		const uint32_t *group = d->changes.items[i].group;
		d->change_is_inside[i] = !name ||
		                         (group[0] != WN_NO_GROUP && of_group[0][group[0]]) ||
		                         (group[1] != WN_NO_GROUP && of_group[1][group[1]]);
	}
	count_grains(d);
out:
	return st;
}

/* --- places and groups --- */

static wn_status
pair_places(struct wn_diff *d, wn_err *err)
{
	struct wn_place_name *names[2] = {NULL, NULL};
	wn_status st = WN_OK;
	for (int side = 0; side < 2; side++) {
		const struct wn_places *places = &d->run[side]->places;
		names[side] = wn_calloc(places->n, sizeof *names[side]);
		if (!names[side])
			WN_TRY(WN_E_NOMEM);
		for (size_t i = 0; i < places->n; i++) {
			const struct wn_report_place *place = &places->items[i];
			names[side][i] = (struct wn_place_name){
			    .file = place->is_foreign ? NULL : place->source.file,
			    .function = place->source.function,
			    .label = place->label,
			    .line = place->source.line,
			    .kind = place->kind};
		}
	}
	WN_TRY(wn_place_pairs_init(&d->places, names[0], (uint32_t)d->run[0]->places.n, names[1],
	                           (uint32_t)d->run[1]->places.n, err));
	const uint32_t *const of_site[2] = {d->run[0]->places.of_site, d->run[1]->places.of_site};
	WN_TRY(wn_place_pairs_by_grains(&d->places, &d->match, of_site, err));
out:
	wn_free(names[0]);
	wn_free(names[1]);
	return st;
}

/* Maps sites to place numbers shared by both runs. */
static uint32_t *
places_of_sites(const struct wn_diff *d, int side)
{
	const struct wn_places *places = &d->run[side]->places;
	uint32_t *of = wn_calloc(places->n_sites, sizeof *of);
	for (uint32_t i = 0; of && i < places->n_sites; i++)
		of[i] = places->of_site[i] == WN_NO_PLACE ? UINT32_MAX
		                                          : d->places.of[side][places->of_site[i]];
	return of;
}

static int
by_difference(const void *left, const void *right)
{
	const struct wn_diff_site *a = left, *b = right;
	double of_a = fabs((double)a->diff.work_ns[1] - (double)a->diff.work_ns[0]);
	double of_b = fabs((double)b->diff.work_ns[1] - (double)b->diff.work_ns[0]);
	if (of_a > of_b || of_a < of_b)
		return of_a > of_b ? -1 : 1;
	uint64_t all_a = a->diff.work_ns[0] + a->diff.work_ns[1];
	uint64_t all_b = b->diff.work_ns[0] + b->diff.work_ns[1];
	if (all_a != all_b)
		return all_a > all_b ? -1 : 1;
	const struct wn_report_place *at_a = a->at[0] ? a->at[0] : a->at[1];
	const struct wn_report_place *at_b = b->at[0] ? b->at[0] : b->at[1];
	return strcmp(at_a->label, at_b->label);
}

static wn_status
list_sites(struct wn_diff *d, const uint32_t *const of_site[2], double threshold, wn_err *err)
{
	struct wn_place_diff *diffs = wn_calloc(d->places.n, sizeof *diffs);
	wn_status st = WN_OK;
	uint64_t n_pairs = 0;
	double squares = 0;
	d->sites = wn_calloc(d->places.n, sizeof *d->sites);
	if (!diffs || !d->sites)
		WN_TRY(WN_E_NOMEM);
	struct wn_deviate_input in = {.match = &d->match,
	                              .metrics = {d->run[0]->metrics, d->run[1]->metrics},
	                              .place_of_site = {of_site[0], of_site[1]},
	                              .n_places = d->places.n,
	                              .is_inside = {d->is_inside[0], d->is_inside[1]},
	                              .threshold = threshold};
	WN_TRY(wn_deviate(&in, diffs, &d->deviation, err));
	for (uint32_t i = 0; i < d->places.n; i++) {
		if (diffs[i].n[0] + diffs[i].n[1] == 0)
			continue;
		struct wn_diff_site *site = &d->sites[d->n_sites++];
		site->diff = diffs[i];
		site->paired = d->places.how[i];
		for (int side = 0; side < 2; side++)
			if (d->places.place[i][side] != WN_NO_PAIR)
				site->at[side] =
				    &d->run[side]->places.items[d->places.place[i][side]];
		d->pairs_ns += diffs[i].pairs_ns;
		if (isnan(diffs[i].error_ns))
			continue;
		squares += diffs[i].error_ns * diffs[i].error_ns;
		n_pairs += diffs[i].n_pairs;
	}
	d->error_ns = n_pairs ? sqrt(squares) : (double)NAN;
	d->clarity = (uint8_t)wn_clarity_of(d->pairs_ns, d->error_ns, n_pairs);
	if (d->n_sites)
		qsort(d->sites, d->n_sites, sizeof *d->sites, by_difference);
out:
	wn_free(diffs);
	return st;
}

static double
difference_of(const struct wn_diff *d, uint32_t a)
{
	uint32_t b = d->changes.to[0][a];
	return fabs((double)d->groups[1].items[b].own_work_ns -
	            (double)d->groups[0].items[a].own_work_ns);
}

static int
by_own_work(const void *left, const void *right, void *user)
{
	const struct wn_diff *d = user;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	double of_a = difference_of(d, a), of_b = difference_of(d, b);
	if (of_a > of_b || of_a < of_b)
		return of_a > of_b ? -1 : 1;
	return (a > b) - (a < b);
}

static wn_status
order_groups(struct wn_diff *d, const uint8_t *inside)
{
	d->group_order = wn_calloc(d->groups[0].n, sizeof *d->group_order);
	if (!d->group_order)
		return WN_E_NOMEM;
	for (uint32_t i = 0; i < d->groups[0].n; i++)
		if (d->changes.to[0][i] != WN_NO_GROUP && (!inside || inside[i]) &&
		    difference_of(d, i) > 0)
			d->group_order[d->n_ordered++] = i;
	if (d->n_ordered)
		qsort_r(d->group_order, d->n_ordered, sizeof *d->group_order, by_own_work, d);
	return WN_OK;
}

/* Computes, for the groups that differ most, the spread of their members' differences, as deviate.c
 * does for places. */
static wn_status
find_spreads(struct wn_diff *d)
{
	const struct wn_graph *ga = d->run[0]->graph, *gb = d->run[1]->graph;
	struct {
		double mean, squares;
	} around[WN_DIFF_GROUPS] = {{0, 0}};
	size_t n = d->n_ordered < WN_DIFF_GROUPS ? d->n_ordered : WN_DIFF_GROUPS;
	uint32_t *place = wn_calloc(d->groups[0].n, sizeof *place); /* 1 + index */
	if (!place)
		return WN_E_NOMEM;
	for (uint32_t i = 0; i < n; i++)
		place[d->group_order[i]] = i + 1;
	for (wn_grain a = 0; a < ga->n; a++) {
		uint32_t group = d->groups[0].of[a];
		wn_grain b = d->match.to[0][a];
		if (group == WN_NO_GROUP || place[group] == 0 || b == WN_NO_GRAIN ||
		    d->groups[1].of[b] != d->changes.to[0][group] ||
		    !(ga->flags[a] & gb->flags[b] & WN_GF_STARTED))
			continue;
		uint32_t i = place[group] - 1;
		struct wn_diff_spread *spread = &d->spread[i];
		double difference = (double)wn_work_ns(gb, b) - (double)wn_work_ns(ga, a);
		double before = difference - around[i].mean;
		spread->n_pairs++;
		spread->pairs_ns += difference;
		around[i].mean += before / (double)spread->n_pairs;
		around[i].squares += before * (difference - around[i].mean);
	}
	for (size_t i = 0; i < n; i++) {
		struct wn_diff_spread *spread = &d->spread[i];
		double pairs = (double)spread->n_pairs;
		spread->error_ns = spread->n_pairs < 2
		                       ? (double)NAN
		                       : sqrt(around[i].squares / (pairs - 1) * pairs);
		spread->clarity =
		    (uint8_t)wn_clarity_of(spread->pairs_ns, spread->error_ns, spread->n_pairs);
	}
	wn_free(place);
	return WN_OK;
}

static wn_status
build(struct wn_diff *d, const struct wn_diff_options *options, wn_err *err)
{
	uint32_t *of_site[2] = {NULL, NULL};
	uint8_t *of_group[2] = {NULL, NULL};
	wn_status st;
	WN_TRY(wn_match_init(&d->match, d->run[0]->graph, d->run[1]->graph, err));
	WN_TRY(wn_groups_init(&d->groups[0], &d->match.names[0], err));
	WN_TRY(wn_groups_init(&d->groups[1], &d->match.names[1], err));
	WN_TRY(pair_places(d, err));
	of_site[0] = places_of_sites(d, 0);
	of_site[1] = places_of_sites(d, 1);
	if (!of_site[0] || !of_site[1])
		WN_TRY(WN_E_NOMEM);
	const uint32_t *const of[2] = {of_site[0], of_site[1]};
	WN_TRY(wn_changes_init(&d->changes, &d->match, &d->groups[0], &d->groups[1], of, err));
	find_word(d);
	WN_TRY(find_part(d, options ? options->group : NULL, of_group, err));
	WN_TRY(list_sites(
	    d, of, options && options->threshold > 0 ? options->threshold : DEVIATION_DEFAULT,
	    err));
	WN_TRY(order_groups(d, of_group[0]));
	WN_TRY(find_spreads(d));
out:
	WN_FREE_ALL(of_site[0], of_site[1], of_group[0], of_group[1]);
	return st;
}

wn_status
wn_diff_build(const struct wn_report *a, const struct wn_report *b,
              const struct wn_diff_options *options, struct wn_diff **out, wn_err *err)
{
	if (strcmp(wn_trace_unit(a->trace), wn_trace_unit(b->trace)) != 0)
		return wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET,
		               "times of A are in %s, those of B in %s; they cannot be compared",
		               wn_trace_unit(a->trace), wn_trace_unit(b->trace));
	struct wn_diff *d = wn_calloc(1, sizeof *d);
	if (!d)
		return wn_no_memory(err);
	d->run[0] = a;
	d->run[1] = b;
	wn_status st = build(d, options, err);
	if (st != WN_OK) {
		wn_diff_free(d);
		return st == WN_E_NOMEM ? wn_no_memory(err) : st;
	}
	*out = d;
	return WN_OK;
}

void
wn_diff_free(struct wn_diff *d)
{
	if (!d)
		return;
	wn_changes_fini(&d->changes);
	for (int side = 0; side < 2; side++) {
		wn_groups_fini(&d->groups[side]);
		wn_free(d->is_inside[side]);
	}
	wn_match_fini(&d->match);
	wn_place_pairs_fini(&d->places);
	WN_FREE_ALL(d->sites, d->group_order, d->change_is_inside, d->similarity, d);
}
