/* SPDX-License-Identifier: MIT */
/* crossval.h - estimates the number of significant components of a table: the number that predicts
 * hidden cells best from the others, each cell hidden once. */
#pragma once

#include "characterize/lapack.h"

#define WN_CROSSVAL_COMPONENTS 5u /* largest number tried */

struct wn_crossval {
	size_t n; /* numbers tried: 0 to n - 1; 0: none could be tried */
	double error[WN_CROSSVAL_COMPONENTS + 1]; /* mean square error over all cells */
	size_t best;                              /* number with the smallest error */
	size_t n_unsettled; /* cells that did not converge within 1000 steps, over all n */
};

/**
 * Leave-one-out cross-validation of the number of principal components, by regularised iterative
 * PCA. The definition is in doc/characterize.md.
 *
 * @param at   [n * n_variables] by columns; no NAN, no column constant.
 * @param out  written on success. Numbers tried: 0 to min(5, n_variables - 1, n - 2) components.
 * @return WN_OK · WN_E_NOMEM · WN_E_INVARIANT (an eigenvalue did not converge)
 * Cost     O(cells * steps * n * n_variables * min(n, n_variables)), spread over all CPUs, with
 *          the same result. Threads  pure.
 * Source   [P2] step 7; Josse and Husson 2012 (missMDA, estim_ncpPCA, method "loo").
 * Oracle   tests/characterize/prop_characterize.c; R, tests/characterize/golden.
 */
WN_MUST_CHECK wn_status wn_crossval(const struct wn_lapack *l, const double *at, size_t n,
                                    size_t n_variables, struct wn_crossval *out, wn_err *err);

/* Returns whether cross-validation of a table takes about a minute or less. */
bool wn_crossval_is_possible(size_t n, size_t n_variables);
