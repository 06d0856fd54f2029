/* SPDX-License-Identifier: MIT */
#include "report/series.h"

#include "base/error.h"
#include "base/mem.h"
#include "report/diff.h"
#include "report/json_private.h"
#include "report/text_private.h"
#include "report/text_table.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TOP_DEFAULT  10
#define RUNS_IN_TEXT (TABLE_COLUMNS_MAX - 2) /* next to a place and its function */

/* --- copying --- */

/* Copies a text, NULL as NULL. Returns false if out of memory. */
static bool
copy_text(const char *text, char **out)
{
	size_t n = text ? strlen(text) + 1 : 0;
	*out = text ? wn_calloc(n, 1) : NULL;
	if (*out)
		memcpy(*out, text, n);
	return *out || !text;
}

static bool
copy_place(const struct wn_report_place *from, struct wn_place_name *to)
{
	char *file, *function, *label;
	bool is_done = copy_text(from->is_foreign ? NULL : from->source.file, &file);
	to->file = file;
	is_done = copy_text(from->source.function, &function) && is_done;
	to->function = function;
	is_done = copy_text(from->label, &label) && is_done;
	to->label = label;
	to->line = from->source.line;
	to->kind = from->kind;
	return is_done;
}

static void
drop_run(struct wn_series_run *run)
{
	for (uint32_t i = 0; run->places && i < run->n_places; i++) {
		union {
			const char *given;
			char *owned;
		} texts[3] = {
		    {run->places[i].file}, {run->places[i].function}, {run->places[i].label}};
		for (int k = 0; k < 3; k++)
			wn_free(texts[k].owned);
	}
	wn_place_pairs_fini(&run->pairs);
	wn_free(run->places);
	wn_free(run->sites);
	wn_free(run->file);
}

static bool
keep_places(struct wn_series_run *run, const struct wn_report *r)
{
	run->n_places = (uint32_t)r->places.n;
	run->places = wn_calloc(r->places.n, sizeof *run->places);
	run->sites = wn_calloc(r->places.n, sizeof *run->sites);
	bool is_done = run->places && run->sites;
	for (uint32_t i = 0; is_done && i < run->n_places; i++) {
		const struct wn_place_stats *stats = &r->stats[i];
		is_done = copy_place(&r->places.items[i], &run->places[i]);
		run->sites[i] = (struct wn_series_site){
		    .n = stats->n,
		    .work_ns = stats->work_ns,
		    .creation_ns = stats->creation_ns,
		    .sync_ns = stats->sync_ns,
		    .creation_known = stats->n > 0 && stats->n_creation_known == stats->n};
	}
	return is_done;
}

wn_status
wn_series_add(struct wn_series *s, const char *file, const struct wn_report *r, wn_err *err)
{
	const struct wn_totals *t = &r->metrics->totals;
	if (r->graph->imported)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
		               "an imported table tells no time; a series is of recordings");
	if (r->emulator)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
		               "it was run to be counted, by %s: no time in it is the program's; a "
		               "series is of times",
		               r->emulator);
	if (wn_grow(&s->runs, &s->capacity, s->n + 1, sizeof *s->runs) != 0)
		return wn_no_memory(err);
	struct wn_series_run *run = &s->runs[s->n++];
	*run = (struct wn_series_run){.n_threads = r->n_threads,
	                              .n_grains = t->n_grains,
	                              .elapsed_ns = t->elapsed_ns,
	                              .work_ns = t->work_ns,
	                              .span_ns = t->span_ns,
	                              .parallelism = t->parallelism,
	                              .idle_ns = wn_diff_idle_ns(r),
	                              .overhead_ns = wn_diff_overhead_ns(r),
	                              .thread_ns = r->thread_ns,
	                              .has_wall = r->header->finished && r->header->wall_ns,
	                              .is_complete = wn_report_is_complete(r)};
	run->time_ns = run->has_wall ? r->header->wall_ns : t->elapsed_ns;
	memcpy(run->command, r->command, sizeof run->command);
	if (!copy_text(file, &run->file) || !keep_places(run, r))
		return wn_no_memory(err);
	return WN_OK;
}

void
wn_series_fini(struct wn_series *s)
{
	for (size_t i = 0; i < s->n; i++)
		drop_run(&s->runs[i]);
	wn_free(s->runs);
	wn_free(s->order);
	memset(s, 0, sizeof *s);
}

