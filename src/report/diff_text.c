/* SPDX-License-Identifier: MIT */
/* diff_text.c - writes a comparison of two runs as text: the kind of comparison, the runs, the
 * structure, the places, the groups and the limitations. */
#include "base/plural.h"
#include "report/diff.h"
#include "report/fidelity.h"
#include "report/text_private.h"
#include "report/text_table.h"
#include "report/weight.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define TOP_DEFAULT 10

static uint64_t
time_of(const struct wn_report *r)
{
	return r->header->finished && r->header->wall_ns ? r->header->wall_ns
	                                                 : r->metrics->totals.elapsed_ns;
}

/* --- kind of comparison --- */

static bool
is_ns(const struct wn_diff *d)
{
	return strcmp(wn_trace_unit(d->run[0]->trace), "ns") == 0;
}

static const char *
raw_unit(const struct terminal *s, const struct wn_diff *d)
{
	return !is_ns(d) ? " cycles" : s->style.is_raw ? " ns" : "";
}

static void
add_run(struct terminal *s, const char *name, const struct wn_report *r)
{
	char text[160], count[UNITS_BYTES];
	char runtime[40] = "";
	snprintf(runtime, sizeof runtime, "%.*s", (int)strcspn(r->header->runtime, " "),
	         r->header->runtime);
	uint32_t n = wn_diff_threads(r);
	snprintf(text, sizeof text, ": %" PRIu32 " %s%s, %s grain%s%s%s", n,
	         r->graph->thread_time ? "thread" : "CPU", wn_plural(n),
	         units_count(r->metrics->totals.n_grains, count),
	         r->metrics->totals.n_grains == 1 ? "" : "s", *runtime ? ", " : "", runtime);
	terminal_add(s, STYLE_TITLE, "%s  ", name);
	int room = s->style.width - s->column - terminal_columns(s, text);
	int columns = terminal_columns(s, r->command);
	terminal_left(s, STYLE_TITLE, columns < room ? columns : room, r->command);
	terminal_line(s, STYLE_PLAIN, "%s", text);
}

static void
add_word(struct terminal *s, const struct wn_diff *d)
{
	char text[400];
	uint32_t threads_a = wn_diff_threads(d->run[0]), threads_b = wn_diff_threads(d->run[1]);
	bool is_typed = d->other_command == WN_DIFF_YES;
	const char *code = d->other_code == WN_DIFF_NO ? "The same code" : "Code of one name";
	switch (d->word) {
	case WN_DIFF_INFLATION:
		snprintf(text, sizeof text,
		         "%s on %" PRIu32 " thread%s instead of %" PRIu32
		         ": additional time of grains is work inflation.",
		         code, threads_b, wn_plural(threads_b), threads_a);
		break;
	case WN_DIFF_REGRESSION:
		snprintf(
		    text, sizeof text, "Other code%s: additional time of grains is a regression%s.",
		    d->other_threads ? ", and another number of threads" : "",
		    d->other_threads ? " or work inflation, which two such runs do not distinguish"
				     : "");
		break;
	case WN_DIFF_RUNTIME:
		snprintf(text, sizeof text, "%s on another runtime, or recorded by another source.",
		         code);
		break;
	case WN_DIFF_INPUT:
		snprintf(text, sizeof text,
		         "Other input%s: the command lines %s%s. Compare the structure before the "
		         "times.",
		         is_typed ? "" : ", or a program that decides by the schedule",
		         is_typed ? "differ" : "are the same, but not the structure of what was ",
		         is_typed ? "" : "made");
		break;
	case WN_DIFF_REPEAT:
	case WN_DIFF_WORD_N:
		snprintf(text, sizeof text,
		         "Nothing known differs: not the threads%s: what times differ by is "
		         "chance, or the machine.",
		         d->other_code == WN_DIFF_NO ? ", not the code" : "");
		break;
	}
	terminal_wrap(s, STYLE_TITLE, 0, "%s", text);
	terminal_paragraph(s, STYLE_PLAIN, 0, " A is the reference: ratios are B / A.");
	if (!d->is_part)
		return;
	terminal_paragraph(s, STYLE_PLAIN, 0,
	                   "Only the contents of %s, except for the times of the whole runs.",
	                   d->part);
}

