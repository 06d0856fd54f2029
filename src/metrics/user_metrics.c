/* SPDX-License-Identifier: MIT */
/*
 * user_metrics.c - user-defined metrics, as columns and problem types.
 *
 * Nothing is stored per grain: a value is computed on request, together with the earlier metrics
 * that its expression uses, each once.
 */
#include "base/error.h"
#include "base/mem.h"
#include "metrics/define.h"
#include "metrics/metrics_private.h"
#include "metrics/scope.h"

#include <assert.h>
#include <math.h>
#include <string.h>

struct wn_user_metrics {
	size_t n, n_base;                 /* number of metrics; columns without them */
	struct wn_expr *exprs;            /* [n] */
	uint64_t *needs;                  /* [n] bit k: depends on metric k, or is it */
	const struct wn_metric_def *defs; /* [n] borrowed */
	struct wn_column *columns;        /* [n_base + n] */
	int first_problem;                /* index into the problem types */
	bool needs_whole_graph;
};
static_assert(WN_METRIC_DEFS_MAX <= 64, "a bit each");

void
metrics_user_free(struct wn_user_metrics *user)
{
	if (!user)
		return;
	WN_FREE_ALL(user->exprs, user->needs, user->columns, user);
}

/* Whether an index is a user-defined metric: not an earlier column, a problem, or a number of the
 * run. */
static bool
is_metric(const struct wn_user_metrics *user, uint32_t index)
{
	return index >= user->n_base && index < user->n_base + user->n;
}

/* Evaluates the metrics in `wanted`, which includes their dependencies, into values[] by their
 * number. */
static void
evaluate(const struct wn_user_metrics *user, const struct wn_metrics *m, wn_grain id,
         uint64_t wanted, double values[WN_METRIC_DEFS_MAX])
{
	double of_name[WN_EXPR_NAMES_MAX];
	for (size_t k = 0; k < user->n; k++) {
		const struct wn_expr *e = &user->exprs[k];
		if (!(wanted >> k & 1))
			continue;
		for (unsigned i = 0; i < e->n_names; i++) {
			uint32_t index = e->names[i];
			bool is_user = is_metric(user, index);
			of_name[i] =
			    is_user ? values[index - user->n_base] : wn_scope_value(m, id, index);
		}
		values[k] = wn_expr_eval(e, of_name, NULL);
	}
}

static double
value_of_metric(const struct wn_column *self, const struct wn_metrics *m, wn_grain id)
{
	const struct wn_user_metrics *user = self->data;
	size_t k = (size_t)(self - user->columns) - user->n_base;
	double values[WN_METRIC_DEFS_MAX];
	evaluate(user, m, id, user->needs[k], values);
	return values[k];
}

/* FILE:LINE:COLUMN: WHY, or metric 'NAME': column COLUMN: WHY. Column 0: the whole metric. */
static wn_status
fail(wn_err *err, const struct wn_metric_def *def, uint32_t column, const char *why)
{
	uint32_t at = column ? def->column + column - 1 : 1;
	if (def->file)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "%s:%u:%u: %s", def->file,
		               (unsigned)def->line, (unsigned)at, why);
	if (!column)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "metric '%s': %s", def->name, why);
	return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "metric '%s': column %u: %s", def->name,
	               (unsigned)at, why);
}

/* Placeholder for unknown names, where a recording may add columns of its own. */
#define UNKNOWN_NAME (UINT32_C(1) << 28)

static bool
find_any(const void *user, const char *name, size_t n, uint32_t *index)
{
	const struct wn_expr_names *names = user;
	if (!names->find(names->user, name, n, index))
		*index = UNKNOWN_NAME;
	return true;
}

static const char *
word_of_any(const void *user, uint32_t index, size_t k, double *number)
{
	const struct wn_expr_names *names = user;
	return names->word(names->user, index, k, number);
}

/* Collects the dependencies of metric k from the names in its expression. */
static void
note_needs(struct wn_user_metrics *user, size_t k)
{
	const struct wn_expr *e = &user->exprs[k];
	user->needs[k] = UINT64_C(1) << k;
	for (unsigned i = 0; i < e->n_names; i++) {
		uint32_t index = e->names[i];
		if (is_metric(user, index))
			user->needs[k] |= user->needs[index - user->n_base];
		else if (index < user->n_base && user->columns[index].needs_whole_graph)
			user->needs_whole_graph = true;
	}
}

/* The names that metrics are compiled against. */
struct base {
	const struct wn_column *columns; /* [n_columns] */
	size_t n_columns;
	const struct wn_problem_type *problem_types; /* [n_problems] */
	int n_problems;
	bool is_partial; /* more columns may be added */
};

