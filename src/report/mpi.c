/* SPDX-License-Identifier: MIT */
/* mpi.c - how the process used MPI, and its calls by function and place, as JSON and as text. */
#include "base/mem.h"
#include "report/json_private.h"
#include "report/text_private.h"
#include "report/text_table.h"
#include "trace/mpi_names.h"

#include <stdlib.h>

#define TOP_DEFAULT 10

static int
by_time(const void *left, const void *right)
{
	const struct wn_mpi_call *x = *(const struct wn_mpi_call *const *)left;
	const struct wn_mpi_call *y = *(const struct wn_mpi_call *const *)right;
	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return (x > y) - (x < y); /* both are in one table: the first called comes first */
}

/* [n_mpi_calls] the longest in all first; to be freed. NULL: out of memory, or there are none. */
static const struct wn_mpi_call **
sort_calls(const struct wn_graph *g)
{
	if (g->n_mpi_calls == 0)
		return NULL;
	const struct wn_mpi_call **order = wn_calloc(g->n_mpi_calls, sizeof *order);
	if (!order)
		return NULL;
	for (size_t i = 0; i < g->n_mpi_calls; i++)
		order[i] = &g->mpi_calls[i];
	qsort(order, g->n_mpi_calls, sizeof *order, by_time);
	return order;
}

static json_t *
json_calls(struct json_maker *j)
{
	const struct wn_graph *g = j->r->graph;
	json_t *list = json_array();
	const struct wn_mpi_call **order = sort_calls(g);
	j->is_failed |= !order && g->n_mpi_calls > 0;
	for (size_t i = 0; order && i < g->n_mpi_calls; i++) {
		const struct wn_mpi_call *c = order[i];
		const char *name = wn_trace_name(g->trace, c->name);
		json_t *o = json_object();
#define KEYS_OF_MPI_CALLS
#include "report/keys.def"
		json_push(j, list, o);
	}
	wn_free(order);
	return list;
}

json_t *
json_mpi(struct json_maker *j)
{
	const struct wn_graph *g = j->r->graph;
	const struct wn_mpi_record *u = g->trace ? wn_trace_mpi(g->trace) : NULL;
	if (!u && g->n_mpi_calls == 0)
		return json_null();
	const char *abi = u ? wn_mpi_abi_name(u->abi) : NULL;
	const char *required = u ? wn_mpi_level_name(u->required) : NULL;
	const char *provided = u ? wn_mpi_level_name(u->provided) : NULL;
	json_t *calls = json_calls(j);
	json_t *o = json_object();
#define KEYS_OF_MPI
#include "report/keys.def"
	return o;
}

static void
add_call(struct table *table, const struct terminal *s, const struct wn_report *r,
         const struct wn_mpi_call *c)
{
	char text[UNITS_BYTES];
	bool is_raw = s->style.is_raw;
	const struct wn_report_place *place = wn_places_of(&r->places, c->site);
	const char *name = wn_trace_name(r->trace, c->name);
	table_add(table, "%s", name ? name : "?");
	table_add(table, "%s", place ? place->label : "?");
	table_add(table, "%s", place && place->source.function ? place->source.function : "");
	table_add(table, "%s", units_count(c->n, text));
	table_add(table, "%s", units_time(c->ns, is_raw, text));
	table_add(table, "%s", units_time(c->max_ns, is_raw, text));
	table_add(table, "%s", c->waited_ns ? units_time(c->waited_ns, is_raw, text) : "");
	table_add(table, "%s", c->n_sized ? units_count(c->bytes, text) : "");
}

void
text_mpi(struct terminal *s, const struct wn_report *r)
{
	static const struct table_column columns[] = {
	    {"call", false, 14, STYLE_PLACE},    {"place", false, 14, STYLE_PLAIN},
	    {"function", false, 8, STYLE_PLAIN}, {"calls", true, 0, STYLE_PLAIN},
	    {"took", true, 0, STYLE_PLAIN},      {"longest", true, 0, STYLE_PLAIN},
	    {"waited", true, 0, STYLE_PLAIN},    {"bytes", true, 0, STYLE_PLAIN},
	};
	const struct wn_graph *g = r->graph;
	struct table table = {.columns = columns, .n_columns = sizeof columns / sizeof columns[0]};
	size_t n_top = s->style.n_top ? s->style.n_top : TOP_DEFAULT;
	if (g->n_mpi_calls == 0)
		return;
	const struct wn_mpi_call **order = sort_calls(g);
	if (!order) {
		s->lacks_memory = true;
		return;
	}
	text_title(s, "Calls of MPI, longest first");
	for (size_t i = 0; i < g->n_mpi_calls && i < n_top; i++)
		add_call(&table, s, r, order[i]);
	table_print(&table, s);
	wn_free(order);
	terminal_more(s, g->n_mpi_calls, n_top);
}
