/* SPDX-License-Identifier: MIT */
/* prototype.c - writes files of the R prototype: its table of tasks, and instantaneous parallelism
 * by bin and by task. Text is quoted and numbers have 15 digits, as in R. */
#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"
#include "export/export.h"
#include "export/out.h"
#include "metrics/metrics.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- instantaneous parallelism --- */

#define UNIT_NS "# unit: ns, whatever the names of columns end in\n"

struct piece {
	uint64_t start_ns, end_ns;
	wn_grain grain;
	uint32_t number; /* number within its grain, from 1 */
};

struct profile {
	const struct wn_export *x;
	const double *task; /* task numbers, if they differ from grain numbers */
	struct wn_metrics *m;
	struct wn_out *o;
	struct piece *pieces; /* by start, end */
	size_t n, capacity;
	size_t *open; /* pieces that may overlap the current bin */
	size_t n_open;
};

WN_COMPARE(by_start, struct piece,
           WN_BY_FIRST(start_ns, WN_BY_FIRST(end_ns, WN_BY_FIRST(grain, WN_BY(number)))))

static double
task_of(const struct profile *p, wn_grain id)
{
	return p->task && id ? p->task[id] : id;
}

static wn_status
gather(struct profile *p, wn_err *err)
{
	struct wn_fragment f;
	uint32_t number = 0;
	for (wn_fragments_begin(&p->x->g->fragments, &f); wn_fragments_next(&f);) {
		number = f.is_first ? 1 : number + 1;
		if (f.ns == 0 && !p->x->g->imported)
			continue;
		if (wn_grow(&p->pieces, &p->capacity, p->n + 1, sizeof *p->pieces) != 0)
			return wn_no_memory(err);
		p->pieces[p->n++] = (struct piece){f.start_ns, f.start_ns + f.ns, f.grain, number};
	}
	p->open = wn_calloc(p->n, sizeof *p->open);
	if (!p->open)
		return wn_no_memory(err);
	if (p->n)
		qsort(p->pieces, p->n, sizeof *p->pieces, by_start);
	return WN_OK;
}

/* Formats a multiple of half a unit. */
static void
put_half(struct wn_out *o, uint64_t twice)
{
	wn_out_format(o, "%" PRIu64 "%s", twice / 2, twice % 2 ? ".5" : "");
}

/* Tests whether a piece counts in the bin that begins at `low` / 2 and ends before the next one. */
static bool
is_in(const struct profile *p, const struct piece *f, uint64_t low)
{
	uint64_t high = low + p->m->bin_twice_ns - 2;
	if (p->m->options.within)
		return 2 * f->start_ns <= low && 2 * f->end_ns >= high;
	return 2 * f->start_ns <= high && 2 * f->end_ns >= low;
}

static wn_status
put_bins(struct profile *p)
{
	size_t next = 0;
	wn_out_text(p->o, "\"i.start\",\"i.end\",\"count\",\"fragment\"\n");
	for (size_t k = 0; k < p->m->n_bins && wn_out_status(p->o) == WN_OK; k++) {
		uint64_t low = k * p->m->bin_twice_ns, high = low + p->m->bin_twice_ns - 2;
		size_t n_kept = 0, n_in = 0;
		while (next < p->n && 2 * p->pieces[next].start_ns <= high)
			p->open[p->n_open++] = next++;
		put_half(p->o, low);
		wn_out_text(p->o, ",");
		put_half(p->o, high);
		wn_out_format(p->o, ",%" PRIu32 ",\"", p->m->profile[k]);
		for (size_t i = 0; i < p->n_open; i++) {
			const struct piece *f = &p->pieces[p->open[i]];
			if (2 * f->end_ns < low)
				continue;
			p->open[n_kept++] = p->open[i];
			if (is_in(p, f, low))
				wn_out_format(p->o, "%s%.0f.%" PRIu32, n_in++ ? ";" : "",
				              task_of(p, f->grain), f->number);
		}
		p->n_open = n_kept;
		wn_out_text(p->o, n_in ? "\"\n" : "NA\"\n");
	}
	return wn_out_status(p->o);
}

static wn_status
put_contributions(struct profile *p)
{
	const struct wn_graph *g = p->x->g;
	wn_out_text(p->o, "\"task\",\"inst_par_median\",\"inst_par_min\",\"inst_par_max\"\n");
	for (wn_grain id = 0; id < g->n && wn_out_status(p->o) == WN_OK; id++)
		if (wn_is_grain(g, id) && p->m->inst_par_max[id])
			wn_out_format(p->o, "%.0f,%.15g,%" PRIu32 ",%" PRIu32 "\n", task_of(p, id),
			              (double)p->m->inst_par_median[id], p->m->inst_par_min[id],
			              p->m->inst_par_max[id]);
	return wn_out_status(p->o);
}