/* Sorts a few runs by threads, stably. */
static void
sort_runs(struct wn_series *s)
{
	for (size_t i = 1; i < s->n; i++) {
		struct wn_series_run run = s->runs[i];
		size_t k = i;
		for (; k > 0 && s->runs[k - 1].n_threads > run.n_threads; k--)
			s->runs[k] = s->runs[k - 1];
		s->runs[k] = run;
	}
}

static int
by_work(const void *left, const void *right, void *user)
{
	const struct wn_series *s = user;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	uint64_t work_a = s->runs[0].sites[a].work_ns, work_b = s->runs[0].sites[b].work_ns;
	if (work_a != work_b)
		return work_a > work_b ? -1 : 1;
	return (a > b) - (a < b);
}

wn_status
wn_series_end(struct wn_series *s, wn_err *err)
{
	bool all_have_walls = true;
	sort_runs(s);
	const struct wn_series_run *base = &s->runs[0];
	for (size_t i = 0; i < s->n; i++) {
		struct wn_series_run *run = &s->runs[i];
		all_have_walls &= run->has_wall;
		s->other_command |= strcmp(run->command, base->command) != 0;
		wn_status st = wn_place_pairs_init(&run->pairs, base->places, base->n_places,
		                                   run->places, run->n_places, err);
		if (st != WN_OK)
			return st;
	}
	for (size_t i = 0; !all_have_walls && i < s->n;
	     i++) { /* use one kind of time for all runs */
		s->runs[i].has_wall = false;
		s->runs[i].time_ns = s->runs[i].elapsed_ns;
	}
	s->order = wn_calloc(base->n_places, sizeof *s->order);
	if (!s->order)
		return wn_no_memory(err);
	for (uint32_t i = 0; i < base->n_places; i++)
		if (base->sites[i].n)
			s->order[s->n_order++] = i;
	if (s->n_order)
		qsort_r(s->order, s->n_order, sizeof *s->order, by_work, s);
	return WN_OK;
}

/* --- numbers --- */

double
wn_series_speedup(const struct wn_series *s, size_t run)
{
	return wn_diff_ratio((double)s->runs[0].time_ns, (double)s->runs[run].time_ns);
}

double
wn_series_efficiency(const struct wn_series *s, size_t run)
{
	return wn_series_speedup(s, run) * (double)s->runs[0].n_threads /
	       (double)s->runs[run].n_threads;
}

double
wn_series_inflation(const struct wn_series *s, size_t run)
{
	return wn_diff_ratio((double)s->runs[run].work_ns, (double)s->runs[0].work_ns);
}

const struct wn_series_site *
wn_series_site(const struct wn_series *s, size_t run, uint32_t of_baseline)
{
	const struct wn_series_run *r = &s->runs[run];
	uint32_t place = r->pairs.place[r->pairs.of[0][of_baseline]][1];
	return place == WN_NO_PAIR || r->sites[place].n == 0 ? NULL : &r->sites[place];
}

static double
site_inflation(const struct wn_series *s, size_t run, uint32_t of_baseline)
{
	const struct wn_series_site *site = wn_series_site(s, run, of_baseline);
	double base_ns = (double)s->runs[0].sites[of_baseline].work_ns;
	return site ? wn_diff_ratio((double)site->work_ns, base_ns) : (double)NAN;
}

/* Creation time and waits of a place as a share of its work plus both. */
static double
site_overhead(const struct wn_series *s, size_t run, uint32_t of_baseline)
{
	const struct wn_series_site *site = wn_series_site(s, run, of_baseline);
	if (!site || !site->creation_known)
		return NAN;
	double overhead_ns = (double)site->creation_ns + (double)site->sync_ns;
	return wn_diff_ratio(overhead_ns, (double)site->work_ns + overhead_ns);
}

/* --- text --- */

