/* SPDX-License-Identifier: MIT */
/* csv.c - a table of grains: one line for each explicit and taskloop task, chunk, section and
 * implicit task. Columns after [P3] Table I. An empty cell was not measured or does not apply. */
#include "base/error.h"
#include "base/mem.h"
#include "base/parallel.h"
#include "base/printable.h"
#include "export/export.h"
#include "export/out.h"
#include "metrics/columns.h"

#include <math.h>
#include <string.h>

/* Texts of sites that are kept, the newest of each slot; longer ones are written anew each time. */
enum { SITES_KEPT = 16, SITE_BYTES = 248 };

/* A writer of lines: for the document, or for a block of lines that a job formats. */
struct table {
	const struct wn_export *x;
	const struct wn_graph *g;
	struct wn_metrics *m;
	struct wn_out *o;
	uint64_t *instants; /* scratch */
	size_t instants_capacity;
	char *lineage;
	size_t lineage_capacity;
	struct wn_lineage last;
	struct site_text {
		uint32_t key; /* 1 + site; 0 = none */
		uint32_t n;
		char bytes[SITE_BYTES];
	} sites[SITES_KEPT];
	struct cell {
		const struct text_column *text; /* or: */
		const struct wn_column *column;
	} * cells; /* [n_cells] cells of a line */
	size_t n_cells;
	wn_grain next, end; /* lines still to be written */
};

static bool
is_wait(const struct wn_join *join)
{
	return join->kind == WN_JOIN_TASKWAIT || join->kind == WN_JOIN_GROUP ||
	       join->kind == WN_JOIN_BARRIER;
}

/* Writes when, in its own execution time, the grain waited: t1;t2;... */
static wn_status
wait_instants_ns(struct table *t, wn_grain id, wn_err *err)
{
	size_t n = 0;
	for (uint32_t j = t->g->last_join[id]; j != WN_NO_JOIN; j = t->g->joins[j].prev) {
		if (!is_wait(&t->g->joins[j]))
			continue;
		if (wn_grow(&t->instants, &t->instants_capacity, n + 1, sizeof *t->instants) != 0)
			return wn_no_memory(err);
		t->instants[n++] = t->g->joins[j].instant_ns;
	}
	while (n-- > 0) {
		wn_out_u64(t->o, t->instants[n]);
		if (n > 0)
			wn_out_char(t->o, ';');
	}
	return WN_OK;
}

/* Writes the tasks and gates that its depend clauses make it wait for, named as in drawings. */
static wn_status
depends_on(struct table *t, wn_grain id, wn_err *err)
{
	const struct wn_graph *g = t->g;
	const struct wn_dependent *d = wn_dependent(g, id);
	(void)err;
	if (!d)
		return WN_OK;
	for (uint32_t k = 0; k < d->n_predecessors; k++) {
		if (k)
			wn_out_char(t->o, ';');
		wn_out_u64(t->o, g->predecessors[d->first_predecessor + k]);
	}
	for (uint32_t k = 0; k < d->n_gates; k++) {
		wn_out_text(t->o, k || d->n_predecessors ? ";d." : "d.");
		wn_out_u64(t->o, g->gates_before[d->first_gate + k]);
	}
	return WN_OK;
}

/* --- columns with text, or from the program's files --- */

static wn_status
lineage(struct table *t, wn_grain id, wn_err *err)
{
	const char *text = wn_graph_lineage_after(t->g, id, &t->last);
	if (!text)
		text = wn_export_lineage(t->x, id, &t->lineage, &t->lineage_capacity);
	if (!text)
		return wn_no_memory(err);
	wn_out_csv(t->o, text);
	return WN_OK;
}

static wn_status
kind(struct table *t, wn_grain id, wn_err *err)
{
	(void)err;
	wn_out_text(t->o, wn_export_kind(t->g, id));
	return WN_OK;
}

static wn_status
label(struct table *t, wn_grain id, wn_err *err)
{
	(void)err;
	wn_out_csv(t->o, wn_export_label(t->g, id));
	return WN_OK;
}

static wn_status
function(struct table *t, wn_grain id, wn_err *err)
{
	const struct wn_export_place *p = wn_export_place(t->x, id);
	(void)err;
	wn_out_csv(t->o, p ? p->found.function : NULL);
	return WN_OK;
}

static wn_status
file(struct table *t, wn_grain id, wn_err *err)
{
	const struct wn_export_place *p = wn_export_place(t->x, id);
	(void)err;
	wn_out_csv(t->o, p ? p->found.file : NULL);
	return WN_OK;
}

static wn_status
line(struct table *t, wn_grain id, wn_err *err)
{
	const struct wn_export_place *p = wn_export_place(t->x, id);
	(void)err;
	if (p && p->found.line > 0)
		wn_out_u64(t->o, (uint64_t)p->found.line);
	return WN_OK;
}

