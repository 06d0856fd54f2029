/* SPDX-License-Identifier: MIT */
/*
 * csv.c - a table of grains: one line for each explicit and taskloop task, chunk, section and
 * implicit task. Columns after [P3] Table I. An empty cell was not measured, or means nothing
 * there.
 */
#include "base/error.h"
#include "base/mem.h"
#include "export/export.h"
#include "export/out.h"
#include "metrics/metrics.h"

#include <math.h>

struct table {
	const struct wn_export *x;
	const struct wn_graph *g;
	struct wn_metrics *m;
	struct wn_out *o;
	uint64_t *instants; /* scratch */
	size_t instants_capacity;
	char *lineage;
	size_t lineage_capacity;
};

static const char header[] =
    "# one line per grain; _ns: nanoseconds, begin and end since the start of the recording; "
    "create_instant and wait_instants: the parent's and the grain's own execution time; "
    "balances, benefit and parallelism: ratios; empty: not measured\n"
    "id,lineage,kind,parent,child_number,fork_join,joined_by,region,loop,range_first,"
    "range_iterations,taskloop,thread,cpu,num_children,leaf,begin_ns,end_ns,exec_ns,work_ns,"
    "made_ns,creation_ns,sync_ns,locked_ns,create_instant_ns,wait_instants_ns,depends_on,"
    "on_crit_path,undeferred,final,untied,depend,moved,estimated,completed,cancelled,detached,"
    "parallel_benefit,sibling_work_balance,"
    "chunk_work_balance,chunk_work_cpu_balance,inst_par_median,inst_par_min,inst_par_max,label,"
    "function,"
    "file,line,address\n";

static void
comma(struct table *t)
{
	wn_out_bytes(t->o, ",", 1);
}

static void
number(struct table *t, uint64_t value)
{
	comma(t);
	wn_out_u64(t->o, value);
}

/* A cell that is empty unless `is_known`. */
static void
maybe(struct table *t, bool is_known, uint64_t value)
{
	comma(t);
	if (is_known)
		wn_out_u64(t->o, value);
}

static void
flag(struct table *t, wn_grain id, enum wn_grain_flag bit)
{
	number(t, t->g->flags[id] & bit ? 1 : 0);
}

static void
structure(struct table *t, wn_grain id)
{
	const struct wn_graph *g = t->g;
	const struct wn_range *range = g->range[id] ? &g->ranges[g->range[id] - 1] : NULL;
	bool is_implicit = g->kind[id] == WN_GRAIN_IMPLICIT;
	bool is_chunk = g->kind[id] == WN_GRAIN_CHUNK || g->kind[id] == WN_GRAIN_SECTION;
	bool has_fj = g->fj[id] != WN_NO_FJ;
	bool is_joined = has_fj && g->fjs[g->fj[id]].n_children > 0;
	maybe(t, g->parent[id] != WN_NO_GRAIN, g->parent[id]);
	number(t, g->child_number[id]);
	maybe(t, is_joined, is_joined ? wn_draw_fj_number(t->x->draw, g->fj[id]) : 0);
	maybe(t, g->flags[id] & WN_GF_ROGUE, has_fj ? g->fjs[g->fj[id]].owner : 0);
	maybe(t, is_implicit, is_implicit ? g->regions[g->context[id]].number : 0);
	maybe(t, is_chunk, is_chunk ? g->loops[g->context[id]].number : 0);
	maybe(t, range, range ? range->first : 0);
	maybe(t, range && range->iterations, range ? range->iterations : 0);
	maybe(t, range && g->kind[id] == WN_GRAIN_TASKLOOP, range ? range->taskloop : 0);
}

/* Old recorders could not tell: then nothing is known, not even that nobody waited. */
static bool
knows_mutexes(const struct wn_graph *g)
{
	return g->locked_ns || wn_trace_header(g->trace)->event_shape[WN_EV_MUTEX_WAIT];
}

static void
times(struct table *t, wn_grain id)
{
	const struct wn_graph *g = t->g;
	bool has_started = g->flags[id] & WN_GF_STARTED;
	maybe(t, has_started, g->thread[id]);
	maybe(t, has_started && g->cpu[id] != UINT16_MAX, g->cpu[id]);
	number(t, g->n_children[id]);
	number(t, g->n_children[id] == 0);
	maybe(t, has_started, g->begin_ns[id]);
	maybe(t, g->flags[id] & WN_GF_COMPLETED, g->end_ns[id]);
	maybe(t, has_started, wn_exec_ns(g, id));
	maybe(t, has_started, g->work_ns[id]);
	maybe(t, has_started, g->made_ns[id]);
	maybe(t, g->flags[id] & WN_GF_CREATION_KNOWN, g->creation_ns[id]);
	maybe(t, has_started, g->sync_ns[id]);
	maybe(t, has_started && knows_mutexes(g), g->locked_ns ? g->locked_ns[id] : 0);
	maybe(t, g->kind[id] != WN_GRAIN_IMPLICIT, g->instant_ns[id]);
}

static bool
is_wait(const struct wn_join *join)
{
	return join->kind == WN_JOIN_TASKWAIT || join->kind == WN_JOIN_GROUP ||
	       join->kind == WN_JOIN_BARRIER;
}

