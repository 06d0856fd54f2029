/* SPDX-License-Identifier: MIT */
#include "characterize/characterize.h"

#include "base/error.h"
#include "base/mem.h"
#include "characterize/scale.h"

#include <math.h>
#include <string.h>

void
wn_characterization_free(struct wn_characterization *r)
{
	if (!r)
		return;
	WN_FREE_ALL(r->left_variable, r->left_case, r->missing, r->case_of, r->variable_of, r->mean,
	            r->sd);
	wn_pca_fini(&r->pca);
	WN_FREE_ALL(r->merges, r->order, r->cluster, r);
}

static bool
has_no_case(const struct wn_cases *c, size_t variable)
{
	for (size_t i = 0; i < c->n; i++)
		if (!isnan(wn_cases_at(c, i, variable)))
			return false;
	return true;
}

/* Leaves out variables that are missing in all cases, then cases in which another variable is
 * missing. */
static void
leave_missing(struct wn_characterization *r)
{
	const struct wn_cases *c = r->cases;
	for (size_t j = 0; j < c->n_variables; j++)
		r->left_variable[j] = has_no_case(c, j) ? WN_LEFT_MISSING : WN_USED;
	for (size_t i = 0; i < c->n; i++) {
		for (size_t j = c->n_variables; j-- > 0;) {
			if (r->left_variable[j] != WN_USED || !isnan(wn_cases_at(c, i, j)))
				continue;
			r->left_case[i] = WN_LEFT_MISSING;
			r->missing[i] = j;
		}
		if (r->left_case[i] == WN_USED)
			r->case_of[r->n++] = i;
	}
}

/* Copies the variables that differ, autoscaled, column by column: at[r->n * ...]. */
static void
gather(struct wn_characterization *r, double *at)
{
	const struct wn_cases *c = r->cases;
	for (size_t j = 0; j < c->n_variables; j++) {
		double *column = at + r->n_variables * r->n;
		if (r->left_variable[j] != WN_USED)
			continue;
		for (size_t i = 0; i < r->n; i++)
			column[i] = wn_cases_at(c, r->case_of[i], j);
		if (!wn_autoscale(column, r->n, &r->mean[r->n_variables], &r->sd[r->n_variables])) {
			r->left_variable[j] = WN_LEFT_CONSTANT;
			continue;
		}
		r->variable_of[r->n_variables++] = j;
	}
}

static wn_status
cluster(struct wn_characterization *r, wn_err *err)
{
	size_t n_cells = r->n * r->n_kept;
	double *scaled = wn_calloc(n_cells, sizeof *scaled), mean, sd;
	r->merges = wn_calloc(r->n - 1, sizeof *r->merges);
	r->order = wn_calloc(r->n, sizeof *r->order);
	r->cluster = wn_calloc(r->n, sizeof *r->cluster);
	wn_status st = WN_OK;
	if (!scaled || !r->merges || !r->order || !r->cluster)
		WN_TRY(wn_no_memory(err));
	memcpy(scaled, r->pca.scores, n_cells * sizeof *scaled);
	for (size_t k = 0; k < r->n_kept; k++)
		if (!wn_autoscale(scaled + k * r->n, r->n, &mean, &sd))
			memset(scaled + k * r->n, 0, r->n * sizeof *scaled);
	WN_TRY(wn_ward(scaled, r->n, r->n_kept, r->ward, r->merges, r->order, err));
	WN_TRY(wn_ward_cut(r->merges, r->n, r->n_clusters, r->cluster, err));
out:
	wn_free(scaled);
	return st;
}

static wn_status
analyse(struct wn_characterization *r, const double *at, wn_err *err)
{
	struct wn_lapack l;
	wn_status st = wn_lapack_open(&l, err);
	if (st != WN_OK)
		return st;
	WN_TRY(wn_pca(&l, at, r->n, r->n_variables, &r->pca, err));
	r->n_kept = wn_pca_keep(&r->pca, r->keep);
	WN_TRY(cluster(r, err));
	r->is_validated = wn_crossval_is_possible(r->n, r->n_variables);
	if (r->is_validated)
		WN_TRY(wn_crossval(&l, at, r->n, r->n_variables, &r->crossval, err));
out:
	wn_lapack_close(&l);
	return st;
}

static bool
init(struct wn_characterization *r, const struct wn_cases *c,
     const struct wn_characterize_options *o)
{
	r->cases = c;
	r->keep = o && o->keep > 0 ? o->keep : WN_CHARACTERIZE_KEEP;
	r->ward = o ? o->ward : WN_WARD_D2;
	r->n_clusters = o && o->n_clusters ? o->n_clusters : WN_CHARACTERIZE_CLUSTERS;
	r->left_variable = wn_calloc(c->n_variables, 1);
	r->left_case = wn_calloc(c->n, 1);
	r->missing = wn_calloc(c->n, sizeof *r->missing);
	r->case_of = wn_calloc(c->n, sizeof *r->case_of);
	r->variable_of = wn_calloc(c->n_variables, sizeof *r->variable_of);
	r->mean = wn_calloc(c->n_variables, sizeof *r->mean);
	r->sd = wn_calloc(c->n_variables, sizeof *r->sd);
	return r->left_variable && r->left_case && r->missing && r->case_of && r->variable_of &&
	       r->mean && r->sd;
}

wn_status
wn_characterize(const struct wn_cases *c, const struct wn_characterize_options *options,
                struct wn_characterization **out, wn_err *err)
{
	struct wn_characterization *r = wn_calloc(1, sizeof *r);
	double *at = wn_calloc(c->n, c->n_variables * sizeof *at);
	wn_status st = WN_OK;
	if (!r || !at || !init(r, c, options))
		WN_TRY(wn_no_memory(err));
	leave_missing(r);
	if (r->n >= 2)
		gather(r, at);
	r->none = r->n < 2             ? WN_TOO_FEW_CASES
	          : r->n_variables < 1 ? WN_TOO_FEW_VARIABLES
	                               : WN_ANALYSED;
	if (r->n_clusters > r->n)
		r->n_clusters = r->n;
	if (r->none == WN_ANALYSED)
		WN_TRY(analyse(r, at, err));
	*out = r;
	r = NULL;
out:
	wn_characterization_free(r);
	wn_free(at);
	return st;
}
