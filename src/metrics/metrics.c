/* SPDX-License-Identifier: MIT */
/* metrics.c - computes values of single grains and the problem table, and runs the other passes:
 * the parallelism profile is in profile.c, totals in totals.c, places in place_stats.c. */
#include "metrics/columns.h"
#include "metrics/fill.h"
#include "metrics/metrics_private.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct wn_missing_problem wn_missing_problems[WN_MISSING_PROBLEM_N] = {
    {"memory_hierarchy_utilization", "< 2", "<>", "no hardware counters were recorded"},
    {"memory_footprint", "> 512000", ">", "needs every memory access"},
    {"compute_intensity", "< 2", "<", "needs every instruction"},
    {"work_deviation", "> 2", ">", "needs a second run on one thread to compare with"},
    {"sibling_scatter", "> 10", ">",
     "the distances between this machine's memory nodes were not recorded"},
};

bool
wn_metrics_has_problem(const struct wn_metrics *m, const char *name)
{
	for (int p = 0; p < m->n_problems; p++)
		if (strcmp(m->problem_types[p].name, name) == 0)
			return true;
	return false;
}

struct wn_options
wn_options_default(void)
{
	struct wn_options o = {.compat = false};
	for (int p = 0; p < WN_PROBLEM_N; p++)
		o.threshold[p] = NAN;
	for (int k = 0; k < WN_MISSING_PROBLEM_N; k++)
		o.threshold_of_some[k].below = o.threshold_of_some[k].above = NAN;
	return o;
}

static bool
move_threshold_of_some(struct wn_options *o, const char *name, size_t name_length, bool is_below,
                       double value)
{
	for (int k = 0; k < WN_MISSING_PROBLEM_N; k++) {
		const struct wn_missing_problem *type = &wn_missing_problems[k];
		if (strlen(type->name) != name_length ||
		    strncmp(type->name, name, name_length) != 0)
			continue;
		if (!strchr(type->directions, is_below ? '<' : '>'))
			return false;
		*(is_below ? &o->threshold_of_some[k].below : &o->threshold_of_some[k].above) =
		    value;
		return true;
	}
	return false;
}

bool
wn_options_threshold(struct wn_options *o, const char *text)
{
	size_t name_length = strcspn(text, "<>");
	if (text[name_length] == '\0')
		return false;
	bool is_below = text[name_length] == '<';
	const char *number = text + name_length + 1;
	double value;
	if (!metrics_read_number(number, strlen(number), &value))
		return false;
	while (name_length && text[name_length - 1] == ' ')
		name_length--;
	for (int p = 0; p < WN_PROBLEM_N; p++) {
		const struct wn_problem_type *type = &wn_problem_types[p];
		if (strlen(type->name) != name_length ||
		    strncmp(type->name, text, name_length) != 0)
			continue;
		if (type->is_below != is_below)
			return false;
		o->threshold[p] = value;
		return true;
	}
	return move_threshold_of_some(o, text, name_length, is_below, value);
}

/* One function per ratio of a grain: table/row.h has the formulas. */
#define IN(which) WN_INPUT(which)
#define WN_TABLE_RATIO(name, bad, fold, lean, problem, inputs, formula, title, sentence)           \
	static double of_##name(const struct wn_metrics *m, wn_grain id)                           \
	{                                                                                          \
		struct wn_grain_row row;                                                           \
		metrics_fill(&row, m, id, inputs);                                                 \
		return formula(&row);                                                              \
	}
#include "table/columns.def"

double
wn_problem_value(const struct wn_metrics *m, wn_grain id, int p)
{
	double given;
	if (m->imported && metrics_imported_value(m, id, p, &given))
		return given;
	switch (p) {
#define WN_TABLE_RATIO(name, bad, fold, lean, problem, inputs, formula, title, sentence)           \
	case WN_PROBLEM_##problem:                                                                 \
		return of_##name(m, id);
#include "table/columns.def"
	default:
		return wn_column_value(m->problem_column[p], m, id);
	}
}

/* Tests whether no grain of the run has a value. */
static bool
is_without_values(const struct wn_graph *g, int p)
{
	return (p == WN_PROBLEM_CHUNK_BALANCE || p == WN_PROBLEM_CHUNK_CPU_BALANCE) &&
	       g->n_loops == 0;
}

void
wn_problem_values(const struct wn_metrics *m, const wn_grain *ids, size_t n, int p, double *out)
{
	if (m->imported) {
		for (size_t i = 0; i < n; i++)
			out[i] = wn_problem_value(m, ids[i], p);
		return;
	}
	if (is_without_values(m->g, p)) {
		for (size_t i = 0; i < n; i++)
			out[i] = NAN;
		return;
	}
	switch (p) {
#define WN_TABLE_RATIO(name, bad, fold, lean, problem, inputs, formula, title, sentence)           \
	case WN_PROBLEM_##problem:                                                                 \
		for (size_t i = 0; i < n; i++)                                                     \
			out[i] = of_##name(m, ids[i]);                                             \
		break;
#include "table/columns.def"
	default:
		for (size_t i = 0; i < n; i++)
			out[i] = wn_column_value(m->problem_column[p], m, ids[i]);
	}
}