static wn_status
address(struct table *t, wn_grain id, wn_err *err)
{
	uint32_t site = t->g->site[id];
	(void)err;
	if (site != WN_NO_SITE && wn_trace_site(t->g->trace, site).addr) {
		wn_out_bytes(t->o, "0x", 2);
		wn_out_hex(t->o, wn_trace_site(t->g->trace, site).addr);
	}
	return WN_OK;
}

/* The cells of a grain's site, which are next to one another: formatted once for most lines. */
static wn_status (*const of_site[])(struct table *t, wn_grain id, wn_err *err) = {function, file,
                                                                                  line, address};
enum { OF_SITE_N = sizeof of_site / sizeof *of_site };

/* Not inline, for its buffer. */
static __attribute__((noinline)) void
format_site(const struct table *t, wn_grain id, struct site_text *out)
{
	struct wn_out o;
	struct table one = {.x = t->x, .g = t->g, .o = &o};
	wn_out_begin(&o, NULL);
	for (size_t i = 0; i < OF_SITE_N; i++) {
		if (i > 0)
			wn_out_char(&o, ',');
		of_site[i](&one, id, NULL);
	}
	out->key = 0;
	if (o.n <= SITE_BYTES && !o.kept && !o.error) {
		out->key = t->g->site[id] + 1; /* of WN_NO_SITE 0 */
		out->n = (uint32_t)o.n;
		memcpy(out->bytes, o.buffer, o.n);
	}
	wn_free(o.kept);
}

/* Writes them from the text that is kept; false: there is none. */
static bool
site(struct table *t, wn_grain id)
{
	uint32_t key = t->g->site[id] + 1;
	struct site_text *kept = &t->sites[key % SITES_KEPT];
	if (kept->key != key && key != 0)
		format_site(t, id, kept);
	if (kept->key != key || key == 0)
		return false;
	wn_out_bytes(t->o, kept->bytes, kept->n);
	return true;
}

/* The table's columns in order: a text, or the number of a built-in column. */
static const struct text_column {
	const char *name; /* NULL: a number */
	wn_status (*write)(struct table *t, wn_grain id, wn_err *err);
	int number;
} in_order[] = {
#define WN_TABLE_TEXT(name, sentence) {#name, name, -1},
#define WN_TABLE_WHOLE(name, ...)     {NULL, NULL, WN_NUMBER_OF_##name},
#define WN_TABLE_FLAG(name, ...)      {NULL, NULL, WN_NUMBER_OF_##name},
#define WN_TABLE_RATIO(name, ...)     {NULL, NULL, WN_NUMBER_OF_##name},
#include "table/columns.def"
};
#define IN_ORDER_N (sizeof in_order / sizeof *in_order)

/* Columns that are omitted because a text column or other columns imply them. */
static bool
has_own_column(int number)
{
	return number == WN_NUMBER_OF_kind || number == WN_NUMBER_OF_is_problem;
}

/* Inserts columns that only some runs have behind the last common number. */
static wn_status
put_in_order(struct table *t, wn_err *err)
{
	const struct wn_metrics *m = t->m;
	t->cells = wn_calloc(m->n_columns + IN_ORDER_N, sizeof *t->cells);
	if (!t->cells)
		return wn_no_memory(err);
	for (size_t k = 0; k < IN_ORDER_N; k++) {
		int number = in_order[k].number;
		if (in_order[k].name)
			t->cells[t->n_cells++].text = &in_order[k];
		else if (!has_own_column(number))
			t->cells[t->n_cells++].column = &m->columns[number];
		for (size_t i = WN_COLUMN_DEFS_N;
		     number == WN_COLUMN_DEFS_N - 1 && i < m->n_columns; i++)
			t->cells[t->n_cells++].column = &m->columns[i];
	}
	return WN_OK;
}

static void
header(struct table *t)
{
	const char *unit = strcmp(wn_trace_unit(t->g->trace), "ns") == 0 ? "nanoseconds" : "cycles";
	wn_out_format(t->o, "# one line per grain; _ns: %s", unit);
	wn_out_text(t->o,
	            ", begin and end since the start of the "
	            "recording; create_instant and wait_instants: the parent's and the grain's own "
	            "execution time; balances, benefit and parallelism: ratios; empty: not "
	            "measured");
	if (t->x->group) {
		char group[200];
		wn_printable(t->x->group, strlen(t->x->group), group, sizeof group);
		wn_out_format(t->o, "; only %s", group);
	}
	wn_out_text(t->o, "\n");
	for (size_t i = 0; i < t->n_cells; i++) {
		const struct cell *c = &t->cells[i];
		wn_out_format(t->o, "%s%s", i ? "," : "",
		              c->text ? c->text->name : c->column->name);
	}
	wn_out_bytes(t->o, "\n", 1);
}

static void
number(struct table *t, const struct wn_column *c, wn_grain id)
{
	uint64_t n;
	if (c->whole) {
		if (c->whole(t->m, id, &n))
			wn_out_u64(t->o, n);
		return;
	}
	double value = wn_column_value(c, t->m, id);
	if (!isnan(value)) /* imported columns include counts and addresses */
		wn_out_double(t->o, value);
}

