/* SPDX-License-Identifier: MIT */
#include "report/properties.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"
#include "characterize/cases.h"
#include "metrics/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct wn_property_name wn_property_names[WN_PROPERTY_N] = {
    [WN_PROPERTY_TASKS] = {"tasks", "number of tasks and chunks"},
    [WN_PROPERTY_FOOTPRINT] = {"footprint", "distinct addresses, of the median task"},
    [WN_PROPERTY_MEMORY_READS] = {"memory_reads", "reads of memory, of the median task"},
    [WN_PROPERTY_MEMORY_WRITES] = {"memory_writes", "writes of memory, of the median task"},
    [WN_PROPERTY_STACK_READS] = {"stack_reads", "reads of the stack, of the median task"},
    [WN_PROPERTY_STACK_WRITES] = {"stack_writes", "writes of the stack, of the median task"},
    [WN_PROPERTY_INSTRUCTIONS] = {"instructions", "instructions of the median task"},
    [WN_PROPERTY_JOIN_DEGREE] = {"join_degree", "tasks that the median join waits for"},
    [WN_PROPERTY_CRITICAL_PATH] = {"critical_path", "weight of the longest path"},
    [WN_PROPERTY_WORK] = {"work", "weight of all tasks, one after the other"},
};

/* The columns whose median over tasks is a property: for a recording, and for an imported table. */
static const char *const columns[WN_PROPERTY_N][2] = {
    [WN_PROPERTY_FOOTPRINT] = {"footprint_addresses", "mem_fp"},
    [WN_PROPERTY_MEMORY_READS] = {"mem_reads", "mem_read"},
    [WN_PROPERTY_MEMORY_WRITES] = {"mem_writes", "mem_write"},
    [WN_PROPERTY_STACK_READS] = {"stack_reads", "stack_read"},
    [WN_PROPERTY_STACK_WRITES] = {"stack_writes", "stack_write"},
    [WN_PROPERTY_INSTRUCTIONS] = {"instructions", "ins_count"},
};

enum wn_property
wn_property_named(const char *name)
{
	int p = 0;
	while (p < WN_PROPERTY_N && strcmp(name, wn_property_names[p].name) != 0)
		p++;
	return (enum wn_property)p;
}

double
wn_exposed_parallelism(const struct wn_cases *c, size_t i)
{
	double of[WN_PROPERTY_N + 1];
	for (int p = 0; p <= WN_PROPERTY_N; p++)
		of[p] = NAN;
	for (size_t j = 0; j < c->n_variables; j++)
		of[wn_property_named(c->variables[j])] = wn_cases_at(c, i, j);
	double span = of[WN_PROPERTY_CRITICAL_PATH];
	return span > 0 ? of[WN_PROPERTY_WORK] / span : (double)NAN;
}

/* --- medians --- */

/* Sorts the values and returns the median; NAN if there are none. */
static double
median(double *values, size_t n)
{
	if (n == 0)
		return NAN;
	qsort(values, n, sizeof *values, wn_compare_double);
	return n % 2 ? values[n / 2] : values[n / 2 - 1] / 2 + values[n / 2] / 2;
}

static double
mean(const double *values, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += values[i];
	return n ? sum / (double)n : NAN;
}

/* --- the ten properties --- */

static const struct wn_column *
find_column(const struct wn_metrics *m, const char *name)
{
	return name ? wn_column_find(m, name, strlen(name)) : NULL;
}

/* Collects the known values of a column over all grains. */
static size_t
gather(const struct wn_metrics *m, const struct wn_column *c, double *values)
{
	size_t n = 0;
	for (wn_grain id = 0; c && id < m->g->n; id++) {
		double value = wn_is_grain(m->g, id) ? wn_column_value(c, m, id) : NAN;
		if (!isnan(value))
			values[n++] = value;
	}
	return n;
}

/* Counts fork-joins with tasks; implicit tasks do not count. */
static double
find_join_degree(const struct wn_graph *g, double *values)
{
	size_t n = 0;
	for (size_t i = 0; i < g->n_fjs; i++)
		values[i] = 0;
	for (wn_grain id = 0; id < g->n; id++)
		if (wn_is_grain(g, id) && g->fj[id] != WN_NO_FJ)
			values[g->fj[id]]++;
	for (size_t i = 0; i < g->n_fjs; i++)
		if (values[i] > 0)
			values[n++] = values[i];
	return median(values, n);
}

/* Leaves both unknown if the run lacks the weight. */
static wn_status
find_paths(const struct wn_report *r, const char *weight, double out[], wn_err *err)
{
	const struct wn_totals *t = &r->metrics->totals;
	if (strcmp(weight, "work") == 0) {
		out[WN_PROPERTY_CRITICAL_PATH] = (double)t->span_ns;
		out[WN_PROPERTY_WORK] = (double)t->work_ns;
		return WN_OK;
	}
	if (r->graph->imported && strcmp(weight, "instructions") == 0)
		weight = columns[WN_PROPERTY_INSTRUCTIONS][1];
	bool is_carried = r->graph->path && strcmp(r->graph->path->name, weight) == 0;
	wn_status st = is_carried ? WN_OK : wn_graph_use_weight(r->graph, weight, err);
	if (st == WN_OK && r->graph->path) {
		out[WN_PROPERTY_CRITICAL_PATH] = (double)r->graph->path->span;
		out[WN_PROPERTY_WORK] = (double)r->graph->path->work;
	}
	return st == WN_E_ARG ? WN_OK : st;
}