static void
add_emulator(struct terminal *s, const char *name, const char *emulator)
{
	terminal_paragraph(s, STYLE_BAD, 0,
	                   "%s %s (%.60s) to be counted: its times are not the program's.", name,
	                   wn_fidelity_ran_how(emulator), emulator);
}

static void
add_withheld(struct terminal *s, const char *name, const char *why)
{
	terminal_paragraph(s, STYLE_BAD, 0, "No verdict: in %s, %s.", name, why);
}

/* Describes whether a slowdown is significant. */
static void
add_verdict(struct terminal *s, const struct wn_diff *d)
{
	char a[UNITS_BYTES], b[UNITS_BYTES], c[UNITS_BYTES];
	double ratio = 0;
	uint64_t work[2] = {0, 0};
	for (size_t i = 0; i < d->n_sites; i++)
		for (int side = 0; side < 2; side++)
			work[side] += d->sites[i].diff.work_ns[side];
	ratio = wn_diff_ratio((double)work[1], (double)work[0]);
	if (isnan(ratio))
		return;
	terminal_paragraph(s, d->clarity == WN_CLEAR && ratio > 1 ? STYLE_BAD : STYLE_PLAIN, 0,
	                   "Grains work %s%s in all after %s, %s times as long%s.",
	                   units_time(work[1], s->style.is_raw, a), raw_unit(s, d),
	                   units_time(work[0], s->style.is_raw, b), units_ratio(ratio, c),
	                   d->n_only[0] + d->n_only[1] ? "; but they are not the same grains"
	                   : d->clarity == WN_CLEAR    ? ": more than the variation between grains"
	                   : d->clarity == WN_UNCLEAR
	                       ? ": within the variation between grains"
	                       : ": too few grains to distinguish that from noise");
}

/* --- the runs --- */

static void
add_time_row(struct table *t, const struct terminal *s, const char *name, uint64_t a, uint64_t b)
{
	char text[UNITS_BYTES];
	table_add(t, "%s", name);
	table_add(t, "%s", units_time(a, s->style.is_raw, text));
	table_add(t, "%s", units_time(b, s->style.is_raw, text));
	table_add(t, "%s", units_ratio(wn_diff_ratio((double)b, (double)a), text));
}

static void
add_number_row(struct table *t, const char *name, double a, double b)
{
	char text[UNITS_BYTES];
	table_add(t, "%s", name);
	table_add(t, "%s", units_ratio(a, text));
	table_add(t, "%s", units_ratio(b, text));
	table_add(t, "%s", units_ratio(wn_diff_ratio(b, a), text));
}

static void
add_share_row(struct table *t, const char *name, const struct wn_diff *d,
              uint64_t (*ns)(const struct wn_report *))
{
	char text[UNITS_BYTES];
	table_add(t, "%s", name);
	for (int side = 0; side < 2; side++)
		table_add(t, "%s", units_percent(ns(d->run[side]), d->run[side]->thread_ns, text));
	double share_a = wn_diff_ratio((double)ns(d->run[0]), (double)d->run[0]->thread_ns);
	double share_b = wn_diff_ratio((double)ns(d->run[1]), (double)d->run[1]->thread_ns);
	table_add(t, "%s", units_ratio(wn_diff_ratio(share_b, share_a), text));
}

/* Adds the same rows by weight, if a run has one besides time. */
static void
add_weights(struct table *t, struct terminal *s, const struct wn_graph *a, const struct wn_graph *b)
{
	static const char *const names[] = {"work", "span"};
	char text[96];
	if (!a->path || !b->path)
		return;
	for (int i = 0; i < 2; i++) {
		uint64_t of_a = i ? a->path->span : a->path->work;
		uint64_t of_b = i ? b->path->span : b->path->work;
		char weight[UNITS_BYTES];
		table_add(t, "%s, %s", names[i], b->path->name);
		table_add(t, "%s", report_weight(a->path, of_a, s->style.is_raw, weight));
		table_add(t, "%s", report_weight(b->path, of_b, s->style.is_raw, weight));
		table_add(t, "%s", units_ratio(wn_diff_ratio((double)of_b, (double)of_a), weight));
	}
	snprintf(text, sizeof text, "work / span, %s", b->path->name);
	add_number_row(t, text, report_exposed(a->path), report_exposed(b->path));
}

