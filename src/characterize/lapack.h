/* SPDX-License-Identifier: MIT */
/*
 * lapack.h - loads the few routines of LAPACK that are used when they are needed.
 *
 * The library is loaded by name and not linked: only one verb needs it, and some implementations
 * start threads as soon as they are loaded, which a command that starts the measured program must
 * not do. Matrices are stored by columns, as LAPACK expects.
 */
#pragma once

#include "winnow/base.h"

typedef void wn_lapack_gesdd(const char *jobz, const int *m, const int *n, double *a,
                             const int *lda, double *s, double *u, const int *ldu, double *vt,
                             const int *ldvt, double *work, const int *lwork, int *iwork, int *info,
                             size_t jobz_bytes);
typedef void wn_lapack_syev(const char *jobz, const char *uplo, const int *n, double *a,
                            const int *lda, double *w, double *work, const int *lwork, int *info,
                            size_t jobz_bytes, size_t uplo_bytes);

struct wn_lapack {
	void *library;
	wn_lapack_gesdd *gesdd;
	wn_lapack_syev *syev;
};

/**
 * Loads LAPACK.
 *
 * @param out  written on success; release with wn_lapack_close().
 * @return WN_OK · WN_E_IO (not found; the message names the package)
 * Threads  pure.
 */
WN_MUST_CHECK wn_status wn_lapack_open(struct wn_lapack *out, wn_err *err);
void wn_lapack_close(struct wn_lapack *l);

/**
 * Singular values and right singular vectors of an n_rows x n_columns matrix, n = the smaller of
 * the two (dgesdd).
 *
 * @param at      [n_rows * n_columns] is overwritten.
 * @param values  [n] greatest first.
 * @param right   [n_columns * n] one vector after the other, of any sign.
 * @return WN_OK · WN_E_NOMEM · WN_E_LIMIT (too large for LAPACK's integers) · WN_E_INVARIANT (did
 *         not converge)
 * Cost     O(n_rows * n_columns * n). Threads  pure.
 */
WN_MUST_CHECK wn_status wn_lapack_svd(const struct wn_lapack *l, size_t n_rows, size_t n_columns,
                                      double *at, double *values, double *right, wn_err *err);

/* Size of the workspace of wn_lapack_eigen(), in numbers. */
#define WN_LAPACK_EIGEN_WORK(n) (34 * (n))

/**
 * Eigenvalues and eigenvectors of a symmetric n x n matrix (dsyev).
 *
 * @param at      [n * n] in: the upper triangle; out: the eigenvectors, one after the other, of
 *                any sign.
 * @param values  [n] smallest first.
 * @param work    [WN_LAPACK_EIGEN_WORK(n)]
 * @return false: did not converge.
 * Cost     O(n^3). Threads  pure.
 */
WN_MUST_CHECK bool wn_lapack_eigen(const struct wn_lapack *l, int n, double *at, double *values,
                                   double *work);
