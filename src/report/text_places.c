/* SPDX-License-Identifier: MIT */
/* text_places.c - tables of the places that grains come from, and of their problems. */
#include "report/text_private.h"
#include "report/text_table.h"

#include <stdio.h>
#include <string.h>

#define TOP_DEFAULT 10
/* Prefix of three names of problem types, omitted on a narrow terminal. */
#define LONG_NAME "instantaneous_parallelism"

/* Names a problem in at most three words for a narrow column; the user's metrics by name. */
static const char *
short_problem(const struct wn_report *r, int p)
{
	static const char *const names[WN_PROBLEM_N] = {
	    [WN_PROBLEM_PARALLEL_BENEFIT] = "too small",
	    [WN_PROBLEM_INST_PAR_MEDIAN] = "few at a time",
	    [WN_PROBLEM_SIBLING_BALANCE] = "uneven siblings",
	    [WN_PROBLEM_CHUNK_BALANCE] = "uneven chunks",
	    [WN_PROBLEM_CHUNK_CPU_BALANCE] = "uneven threads",
	};
	return p < WN_PROBLEM_N ? names[p] : r->metrics->problem_types[p].name;
}

/* Returns the title of the worst finding at a place, or the problem of most of its grains. */
static void
add_problem(struct table *table, const struct wn_report *r, uint32_t i)
{
	int worst = -1;
	const struct wn_place_stats *stats = &r->stats[i];
	for (size_t k = 0; k < r->n_findings; k++)
		if (r->findings[k].place == &r->places.items[i]) {
			table_add(table, "%s", wn_rule_brief(r->findings[k].finding.rule));
			return;
		}
	for (int p = 0; p < r->metrics->n_problems; p++)
		if (short_problem(r, p) && stats->problem[p] &&
		    (worst < 0 || stats->problem[p] > stats->problem[worst]))
			worst = p;
	if (worst < 0)
		table_add(table, "%s", "");
	else
		table_add(table, "%.0f%% %s",
		          100.0 * (double)stats->problem[worst] / (double)stats->n,
		          short_problem(r, worst));
}

static void
add_place(struct table *table, const struct terminal *s, const struct wn_report *r, uint32_t i)
{
	char text[UNITS_BYTES];
	bool is_raw = s->style.is_raw;
	const struct wn_report_place *place = &r->places.items[i];
	const struct wn_place_stats *stats = &r->stats[i];
	table_add(table, "%s", place->label);
	table_add(table, "%s", place->source.function ? place->source.function : "");
	table_add(table, "%s", stats->is_mixed ? "mixed" : wn_report_kind(stats->kind));
	table_add(table, "%s", units_count(stats->n, text));
	table_add(table, "%s", units_time(stats->work_ns, is_raw, text));
	table_add(table, "%s", units_percent(stats->work_ns, r->metrics->totals.work_ns, text));
	table_add(table, "%s", units_time(stats->median_ns, is_raw, text));
	if (stats->n_creation_known)
		table_add(table, "%s",
		          units_time(stats->creation_ns / stats->n_creation_known, is_raw, text));
	else
		table_add(table, "%s", stats->kind == WN_GRAIN_IMPLICIT ? "" : "-");
	add_problem(table, r, i);
}

void
text_places(struct terminal *s, const struct wn_report *r)
{
	static const struct table_column scaled[] = {
	    {"place", false, 14, STYLE_PLACE}, {"function", false, 10, STYLE_PLAIN},
	    {"kind", false, 0, STYLE_PLAIN},   {"grains", true, 0, STYLE_PLAIN},
	    {"work", true, 0, STYLE_PLAIN},    {"of all", true, 0, STYLE_PLAIN},
	    {"median", true, 0, STYLE_PLAIN},  {"creation", true, 0, STYLE_PLAIN},
	    {"problem", false, 0, STYLE_BAD},
	};
	static const unsigned char dropped[] = {5, 2, 6, 7}; /* of all, kind, median, creation */
	static const struct table_column raw[] = {
	    {"place", false, 14, STYLE_PLACE},   {"function", false, 8, STYLE_PLAIN},
	    {"kind", false, 0, STYLE_PLAIN},     {"grains", true, 0, STYLE_PLAIN},
	    {"work ns", true, 0, STYLE_PLAIN},   {"of all", true, 0, STYLE_PLAIN},
	    {"median ns", true, 0, STYLE_PLAIN}, {"creation ns", true, 0, STYLE_PLAIN},
	    {"problem", false, 0, STYLE_BAD},
	};
	static const struct table_column cycles[] = {
	    {"place", false, 14, STYLE_PLACE},       {"function", false, 8, STYLE_PLAIN},
	    {"kind", false, 0, STYLE_PLAIN},         {"grains", true, 0, STYLE_PLAIN},
	    {"work cycles", true, 0, STYLE_PLAIN},   {"of all", true, 0, STYLE_PLAIN},
	    {"median cycles", true, 0, STYLE_PLAIN}, {"creation cycles", true, 0, STYLE_PLAIN},
	    {"problem", false, 0, STYLE_BAD},
	};
	bool is_ns = strcmp(wn_trace_unit(r->trace), "ns") == 0;
	struct table table = {.columns = !is_ns            ? cycles
	                                 : s->style.is_raw ? raw
	                                                   : scaled,
	                      .n_columns = sizeof scaled / sizeof scaled[0],
	                      .dropped = dropped,
	                      .n_dropped = sizeof dropped};
	size_t n_top = s->style.n_top ? s->style.n_top : TOP_DEFAULT;
	if (r->n_ordered == 0)
		return;
	text_title(s, "Places in the source, worst first");
	for (size_t i = 0; i < r->n_ordered && i < n_top; i++)
		add_place(&table, s, r, r->place_order[i]);
	table_print(&table, s);
	terminal_more(s, r->n_ordered, n_top);
}