static bool
is_even_enough(const struct wn_metrics *m, wn_grain id, int p)
{
	struct wn_grain_row row;
	metrics_fill(&row, m, id, WN_ROW_EVEN_INPUTS);
	return wn_row_is_even_enough(&row, p == WN_PROBLEM_CHUNK_CPU_BALANCE);
}

void
metrics_judge_beyond(struct wn_metrics *m, wn_grain id, int p)
{
	bool is_balance = p == WN_PROBLEM_CHUNK_BALANCE || p == WN_PROBLEM_CHUNK_CPU_BALANCE;
	if (m->imported || !is_balance || !is_even_enough(m, id, p))
		m->problems[id] |= UINT32_C(1) << p;
}

void
metrics_use_columns(struct wn_metrics *m, const struct wn_column *columns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (columns[i].problem >= 0)
			m->problem_column[columns[i].problem] = &columns[i];
	m->columns = columns;
	m->n_columns = n;
}

static void
judge_recorded(struct wn_metrics *m, wn_grain id)
{
	metrics_judge(m, id, WN_PROBLEM_PARALLEL_BENEFIT, of_parallel_benefit(m, id));
	if (m->g->kind[id] == WN_GRAIN_CHUNK) {
		metrics_judge(m, id, WN_PROBLEM_CHUNK_BALANCE, of_chunk_work_balance(m, id));
		metrics_judge(m, id, WN_PROBLEM_CHUNK_CPU_BALANCE,
		              of_chunk_work_cpu_balance(m, id));
	} else {
		metrics_judge(m, id, WN_PROBLEM_SIBLING_BALANCE, of_sibling_work_balance(m, id));
	}
}

/* Ids that one job checks, and its results. */
enum { JUDGED_IDS = 1 << 15 };

struct judged {
	struct wn_metrics *m;
	struct {
		uint64_t count, on_critical_path, work_ns;
	} problem[WN_PROBLEMS_MAX];
};

/* Problems of instantaneous parallelism come from the profile. */
static void
find_problems_in(struct judged *found, wn_grain first, wn_grain end)
{
	struct wn_metrics *m = found->m;
	const struct wn_graph *g = m->g;
	bool is_far = metrics_scatter_is_far(m);
	for (wn_grain id = first; id < end; id++) {
		if (!wn_is_grain(g, id))
			continue;
		if (m->imported)
			metrics_imported_judge(m, id);
		else
			judge_recorded(m, id);
		if (m->counted)
			metrics_counted_judge(m, id);
		if (is_far)
			metrics_scatter_judge(m, id);
		if (m->user)
			metrics_user_judge(m, id);
		uint64_t work_ns = wn_work_ns(g, id);
		for (uint32_t left = m->problems[id]; left; left &= left - 1) {
			int p = __builtin_ctz(left);
			found->problem[p].count++;
			found->problem[p].work_ns += work_ns;
			found->problem[p].on_critical_path += g->flags[id] & WN_GF_CRITICAL ? 1 : 0;
		}
	}
}

static void
judge_share(void *user, size_t i)
{
	struct judged *found = (struct judged *)user + i;
	wn_grain first = (wn_grain)(i * JUDGED_IDS), n = found->m->g->n;
	find_problems_in(found, first, n - first < JUDGED_IDS ? n : first + JUDGED_IDS);
}

static wn_status
find_problems(struct wn_metrics *m, wn_err *err)
{
	size_t n = (m->g->n + (size_t)JUDGED_IDS - 1) / JUDGED_IDS;
	struct judged *found = wn_calloc(n, sizeof *found);
	if (!found)
		return wn_no_memory(err);
	for (size_t i = 0; i < n; i++)
		found[i].m = m;
	/* these two also record whether there was any value */
	wn_parallel(m->counted || m->user ? 1 : wn_parallel_cpus(), n, judge_share, found);
	for (size_t i = 0; i < n; i++) {
		for (int p = 0; p < m->n_problems; p++) {
			m->problem[p].count += found[i].problem[p].count;
			m->problem[p].on_critical_path += found[i].problem[p].on_critical_path;
			m->problem[p].work_ns += found[i].problem[p].work_ns;
		}
	}
	wn_free(found);
	return WN_OK;
}

static void
set_thresholds(struct wn_metrics *m)
{
	memcpy(m->problem_types, wn_problem_types, sizeof wn_problem_types);
	m->n_problems = WN_PROBLEM_N;
	m->columns = wn_builtin_columns(&m->n_columns);
	for (size_t i = 0; i < m->n_columns; i++)
		if (m->columns[i].problem >= 0)
			m->problem_column[m->columns[i].problem] = &m->columns[i];
	for (int p = 0; p < WN_PROBLEM_N; p++) {
		double value = m->options.threshold[p];
		if (isnan(value))
			value = wn_problem_types[p].threshold;
		m->threshold[p] = isnan(value) ? m->totals.n_cpus : value;
	}
}