static wn_status
write_profile(const struct wn_export *x, FILE *to, bool by_bin, wn_err *err)
{
	struct profile p = {
	    .x = x, .task = wn_graph_extra(x->g, "task"), .o = wn_calloc(1, sizeof *p.o)};
	wn_status st;
	if (!p.o)
		return wn_no_memory(err);
	WN_TRY(wn_metrics_build(x->g, x->options, &p.m, err));
	if (p.m->n_bins == 0)
		WN_TRY(wn_fail(err, WN_E_EMPTY, WN_NO_OFFSET,
		               "the median fragment takes no time, or there are no fragments: no "
		               "instantaneous parallelism"));
	if (by_bin)
		WN_TRY(gather(&p, err));
	wn_out_begin(p.o, to);
	st = by_bin ? put_bins(&p) : put_contributions(&p);
	st = wn_out_end(p.o, err);
out:
	wn_metrics_free(p.m);
	WN_FREE_ALL(p.pieces, p.open, p.o);
	return st;
}

wn_status
wn_export_profile(const struct wn_export *x, FILE *to, wn_err *err)
{
	return write_profile(x, to, true, err);
}

wn_status
wn_export_contribution(const struct wn_export *x, FILE *to, wn_err *err)
{
	return write_profile(x, to, false, err);
}

/* --- table of tasks of an imported trace: original and computed columns --- */

struct back {
	const struct wn_table *table;
	double **numbers; /* [n_columns] or NULL */
	uint32_t **texts; /* [n_columns] or NULL */
	uint64_t *first;  /* [n_rows + 1] offsets into the lists */
	uint64_t *waits;
	uint32_t lists; /* their column, or WN_NO_COLUMN */
};

static void
count_wait(void *user, uint64_t row, uint64_t first, const uint64_t *values, size_t n)
{
	struct back *b = user;
	(void)first;
	(void)values;
	b->first[row + 1] += n;
}

static void
keep_wait(void *user, uint64_t row, uint64_t first, const uint64_t *values, size_t n)
{
	struct back *b = user;
	for (size_t i = 0; i < n; i++)
		if (first + i < b->first[row + 1] - b->first[row])
			b->waits[b->first[row] + first + i] = values[i];
}

static bool
read_back(struct back *b, const struct wn_trace *trace)
{
	size_t n = b->table->n_rows;
	b->numbers = wn_calloc(b->table->n_columns, sizeof *b->numbers);
	b->texts = wn_calloc(b->table->n_columns, sizeof *b->texts);
	b->first = wn_calloc(n + 1, sizeof *b->first);
	b->lists = WN_NO_COLUMN;
	if (!b->numbers || !b->texts || !b->first)
		return false;
	for (uint32_t i = 0; i < b->table->n_columns; i++) {
		const struct wn_table_column *c = &b->table->columns[i];
		if (c->cell == WN_CELL_NUMBER) {
			if (!(b->numbers[i] = wn_calloc(n, sizeof **b->numbers)))
				return false;
			wn_table_numbers(trace, i, b->numbers[i]);
		} else if (c->cell == WN_CELL_TEXT) {
			if (!(b->texts[i] = wn_calloc(n, sizeof **b->texts)))
				return false;
			wn_table_texts(trace, i, b->texts[i]);
		} else if (c->cell == WN_CELL_LIST) {
			b->lists = i;
		}
	}
	if (b->lists != WN_NO_COLUMN)
		wn_table_lists(trace, b->lists, count_wait, b);
	for (size_t row = 0; row < n; row++)
		b->first[row + 1] += b->first[row];
	if (!(b->waits = wn_calloc(b->first[n], sizeof *b->waits)))
		return false;
	if (b->lists != WN_NO_COLUMN)
		wn_table_lists(trace, b->lists, keep_wait, b);
	return true;
}

static void
put_number(struct wn_out *o, double value)
{
	if (isnan(value))
		wn_out_text(o, "NA");
	else if (isinf(value))
		wn_out_text(o, value > 0 ? "Inf" : "-Inf");
	else
		wn_out_format(o, "%.15g", value);
}

/* Newest first, after the placeholder. */
static void
put_waits(struct wn_out *o, const uint64_t *values, size_t n)
{
	wn_out_text(o, "[0");
	while (n-- > 0) {
		wn_out_text(o, ";");
		wn_out_u64(o, values[n]);
	}
	wn_out_text(o, "]");
}

