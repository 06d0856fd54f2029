/* SPDX-License-Identifier: MIT */
/*
 * ward.h - agglomerative clustering by Ward's criterion of minimum variance.
 *
 * Each case starts as a cluster; the two nearest ones are merged n - 1 times. The result is
 * written as R's hclust() writes it: merge i (from 1) joins a and b; negative numbers are cases
 * (-1 = the first), positive ones earlier merges; a case comes before a merge, the earlier merge
 * first.
 */
#pragma once

#include "winnow/base.h"

#define WN_WARD_CASES_MAX 10000u /* their distances take 400 MB */

enum wn_ward {
	WN_WARD_D2 = 0, /* Ward's criterion: the recurrence on squared distances */
	WN_WARD_D       /* the same on plain distances: R's "ward" before 3.1 */
};

struct wn_merge {
	int32_t a, b;
	double height;
};

/**
 * Clusters the rows of a table by Euclidean distance.
 *
 * Ties: clusters are identified by their first case. Each keeps its nearest neighbour among the
 * clusters after it, the first one found among equals; among clusters equally near to their
 * neighbours, the first is merged. A new cluster replaces a neighbour only if it is nearer.
 *
 * @param at      [n * n_columns] by columns; no NAN.
 * @param merges  [n - 1]
 * @param order   [n] cases from left to right, so that no branches cross; from 0.
 * @return WN_OK · WN_E_NOMEM · WN_E_LIMIT (more than WN_WARD_CASES_MAX rows)
 * Cost     O(n^2 * (n_columns + 1)) as a rule, n^3 at worst; 4 n^2 bytes. Threads  pure.
 * Source   [P2] step 5; Murtagh 1985 (nearest neighbours); Murtagh and Legendre 2014 (D and D2).
 * Oracle   tests/characterize/prop_characterize.c; R's hclust(), tests/characterize/golden.
 */
WN_MUST_CHECK wn_status wn_ward(const double *at, size_t n, size_t n_columns, enum wn_ward kind,
                                struct wn_merge *merges, size_t *order, wn_err *err);

/**
 * Cuts the tree into n_clusters, at most n. Clusters are numbered from 0 by their first case.
 *
 * @param cluster  [n]
 * @return WN_OK · WN_E_NOMEM.  Cost O(n). Threads  pure. Source  R's cutree().
 */
WN_MUST_CHECK wn_status wn_ward_cut(const struct wn_merge *merges, size_t n, size_t n_clusters,
                                    size_t *cluster, wn_err *err);
