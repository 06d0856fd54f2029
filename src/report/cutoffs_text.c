/* SPDX-License-Identifier: MIT */
#include "base/path.h"
#include "base/plural.h"
#include "report/cutoffs.h"
#include "report/json_private.h"
#include "report/text_private.h"
#include "report/text_table.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *
time_text(double ns, bool is_raw, char out[UNITS_BYTES])
{
	return isnan(ns) ? "-" : units_time((uint64_t)(ns + 0.5), is_raw, out);
}

static void
add_runs(struct terminal *s, const struct wn_cutoffs *c, bool by_mean)
{
	static const struct table_column columns[] = {
	    {"cut-off", true, 0, STYLE_TITLE},   {"tasks", true, 0, STYLE_PLAIN},
	    {"threads", true, 0, STYLE_PLAIN},   {"run time", true, 0, STYLE_PLAIN},
	    {"execution", true, 0, STYLE_PLAIN}, {"parallelisation", true, 0, STYLE_PLAIN},
	    {"idle", true, 0, STYLE_PLAIN},      {"", false, 8, STYLE_BAD},
	};
	struct table t = {.columns = columns, .n_columns = sizeof columns / sizeof *columns};
	char text[UNITS_BYTES];
	text_title(s, "%s", by_mean ? "Per task, mean" : "Per task, median");
	for (size_t i = 0; i < c->n; i++) {
		const struct wn_cutoff_run *run = &c->runs[i];
		const double *ns = by_mean ? run->times.mean_ns : run->times.median_ns;
		bool is_fine = ns[WN_TREND_PARALLELISATION] > ns[WN_TREND_EXECUTION];
		bool is_idle = ns[WN_TREND_IDLE] > ns[WN_TREND_PARALLELISATION];
		table_add(&t, "%g", run->at);
		table_add(&t, "%s", units_count(run->times.n_tasks, text));
		table_add(&t, "%" PRIu32, run->n_threads);
		table_add(&t, "%s", units_time(run->time_ns, s->style.is_raw, text));
		for (int k = 0; k < WN_TREND_N; k++)
			table_add(&t, "%s", time_text(ns[k], s->style.is_raw, text));
		table_add(&t, "%s%s%s", is_fine ? "too fine" : "", is_fine && is_idle ? ", " : "",
		          is_idle ? "idle" : "");
	}
	table_print(&t, s);
}

/* Three digits, and all of what is before the point. */
static const char *
cutoff_text(double at, char out[32])
{
	bool is_long = fabs(at) >= 1000 && fabs(at) < 1e15;
	snprintf(out, 32, is_long ? "%.0f" : "%.3g", at);
	return out;
}

static void
add_meeting(struct terminal *s, const struct wn_meeting *m, const char *what, const char *other)
{
	char text[300], first[32], last[32];
	if (m->starts_above < 0)
		snprintf(text, sizeof text, "Whether %s meets %s is not known: not measured.", what,
		         other);
	else if (m->n == 0)
		snprintf(text, sizeof text,
		         "%s is %s %s at all cut-offs that were run: they do not meet.", what,
		         m->starts_above ? "above" : "below", other);
	else if (m->n == 1)
		snprintf(text, sizeof text, "%s meets %s at a cut-off of %s.", what, other,
		         cutoff_text(m->first, first));
	else
		snprintf(text, sizeof text,
		         "%s meets %s %zu times, from a cut-off of %s to one of %s.", what, other,
		         m->n, cutoff_text(m->first, first), cutoff_text(m->last, last));
	terminal_paragraph(s, STYLE_PLAIN, 2, "%s", text);
}

static void
add_range(struct terminal *s, const struct wn_cutoffs *c)
{
	const struct wn_cutoff_range *r = &c->range;
	char text[400], from[32], to[32];
	text_title(s, "Recommended");
	if (c->n < 2)
		snprintf(text, sizeof text,
		         "One run shows no trend: record others with other cut-offs.");
	else if (r->n_good > 0)
		snprintf(
		    text, sizeof text,
		    "Cut-offs from %s to %s: execution takes more than parallelisation, and "
		    "parallelisation more than idling.%s%s",
		    cutoff_text(r->from, from), cutoff_text(r->to, to),
		    r->is_open_below ? " Smaller ones were not run, and may be suitable, too." : "",
		    r->is_open_above ? " Larger ones were not run, and may be suitable, too." : "");
	else if (!isnan(r->from))
		snprintf(text, sizeof text,
		         "No cut-off meets both conditions. The best compromise is from %s to %s, "
		         "between the intersections of parallelisation with execution and of "
		         "idleness with parallelisation.",
		         cutoff_text(r->from, from), cutoff_text(r->to, to));
	else
		snprintf(
		    text, sizeof text,
		    "None can be recommended: the trends do not meet at the cut-offs that were "
		    "run.");
	terminal_paragraph(s, STYLE_TITLE, 2, "%s", text);
	add_meeting(s, &r->grain, "Parallelisation", "execution");
	add_meeting(s, &r->idle, "Idleness", "parallelisation");
	if (c->n > 1) {
		terminal_paragraph(
		    s, STYLE_FAINT, 2,
		    "By %s; between runs, logarithms are taken to be straight lines%s.",
		    c->by_mean ? "means" : "medians",
		    r->is_log ? "" : " over the cut-off itself, since one is not above 0");
	}
}