/* Where in its own execution time the grain waited for something: t1;t2;... */
static wn_status
wait_instants(struct table *t, wn_grain id, wn_err *err)
{
	size_t n = 0;
	for (uint32_t j = t->g->last_join[id]; j != WN_NO_JOIN; j = t->g->joins[j].prev) {
		if (!is_wait(&t->g->joins[j]))
			continue;
		if (wn_grow(&t->instants, &t->instants_capacity, n + 1, sizeof *t->instants) != 0)
			return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
		t->instants[n++] = t->g->joins[j].instant_ns;
	}
	comma(t);
	while (n-- > 0) {
		wn_out_u64(t->o, t->instants[n]);
		if (n > 0)
			wn_out_bytes(t->o, ";", 1);
	}
	return WN_OK;
}

/* What its depend clauses make it wait for: tasks, and gates as drawings name them. */
static void
depends_on(struct table *t, wn_grain id)
{
	const struct wn_graph *g = t->g;
	const struct wn_dependent *d = wn_dependent(g, id);
	comma(t);
	if (!d)
		return;
	for (uint32_t k = 0; k < d->n_predecessors; k++) {
		wn_out_text(t->o, k ? ";" : "");
		wn_out_u64(t->o, g->predecessors[d->first_predecessor + k]);
	}
	for (uint32_t k = 0; k < d->n_gates; k++)
		wn_out_format(t->o, "%sd.%u", k || d->n_predecessors ? ";" : "",
		              (unsigned)g->gates_before[d->first_gate + k]);
}

static void
ratio(struct table *t, double value)
{
	comma(t);
	if (!isnan(value))
		wn_out_format(t->o, "%.6g", value);
}

static void
metrics(struct table *t, wn_grain id)
{
	ratio(t, wn_parallel_benefit(t->m, id));
	ratio(t, wn_sibling_balance(t->m, id));
	ratio(t, wn_chunk_balance(t->m, id));
	ratio(t, wn_chunk_cpu_balance(t->m, id));
	ratio(t, wn_problem_value(t->m, id, WN_PROBLEM_INST_PAR_MEDIAN));
	ratio(t, wn_problem_value(t->m, id, WN_PROBLEM_INST_PAR_MIN));
	ratio(t, wn_problem_value(t->m, id, WN_PROBLEM_INST_PAR_MAX));
}

static void
place(struct table *t, wn_grain id)
{
	const struct wn_export_place *p = wn_export_place(t->x, id);
	uint32_t site = t->g->site[id];
	comma(t);
	wn_out_csv(t->o, wn_export_label(t->g, id));
	comma(t);
	wn_out_csv(t->o, p ? p->found.function : NULL);
	comma(t);
	wn_out_csv(t->o, p ? p->found.file : NULL);
	maybe(t, p && p->found.line > 0, p ? (uint64_t)p->found.line : 0);
	comma(t);
	if (site != WN_NO_SITE)
		wn_out_format(t->o, "0x%llx",
		              (unsigned long long)wn_trace_site(t->g->trace, site).addr);
}

static wn_status
row(struct table *t, wn_grain id, wn_err *err)
{
	static const enum wn_grain_flag flags[] = {
	    WN_GF_CRITICAL, WN_GF_UNDEFERRED, WN_GF_FINAL,     WN_GF_UNTIED,    WN_GF_DEPENDENT,
	    WN_GF_MOVED,    WN_GF_ESTIMATED,  WN_GF_COMPLETED, WN_GF_CANCELLED, WN_GF_DETACHED};
	const char *lineage = wn_export_lineage(t->g, id, &t->lineage, &t->lineage_capacity);
	if (!lineage)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	wn_out_u64(t->o, id);
	comma(t);
	wn_out_csv(t->o, lineage);
	comma(t);
	wn_out_text(t->o, wn_export_kind(t->g, id));
	structure(t, id);
	times(t, id);
	wn_status st = wait_instants(t, id, err);
	if (st != WN_OK)
		return st;
	depends_on(t, id);
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		flag(t, id, flags[i]);
	metrics(t, id);
	place(t, id);
	wn_out_bytes(t->o, "\n", 1);
	return WN_OK;
}

wn_status
wn_export_csv(const struct wn_export *x, FILE *to, wn_err *err)
{
	struct table t = {.x = x, .g = x->g, .o = wn_calloc(1, sizeof(struct wn_out))};
	wn_status st = WN_OK;
	if (!t.o)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	if ((st = wn_metrics_build(x->g, NULL, &t.m, err)) != WN_OK) {
		wn_free(t.o);
		return st;
	}
	wn_out_begin(t.o, to);
	wn_out_text(t.o, header);
	for (wn_grain id = 0; st == WN_OK && id < x->g->n; id++) {
		if (!wn_is_grain(x->g, id) && x->g->kind[id] != WN_GRAIN_IMPLICIT)
			continue;
		if (wn_out_status(t.o) != WN_OK)
			break;
		st = row(&t, id, err);
	}
	if (st == WN_OK)
		st = wn_out_end(t.o, err);
	wn_metrics_free(t.m);
	wn_free(t.instants);
	wn_free(t.lineage);
	wn_free(t.o);
	return st;
}
