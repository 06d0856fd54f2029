/* SPDX-License-Identifier: MIT */
/* theta.h - computes how many nodes must be visible at once: the sizes in [P5]'s table 1. */
#pragma once

#include "aggregate/tree.h"
#include "metrics/metrics.h"

struct wn_theta {
	uint32_t n_grains, n_fork_joins;
	uint64_t n_nodes;      /* of the reduced graph: grains, forks, joins, S and E */
	uint32_t n_tree_nodes; /* grains and groups */
	uint32_t n_groups;
	uint32_t theta_max;         /* over all grains; 0 if there are none */
	uint32_t theta_problem_max; /* over grains that have the problem, separated from the others;
	                               1, the closed root, if none has it */
	bool has_theta;             /* there are grains */
	bool has_problem;           /* ... and parallel benefit was measured */
};

/**
 * Folds a graph and computes its sizes as [P5] does: without implicit tasks that created nothing.
 * The problem is low parallel benefit, with the threshold in force.
 *
 * @param m          its graph may be lean.
 * @param known      NULL, or the tree of the same graph (wn_tree_build()), which saves building one
 *                   where all implicit tasks created something.
 * @param n_threads  0 = as many as there are CPUs.
 * @return WN_OK · WN_E_NOMEM · WN_E_LIMIT · WN_E_INVARIANT, as wn_tree_build().
 * Cost     O(n); memory as wn_tree_build(), and 5 bytes per node.
 * Source   [P5] table 1; doc/metrics.md, "Groups".
 */
WN_MUST_CHECK wn_status wn_theta_of(const struct wn_metrics *m, const struct wn_tree *known,
                                    unsigned n_threads, struct wn_theta *out, wn_err *err);

/* 100 (1 - theta / nodes) */
double wn_theta_savings(const struct wn_theta *t, uint32_t theta);
