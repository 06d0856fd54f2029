/* SPDX-License-Identifier: MIT */
/* job_text_all.c - all sections of the report of a job: winnow report -v. */
#include "report/job_text.h"

#include "base/mem.h"
#include "base/plural.h"
#include "report/text_table.h"

#include <inttypes.h>
#include <stddef.h>

#define TOP_DEFAULT  10
#define NAME_COLUMNS 46
#define WHY_INDENT   7

static size_t
top_of(const struct terminal *s)
{
	return s->style.n_top ? s->style.n_top : TOP_DEFAULT;
}

static void
add_efficiencies(struct terminal *s, const struct wn_job_report *r)
{
	char text[UNITS_BYTES];
	text_title(s,
	           "Efficiency (multiplicative, then additive; doc/metrics.md has the formulas)");
	for (int k = 0; k < WN_POP_N; k++) {
		int indent = 2 + 2 * wn_pop_metrics[k].level;
		terminal_left(s, STYLE_PLAIN, indent, "");
		terminal_left(s, STYLE_PLAIN, NAME_COLUMNS - indent, wn_pop_metrics[k].title);
		terminal_right(s, STYLE_PLAIN, 15, job_text_percent(r->pop.value[k], text));
		terminal_end(s);
	}
}

static void
add_findings(struct terminal *s, const struct wn_job_report *r)
{
	char text[512], worst[UNITS_BYTES], mean[UNITS_BYTES];
	text_title(s, "%s",
	           r->pop.knows_mpi ? "What to change, by what the job saves"
	                            : "What to change; the job saves at most");
	for (size_t i = 0; i < r->n_findings && i < top_of(s); i++) {
		const struct wn_rank_finding *f = r->findings[i].f;
		const char *message = wn_ranks_text(r->s, f->message);
		const char *advice = wn_ranks_text(r->s, f->advice);
		job_text_finding(s, r, i);
		snprintf(
		    text, sizeof text,
		    "worst in rank %u, which saves %s of its own time; mean of the %u rank%s: %s. "
		    "%s",
		    f->worst_rank, units_time(f->worst_saving_ns, s->style.is_raw, worst),
		    f->n_ranks, wn_plural(f->n_ranks),
		    units_time(f->n_ranks ? f->saving_ns / f->n_ranks : 0, s->style.is_raw, mean),
		    message ? message : "");
		terminal_left(s, STYLE_PLAIN, WHY_INDENT, "");
		terminal_wrap(s, STYLE_PLAIN, WHY_INDENT, "%s", text);
		terminal_end(s);
		terminal_left(s, STYLE_PLAIN, WHY_INDENT, "");
		terminal_add(s, STYLE_GOOD, "try: ");
		terminal_wrap(s, STYLE_PLAIN, WHY_INDENT + 5, "%s", advice ? advice : "");
		terminal_end(s);
	}
	if (r->n_findings > top_of(s))
		terminal_add(s, STYLE_FAINT, "  and %zu more: --top %zu", r->n_findings - top_of(s),
		             r->n_findings);
	else if (r->n_findings == 0)
		terminal_add(s, STYLE_PLAIN, "  %s",
		             r->n_bindings > 0 ? "first the binding of ranks"
		                               : "no significant finding");
	if (r->n_findings > top_of(s) || r->n_findings == 0)
		terminal_end(s);
}

static void
add_groups(struct terminal *s, const struct wn_job_report *r)
{
	char list[JOB_LIST_BYTES], text[JOB_LIST_BYTES + 120];
	text_title(s, "Groups of ranks that spend their time alike");
	for (size_t i = 0; i < r->n_groups; i++) {
		const struct wn_rank_group *group = &r->groups[i];
		if (!job_group_list(r, i, list, sizeof list)) {
			s->lacks_memory = true;
			return;
		}
		snprintf(text, sizeof text,
		         "%u rank%s like rank %u, up to %.1f %% of the time apart: %s",
		         group->n_ranks, wn_plural(group->n_ranks), r->s->ranks[group->centre].rank,
		         100 * group->radius, list);
		terminal_add(s, STYLE_PLAIN, "%3zu  ", i);
		terminal_wrap(s, STYLE_PLAIN, 5, "%s", text);
		terminal_end(s);
	}
}

static void
add_outliers(struct terminal *s, const struct wn_job_report *r)
{
	if (r->n_outliers == 0 && r->n_bindings == 0)
		return;
	text_title(s, "Ranks that differ from the others, and mistakes in binding");
	for (size_t i = 0; i < r->n_bindings; i++)
		job_text_binding(s, r, &r->bindings[i]);
	for (size_t i = 0; i < r->n_outliers && i < top_of(s); i++)
		job_text_outlier(s, r, &r->outliers[i]);
	terminal_more(s, r->n_outliers, top_of(s));
}

static void
add_rank(struct table *table, const struct terminal *s, const struct wn_job_report *r, uint32_t i)
{
	const struct wn_rank_row *x = &r->s->ranks[i];
	const char *host = wn_ranks_text(r->s, x->host);
	char text[UNITS_BYTES];
	bool is_raw = s->style.is_raw, has_end = x->flags & (WN_RANK_EXITED | WN_RANK_SIGNALLED);
	table_add(table, "%u", x->rank);
	table_add(table, "%s", host ? host : "");
	table_add(table, "%u", x->n_threads);
	table_add(table, "%s", units_time(x->elapsed_ns, is_raw, text));
	table_add(table, "%s", units_percent(x->useful_ns, x->thread_ns, text));
	table_add(table, "%s",
	          wn_rank_knows_mpi(x) ? units_percent(x->primary_mpi_ns, x->elapsed_ns, text)
	                               : "-");
	table_add(table, "%s", units_percent(job_rank_idle_ns(x), x->thread_ns, text));
	table_add(table, "%" PRIu64, x->n_findings);
	table_add(table, "%u", r->group_of[i]);
	if (has_end)
		table_add(table, "%d", x->exit_status);
	else
		table_add(table, "?");
}