wn_status
wn_properties(const struct wn_report *r, const char *weight, double out[WN_PROPERTY_N], wn_err *err)
{
	const struct wn_graph *g = r->graph;
	const struct wn_metrics *m = r->metrics;
	size_t n_most = g->n > g->n_fjs ? g->n : g->n_fjs;
	double *values = wn_calloc(n_most, sizeof *values);
	if (!values)
		return wn_no_memory(err);
	for (int p = 0; p < WN_PROPERTY_N; p++) {
		out[p] = NAN;
		for (int k = 0; k < 2 && isnan(out[p]); k++)
			out[p] = median(values, gather(m, find_column(m, columns[p][k]), values));
	}
	out[WN_PROPERTY_TASKS] = (double)m->totals.n_grains;
	out[WN_PROPERTY_JOIN_DEGREE] = find_join_degree(g, values);
	wn_free(values);
	return find_paths(r, weight, out, err);
}

/* --- the three times of a task --- */

/* Idle time of a thread in regions, per task. The idle time of threads without tasks is shared by
 * all. */
static double *
share_idle(const struct wn_graph *g, uint64_t n_tasks)
{
	uint64_t *n = wn_calloc(g->n_threads, sizeof *n);
	double *share = wn_calloc(g->n_threads, sizeof *share), common = 0;
	if (!n || !share) {
		wn_free(n);
		wn_free(share);
		return NULL;
	}
	for (wn_grain id = 0; id < g->n; id++)
		if (wn_is_grain(g, id) && g->thread[id] < g->n_threads)
			n[g->thread[id]]++;
	for (uint32_t t = 0; t < g->n_threads; t++) {
		const struct wn_thread_time *time = &g->thread_time[t];
		double idle_ns = (double)time->idle_ready_ns + (double)time->idle_empty_ns;
		if (n[t])
			share[t] = idle_ns / (double)n[t];
		else
			common += idle_ns / (double)n_tasks;
	}
	for (uint32_t t = 0; t < g->n_threads; t++)
		share[t] += common;
	wn_free(n);
	return share;
}

/* Creation time of a task and its share of its parent's waits; dispatch time of a chunk. NAN if
 * unknown. */
static double
parallelisation_ns(const struct wn_graph *g, wn_grain id)
{
	wn_grain parent = g->parent[id];
	if (!(g->flags[id] & WN_GF_CREATION_KNOWN))
		return NAN;
	bool is_task = g->kind[id] != WN_GRAIN_CHUNK && g->kind[id] != WN_GRAIN_SECTION;
	bool has_parent = is_task && parent != WN_NO_GRAIN && g->n_children[parent];
	double share_ns =
	    has_parent ? (double)wn_sync_ns(g, parent) / (double)g->n_children[parent] : 0;
	return (double)wn_creation_ns(g, id) + share_ns;
}

static void
gather_times(const struct wn_graph *g, const double *idle_ns, double *const values[],
             struct wn_task_times *out)
{
	size_t n[WN_TREND_N] = {0};
	for (wn_grain id = 0; id < g->n; id++) {
		if (!wn_is_grain(g, id))
			continue;
		double cost_ns = parallelisation_ns(g, id);
		out->n_tasks++;
		out->n_known += isnan(cost_ns) ? 0 : 1;
		values[WN_TREND_EXECUTION][n[WN_TREND_EXECUTION]++] = (double)wn_work_ns(g, id);
		if (!isnan(cost_ns))
			values[WN_TREND_PARALLELISATION][n[WN_TREND_PARALLELISATION]++] = cost_ns;
		if (g->thread[id] < g->n_threads)
			values[WN_TREND_IDLE][n[WN_TREND_IDLE]++] = idle_ns[g->thread[id]];
	}
	for (int k = 0; k < WN_TREND_N; k++) {
		out->mean_ns[k] = mean(values[k], n[k]);
		out->median_ns[k] = median(values[k], n[k]);
	}
}

wn_status
wn_task_times(const struct wn_report *r, struct wn_task_times *out, wn_err *err)
{
	const struct wn_graph *g = r->graph;
	if (!g->thread_time)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
		               "an imported table has no times of threads; record the "
		               "program");
	double *values[WN_TREND_N], *idle_ns = share_idle(g, r->metrics->totals.n_grains);
	bool is_done = idle_ns != NULL;
	for (int k = 0; k < WN_TREND_N; k++) {
		values[k] = wn_calloc(g->n, sizeof *values[k]);
		is_done = is_done && values[k];
	}
	*out = (struct wn_task_times){0};
	if (is_done)
		gather_times(g, idle_ns, values, out);
	for (int k = 0; k < WN_TREND_N; k++)
		wn_free(values[k]);
	wn_free(idle_ns);
	return is_done ? WN_OK : wn_no_memory(err);
}
