/* SPDX-License-Identifier: MIT */
/* scope.h - resolves names in expressions about grains: columns, and numbers of the whole run,
 * which are the same for all grains (run.cpus_used ...). `kind` is compared with words. */
#pragma once

#include "expr/expr.h"
#include "metrics/columns.h"

struct wn_scope {
	const struct wn_column *columns; /* [n] */
	size_t n;
	const struct wn_problem_type *problem_types; /* [n_problems] */
	int n_problems;
	bool is_before_problems; /* problems of grains are not known yet: no is_problem */
};

/* The scope must outlive the result. Indices of columns are those of the scope. */
struct wn_expr_names wn_scope_names(const struct wn_scope *scope);

/* Returns the scope of all names of a run's metrics. */
struct wn_scope wn_scope_of(const struct wn_metrics *m);

/* Returns the problem type of a problem.TYPE index, else -1. */
int wn_scope_problem(uint32_t index);

/* Returns whether an index of that scope has one value for the whole run. */
bool wn_scope_is_of_run(uint32_t index);

/* Returns a value; m->columns must start with the columns of the scope. Cost O(1). Pure. */
double wn_scope_value(const struct wn_metrics *m, wn_grain id, uint32_t index);

/* The grains of a run, or of the part that m is restricted to, as rows for aggregates:
 * wn_is_grain(). `m` must outlive it. */
struct wn_expr_table wn_scope_table(const struct wn_metrics *m);

/* Words for grain kinds: "task", ...; NULL after the last. */
const char *wn_scope_kind_word(size_t k, double *number);
