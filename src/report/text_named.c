/* SPDX-License-Identifier: MIT */
/* text_named.c - lock contention by mutex, and grains by the program's own labels. */
#include "report/named.h"
#include "report/text_private.h"
#include "report/text_table.h"

#include "base/mem.h"

#include <stdlib.h>

#define TOP_DEFAULT 10

static int
by_wait(const void *a, const void *b)
{
	const struct wn_mutex *x = *(struct wn_mutex *const *)a, *y = *(struct wn_mutex *const *)b;
	if (x->wait_ns != y->wait_ns)
		return x->wait_ns < y->wait_ns ? 1 : -1;
	return (x > y) - (x < y); /* both are in one table: the first recorded comes first */
}

static void
add_mutex(struct table *table, const struct terminal *s, const struct wn_report *r,
          const struct wn_mutex *m)
{
	char text[UNITS_BYTES];
	bool is_raw = s->style.is_raw;
	const struct wn_report_place *place = wn_places_of(&r->places, m->site);
	table_add(table, "%s", place ? place->label : "?");
	table_add(table, "%s", place && place->source.function ? place->source.function : "");
	table_add(table, "%s", wn_report_mutex_kind(m->kind));
	table_add(table, "%s", units_count(m->n_acquired, text));
	table_add(table, "%s", units_percent(m->n_contended, m->n_acquired, text));
	table_add(table, "%s", units_time(m->wait_ns, is_raw, text));
	table_add(table, "%s", units_time(m->max_wait_ns, is_raw, text));
	table_add(table, "%s", units_time(m->held_ns, is_raw, text));
}

void
text_mutexes(struct terminal *s, const struct wn_report *r)
{
	static const struct table_column columns[] = {
	    {"place", false, 14, STYLE_PLACE}, {"function", false, 8, STYLE_PLAIN},
	    {"kind", false, 0, STYLE_PLAIN},   {"taken", true, 0, STYLE_PLAIN},
	    {"contended", true, 0, STYLE_BAD}, {"waited", true, 0, STYLE_PLAIN},
	    {"longest", true, 0, STYLE_PLAIN}, {"held", true, 0, STYLE_PLAIN},
	};
	const struct wn_graph *g = r->graph;
	struct table table = {.columns = columns, .n_columns = sizeof columns / sizeof columns[0]};
	size_t n_top = s->style.n_top ? s->style.n_top : TOP_DEFAULT;
	if (g->n_mutexes == 0)
		return;
	const struct wn_mutex **order = wn_calloc(g->n_mutexes, sizeof *order);
	if (!order) {
		s->lacks_memory = true;
		return;
	}
	for (size_t i = 0; i < g->n_mutexes; i++)
		order[i] = &g->mutexes[i];
	qsort(order, g->n_mutexes, sizeof *order, by_wait);
	text_title(s, "Mutual exclusion, longest waits first");
	for (size_t i = 0; i < g->n_mutexes && i < n_top; i++)
		add_mutex(&table, s, r, order[i]);
	table_print(&table, s);
	wn_free(order);
	terminal_more(s, g->n_mutexes, n_top);
}

void
text_marks(struct terminal *s, const struct wn_report *r)
{
	static const struct table_column columns[] = {
	    {"name", false, 14, STYLE_PLACE},   {"times", true, 0, STYLE_PLAIN},
	    {"took", true, 0, STYLE_PLAIN},     {"longest", true, 0, STYLE_PLAIN},
	    {"own work", true, 0, STYLE_PLAIN},
	};
	const struct wn_graph *g = r->graph;
	struct table table = {.columns = columns, .n_columns = sizeof columns / sizeof columns[0]};
	char text[UNITS_BYTES];
	bool is_raw = s->style.is_raw;
	if (g->n_marks == 0)
		return;
	text_title(s, "Regions that the program named");
	for (size_t i = 0; i < g->n_marks; i++) {
		const struct wn_mark *m = &g->marks[i];
		const char *name = wn_trace_name(r->trace, m->name);
		table_add(&table, "%s", name ? name : "?");
		table_add(&table, "%s", units_count(m->count, text));
		table_add(&table, "%s", units_time(m->wall_ns, is_raw, text));
		table_add(&table, "%s", units_time(m->max_ns, is_raw, text));
		table_add(&table, "%s", units_time(m->work_ns, is_raw, text));
	}
	table_print(&table, s);
}

void
text_labels(struct terminal *s, const struct wn_report *r)
{
	static const struct table_column columns[] = {
	    {"label", false, 14, STYLE_PLACE}, {"grains", true, 0, STYLE_PLAIN},
	    {"work", true, 0, STYLE_PLAIN},    {"of all", true, 0, STYLE_PLAIN},
	    {"longest", true, 0, STYLE_PLAIN},
	};
	struct table table = {.columns = columns, .n_columns = sizeof columns / sizeof columns[0]};
	size_t n_top = s->style.n_top ? s->style.n_top : TOP_DEFAULT, n;
	struct named_grains *list;
	char text[UNITS_BYTES];
	bool is_raw = s->style.is_raw;
	if (!named_grains_of(r->graph, &list, &n)) {
		s->lacks_memory = true;
		return;
	}
	if (n == 0)
		return;
	text_title(s, "Grains that the program labelled, most work first");
	for (size_t i = 0; i < n && i < n_top; i++) {
		const struct named_grains *l = &list[i];
		table_add(&table, "%s", l->label);
		table_add(&table, "%s", units_count(l->n_grains, text));
		table_add(&table, "%s", units_time(l->work_ns, is_raw, text));
		table_add(&table, "%s",
		          units_percent(l->work_ns, r->metrics->totals.work_ns, text));
		table_add(&table, "%s", units_time(l->max_work_ns, is_raw, text));
	}
	table_print(&table, s);
	terminal_more(s, n, n_top);
	wn_free(list);
}