static void
add_runs(struct terminal *s, const struct wn_diff *d)
{
	static const struct table_column columns[] = {{"", false, 0, STYLE_PLAIN},
	                                              {"A", true, 0, STYLE_PLAIN},
	                                              {"B", true, 0, STYLE_PLAIN},
	                                              {"B / A", true, 0, STYLE_TITLE}};
	struct table t = {.columns = columns, .n_columns = 4};
	const struct wn_report *a = d->run[0], *b = d->run[1];
	const struct wn_totals *of_a = &a->metrics->totals, *of_b = &b->metrics->totals;
	bool has_times = a->graph->thread_time && b->graph->thread_time;
	text_title(s, "%s",
	           !is_ns(d)         ? "The runs (times in cycles)"
	           : s->style.is_raw ? "The runs (times in ns)"
	                             : "The runs");
	if (a->header->finished && b->header->finished)
		add_time_row(&t, s, "time of the process", a->header->wall_ns, b->header->wall_ns);
	if (has_times)
		add_time_row(&t, s, "time OpenMP was in use", of_a->elapsed_ns, of_b->elapsed_ns);
	add_time_row(&t, s, "work", of_a->work_ns, of_b->work_ns);
	add_time_row(&t, s, "span", of_a->span_ns, of_b->span_ns);
	add_number_row(&t, "work / span", of_a->parallelism, of_b->parallelism);
	if (has_times) {
		add_weights(&t, s, a->graph, b->graph);
		add_number_row(&t, "cores used", of_a->cores_used, of_b->cores_used);
		add_share_row(&t, "idle, of all thread time", d, wn_diff_idle_ns);
		add_share_row(&t, "overhead, of all thread time", d, wn_diff_overhead_ns);
	}
	table_print(&t, s);
	double speedup = wn_diff_ratio((double)time_of(a), (double)time_of(b));
	if (isfinite(speedup)) {
		char text[UNITS_BYTES], more[UNITS_BYTES];
		terminal_add(s, STYLE_PLAIN, "  B is %s times as fast as A",
		             units_ratio(speedup, text));
		if (d->other_threads)
			terminal_add(
			    s, STYLE_PLAIN, ", with %s times the threads: efficiency %s of A's",
			    units_ratio((double)b->n_threads / (double)a->n_threads, text),
			    units_ratio(speedup * (double)a->n_threads / (double)b->n_threads,
			                more));
		terminal_line(s, STYLE_PLAIN, ".");
	}
}

/* --- structure --- */

/* Adds a text of any length, cut to the cell by the table. */
static void
add_group_name(struct table *t, const struct wn_groups *groups, uint32_t group)
{
	char name[TABLE_CELL_BYTES];
	wn_group_name(groups, group, name, sizeof name);
	table_add(t, "%s", name);
}

static void
add_change(struct table *t, const struct wn_diff *d, const struct wn_change *change)
{
	static const char *const what[WN_CHANGE_KIND_N] = {[WN_CHANGE_SHAPE] = "changed",
	                                                   [WN_CHANGE_CREATED] = "created",
	                                                   [WN_CHANGE_VANISHED] = "vanished"};
	char text[UNITS_BYTES];
	int named = change->group[0] == WN_NO_GROUP;
	table_add(t, "%s", what[change->kind]);
	add_group_name(t, &d->groups[named], change->group[named]);
	table_add(t, "%s", wn_group_kind_name(d->groups[named].items[change->group[named]].kind));
	for (int side = 0; side < 2; side++) {
		uint32_t group = change->group[side];
		const struct wn_group *item = &d->groups[side].items[group];
		table_add(t, "%s", group == WN_NO_GROUP ? "" : units_count(item->n_members, text));
	}
	for (int side = 0; side < 2; side++) {
		uint32_t group = change->group[side];
		const struct wn_group *item = &d->groups[side].items[group];
		table_add(t, "%s", group == WN_NO_GROUP ? "" : units_count(item->n_grains, text));
	}
}