static wn_status
compile_one(struct wn_user_metrics *user, size_t k, const struct base *base, int *n_problems,
            wn_err *err)
{
	const struct wn_metric_def *def = &user->defs[k];
	const struct wn_scope scope = {user->columns, user->n_base + k, base->problem_types,
	                               base->n_problems, true};
	const struct wn_expr_names names = wn_scope_names(&scope);
	const struct wn_expr_names any = {find_any, NULL, word_of_any, &names};
	struct wn_expr_error error;
	for (size_t i = 0; i < base->n_columns; i++)
		if (strcmp(base->columns[i].name, def->name) == 0)
			return fail(err, def, 0, "there is a column of this name");
	for (int p = 0; p < base->n_problems; p++)
		if (strcmp(base->problem_types[p].name, def->name) == 0)
			return fail(err, def, 0, "there is a problem of this name");
	if (!wn_expr_parse(def->text, strlen(def->text), base->is_partial ? &any : &names, NULL,
	                   &user->exprs[k], &error))
		return fail(err, def, error.column, error.why);
	note_needs(user, k);
	int problem = -1;
	if (!isnan(def->threshold)) {
		if (def->bad == WN_BAD_NONE)
			return fail(err, def, 0, "with a threshold it needs bad low or bad high");
		if (*n_problems == WN_PROBLEMS_MAX)
			return fail(err, def, 0, "too many metrics with a threshold");
		problem = (*n_problems)++;
	}
	user->columns[user->n_base + k] = (struct wn_column){.name = def->name,
	                                                     .unit = "",
	                                                     .title = def->text,
	                                                     .bad = def->bad,
	                                                     .fold = wn_metric_fold(def),
	                                                     .problem = problem,
	                                                     .value = value_of_metric,
	                                                     .data = user};
	return WN_OK;
}

static wn_status
compile(const struct wn_metric_defs *defs, const struct base *base, struct wn_user_metrics **out,
        wn_err *err)
{
	struct wn_user_metrics *user = wn_calloc(1, sizeof *user);
	int n_problems = base->n_problems;
	wn_status st;
	if (!user)
		return wn_no_memory(err);
	user->n = defs->n;
	user->n_base = base->n_columns;
	user->defs = defs->items;
	user->first_problem = base->n_problems;
	user->exprs = wn_calloc(defs->n, sizeof *user->exprs);
	user->needs = wn_calloc(defs->n, sizeof *user->needs);
	user->columns = wn_calloc(user->n_base + defs->n, sizeof *user->columns);
	if (!user->exprs || !user->needs || !user->columns)
		WN_TRY(wn_no_memory(err));
	memcpy(user->columns, base->columns, user->n_base * sizeof *base->columns);
	for (size_t k = 0; k < user->n; k++)
		WN_TRY(compile_one(user, k, base, &n_problems, err));
	*out = user;
	return WN_OK;
out:
	metrics_user_free(user);
	return st;
}

wn_status
wn_metric_defs_check(const struct wn_metric_defs *defs, bool knows_columns, bool *needs_whole_graph,
                     wn_err *err)
{
	struct wn_user_metrics *user;
	struct base base = {.problem_types = wn_problem_types,
	                    .n_problems = WN_PROBLEM_N,
	                    .is_partial = !knows_columns};
	base.columns = wn_builtin_columns(&base.n_columns);
	wn_status st = compile(defs, &base, &user, err);
	if (st != WN_OK)
		return st;
	if (needs_whole_graph)
		*needs_whole_graph = user->needs_whole_graph;
	metrics_user_free(user);
	return WN_OK;
}

bool
wn_metric_knows_columns(const struct wn_options *options, const struct wn_trace *trace)
{
	const struct wn_trace_counter *counters;
	return !options->counts && !wn_trace_table(trace) && !wn_trace_n_nodes(trace) &&
	       !wn_trace_counters(trace, &counters);
}

wn_status
metrics_user_add(struct wn_metrics *m, wn_err *err)
{
	struct wn_user_metrics *user;
	wn_status st;
	if (!m->options.metrics || m->options.metrics->n == 0)
		return WN_OK;
	struct base base = {m->columns, m->n_columns, m->problem_types, m->n_problems, false};
	WN_TRY(compile(m->options.metrics, &base, &user, err));
	m->user = user;
	m->columns = user->columns;
	m->n_columns = user->n_base + user->n;
	m->n_user_columns = user->n;
	for (size_t k = 0; k < user->n; k++) {
		const struct wn_column *c = &user->columns[user->n_base + k];
		if (c->problem < 0)
			continue;
		bool is_low = c->bad == WN_BAD_LOW;
		m->problem_types[c->problem] = (struct wn_problem_type){
		    .name = c->name,
		    .title = is_low ? "are below the threshold" : "are above the threshold",
		    .is_below = is_low,
		    .threshold = user->defs[k].threshold};
		m->threshold[c->problem] = user->defs[k].threshold;
		m->problem_column[c->problem] = c;
		m->problem[c->problem].is_unknown = m->totals.n_grains > 0;
		m->n_problems = c->problem + 1;
	}
out:
	return st;
}

const struct wn_expr *
wn_metric_expression(const struct wn_metrics *m, const struct wn_column *column)
{
	return &m->user->exprs[(size_t)(column - m->user->columns) - m->user->n_base];
}

/* Returns the number of the metric behind a problem. */
static size_t
metric_of(const struct wn_metrics *m, int p)
{
	return (size_t)(m->problem_column[p] - m->user->columns) - m->user->n_base;
}

void
metrics_user_judge(struct wn_metrics *m, wn_grain id)
{
	double values[WN_METRIC_DEFS_MAX];
	uint64_t wanted = 0;
	for (int p = m->user->first_problem; p < m->n_problems; p++)
		wanted |= m->user->needs[metric_of(m, p)];
	if (!wanted)
		return;
	evaluate(m->user, m, id, wanted, values);
	for (int p = m->user->first_problem; p < m->n_problems; p++) {
		double value = values[metric_of(m, p)];
		metrics_judge(m, id, p, value);
		if (!isnan(value))
			m->problem[p].is_unknown = false;
	}
}