static void
put_text(struct wn_out *o, const char *text)
{
	if (text)
		wn_out_csv(o, text);
	else
		wn_out_text(o, "NA");
}

static void
put_cell(struct wn_out *o, const struct back *b, uint32_t column, size_t row)
{
	if (b->numbers[column])
		put_number(o, b->numbers[column][row]);
	else if (b->texts[column])
		put_text(o, b->texts[column][row] == WN_NO_TEXT
		                ? NULL
		                : b->table->texts[b->texts[column][row]]);
	else if (column == b->lists)
		put_waits(o, b->waits + b->first[row], b->first[row + 1] - b->first[row]);
	else
		wn_out_text(o, "NA");
}

static wn_status
write_back(const struct wn_export *x, struct wn_out *o, wn_err *err)
{
	struct back b = {.table = x->g->imported->table};
	wn_status st = WN_OK;
	if (!read_back(&b, x->g->trace))
		WN_TRY(wn_no_memory(err));
	if (strcmp(wn_trace_unit(x->g->trace), "ns") == 0)
		wn_out_text(o, UNIT_NS);
	for (uint32_t i = 0; i < b.table->n_columns; i++) {
		wn_out_text(o, i ? "," : "");
		wn_out_csv(o, b.table->columns[i].name ? b.table->columns[i].name : "NA");
	}
	for (size_t row = 0; row < b.table->n_rows; row++)
		for (uint32_t i = 0; i < b.table->n_columns; i++) {
			wn_out_text(o, i ? "," : "\n");
			put_cell(o, &b, i, row);
		}
	wn_out_text(o, "\n");
out:
	for (uint32_t i = 0; i < b.table->n_columns; i++) {
		wn_free(b.numbers ? b.numbers[i] : NULL);
		wn_free(b.texts ? b.texts[i] : NULL);
	}
	WN_FREE_ALL(b.numbers, b.texts, b.first, b.waits);
	return st;
}

/* --- table of tasks of a recorded run --- */

struct tasks {
	const struct wn_export *x;
	const struct wn_graph *g;
	struct wn_out *o;
	uint32_t *n_births;  /* [n] children numbered so far */
	uint32_t *n_drawn;   /* [n] drawn children */
	uint32_t *fj_number; /* [n_fjs] index among the owner's drawn fork-joins */
	uint32_t *n_fjs;     /* [n] */
	uint64_t *waits;     /* scratch */
	size_t waits_capacity;
};

/* The joining grain counts as parent, the only one that the prototype knows. Contexts are task 0.
 */
static wn_grain
owner_of(const struct wn_graph *g, wn_grain id)
{
	wn_grain owner = g->fj[id] == WN_NO_FJ ? WN_NO_GRAIN : g->fjs[g->fj[id]].owner;
	return owner == WN_NO_GRAIN || g->kind[owner] == WN_GRAIN_INITIAL ? 0 : owner;
}

static bool
count_tasks(struct tasks *t)
{
	const struct wn_graph *g = t->g;
	t->n_births = wn_calloc(g->n, sizeof *t->n_births);
	t->n_drawn = wn_calloc(g->n, sizeof *t->n_drawn);
	t->n_fjs = wn_calloc(g->n, sizeof *t->n_fjs);
	t->fj_number = wn_calloc(g->n_fjs, sizeof *t->fj_number);
	if (!t->n_births || !t->n_drawn || !t->n_fjs || !t->fj_number)
		return false;
	for (size_t i = 0; i < g->n_fjs; i++) {
		wn_grain owner = g->fjs[i].owner;
		owner = g->kind[owner] == WN_GRAIN_INITIAL ? 0 : owner;
		if (g->fjs[i].alias == WN_NO_FJ && g->fjs[i].n_children > 0)
			t->fj_number[i] = t->n_fjs[owner]++;
	}
	for (wn_grain id = 0; id < g->n; id++)
		if (wn_is_drawn(g, id))
			t->n_drawn[owner_of(g, id)]++;
	return true;
}

/* Instants count from 1. There is one for each join that joins something. */
static wn_status
put_recorded_waits(struct tasks *t, wn_grain id, wn_err *err)
{
	const struct wn_graph *g = t->g;
	size_t n = 0;
	for (uint32_t j = g->last_join[id]; j != WN_NO_JOIN; j = g->joins[j].prev) {
		uint32_t fj = g->joins[j].fj;
		if (fj == WN_NO_FJ || !g->fjs[fj].n_children)
			continue;
		if (wn_grow(&t->waits, &t->waits_capacity, n + 1, sizeof *t->waits) != 0)
			return wn_no_memory(err);
		t->waits[n++] = g->joins[j].instant_ns + 1;
	}
	for (size_t a = 0, b = n; a + 1 < b; a++) {
		uint64_t swap = t->waits[a];
		t->waits[a] = t->waits[--b];
		t->waits[b] = swap;
	}
	put_waits(t->o, t->waits, n);
	return WN_OK;
}