static void
add_counts(struct terminal *s, const struct wn_diff *d)
{
	char a[UNITS_BYTES], b[UNITS_BYTES], both[UNITS_BYTES], moved[UNITS_BYTES], text[300];
	int n = snprintf(text, sizeof text, "%s grains in both, %s only in A, %s only in B",
	                 units_count(d->n_matched, both), units_count(d->n_only[0], a),
	                 units_count(d->n_only[1], b));
	if (d->changes.n_moves && !d->is_part)
		n += snprintf(text + n, sizeof text - (size_t)n,
		              ", of which %s are elsewhere in one of %zu parts with the same shape",
		              units_count(d->changes.n_moved, moved), d->changes.n_moves);
	snprintf(text + n, sizeof text - (size_t)n, ".");
	terminal_paragraph(s, STYLE_PLAIN, 2, "%s", text);
}

static void
add_structure(struct terminal *s, const struct wn_diff *d, size_t n_top)
{
	static const struct table_column columns[] = {
	    {"what", false, 0, STYLE_PLAIN},     {"group", false, 16, STYLE_PLACE},
	    {"kind", false, 0, STYLE_PLAIN},     {"members A", true, 0, STYLE_PLAIN},
	    {"members B", true, 0, STYLE_PLAIN}, {"grains A", true, 0, STYLE_PLAIN},
	    {"grains B", true, 0, STYLE_PLAIN},
	};
	struct table t = {.columns = columns, .n_columns = sizeof columns / sizeof columns[0]};
	size_t n = 0;
	text_title(s, "Structure");
	add_counts(s, d);
	for (size_t i = 0; i < d->changes.n; i++)
		if (d->change_is_inside[i] && n++ < n_top)
			add_change(&t, d, &d->changes.items[i]);
	if (n == 0) {
		terminal_line(s, STYLE_PLAIN, "  No group has another shape.");
		return;
	}
	table_print(&t, s);
	terminal_more(s, n, n_top);
}

/* --- places, groups --- */

static void
add_similarity(struct terminal *s, const struct wn_diff *d)
{
	static const struct table_column columns[] = {{"group", false, 0, STYLE_PLACE},
	                                              {"similarity", true, 0, STYLE_TITLE},
	                                              {"structure", false, 0, STYLE_PLAIN}};
	struct table t = {.columns = columns, .n_columns = 3};
	if (!d->similarity)
		return;
	text_title(s, "Similarity (Weisfeiler-Lehman, h = %u)", d->similarity->n_rounds);
	for (size_t i = 0; i < d->similarity->n; i++) {
		const struct wn_diff_alike *item = &d->similarity->items[i];
		table_add(&t, "%s", item->name);
		table_add(&t, "%.4f", item->similarity);
		table_add(&t, "%s",
		          item->has_same_shape    ? "the same"
		          : item->has_same_labels ? "other, with the same labels"
		                                  : "other");
	}
	if (d->similarity->n == 0) {
		terminal_line(s, STYLE_PLAIN, "  one of the runs has no grains");
		return;
	}
	table_print(&t, s);
}

static const char *
note_of(const struct wn_diff_site *site, char text[64])
{
	const struct wn_report_place *a = site->at[0], *b = site->at[1];
	*text = '\0';
	if (!a || !site->diff.n[0])
		return "only in B";
	if (!b || !site->diff.n[1])
		return "only in A";
	if (site->diff.n_pairs < site->diff.n[0] || site->diff.n_pairs < site->diff.n[1])
		return "other grains";
	if (site->diff.clarity == WN_UNCLEAR)
		return "may be chance";
	if (site->diff.clarity == WN_UNKNOWN)
		return "too few to tell";
	if (site->diff.n_deviating)
		snprintf(text, 64, "%.0f%% over twice",
		         100 * (double)site->diff.n_deviating / (double)site->diff.n_deviations);
	return text;
}

static void
add_site(struct table *t, const struct terminal *s, const struct wn_diff_site *site)
{
	char text[UNITS_BYTES], note[64];
	bool is_raw = s->style.is_raw;
	const struct wn_report_place *at = site->at[1] ? site->at[1] : site->at[0];
	const struct wn_place_diff *diff = &site->diff;
	table_add(t, "%s", at->label);
	table_add(t, "%s", at->source.function ? at->source.function : "");
	for (int side = 0; side < 2; side++)
		table_add(t, "%s", units_count(diff->n[side], text));
	for (int side = 0; side < 2; side++)
		table_add(t, "%s", units_time(diff->work_ns[side], is_raw, text));
	table_add(
	    t, "%s",
	    units_ratio(wn_diff_ratio((double)diff->work_ns[1], (double)diff->work_ns[0]), text));
	table_add(t, "%s", units_ratio(diff->median_deviation, text));
	table_add(t, "%s", note_of(site, note));
}

