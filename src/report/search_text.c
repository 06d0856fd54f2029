/* SPDX-License-Identifier: MIT */
/* search_text.c - a search as text, CSV, JSON and picture. */
#include "report/prediction_private.h"

#include "base/error.h"
#include "base/plural.h"
#include "report/text_table.h"
#include "report/units.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool
is_helpful(const struct wn_search *s)
{
	return s->n > 0 && s->values[s->best].ns < s->without.ns;
}

static void
put_best(struct terminal *s, const struct wn_report_search *search)
{
	char text[512], name[WN_SEARCH_TEXT_BYTES], time[UNITS_BYTES], range[2 * UNITS_BYTES],
	    without[UNITS_BYTES];
	const struct wn_search *f = &search->found;
	units_time(f->without.ns, s->style.is_raw, without);
	if (!is_helpful(f)) {
		snprintf(text, sizeof text,
		         "No %s at %s is predicted to be faster on %u thread%s than %s without.",
		         wn_search_parameter_title(search->parameter), search->places,
		         search->n_threads, wn_plural(search->n_threads), without);
	} else {
		const struct wn_search_value *best = &f->values[f->best];
		snprintf(text, sizeof text, "Best at %s on %u thread%s: %s, %s (%s) instead of %s.",
		         search->places, search->n_threads, wn_plural(search->n_threads),
		         wn_search_range_text(search->parameter, f, name),
		         units_time(best->ns, s->style.is_raw, time),
		         units_range(best->at.low_ns, best->at.high_ns, s->style.is_raw, range),
		         without);
	}
	terminal_paragraph(s, STYLE_TITLE, 0, "%s", text);
}

static void
add_row(struct table *t, const struct wn_prediction *p, uint64_t ns, bool is_raw, const char *mark)
{
	char a[UNITS_BYTES], b[UNITS_BYTES];
	table_add(t, "%s", units_time(ns, is_raw, a));
	table_add(t, "%s to %s", units_time(p->low_ns, is_raw, a),
	          units_time(p->high_ns, is_raw, b));
	table_add(t, "%s", p->result.n_tasks ? units_count(p->result.n_tasks, a) : "");
	table_add(t, "%s", wn_limit_titles[p->limit]);
	table_add(t, "%s", mark);
}

void
search_put(struct terminal *s, const struct wn_report_search *search)
{
	const struct wn_search *f = &search->found;
	char value[WN_SEARCH_TEXT_BYTES];
	const struct table_column columns[] = {
	    {search->parameter, true, 0, STYLE_PLAIN}, {"predicted", true, 0, STYLE_TITLE},
	    {"range", true, 0, STYLE_PLAIN},           {"tasks", true, 0, STYLE_PLAIN},
	    {"limited by", false, 0, STYLE_PLAIN},     {"", false, 0, STYLE_GOOD},
	};
	struct table t = {.columns = columns, .n_columns = sizeof columns / sizeof *columns};
	put_best(s, search);
	terminal_end(s);
	for (size_t i = 0; i < f->n; i++) {
		const struct wn_search_value *v = &f->values[i];
		bool is_near = is_helpful(f) && i >= f->first && i <= f->last;
		table_add(&t, "%s", wn_search_value_text(search->parameter, v->value, value));
		add_row(&t, &v->at, v->ns, s->style.is_raw,
		        !is_near       ? ""
		        : i == f->best ? "best"
		                       : "within 5 %");
	}
	table_add(&t, "without");
	add_row(&t, &f->without, f->without.ns, s->style.is_raw, "");
	table_print(&t, s);
}

static json_t *
json_value(struct json_maker *j, const struct wn_search_value *v)
{
	json_t *o = json_object();
#define KEYS_OF_SEARCH_VALUE
#include "report/keys.def"
#include "report/terminal.h"
	return o;
}

json_t *
search_json(struct json_maker *j, const struct wn_report_search *search)
{
	json_t *o = json_object(), *values = json_array();
	const struct wn_search *f = &search->found;
	bool is_helped = is_helpful(f);
	const struct wn_search_value *best = &f->values[f->best];
	for (size_t i = 0; i < f->n; i++)
		json_push(j, values, json_value(j, &f->values[i]));
#define KEYS_OF_SEARCH
#include "report/keys.def"
	return o;
}

wn_status
search_csv(const struct wn_report_search *search, FILE *to, wn_err *err)
{
	errno = 0;
	fprintf(to, "%s,ns,low_ns,high_ns,tasks,limit\r\n", search->parameter);
	for (size_t i = 0; i < search->found.n; i++) {
		const struct wn_search_value *v = &search->found.values[i];
		fprintf(to, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s\r\n",
		        v->value, v->ns, v->at.low_ns, v->at.high_ns, v->at.result.n_tasks,
		        wn_limit_names[v->at.limit]);
	}
	return report_flush(to, err);
}

static const char *
x_title_of(const char *parameter)
{
	return strcmp(parameter, "depth") == 0  ? "depth of the cut-off"
	       : strcmp(parameter, "work") == 0 ? "tasks with less work are plain calls, ns"
	       : strcmp(parameter, "descendants") == 0
	           ? "tasks with fewer descendants are plain calls"
	       : strcmp(parameter, "chunk") == 0 ? "iterations per chunk"
	                                         : "parts";
}

wn_status
search_svg(const struct wn_report_prediction *r, const struct wn_report_search *search, FILE *to,
           wn_err *err)
{
	struct curve_point points[WN_SEARCH_VALUES_MAX];
	const struct wn_search *f = &search->found;
	char more[512], name[WN_SEARCH_TEXT_BYTES], time[UNITS_BYTES];
	bool is_depth = strcmp(search->parameter, "depth") == 0;
	for (size_t i = 0; i < f->n; i++)
		wn_prediction_curve_point(&f->values[i].at, (double)f->values[i].value, &points[i]);
	if (f->n == 0)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "no value has an effect: no curve");
	snprintf(more, sizeof more, "%s at %s on %u thread%s, best: %s; without: %s",
	         wn_search_parameter_title(search->parameter), search->places, search->n_threads,
	         wn_plural(search->n_threads),
	         is_helpful(f) ? wn_search_range_text(search->parameter, f, name) : "none",
	         units_time(f->without.ns, false, time));
	struct curve c = {
	    .title = r->command,
	    .more = more,
	    .x_title = x_title_of(search->parameter),
	    .is_doubling = !is_depth,
	    .points = points,
	    .n = f->n,
	    .level_ns = f->without.ns,
	    .best_low = is_helpful(f) ? (double)f->values[f->first].value : 1,
	    .best_high = is_helpful(f) ? (double)f->values[f->last].value : 0,
	};
	return wn_prediction_curve_write(&c, to, err);
}