static void
put_kind(struct tasks *t, wn_grain id, uint64_t address)
{
	const struct wn_graph *g = t->g;
	const struct wn_range *range = g->range[id] ? &g->ranges[g->range[id] - 1] : NULL;
	bool is_chunk = g->kind[id] == WN_GRAIN_CHUNK;
	if (g->kind[id] == WN_GRAIN_IMPLICIT)
		wn_out_text(t->o, ",GOMP_parallel_task");
	else if (is_chunk)
		wn_out_text(t->o, ",GOMP_for_auto_task");
	else
		wn_out_format(t->o, ",0x%" PRIx64, address);
	if (is_chunk && range && range->iterations)
		wn_out_format(t->o, ",chunk_%" PRIu64 "_%" PRIu64, range->first,
		              range->first + range->iterations);
	else
		wn_out_text(t->o, ",NA");
	if (is_chunk)
		wn_out_format(t->o, ",%" PRIu32, g->context[id]);
	else
		wn_out_text(t->o, ",NA");
}

static void
put_known(struct wn_out *o, bool is_known, uint64_t value)
{
	wn_out_text(o, ",");
	if (is_known)
		wn_out_u64(o, value);
	else
		wn_out_text(o, "NA");
}

static wn_status
put_task(struct tasks *t, wn_grain id, wn_err *err)
{
	const struct wn_graph *g = t->g;
	wn_grain parent = owner_of(g, id);
	uint64_t exec_ns = wn_exec_ns(g, id);
	uint32_t site = g->site[id];
	uint64_t address = site == WN_NO_SITE ? 0 : wn_trace_site(g->trace, site).addr;
	const struct wn_export_place *place = wn_export_place(t->x, id);
	wn_out_format(t->o, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, id, parent,
	              g->fj[id] == WN_NO_FJ ? 0 : t->fj_number[g->fj[id]]);
	put_known(t->o, g->cpu[id] != UINT16_MAX, g->cpu[id]);
	wn_out_format(t->o, ",%" PRIu32 ",%" PRIu32, ++t->n_births[parent], t->n_drawn[id]);
	put_known(t->o, true, exec_ns);
	put_known(t->o, g->flags[id] & WN_GF_CREATION_KNOWN, wn_creation_ns(g, id));
	put_known(t->o, true, exec_ns - wn_work_ns(g, id));
	put_known(t->o, true, 0);
	put_known(t->o, true, parent ? g->instant_ns[id] + 1 : 0);
	put_known(t->o, true, g->end_ns[id]);
	put_kind(t, id, address);
	wn_out_format(t->o, ",%" PRIu64 ",", address);
	if (place && place->found.file && place->found.line > 0) {
		char text[512];
		snprintf(text, sizeof text, "%.480s:%d", place->found.file, place->found.line);
		wn_out_csv(t->o, text);
	} else {
		wn_out_text(t->o, "NA");
	}
	wn_out_text(t->o, ",");
	wn_status st = put_recorded_waits(t, id, err);
	wn_out_text(t->o, "\n");
	return st;
}

static wn_status
write_recorded(const struct wn_export *x, struct wn_out *o, wn_err *err)
{
	struct tasks t = {.x = x, .g = x->g, .o = o};
	wn_status st = count_tasks(&t) ? WN_OK : wn_no_memory(err);
	wn_out_text(o,
	            UNIT_NS "task,parent,joins_at,cpu_id,child_number,num_children,exec_cycles,"
	                    "creation_cycles,overhead_cycles,queue_size,create_instant,"
	                    "exec_end_instant,tag,metadata,idle_join,outline_function,source_line,"
	                    "wait_instants\n");
	for (wn_grain id = 0; st == WN_OK && id < x->g->n; id++)
		if (wn_is_drawn(x->g, id))
			st = put_task(&t, id, err);
	WN_FREE_ALL(t.n_births, t.n_drawn, t.n_fjs, t.fj_number, t.waits);
	return st;
}

wn_status
wn_export_mir_csv(const struct wn_export *x, FILE *to, wn_err *err)
{
	struct wn_out *o = wn_calloc(1, sizeof *o);
	if (!o)
		return wn_no_memory(err);
	wn_out_begin(o, to);
	wn_status st = x->g->imported ? write_back(x, o, err) : write_recorded(x, o, err);
	if (st == WN_OK)
		st = wn_out_end(o, err);
	wn_free(o);
	return st;
}