static void
add_sites(struct terminal *s, const struct wn_diff *d, size_t n_top)
{
	static const struct table_column columns[] = {
	    {"place", false, 14, STYLE_PLACE},  {"function", false, 10, STYLE_PLAIN},
	    {"grains A", true, 0, STYLE_PLAIN}, {"grains B", true, 0, STYLE_PLAIN},
	    {"work A", true, 0, STYLE_PLAIN},   {"work B", true, 0, STYLE_PLAIN},
	    {"B / A", true, 0, STYLE_TITLE},    {"median", true, 0, STYLE_PLAIN},
	    {"note", false, 13, STYLE_FAINT},
	};
	struct table t = {.columns = columns, .n_columns = sizeof columns / sizeof columns[0]};
	if (d->n_sites == 0)
		return;
	text_title(s, "Places in the source, largest difference of work first");
	for (size_t i = 0; i < d->n_sites && i < n_top; i++)
		add_site(&t, s, &d->sites[i]);
	table_print(&t, s);
	terminal_more(s, d->n_sites, n_top);
}

static const char *
note_of_group(const struct wn_diff *d, size_t i, const struct wn_group *a, const struct wn_group *b)
{
	const struct wn_diff_spread *spread = &d->spread[i];
	if (i >= WN_DIFF_GROUPS)
		return "";
	if (spread->n_pairs < a->n_members || spread->n_pairs < b->n_members)
		return "other grains";
	return spread->clarity == WN_CLEAR     ? ""
	       : spread->clarity == WN_UNCLEAR ? "may be chance"
	                                       : "too few to tell";
}

static void
add_groups(struct terminal *s, const struct wn_diff *d, size_t n_top)
{
	static const struct table_column columns[] = {
	    {"group", false, 16, STYLE_PLACE},   {"members A", true, 0, STYLE_PLAIN},
	    {"members B", true, 0, STYLE_PLAIN}, {"work A", true, 0, STYLE_PLAIN},
	    {"work B", true, 0, STYLE_PLAIN},    {"B / A", true, 0, STYLE_TITLE},
	    {"note", false, 13, STYLE_FAINT},
	};
	struct table t = {.columns = columns, .n_columns = sizeof columns / sizeof columns[0]};
	char text[UNITS_BYTES];
	if (d->n_ordered == 0)
		return;
	text_title(s, "Groups by their members' own work, largest difference first");
	for (size_t i = 0; i < d->n_ordered && i < n_top; i++) {
		uint32_t a = d->group_order[i], b = d->changes.to[0][a];
		const struct wn_group *of_a = &d->groups[0].items[a],
				      *of_b = &d->groups[1].items[b];
		add_group_name(&t, &d->groups[0], a);
		table_add(&t, "%s", units_count(of_a->n_members, text));
		table_add(&t, "%s", units_count(of_b->n_members, text));
		table_add(&t, "%s", units_time(of_a->own_work_ns, s->style.is_raw, text));
		table_add(&t, "%s", units_time(of_b->own_work_ns, s->style.is_raw, text));
		table_add(
		    &t, "%s",
		    units_ratio(wn_diff_ratio((double)of_b->own_work_ns, (double)of_a->own_work_ns),
		                text));
		table_add(&t, "%s", note_of_group(d, i, of_a, of_b));
	}
	table_print(&t, s);
	terminal_more(s, d->n_ordered, n_top);
}

static void
add_problem(struct terminal *s, const struct wn_diff *d)
{
	char a[UNITS_BYTES], b[UNITS_BYTES], c[UNITS_BYTES];
	const struct wn_deviation_problem *p = &d->deviation;
	text_title(s, "Work deviation of single grains");
	terminal_paragraph(
	    s, STYLE_PLAIN, 2,
	    "%s of %s grains that can be compared work more than %g times as long in B "
	    "(work_deviation > %g), %s of them on B's critical path.",
	    units_count(p->count, a), units_count(p->n_deviations, b), p->threshold, p->threshold,
	    units_count(p->on_critical_path, c));
}

/* --- limitations --- */

