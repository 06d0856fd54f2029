/* SPDX-License-Identifier: MIT */
/* pca.h - principal components: orthogonal directions of largest variance in a table. */
#pragma once

#include "characterize/lapack.h"

struct wn_pca {
	size_t n, n_variables, n_components; /* the least of n - 1 and n_variables */
	double *sd;                          /* [n_components] of scores, divisor n */
	double *share;      /* [n_components] share of the table's variance, 0 to 1 */
	double *cumulative; /* [n_components] of this one and those before */
	double *loadings;   /* [n_variables * n_components] by components; each of length 1 */
	double *scores;     /* [n * n_components] by components */
};

/**
 * Computes the principal components of a table whose columns have mean 0, as R's princomp():
 * standard deviations with divisor n; the first loading of each component is not negative.
 * princomp() rejects tables with fewer rows than columns; here they have n - 1 components.
 *
 * @param at   [n * n_variables] by columns, n >= 2, n_variables >= 1.
 * @param out  written on success; release with wn_pca_fini().
 * @return WN_OK · WN_E_NOMEM · as wn_lapack_svd()
 * Cost     O(n * n_variables * n_components). Threads  pure.
 * Source   [P2] step 2. Oracle  tests/characterize/prop_characterize.c; R's princomp(),
 *          tests/characterize/golden.
 */
WN_MUST_CHECK wn_status wn_pca(const struct wn_lapack *l, const double *at, size_t n,
                               size_t n_variables, struct wn_pca *out, wn_err *err);
void wn_pca_fini(struct wn_pca *p);

/* Returns the smallest number of components that together explain `share` of the variance ([P2]
 * step 3). */
size_t wn_pca_keep(const struct wn_pca *p, double share);
