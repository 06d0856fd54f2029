/* SPDX-License-Identifier: MIT */
#include "characterize/lapack.h"

#include "base/error.h"
#include "base/load.h"
#include "base/mem.h"

#include <limits.h>

wn_status
wn_lapack_open(struct wn_lapack *out, wn_err *err)
{
	static const struct wn_load_function functions[] = {
	    {"dgesdd_", offsetof(struct wn_lapack, gesdd)},
	    {"dsyev_", offsetof(struct wn_lapack, syev)},
	    {NULL, 0},
	};
	static const struct wn_load_library lapack = {"LAPACK", "liblapack.so.3", "liblapack3",
	                                              functions};
	return wn_load(&lapack, out, &out->library, err);
}

void
wn_lapack_close(struct wn_lapack *l)
{
	wn_unload(l->library);
	*l = (struct wn_lapack){0};
}

/* Returns the workspace size that the routine needs, or -1. */
static int
svd_room(const struct wn_lapack *l, const int *m, const int *n, const int *least)
{
	double wanted = 0, none = 0;
	int ask = -1, info = 0, unused = 0;
	l->gesdd("S", m, n, &none, m, &none, &none, m, &none, least, &wanted, &ask, &unused, &info,
	         1);
	return info == 0 && wanted > 0 && wanted < INT_MAX ? (int)wanted : -1;
}

wn_status
wn_lapack_svd(const struct wn_lapack *l, size_t n_rows, size_t n_columns, double *at,
              double *values, double *right, wn_err *err)
{
	if (n_rows > INT_MAX / 64 || n_columns > INT_MAX / 64)
		return wn_fail(err, WN_E_LIMIT, WN_NO_OFFSET, "too large a table for LAPACK");
	size_t n_least = n_rows < n_columns ? n_rows : n_columns;
	int m = (int)n_rows, n = (int)n_columns, least = (int)n_least, info = 0;
	int room = svd_room(l, &m, &n, &least);
	double *left = wn_calloc(n_rows, n_least * sizeof *left);
	double *turned = wn_calloc(n_columns, n_least * sizeof *turned);
	double *work = wn_calloc(room > 0 ? (size_t)room : 1, sizeof *work);
	int *iwork = wn_calloc(8 * n_least, sizeof *iwork);
	wn_status st = WN_OK;
	if (!left || !turned || !work || !iwork)
		st = wn_no_memory(err);
	else if (room < 0)
		st = wn_fail(err, WN_E_LIMIT, WN_NO_OFFSET, "too large a table for LAPACK");
	else
		l->gesdd("S", &m, &n, at, &m, values, left, &m, turned, &least, work, &room, iwork,
		         &info, 1);
	if (st == WN_OK && info != 0)
		st = wn_fail(err, WN_E_INVARIANT, WN_NO_OFFSET,
		             "the singular values of the table did not converge");
	for (size_t i = 0; st == WN_OK && i < n_least; i++)
		for (size_t k = 0; k < n_columns; k++)
			right[i * n_columns + k] = turned[k * n_least + i];
	WN_FREE_ALL(left, turned, work, iwork);
	return st;
}

bool
wn_lapack_eigen(const struct wn_lapack *l, int n, double *at, double *values, double *work)
{
	int room = WN_LAPACK_EIGEN_WORK(n), info = 0;
	l->syev("V", "U", &n, at, &n, values, work, &room, &info, 1, 1);
	return info == 0;
}