static void
add_unknown(struct terminal *s, const struct wn_diff *d)
{
	char text[300], count[UNITS_BYTES];
	static const char *const names[2] = {"A", "B"};
	text_title(s, "Limitations of this comparison");
	terminal_paragraph(
	    s, STYLE_PLAIN, 2,
	    "How much of a difference is due to the machine (clock rates, neighbours): one run of "
	    "each shows only the variation between grains of a place.");
	if (d->other_code == WN_DIFF_NOT_KNOWN)
		terminal_paragraph(s, STYLE_PLAIN, 2,
		                   "Whether the code is the same: the files of code have no build "
		                   "ids known in both runs.");
	if (d->n_only[0] + d->n_only[1] > d->n_matched)
		terminal_paragraph(s, STYLE_PLAIN, 2,
		                   "Work deviations of grains that one run has alone. Loops that "
		                   "are divided for another number of threads have other chunks, "
		                   "and the tasks of chunks then have other names.");
	uint64_t n_by_order = d->match.n_by_order;
	if (n_by_order) {
		terminal_paragraph(s, STYLE_PLAIN, 2,
		                   "Which of %s grains with equal names match: the k-th of one run "
		                   "is matched with the k-th of the other.",
		                   units_count(n_by_order, count));
	}
	for (int side = 0; side < 2; side++) {
		if (d->run[side]->metrics->totals.is_calibrated &&
		    !d->run[1 - side]->metrics->totals.is_calibrated) {
			snprintf(
			    text, sizeof text,
			    "How much of a difference is the recording's: %s has a calibration, "
			    "and the cost of recording is not in its times; it is in those of %s.",
			    names[side], names[1 - side]);
			terminal_paragraph(s, STYLE_PLAIN, 2, "%s", text);
		}
	}
	for (int side = 0; side < 2; side++) {
		uint32_t n_stale = 0;
		for (size_t i = 0; i < d->run[side]->places.n_modules; i++)
			n_stale += d->run[side]->places.modules[i].is_stale ||
			           d->run[side]->places.modules[i].is_missing;
		if (n_stale) {
			terminal_paragraph(s, STYLE_PLAIN, 2,
			                   "Names of places of %s: %" PRIu32
			                   " of its files of code %s not "
			                   "there any more, or not the one%s that ran.",
			                   names[side], n_stale, n_stale == 1 ? "is" : "are",
			                   n_stale == 1 ? "" : "s");
		}
		if (!wn_report_is_complete(d->run[side])) {
			terminal_paragraph(s, STYLE_PLAIN, 2,
			                   "What is missing in %s: its recording is not complete.",
			                   names[side]);
		}
	}
}

static void
add_head(struct terminal *s, const struct wn_diff *d)
{
	add_run(s, "A", d->run[0]);
	add_run(s, "B", d->run[1]);
	add_word(s, d);
	for (int side = 0; side < 2; side++)
		if (d->run[side]->emulator)
			add_emulator(s, side ? "B" : "A", d->run[side]->emulator);
	for (int side = 0; side < 2; side++)
		if (*d->run[side]->withheld)
			add_withheld(s, side ? "B" : "A", d->run[side]->withheld);
	if (!*d->run[0]->withheld && !*d->run[1]->withheld)
		add_verdict(s, d);
}

wn_status
wn_diff_text_headline(const struct wn_diff *d, FILE *to, wn_err *err)
{
	struct terminal s = {.to = to, .style = {.width = WN_TEXT_WIDTH_NONE, .is_utf8 = true}};
	s.style.is_raw |= !is_ns(d);
	errno = 0;
	add_head(&s, d);
	return terminal_finish(&s, err);
}

wn_status
wn_diff_text(const struct wn_diff *d, const struct wn_text_style *style, FILE *to, wn_err *err)
{
	struct terminal s = {.to = to, .style = *style};
	s.style.is_raw |= !is_ns(d);
	size_t n_top = style->n_top ? style->n_top : TOP_DEFAULT;
	errno = 0;
	add_head(&s, d);
	add_runs(&s, d);
	add_structure(&s, d, n_top);
	add_similarity(&s, d);
	add_sites(&s, d, n_top);
	add_groups(&s, d, n_top);
	add_problem(&s, d);
	add_unknown(&s, d);
	return terminal_finish(&s, err);
}