static bool
add_runs(struct terminal *s, const struct wn_series *series)
{
	static const struct table_column columns[] = {
	    {"run", false, 6, STYLE_PLACE},      {"threads", true, 0, STYLE_PLAIN},
	    {"time", true, 0, STYLE_PLAIN},      {"speed-up", true, 0, STYLE_TITLE},
	    {"effic.", true, 0, STYLE_PLAIN},    {"work", true, 0, STYLE_PLAIN},
	    {"inflation", true, 0, STYLE_TITLE}, {"idle", true, 0, STYLE_PLAIN},
	    {"overhead", true, 0, STYLE_PLAIN},
	};
	bool is_narrow = s->style.width < 100;
	struct table t = {.columns = columns, .n_columns = sizeof columns / sizeof columns[0]};
	char text[UNITS_BYTES];
	text_title(s, series->runs[0].has_wall ? "The runs (time of the process)"
	                                       : "The runs (time OpenMP was in use)");
	for (size_t i = 0; i < series->n; i++) {
		const struct wn_series_run *run = &series->runs[i];
		table_add(&t, "%s", run->file);
		table_add(&t, "%" PRIu32, run->n_threads);
		table_add(&t, "%s", units_time(run->time_ns, s->style.is_raw, text));
		table_add(&t, "%s", units_ratio(wn_series_speedup(series, i), text));
		table_add(&t, "%s", units_ratio(wn_series_efficiency(series, i), text));
		table_add(&t, "%s",
		          is_narrow ? "" : units_time(run->work_ns, s->style.is_raw, text));
		table_add(&t, "%s", units_ratio(wn_series_inflation(series, i), text));
		table_add(&t, "%s", units_percent(run->idle_ns, run->thread_ns, text));
		table_add(&t, "%s", units_percent(run->overhead_ns, run->thread_ns, text));
	}
	table_print(&t, s);
	return !t.is_out_of_memory;
}

static bool
add_sites(struct terminal *s, const struct wn_series *series, const char *title,
          double (*value)(const struct wn_series *, size_t, uint32_t), bool is_share)
{
	struct table_column columns[TABLE_COLUMNS_MAX] = {{"place", false, 14, STYLE_PLACE},
	                                                  {"function", false, 10, STYLE_PLAIN}};
	char titles[RUNS_IN_TEXT][24], text[UNITS_BYTES];
	size_t n = series->n < RUNS_IN_TEXT ? series->n : RUNS_IN_TEXT;
	size_t n_top = s->style.n_top ? s->style.n_top : TOP_DEFAULT;
	struct table t = {.columns = columns, .n_columns = 2 + n};
	if (series->n_order == 0)
		return true;
	for (size_t i = 0; i < n; i++) {
		snprintf(titles[i], sizeof titles[i], "on %" PRIu32, series->runs[i].n_threads);
		columns[2 + i] = (struct table_column){titles[i], true, 0, STYLE_PLAIN};
	}
	text_title(s, title);
	for (size_t k = 0; k < series->n_order && k < n_top; k++) {
		const struct wn_place_name *place = &series->runs[0].places[series->order[k]];
		table_add(&t, "%s", place->label);
		table_add(&t, "%s", place->function ? place->function : "");
		for (size_t i = 0; i < n; i++) {
			double x = value(series, i, series->order[k]);
			if (is_share && !isnan(x))
				table_add(&t, "%.1f %%", 100 * x);
			else
				table_add(&t, "%s", units_ratio(x, text));
		}
	}
	table_print(&t, s);
	if (series->n_order > n_top || series->n > n) {
		terminal_add(s, STYLE_FAINT,
		             "  not all of %zu places on %zu runs: --top %zu, --json",
		             series->n_order, series->n, series->n_order);
		terminal_end(s);
	}
	return !t.is_out_of_memory;
}

wn_status
wn_series_text(const struct wn_series *series, const struct wn_text_style *style, FILE *to,
               wn_err *err)
{
	struct terminal s = {.to = to, .style = *style};
	const struct wn_series_run *base = &series->runs[0];
	char text[200];
	errno = 0;
	int room = style->width / 2, columns = terminal_columns(&s, base->command);
	terminal_left(&s, STYLE_TITLE, columns < room ? columns : room, base->command);
	snprintf(text, sizeof text,
	         ": %zu runs. The baseline is the one with the fewest threads, %" PRIu32 ".",
	         series->n, base->n_threads);
	terminal_wrap(&s, STYLE_PLAIN, 0, text);
	terminal_end(&s);
	if (series->other_command) {
		terminal_wrap(&s, STYLE_BAD, 0,
		              "The runs are not of one command line: what differs need not be the "
		              "threads' doing.");
		terminal_end(&s);
	}
	bool has_memory = add_runs(&s, series);
	has_memory = add_sites(&s, series, "Work inflation of places, most work first",
	                       site_inflation, false) &&
	             has_memory;
	has_memory =
	    add_sites(&s, series,
	              "Overhead of places: creation and waits, as a share of these and work",
	              site_overhead, true) &&
	    has_memory;
	for (size_t i = 0; i < series->n; i++)
		if (!series->runs[i].is_complete) {
			terminal_add(&s, STYLE_BAD, "The recording %s is not complete.",
			             series->runs[i].file);
			terminal_end(&s);
		}
	if (!has_memory)
		return wn_no_memory(err);
	if (fflush(to) != 0 || ferror(to) || s.is_faulty)
		return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s", strerror(errno));
	return WN_OK;
}

