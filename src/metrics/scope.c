/* SPDX-License-Identifier: MIT */
#include "metrics/scope.h"

#include <string.h>

static double
run_cpus(const struct wn_totals *t)
{
	return t->n_cpus;
}

static double
run_elapsed(const struct wn_totals *t)
{
	return (double)t->elapsed_ns;
}

static double
run_grains(const struct wn_totals *t)
{
	return (double)t->n_grains;
}

static double
run_parallelism(const struct wn_totals *t)
{
	return t->parallelism;
}

static double
run_span(const struct wn_totals *t)
{
	return (double)t->span_ns;
}

static double
run_work(const struct wn_totals *t)
{
	return (double)t->work_ns;
}

static const struct run_number {
	const char *name;
	double (*value)(const struct wn_totals *t);
} run_numbers[] = {
    {"run.cpus_used", run_cpus}, {"run.elapsed_ns", run_elapsed},
    {"run.grains", run_grains},  {"run.parallelism", run_parallelism},
    {"run.span_ns", run_span},   {"run.work_ns", run_work},
};
#define RUN_NUMBERS_N (sizeof run_numbers / sizeof *run_numbers)
#define RUN_NUMBER    (UINT32_C(1) << 30) /* index of the first one */

static const char problem_prefix[] = "problem.";
#define PREFIX_BYTES (sizeof problem_prefix - 1)
#define PROBLEM      (UINT32_C(1) << 27) /* index of the first type */

static bool
is_word(const char *text, size_t n, const char *word)
{
	return strncmp(text, word, n) == 0 && word[n] == '\0';
}

static bool
is_known(const struct wn_scope *scope, size_t i)
{
	return !scope->is_before_problems || strcmp(scope->columns[i].name, "is_problem") != 0;
}

static bool
find(const void *user, const char *name, size_t n, uint32_t *index)
{
	const struct wn_scope *scope = user;
	for (uint32_t k = 0; k < RUN_NUMBERS_N; k++)
		if (is_word(name, n, run_numbers[k].name)) {
			*index = RUN_NUMBER + k;
			return true;
		}
	for (int p = 0; n > PREFIX_BYTES && p < scope->n_problems; p++)
		if (strncmp(name, problem_prefix, PREFIX_BYTES) == 0 &&
		    is_word(name + PREFIX_BYTES, n - PREFIX_BYTES, scope->problem_types[p].name)) {
			*index = PROBLEM + (uint32_t)p;
			return true;
		}
	for (uint32_t i = 0; i < scope->n; i++)
		if (is_word(name, n, scope->columns[i].name)) {
			*index = i;
			return is_known(scope, i);
		}
	return false;
}

static const char *
list(const void *user, size_t k)
{
	const struct wn_scope *scope = user;
	if (k < scope->n)
		return is_known(scope, k) ? scope->columns[k].name : "";
	k -= scope->n;
	return k < RUN_NUMBERS_N ? run_numbers[k].name : NULL;
}

const char *
wn_scope_kind_word(size_t k, double *number)
{
	static const struct {
		const char *name;
		enum wn_grain_kind kind;
	} words[] = {{"task", WN_GRAIN_TASK},
	             {"taskloop", WN_GRAIN_TASKLOOP},
	             {"chunk", WN_GRAIN_CHUNK},
	             {"section", WN_GRAIN_SECTION},
	             {"implicit", WN_GRAIN_IMPLICIT}};
	if (k >= sizeof words / sizeof *words)
		return NULL;
	*number = words[k].kind;
	return words[k].name;
}

static const char *
word(const void *user, uint32_t index, size_t k, double *number)
{
	const struct wn_scope *scope = user;
	bool is_kind = index < scope->n && strcmp(scope->columns[index].name, "kind") == 0;
	return is_kind ? wn_scope_kind_word(k, number) : NULL;
}

struct wn_expr_names
wn_scope_names(const struct wn_scope *scope)
{
	return (struct wn_expr_names){find, list, word, scope};
}

struct wn_scope
wn_scope_of(const struct wn_metrics *m)
{
	return (struct wn_scope){m->columns, m->n_columns, m->problem_types, m->n_problems, false};
}

int
wn_scope_problem(uint32_t index)
{
	return index >= PROBLEM && index < PROBLEM + WN_PROBLEMS_MAX ? (int)(index - PROBLEM) : -1;
}

bool
wn_scope_is_of_run(uint32_t index)
{
	return index >= RUN_NUMBER;
}

double
wn_scope_value(const struct wn_metrics *m, wn_grain id, uint32_t index)
{
	if (wn_scope_is_of_run(index))
		return run_numbers[index - RUN_NUMBER].value(&m->totals);
	if (wn_scope_problem(index) >= 0)
		return m->problems[id] >> wn_scope_problem(index) & 1;
	return wn_column_value(&m->columns[index], m, id);
}

static bool
is_row(const void *user, size_t row)
{
	const struct wn_metrics *m = user;
	return wn_is_grain(m->g, (wn_grain)row) && (!m->has_grain || m->has_grain[row]);
}

static double
row_value(const void *user, size_t row, uint32_t index)
{
	return wn_scope_value(user, (wn_grain)row, index);
}

struct wn_expr_table
wn_scope_table(const struct wn_metrics *m)
{
	return (struct wn_expr_table){m->g->n, is_row, row_value, m};
}
