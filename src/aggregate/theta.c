/* SPDX-License-Identifier: MIT */
#include "aggregate/theta.h"

#include "aggregate/separate.h"
#include "base/error.h"
#include "base/mem.h"

#include <math.h>

static bool
is_measured(const struct wn_metrics *m)
{
	for (wn_grain id = 0; id < m->g->n; id++)
		if (wn_is_grain(m->g, id) &&
		    !isnan(wn_problem_value(m, id, WN_PROBLEM_PARALLEL_BENEFIT)))
			return true;
	return false;
}

static wn_status
of_problems(const struct wn_metrics *m, const struct wn_tree *t, struct wn_theta *out, wn_err *err)
{
	uint8_t *is_problem = wn_calloc(m->g->n, 1);
	wn_status st;
	if (!is_problem)
		return wn_no_memory(err);
	wn_tree_problems(m, 1u << WN_PROBLEM_PARALLEL_BENEFIT, is_problem);
	st = wn_tree_theta_apart(t, is_problem, &out->theta_problem_max, err);
	if (st == WN_OK && out->theta_problem_max == 0)
		out->theta_problem_max = 1;
	wn_free(is_problem);
	return st;
}

/* An implicit task that created nothing is in no linear group of its own. */
static bool
has_childless(const struct wn_tree *t)
{
	for (wn_tree_node i = 0; i < t->n; i++) {
		wn_tree_node up = t->parent[i];
		if (t->kind[i] == WN_TREE_GRAIN && t->g->kind[t->ref[i]] == WN_GRAIN_IMPLICIT &&
		    (up == WN_NO_TREE_NODE || t->kind[up] != WN_TREE_LINEAR ||
		     t->ref[up] != t->ref[i]))
			return true;
	}
	return false;
}

static wn_status
theta_of_tree(const struct wn_metrics *m, const struct wn_tree *t, struct wn_theta *out,
              wn_err *err)
{
	struct wn_theta theta = {0};
	wn_status st = WN_OK;
	theta.n_grains = t->n_of_kind[WN_TREE_GRAIN];
	theta.n_fork_joins = t->n_of_kind[WN_TREE_FORK_JOIN];
	theta.n_nodes = theta.n_grains + 2 * (uint64_t)theta.n_fork_joins + 2;
	theta.n_tree_nodes = t->n;
	theta.n_groups = t->n - theta.n_grains;
	theta.theta_max = t->theta_max;
	theta.has_theta = theta.n_grains > 0;
	theta.has_problem = theta.has_theta && is_measured(m);
	if (theta.has_problem)
		st = of_problems(m, t, &theta, err);
	if (st == WN_OK)
		*out = theta;
	return st;
}

wn_status
wn_theta_of(const struct wn_metrics *m, const struct wn_tree *known, unsigned n_threads,
            struct wn_theta *out, wn_err *err)
{
	struct wn_tree_options options = {.n_threads = n_threads, .drops_childless = true};
	struct wn_tree *t;
	if (known && !has_childless(known))
		return theta_of_tree(m, known, out, err);
	wn_status st = wn_tree_build_as(m->g, &options, &t, err);
	if (st != WN_OK)
		return st;
	st = theta_of_tree(m, t, out, err);
	wn_tree_free(t);
	return st;
}

double
wn_theta_savings(const struct wn_theta *t, uint32_t theta)
{
	return 100 * (1 - (double)theta / (double)t->n_nodes);
}
