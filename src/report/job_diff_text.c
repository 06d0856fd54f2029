/* SPDX-License-Identifier: MIT */
#include "report/job_diff.h"

#include "report/job_text.h"
#include "report/text_table.h"

#include <errno.h>
#include <math.h>

#define TOP_DEFAULT 10

static size_t
top_of(const struct terminal *s)
{
	return s->style.n_top ? s->style.n_top : TOP_DEFAULT;
}

/* "B is 1.25 times as fast as A" and the like. */
static void
add_verdict(struct terminal *s, const struct wn_job_diff *d)
{
	double a = (double)d->run[0]->pop.run_ns, b = (double)d->run[1]->pop.run_ns;
	char ratio[UNITS_BYTES];
	if (a > 0 && b > 0)
		terminal_add(s, STYLE_TITLE, "B takes %s times as long as A.",
		             units_ratio(b / a, ratio));
	if (d->is_other_command)
		terminal_wrap(s, STYLE_BAD, 0, " The command lines differ.");
	if (d->is_other_size)
		terminal_wrap(s, STYLE_BAD, 0, " The numbers of ranks or threads differ.");
	terminal_end(s);
}

static void
add_runs(struct terminal *s, const struct wn_job_diff *d)
{
	static const struct table_column columns[] = {
	    {"", false, 0, STYLE_PLAIN},
	    {"A", true, 0, STYLE_PLAIN},
	    {"B", true, 0, STYLE_PLAIN},
	    {"B - A", true, 0, STYLE_PLAIN},
	};
	struct table table = {.columns = columns, .n_columns = sizeof columns / sizeof columns[0]};
	char text[UNITS_BYTES];
	text_title(s, "Efficiency");
	for (int k = 0; k < WN_POP_N; k++) {
		double a = d->run[0]->pop.value[k], b = d->run[1]->pop.value[k];
		if (isnan(a) && isnan(b))
			continue;
		table_add(&table, "%*s%s", 2 * wn_pop_metrics[k].level, "",
		          wn_pop_metrics[k].title);
		table_add(&table, "%s", job_text_percent(a, text));
		table_add(&table, "%s", job_text_percent(b, text));
		if (isfinite(b - a))
			table_add(&table, "%+.1f %%", 100 * (b - a));
		else
			table_add(&table, "-");
	}
	table_print(&table, s);
}

static void
add_time(struct table *table, const struct terminal *s, const char *title, uint64_t a, uint64_t b,
         const struct wn_job_diff *d)
{
	char text[UNITS_BYTES];
	table_add(table, "%s", title);
	table_add(table, "%s", units_time(a, s->style.is_raw, text));
	table_add(table, "%s", units_percent(a, d->run[0]->thread_ns, text));
	table_add(table, "%s", units_time(b, s->style.is_raw, text));
	table_add(table, "%s", units_percent(b, d->run[1]->thread_ns, text));
	if (a)
		table_add(table, "%s", units_ratio((double)b / (double)a, text));
	else
		table_add(table, "-");
}

static void
add_times(struct terminal *s, const struct wn_job_diff *d)
{
	static const struct table_column columns[] = {
	    {"", false, 20, STYLE_PLAIN},     {"A", true, 0, STYLE_PLAIN},
	    {"of T R", true, 0, STYLE_PLAIN}, {"B", true, 0, STYLE_PLAIN},
	    {"of T R", true, 0, STYLE_PLAIN}, {"B / A", true, 0, STYLE_PLAIN},
	};
	struct table table = {.columns = columns, .n_columns = sizeof columns / sizeof columns[0]};
	const struct wn_job_report *a = d->run[0], *b = d->run[1];
	text_title(s, "Where the threads' time went, all ranks");
	for (int k = 0; k < WN_TIME_N; k++)
		if (a->ns[k] * 200 >= a->thread_ns || b->ns[k] * 200 >= b->thread_ns)
			add_time(&table, s, wn_time_categories[k].title, a->ns[k], b->ns[k], d);
	add_time(&table, s, "ranks that began later or ended earlier", a->not_running_ns,
	         b->not_running_ns, d);
	add_time(&table, s, "threads x run time", a->thread_ns, b->thread_ns, d);
	table_print(&table, s);
}

