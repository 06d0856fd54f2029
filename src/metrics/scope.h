/* SPDX-License-Identifier: MIT */
/*
 * scope.h - what names mean in expressions about grains: columns, and numbers of the whole run,
 * which are the same for all grains (run.cpus_used ...). What `kind` may be compared with are
 * words.
 */
#ifndef WN_METRICS_SCOPE_H
#define WN_METRICS_SCOPE_H

#include "expr/expr.h"
#include "metrics/columns.h"

struct wn_scope {
	const struct wn_column *columns; /* [n] */
	size_t n;
	const struct wn_problem_type *problem_types; /* [n_problems] */
	int n_problems;
	bool is_before_problems; /* which grains are problems is not known yet: no is_problem */
};

/* The scope must outlive what is returned. The index of a column is its place in the scope's. */
struct wn_expr_names wn_scope_names(const struct wn_scope *scope);

/* All that a run's metrics have. */
struct wn_scope wn_scope_of(const struct wn_metrics *m);

/* The problem type of an index that is a problem.TYPE, else -1. */
int wn_scope_problem(uint32_t index);

/* Does the whole run have one value of it, the same for all grains? Of an index from that scope. */
bool wn_scope_is_of_run(uint32_t index);

/* One value; m->columns are those of the scope, or begin with them. Cost O(1). Pure. */
double wn_scope_value(const struct wn_metrics *m, wn_grain id, uint32_t index);

/* The grains of a run, or of the part that m is restricted to, as rows for aggregates:
 * wn_is_grain(). `m` must outlive it. */
struct wn_expr_table wn_scope_table(const struct wn_metrics *m);

/* Words for grain kinds: "task", ...; NULL after the last. */
const char *wn_scope_kind_word(size_t k, double *number);

#endif /* WN_METRICS_SCOPE_H */