static bool
is_one_team(const struct wn_cutoffs *c)
{
	for (size_t i = 1; i < c->n; i++)
		if (c->runs[i].n_threads != c->runs[0].n_threads)
			return false;
	return true;
}

/* Given cut-offs are not checked, so the runs may be of different programs. */
static void
add_programs(struct terminal *s, const struct wn_cutoffs *c)
{
	const struct wn_cutoff_run *other = NULL;
	size_t n = 0;
	for (size_t i = 1; i < c->n; i++) {
		const struct wn_cutoff_run *run = &c->runs[i];
		if (!run->argv_bytes || !c->runs[0].argv_bytes ||
		    strcmp(wn_base_name(run->argv), wn_base_name(c->runs[0].argv)) == 0)
			continue;
		other = other ? other : run;
		n++;
	}
	if (n == 0)
		return;
	terminal_paragraph(s, STYLE_BAD, 0,
	                   "%zu of %zu runs %s of another program, as %.200s: differences may have "
	                   "other causes than the cut-off.",
	                   n, c->n, n == 1 ? "is" : "are", wn_base_name(other->argv));
}

wn_status
wn_cutoffs_text(const struct wn_cutoffs *c, const struct wn_text_style *style, FILE *to,
                wn_err *err)
{
	struct terminal s = {.to = to, .style = *style};
	errno = 0;
	int room = style->width / 2, columns = terminal_columns(&s, c->runs[0].command);
	terminal_left(&s, STYLE_TITLE, columns < room ? columns : room, c->runs[0].command);
	terminal_wrap(&s, STYLE_PLAIN, 0, ": %zu cut-off%s", c->n, wn_plural(c->n));
	if (c->argument) {
		terminal_wrap(&s, STYLE_PLAIN, 0, ", from argument %zu", c->argument);
	}
	terminal_paragraph(&s, STYLE_PLAIN, 0, ".");
	if (!is_one_team(c)) {
		terminal_paragraph(&s, STYLE_BAD, 0,
		                   "The runs are not on one number of threads: idle time may have "
		                   "other causes than the cut-off.");
	}
	add_programs(&s, c);
	add_runs(&s, c, c->by_mean);
	add_runs(&s, c, !c->by_mean);
	add_range(&s, c);
	return terminal_finish(&s, err);
}

/* --- JSON --- */

static json_t *
json_trends(struct json_maker *j, const double ns[WN_TREND_N])
{
	json_t *o = json_object();
	for (int k = 0; k < WN_TREND_N; k++)
		json_put(j, o, wn_trend_names[k], json_ratio(ns[k]));
	return o;
}

static json_t *
json_meeting(struct json_maker *j, const struct wn_meeting *m)
{
	json_t *o = json_object();
	json_put(j, o, "count", json_count_if(m->starts_above >= 0, m->n));
	json_put(j, o, "first", json_ratio(m->first));
	json_put(j, o, "last", json_ratio(m->last));
	json_put(j, o, "starts_above",
	         m->starts_above < 0 ? json_null() : json_boolean(m->starts_above));
	json_put(j, o, "ends_above", m->ends_above < 0 ? json_null() : json_boolean(m->ends_above));
	return o;
}

static json_t *
json_range(struct json_maker *j, const struct wn_cutoffs *c)
{
	const struct wn_cutoff_range *r = &c->range;
	json_t *o = json_object();
	json_put(j, o, "from", json_ratio(r->from));
	json_put(j, o, "to", json_ratio(r->to));
	json_put(j, o, "is_good", json_boolean(r->n_good > 0));
	json_put(j, o, "good_ranges", json_count(r->n_good));
	json_put(j, o, "open_below", json_boolean(r->is_open_below));
	json_put(j, o, "open_above", json_boolean(r->is_open_above));
	json_put(j, o, "parallelisation_meets_execution", json_meeting(j, &r->grain));
	json_put(j, o, "idle_meets_parallelisation", json_meeting(j, &r->idle));
	return o;
}

wn_status
wn_cutoffs_json(const struct wn_cutoffs *c, json_t **out, wn_err *err)
{
	struct json_maker j = {0};
	json_t *o = json_object(), *runs = json_array();
	for (size_t i = 0; i < c->n; i++) {
		const struct wn_cutoff_run *run = &c->runs[i];
		json_t *of_run = json_object();
		json_put(&j, of_run, "cutoff", json_ratio(run->at));
		json_put(&j, of_run, "file", json_text(run->file));
		json_put(&j, of_run, "command", json_text(run->command));
		json_put(&j, of_run, "threads", json_count(run->n_threads));
		json_put(&j, of_run, "time_ns", json_count(run->time_ns));
		json_put(&j, of_run, "tasks", json_count(run->times.n_tasks));
		json_put(&j, of_run, "creation_known", json_count(run->times.n_known));
		json_put(&j, of_run, "median_ns", json_trends(&j, run->times.median_ns));
		json_put(&j, of_run, "mean_ns", json_trends(&j, run->times.mean_ns));
		json_push(&j, runs, of_run);
	}
	json_put(&j, o, "schema", json_string("winnow.cutoffs/1"));
	json_put(&j, o, "argument", json_count_if(c->argument, c->argument));
	json_put(&j, o, "judged_by", json_string(c->by_mean ? "mean" : "median"));
	json_put(&j, o, "interpolation", json_string(c->range.is_log ? "log-log" : "log-linear"));
	json_put(&j, o, "runs", runs);
	json_put(&j, o, "recommended", json_range(&j, c));
	return json_finish(&j, o, out, err);
}