/* Sets thresholds of problem types that only some runs have. */
static wn_status
move_thresholds(struct wn_metrics *m, wn_err *err)
{
	for (int k = 0; k < WN_MISSING_PROBLEM_N; k++) {
		double below = m->options.threshold_of_some[k].below;
		double above = m->options.threshold_of_some[k].above;
		int p = WN_PROBLEM_N;
		while (p < m->n_problems &&
		       strcmp(m->problem_types[p].name, wn_missing_problems[k].name) != 0)
			p++;
		if (p == m->n_problems)
			continue;
		double value = m->problem_types[p].is_below ? below : above;
		double other = m->problem_types[p].is_below ? above : below;
		if (isnan(value) && !isnan(other))
			return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
			               "threshold %s: of this run %s values are bad: '%c'",
			               wn_missing_problems[k].name,
			               m->problem_types[p].is_below ? "low" : "high",
			               m->problem_types[p].is_below ? '<' : '>');
		if (!isnan(value))
			m->threshold[p] = value;
	}
	return WN_OK;
}

/* As drawings number them: among the owner's fork-joins that joined something. */
static wn_status
number_fork_joins(struct wn_metrics *m, wn_err *err)
{
	const struct wn_graph *g = m->g;
	uint32_t *n_before = wn_calloc(g->n, sizeof *n_before);
	m->fj_number = wn_calloc(g->n_fjs, sizeof *m->fj_number);
	if (!n_before || !m->fj_number) {
		wn_free(n_before);
		return wn_no_memory(err);
	}
	for (size_t i = 0; i < g->n_fjs; i++)
		if (g->fjs[i].alias == WN_NO_FJ && g->fjs[i].n_children > 0)
			m->fj_number[i] = n_before[g->fjs[i].owner]++;
	wn_free(n_before);
	return WN_OK;
}

static void
find_trailing(struct wn_metrics *m)
{
	const struct wn_graph *g = m->g;
	for (size_t i = 0; i < g->n_loops; i++)
		m->loop_trailing_ns[i] = g->loops[i].overhead_ns;
	for (wn_grain id = 0; g->n_loops > 0 && id < g->n; id++) {
		if (g->kind[id] != WN_GRAIN_CHUNK && g->kind[id] != WN_GRAIN_SECTION)
			continue;
		uint64_t *trailing = &m->loop_trailing_ns[g->context[id]];
		*trailing -= wn_creation_ns(g, id) < *trailing ? wn_creation_ns(g, id) : *trailing;
	}
}

wn_status
wn_metrics_build(const struct wn_graph *g, const struct wn_options *options,
                 struct wn_metrics **out, wn_err *err)
{
	wn_status st = WN_OK;
	struct wn_metrics *m = wn_calloc(1, sizeof *m);
	if (!m)
		return wn_no_memory(err);
	m->g = g;
	m->options = options ? *options : wn_options_default();
	bool has_values = g->detail < WN_DETAIL_TIMES ||
	                  ((m->inst_par_min = wn_calloc(g->n, sizeof *m->inst_par_min)) &&
	                   (m->inst_par_max = wn_calloc(g->n, sizeof *m->inst_par_max)) &&
	                   (m->inst_par_median = wn_calloc(g->n, sizeof *m->inst_par_median)));
	m->loop_trailing_ns = wn_calloc(g->n_loops, sizeof *m->loop_trailing_ns);
	if (!has_values || !m->loop_trailing_ns)
		WN_TRY(wn_no_memory(err));
	WN_TRY(metrics_totals(m, err));
	set_thresholds(m);
	WN_TRY(metrics_imported_add(m, err));
	WN_TRY(metrics_counted_add(m, err));
	WN_TRY(metrics_scatter_add(m, err));
	WN_TRY(metrics_off_cpu_add(m, err));
	WN_TRY(move_thresholds(m, err));
	WN_TRY(metrics_user_add(m, err));
	/* not before it is used: in memory that the steps before it needed */
	m->problems = wn_calloc(g->n, sizeof *m->problems);
	if (!m->problems)
		WN_TRY(wn_no_memory(err));
	WN_TRY(metrics_profile(m, err));
	if (g->detail >= WN_DETAIL_TIMES)
		WN_TRY(number_fork_joins(m, err));
	find_trailing(m);
	WN_TRY(find_problems(m, err));
	*out = m;
	return WN_OK;
out:
	wn_metrics_free(m);
	return st;
}

void
wn_metrics_free(struct wn_metrics *m)
{
	if (!m)
		return;
	WN_FREE_ALL(m->inst_par_min, m->inst_par_max, m->inst_par_median, m->profile,
	            m->loop_trailing_ns, m->problems, m->fj_number);
	metrics_imported_free(m->imported);
	metrics_counted_free(m->counted);
	metrics_scatter_free(m->scatter);
	wn_free(m->off_cpu);
	metrics_user_free(m->user);
	wn_free(m);
}
