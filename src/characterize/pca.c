/* SPDX-License-Identifier: MIT */
#include "characterize/pca.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>
#include <string.h>

/* Tolerance for rounding errors in the sum of shares, so that a requested share of 1 is reached. */
#define ROUNDING 1e-12

void
wn_pca_fini(struct wn_pca *p)
{
	WN_FREE_ALL(p->sd, p->share, p->cumulative, p->loadings, p->scores);
	*p = (struct wn_pca){0};
}

static bool
init(struct wn_pca *p, size_t n, size_t n_variables)
{
	p->n = n;
	p->n_variables = n_variables;
	p->n_components = n - 1 < n_variables ? n - 1 : n_variables;
	p->sd = wn_calloc(p->n_components, sizeof *p->sd);
	p->share = wn_calloc(p->n_components, sizeof *p->share);
	p->cumulative = wn_calloc(p->n_components, sizeof *p->cumulative);
	p->loadings = wn_calloc(p->n_components * n_variables, sizeof *p->loadings);
	p->scores = wn_calloc(p->n_components * n, sizeof *p->scores);
	return p->sd && p->share && p->cumulative && p->loadings && p->scores;
}

static void
turn(double *vector, size_t n)
{
	if (!(vector[0] < 0))
		return;
	for (size_t i = 0; i < n; i++)
		vector[i] = -vector[i];
}

static void
project(struct wn_pca *p, const double *at)
{
	for (size_t k = 0; k < p->n_components; k++) {
		const double *loading = p->loadings + k * p->n_variables;
		double *score = p->scores + k * p->n;
		for (size_t j = 0; j < p->n_variables; j++)
			for (size_t i = 0; i < p->n; i++)
				score[i] += at[j * p->n + i] * loading[j];
	}
}

static void
share_out(struct wn_pca *p, const double *singular, size_t n_singular)
{
	double all = 0, sum = 0;
	for (size_t k = 0; k < n_singular; k++)
		all += singular[k] * singular[k];
	for (size_t k = 0; k < p->n_components; k++) {
		double part = singular[k] * singular[k];
		sum += part;
		p->sd[k] = singular[k] / sqrt((double)p->n);
		p->share[k] = part / all;
		p->cumulative[k] = sum / all;
	}
}

wn_status
wn_pca(const struct wn_lapack *l, const double *at, size_t n, size_t n_variables,
       struct wn_pca *out, wn_err *err)
{
	struct wn_pca p = {0};
	size_t n_singular = n < n_variables ? n : n_variables;
	double *copy = wn_calloc(n * n_variables, sizeof *copy);
	double *singular = wn_calloc(n_singular, sizeof *singular);
	double *right = wn_calloc(n_singular * n_variables, sizeof *right);
	wn_status st = WN_OK;
	if (!init(&p, n, n_variables) || !copy || !singular || !right)
		WN_TRY(wn_no_memory(err));
	memcpy(copy, at, n * n_variables * sizeof *copy);
	WN_TRY(wn_lapack_svd(l, n, n_variables, copy, singular, right, err));
	memcpy(p.loadings, right, p.n_components * n_variables * sizeof *right);
	for (size_t k = 0; k < p.n_components; k++)
		turn(p.loadings + k * n_variables, n_variables);
	project(&p, at);
	share_out(&p, singular, n_singular);
	*out = p;
	p = (struct wn_pca){0};
out:
	wn_pca_fini(&p);
	WN_FREE_ALL(copy, singular, right);
	return st;
}

size_t
wn_pca_keep(const struct wn_pca *p, double share)
{
	size_t k = 0;
	while (k + 1 < p->n_components && p->cumulative[k] < share - ROUNDING)
		k++;
	return p->n_components ? k + 1 : 0;
}