/* --- JSON --- */

static json_t *
json_run(struct json_maker *j, const struct wn_series *s, size_t i)
{
	const struct wn_series_run *run = &s->runs[i];
	json_t *o = json_object();
	json_put(j, o, "file", json_text(run->file));
	json_put(j, o, "command", json_text(run->command));
	json_put(j, o, "threads", json_count(run->n_threads));
	json_put(j, o, "grains", json_count(run->n_grains));
	json_put(j, o, "time_ns", json_count(run->time_ns));
	json_put(j, o, "elapsed_ns", json_count(run->elapsed_ns));
	json_put(j, o, "speedup", json_ratio(wn_series_speedup(s, i)));
	json_put(j, o, "efficiency", json_ratio(wn_series_efficiency(s, i)));
	json_put(j, o, "work_ns", json_count(run->work_ns));
	json_put(j, o, "work_inflation", json_ratio(wn_series_inflation(s, i)));
	json_put(j, o, "span_ns", json_count(run->span_ns));
	json_put(j, o, "parallelism", json_ratio(run->parallelism));
	json_put(j, o, "idle_percent", json_percent(run->idle_ns, run->thread_ns));
	json_put(j, o, "overhead_percent", json_percent(run->overhead_ns, run->thread_ns));
	json_put(j, o, "complete", json_boolean(run->is_complete));
	return o;
}

static json_t *
json_site(struct json_maker *j, const struct wn_series *s, uint32_t place)
{
	const struct wn_place_name *name = &s->runs[0].places[place];
	json_t *o = json_object(), *runs = json_array();
	json_put(j, o, "file", json_text(name->file));
	json_put(j, o, "line", json_count_if(name->line > 0, (uint64_t)name->line));
	json_put(j, o, "function", json_text(name->function));
	json_put(j, o, "place", json_text(name->label));
	json_put(j, o, "kind", json_string(wn_report_kind(name->kind)));
	for (size_t i = 0; i < s->n; i++) {
		const struct wn_series_site *site = wn_series_site(s, i, place);
		double overhead = 100 * site_overhead(s, i, place);
		json_t *of_run = json_object();
		json_put(j, of_run, "grains", json_count(site ? site->n : 0));
		json_put(j, of_run, "work_ns", json_count_if(site, site ? site->work_ns : 0));
		json_put(j, of_run, "work_inflation", json_ratio(site_inflation(s, i, place)));
		json_put(j, of_run, "creation_ns",
		         json_count_if(site && site->creation_known, site ? site->creation_ns : 0));
		json_put(j, of_run, "sync_ns", json_count_if(site, site ? site->sync_ns : 0));
		json_put(j, of_run, "overhead_percent", json_ratio(overhead));
		json_push(j, runs, of_run);
	}
	json_put(j, o, "runs", runs);
	return o;
}

wn_status
wn_series_json(const struct wn_series *s, json_t **out, wn_err *err)
{
	struct json_maker j = {0};
	json_t *o = json_object(), *runs = json_array(), *sites = json_array();
	json_put(&j, o, "schema", json_string("winnow.series/1"));
	json_put(&j, o, "baseline", json_text(s->runs[0].file));
	json_put(&j, o, "same_command", json_boolean(!s->other_command));
	json_put(&j, o, "time", json_string(s->runs[0].has_wall ? "wall_ns" : "elapsed_ns"));
	for (size_t i = 0; i < s->n; i++)
		json_push(&j, runs, json_run(&j, s, i));
	for (size_t i = 0; i < s->n_order; i++)
		json_push(&j, sites, json_site(&j, s, s->order[i]));
	json_put(&j, o, "runs", runs);
	json_put(&j, o, "sites", sites);
	if (j.is_failed) {
		json_decref(o);
		return wn_no_memory(err);
	}
	*out = o;
	return WN_OK;
}