static wn_status
row(struct table *t, wn_grain id, wn_err *err)
{
	for (size_t i = 0; i < t->n_cells; i++) {
		const struct cell *c = &t->cells[i];
		wn_status st = WN_OK;
		if (i > 0)
			wn_out_char(t->o, ',');
		if (c->text && c->text->write == function && site(t, id))
			i += OF_SITE_N - 1;
		else if (c->text)
			st = c->text->write(t, id, err);
		else
			number(t, c->column, id);
		if (st != WN_OK)
			return st;
	}
	wn_out_char(t->o, '\n');
	return WN_OK;
}

/* Jobs skip deeper lines, which the document writes itself: a depth of thousands makes lineages
 * long. */
#define KEPT_BYTES_MAX (4 << 20)

static wn_status
rows(struct table *t, wn_err *err)
{
	wn_status st = WN_OK;
	for (; st == WN_OK && t->next < t->end; t->next++) {
		wn_grain id = t->next;
		if (!wn_is_grain(t->g, id) && t->g->kind[id] != WN_GRAIN_IMPLICIT)
			continue;
		if (!wn_export_has(t->x, id))
			continue;
		if (wn_out_status(t->o) != WN_OK || (!t->o->to && t->o->n_kept > KEPT_BYTES_MAX))
			break;
		st = row(t, id, err);
	}
	return st;
}

/* ids per job; jobs per round */
enum { PART_IDS = 4096, PARTS_PER_THREAD = 4 };

/* Several threads format lines, a round of parts at a time; the parts are written in order. */
struct crew {
	struct part {
		struct table lines; /* copies of the document's writer, each with its own output */
		wn_status st;
	} * parts; /* [n_parts] */
	size_t n_parts;
};

static void
write_part(void *user, size_t i)
{
	struct part *part = &((struct crew *)user)->parts[i];
	part->st = rows(&part->lines, NULL);
}

static wn_status
hire(struct crew *crew, unsigned n_threads, const struct table *t, wn_err *err)
{
	size_t n = (size_t)n_threads * PARTS_PER_THREAD;
	crew->parts = wn_calloc(n, sizeof *crew->parts);
	for (; crew->parts && crew->n_parts < n; crew->n_parts++) {
		struct table *lines = &crew->parts[crew->n_parts].lines;
		*lines = *t;
		lines->o = wn_calloc(1, sizeof *lines->o);
		if (!lines->o)
			break;
		wn_out_begin(lines->o, NULL);
	}
	if (crew->n_parts < n)
		return wn_no_memory(err);
	return WN_OK;
}

static void
dismiss(struct crew *crew)
{
	for (size_t i = 0; i < crew->n_parts; i++) {
		struct table *lines = &crew->parts[i].lines;
		wn_free(lines->instants);
		wn_free(lines->lineage);
		wn_free(lines->o->kept);
		wn_free(lines->o);
	}
	wn_free(crew->parts);
}

static wn_status
all_rows(struct table *t, wn_err *err)
{
	unsigned n_threads = wn_parallel_cpus();
	struct crew crew = {NULL, 0};
	wn_grain begun = 0;
	wn_status st = hire(&crew, n_threads, t, err);
	while (st == WN_OK && begun < t->g->n && wn_out_status(t->o) == WN_OK) {
		size_t n = 0;
		for (; n < crew.n_parts && begun < t->g->n; n++) {
			crew.parts[n].lines.next = begun;
			begun += t->g->n - begun < PART_IDS ? t->g->n - begun : PART_IDS;
			crew.parts[n].lines.end = begun;
		}
		wn_parallel(n_threads, n, write_part, &crew);
		for (size_t i = 0; st == WN_OK && i < n; i++) {
			if (crew.parts[i].st != WN_OK) {
				st = wn_no_memory(err);
				break;
			}
			wn_out_pass(t->o, crew.parts[i].lines.o);
			t->next = crew.parts[i].lines.next;
			t->end = crew.parts[i].lines.end;
			st = rows(t, err);
		}
	}
	dismiss(&crew);
	return st;
}

wn_status
wn_export_csv(const struct wn_export *x, FILE *to, wn_err *err)
{
	struct table t = {.x = x, .g = x->g, .o = wn_calloc(1, sizeof(struct wn_out))};
	wn_status st = WN_OK;
	if (!t.o)
		return wn_no_memory(err);
	if ((st = wn_metrics_build(x->g, x->options, &t.m, err)) != WN_OK) {
		wn_free(t.o);
		return st;
	}
	st = put_in_order(&t, err);
	wn_out_begin(t.o, to);
	if (st == WN_OK) {
		header(&t);
		st = all_rows(&t, err);
	}
	if (st == WN_OK)
		st = wn_out_end(t.o, err);
	wn_metrics_free(t.m);
	WN_FREE_ALL(t.instants, t.lineage, t.cells, t.o);
	return st;
}