/* The ranks with most user code first. */
static void
add_rank_table(struct terminal *s, const struct wn_job_report *r)
{
	static const struct table_column columns[] = {
	    {"rank", true, 0, STYLE_PLAIN},    {"node", false, 6, STYLE_PLAIN},
	    {"threads", true, 0, STYLE_PLAIN}, {"elapsed", true, 0, STYLE_PLAIN},
	    {"work", true, 0, STYLE_GOOD},     {"MPI", true, 0, STYLE_PLAIN},
	    {"idle", true, 0, STYLE_BAD},      {"findings", true, 0, STYLE_PLAIN},
	    {"group", true, 0, STYLE_PLAIN},   {"exit", true, 0, STYLE_PLAIN},
	};
	struct table table = {.columns = columns, .n_columns = sizeof columns / sizeof columns[0]};
	size_t n = r->s->header->n_ranks;
	uint32_t *order = job_largest_first(r->s->ranks, n, sizeof *r->s->ranks,
	                                    offsetof(struct wn_rank_row, useful_ns));
	if (!order) {
		s->lacks_memory = true;
		return;
	}
	text_title(s, "Ranks, most work first%s", n > top_of(s) ? "; --top N lists more" : "");
	for (size_t i = 0; i < n && i < top_of(s); i++)
		add_rank(&table, s, r, order[i]);
	wn_free(order);
	table_print(&table, s);
}

static void
add_places(struct terminal *s, const struct wn_job_report *r)
{
	static const struct table_column columns[] = {
	    {"place", false, 14, STYLE_PLACE}, {"function", false, 8, STYLE_PLAIN},
	    {"kind", false, 0, STYLE_PLAIN},   {"ranks", true, 0, STYLE_PLAIN},
	    {"grains", true, 0, STYLE_PLAIN},  {"work", true, 0, STYLE_PLAIN},
	    {"most", true, 0, STYLE_PLAIN},    {"in rank", true, 0, STYLE_PLAIN},
	};
	struct table table = {.columns = columns, .n_columns = sizeof columns / sizeof columns[0]};
	char text[UNITS_BYTES];
	text_title(s, "Places with most work, over ranks");
	for (size_t i = 0; i < r->s->header->n_places && i < top_of(s); i++) {
		const struct wn_rank_place *p = &r->s->places[r->places[i]];
		const char *function = wn_ranks_text(r->s, p->function);
		table_add(&table, "%s", wn_job_label(r, p));
		table_add(&table, "%s", function ? function : "");
		table_add(&table, "%s", p->kind ? wn_report_kind((uint8_t)p->kind) : "");
		table_add(&table, "%u", p->n_ranks);
		table_add(&table, "%s", units_count(p->n_grains, text));
		table_add(&table, "%s", units_time(p->work_ns, s->style.is_raw, text));
		table_add(&table, "%s", units_time(p->max_work_ns, s->style.is_raw, text));
		table_add(&table, "%u", p->max_rank);
	}
	table_print(&table, s);
}

static void
add_calls(struct terminal *s, const struct wn_job_report *r)
{
	static const struct table_column columns[] = {
	    {"function", false, 12, STYLE_PLAIN}, {"ranks", true, 0, STYLE_PLAIN},
	    {"calls", true, 0, STYLE_PLAIN},      {"time", true, 0, STYLE_PLAIN},
	    {"most", true, 0, STYLE_PLAIN},       {"in rank", true, 0, STYLE_PLAIN},
	    {"bytes", true, 0, STYLE_PLAIN},
	};
	struct table table = {.columns = columns, .n_columns = sizeof columns / sizeof columns[0]};
	char text[UNITS_BYTES];
	if (r->s->header->n_calls == 0)
		return;
	text_title(s, "Calls of MPI, over ranks");
	for (size_t i = 0; i < r->s->header->n_calls && i < top_of(s); i++) {
		const struct wn_rank_call *c = &r->s->calls[r->calls[i]];
		const char *name = wn_ranks_text(r->s, c->key);
		table_add(&table, "%s", name ? name : "");
		table_add(&table, "%u", c->n_ranks);
		table_add(&table, "%s", units_count(c->n, text));
		table_add(&table, "%s", units_time(c->ns, s->style.is_raw, text));
		table_add(&table, "%s", units_time(c->max_ns, s->style.is_raw, text));
		table_add(&table, "%u", c->max_rank);
		table_add(&table, "%s", c->n_sized ? units_count(c->bytes, text) : "-");
	}
	table_print(&table, s);
}

static void
add_limitations(struct terminal *s, const struct wn_job_report *r)
{
	char text[WN_ABSENT_BYTES + 160];
	text_title(s, "Limitations of this recording");
	for (size_t i = 0; i < job_text_limitation(r, i, text, sizeof text); i++) {
		terminal_paragraph(s, STYLE_PLAIN, 2, "%s", text);
	}
	for (size_t i = 0; i < r->in.n_absent; i++) {
		terminal_paragraph(s, STYLE_BAD, 2, "rank %u is not in this report: %s",
		                   r->in.absent[i].rank, r->in.absent[i].why);
	}
}

void
job_text_all(struct terminal *s, const struct wn_job_report *r)
{
	add_efficiencies(s, r);
	job_text_path(s, r);
	job_text_time_title(s, r);
	job_text_times(s, r, WN_TIME_N + 1);
	add_findings(s, r);
	add_groups(s, r);
	add_outliers(s, r);
	add_rank_table(s, r);
	add_places(s, r);
	add_calls(s, r);
	add_limitations(s, r);
}