static const char *
label_of(const struct wn_job_diff *d, const struct wn_rank_place *a, const struct wn_rank_place *b)
{
	return b ? wn_job_label(d->run[1], b) : wn_job_label(d->run[0], a);
}

static void
add_findings(struct terminal *s, const struct wn_job_diff *d)
{
	static const struct table_column columns[] = {
	    {"finding", false, 12, STYLE_TITLE}, {"place", false, 10, STYLE_PLACE},
	    {"ranks A", true, 0, STYLE_PLAIN},   {"ranks B", true, 0, STYLE_PLAIN},
	    {"saves A", true, 0, STYLE_PLAIN},   {"saves B", true, 0, STYLE_PLAIN},
	};
	struct table table = {.columns = columns, .n_columns = sizeof columns / sizeof columns[0]};
	char text[UNITS_BYTES];
	text_title(s, "Findings: only in B, in both, only in A");
	if (d->n_findings == 0) {
		terminal_line(s, STYLE_PLAIN, "  no significant finding");
		return;
	}
	for (size_t i = 0; i < d->n_findings && i < top_of(s); i++) {
		const struct wn_job_finding *const *f = d->findings[i].finding;
		const struct wn_job_finding *any = f[1] ? f[1] : f[0];
		table_add(&table, "%s", wn_rule_title((enum wn_rule)any->f->rule));
		table_add(&table, "%s",
		          label_of(d, f[0] ? f[0]->place : NULL, f[1] ? f[1]->place : NULL));
		for (int side = 0; side < 2; side++)
			if (f[side])
				table_add(&table, "%u", f[side]->f->n_ranks);
			else
				table_add(&table, "-");
		for (int side = 0; side < 2; side++)
			table_add(&table, "%s",
			          f[side] ? units_time(f[side]->saving_ns, s->style.is_raw, text)
			                  : "-");
	}
	table_print(&table, s);
}

static void
add_places(struct terminal *s, const struct wn_job_diff *d)
{
	static const struct table_column columns[] = {
	    {"place", false, 12, STYLE_PLACE},  {"grains A", true, 0, STYLE_PLAIN},
	    {"grains B", true, 0, STYLE_PLAIN}, {"work A", true, 0, STYLE_PLAIN},
	    {"work B", true, 0, STYLE_PLAIN},   {"B / A", true, 0, STYLE_PLAIN},
	};
	struct table table = {.columns = columns, .n_columns = sizeof columns / sizeof columns[0]};
	char text[UNITS_BYTES];
	text_title(s, "Places, all ranks, largest difference of work first");
	for (size_t i = 0; i < d->n_places && i < top_of(s); i++) {
		const struct wn_rank_place *const *p = d->places[i].place;
		table_add(&table, "%s", label_of(d, p[0], p[1]));
		for (int side = 0; side < 2; side++)
			table_add(&table, "%s", units_count(p[side] ? p[side]->n_grains : 0, text));
		for (int side = 0; side < 2; side++)
			table_add(
			    &table, "%s",
			    units_time(p[side] ? p[side]->work_ns : 0, s->style.is_raw, text));
		table_add(&table, "%s",
		          p[0] && p[1] && p[0]->work_ns
		              ? units_ratio((double)p[1]->work_ns / (double)p[0]->work_ns, text)
		              : "-");
	}
	table_print(&table, s);
}

wn_status
wn_job_diff_text(const struct wn_job_diff *d, const struct wn_text_style *style, FILE *to,
                 wn_err *err)
{
	struct terminal s = {.to = to, .style = *style};
	errno = 0;
	for (int side = 0; side < 2; side++) {
		terminal_add(&s, STYLE_TITLE, "%c  ", "AB"[side]);
		job_text_head(&s, d->run[side]);
	}
	add_verdict(&s, d);
	add_runs(&s, d);
	add_times(&s, d);
	add_findings(&s, d);
	add_places(&s, d);
	return terminal_finish(&s, err);
}