void
text_problems(struct terminal *s, const struct wn_report *r)
{
	static const struct table_column columns[] = {
	    {"grains", true, 0, STYLE_PLAIN},      {"of all", true, 0, STYLE_PLAIN},
	    {"critical", true, 0, STYLE_PLAIN},    {"that", false, 20, STYLE_PLAIN},
	    {"condition", false, 20, STYLE_FAINT},
	};
	const struct wn_metrics *m = r->metrics;
	struct table table = {.columns = columns, .n_columns = sizeof columns / sizeof columns[0]};
	char text[UNITS_BYTES];
	bool is_narrow = s->style.width < 100;
	for (int p = 0; p < m->n_problems; p++) {
		const struct wn_problem_type *type = &m->problem_types[p];
		bool is_long = strncmp(type->name, LONG_NAME, sizeof LONG_NAME - 1) == 0;
		if (m->problem[p].count == 0)
			continue;
		table_add(&table, "%s", units_count(m->problem[p].count, text));
		table_add(&table, "%s",
		          units_percent(m->problem[p].count, m->totals.n_grains, text));
		table_add(&table, "%s", units_count(m->problem[p].on_critical_path, text));
		table_add(&table, "%s", type->title);
		table_add(&table, "%s%s %c %g", is_narrow && is_long ? "inst_par" : "",
		          type->name + (is_narrow && is_long ? sizeof LONG_NAME - 1 : 0),
		          type->is_below ? '<' : '>', m->threshold[p]);
	}
	text_title(s, "Problem grains");
	if (table.n_rows == 0) {
		terminal_line(s, STYLE_PLAIN, "  none");
	} else {
		table_print(&table, s);
	}
}

static const char *
number(double value, char text[32])
{
	if (value != value)
		return "-";
	snprintf(text, 32, "%.4g", value);
	return text;
}

void
text_metrics(struct terminal *s, const struct wn_report *r)
{
	static const struct table_column columns[] = {
	    {"metric", false, 12, STYLE_PLAIN}, {"grains", true, 0, STYLE_PLAIN},
	    {"least", true, 0, STYLE_PLAIN},    {"median", true, 0, STYLE_PLAIN},
	    {"mean", true, 0, STYLE_PLAIN},     {"most", true, 0, STYLE_PLAIN},
	    {"is", false, 14, STYLE_FAINT},
	};
	const struct wn_metrics *m = r->metrics;
	struct table table = {.columns = columns, .n_columns = sizeof columns / sizeof columns[0]};
	char text[UNITS_BYTES], value[32];
	if (m->n_user_columns == 0)
		return;
	for (size_t i = 0; i < m->n_user_columns; i++) {
		const struct wn_summary *of = &r->summaries[i];
		const struct wn_column *c = &m->columns[m->n_columns - m->n_user_columns + i];
		table_add(&table, "%s", c->name);
		table_add(&table, "%s", units_count(of->n, text));
		table_add(&table, "%s", number(of->min, value));
		table_add(&table, "%s", number(of->median, value));
		table_add(&table, "%s", number(of->mean, value));
		table_add(&table, "%s", number(of->max, value));
		table_add(&table, "%s", c->title);
	}
	text_title(s, "Your metrics");
	table_print(&table, s);
}
