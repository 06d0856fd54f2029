/* SPDX-License-Identifier: MIT */
/*
 * test_golden.c - components, clusters and cross-validation are those that R finds (golden.R).
 *
 *     test_golden FOLDER NAME... [--tied NAME...]
 *
 * Where distances are equal but for rounding, which of them is the shortest is no matter of the
 * data: of tied tables the clusters are checked from R's scores on, whose distances are the same
 * doubles.
 */
#include "characterize/characterize.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEAR 1e-9

struct block {
	size_t rows, columns;
	double *at; /* row after row */
};

/* The block of a name; an empty one if it is not there. */
static struct block
block_read(const char *file, const char *name)
{
	struct block b = {0};
	FILE *from = fopen(file, "r");
	char line[256], found[64];
	while (from && !b.at && fgets(line, sizeof line, from)) {
		if (sscanf(line, "block %63s %zu %zu", found, &b.rows, &b.columns) != 3 ||
		    strcmp(found, name) != 0)
			continue;
		b.at = calloc(b.rows * b.columns + 1, sizeof *b.at);
		for (size_t i = 0; b.at && i < b.rows * b.columns; i++)
			if (fscanf(from, "%lf", &b.at[i]) != 1)
				b.rows = 0;
	}
	if (from)
		fclose(from);
	if (!b.at)
		b = (struct block){0};
	return b;
}

/* The greatest difference from a column of a block, of either sign if there is none to be had. */
static double
differs(const struct block *b, size_t column, const double *found, bool any_sign)
{
	double worst[2] = {0, 0};
	for (size_t i = 0; i < b->rows; i++) {
		double wanted = b->at[i * b->columns + column];
		worst[0] = fmax(worst[0], fabs(found[i] - wanted));
		worst[1] = fmax(worst[1], fabs(found[i] + wanted));
	}
	return any_sign ? fmin(worst[0], worst[1]) : worst[0];
}

static void
check_clusters(const char *file, const char *name, const char *prefix, enum wn_ward kind)
{
	const char *word = kind == WN_WARD_D ? "ward.D" : "ward.D2";
	char key[5][64];
	static const char *const parts[5] = {"points", "merge.", "height.", "order.", "cut."};
	struct block b[5];
	wn_err err;
	for (int k = 0; k < 5; k++) {
		snprintf(key[k], sizeof key[k], "%s%s%s", prefix, parts[k], k ? word : "");
		b[k] = block_read(file, key[k]);
	}
	size_t n = b[0].rows, n_columns = b[0].columns;
	double *at = calloc(n * n_columns + 1, sizeof *at);
	struct wn_merge *merges = calloc(n + 1, sizeof *merges);
	size_t *order = calloc(n + 1, sizeof *order), *cut = calloc(n + 1, sizeof *cut);
	bool same_merges = true, same_order = true, same_cut = true;
	double worst = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n_columns; k++)
			at[k * n + i] = b[0].at[i * n_columns + k];
	bool is_done = n > 2 && b[1].rows == n - 1 && b[4].rows == n &&
	               wn_ward(at, n, n_columns, kind, merges, order, &err) == WN_OK &&
	               wn_ward_cut(merges, n, 5, cut, &err) == WN_OK;
	for (size_t i = 0; is_done && i < n; i++) {
		same_order = same_order && (double)order[i] + 1 == b[3].at[i];
		same_cut = same_cut && (double)cut[i] + 1 == b[4].at[i];
		if (i + 1 == n)
			continue;
		same_merges = same_merges && merges[i].a == (int32_t)b[1].at[2 * i] &&
		              merges[i].b == (int32_t)b[1].at[2 * i + 1];
		worst = fmax(worst, fabs(merges[i].height - b[2].at[i]));
	}
	ok(is_done, "%s: %s%s clusters %zu points", name, prefix, word, n);
	ok(is_done && same_merges, "%s: %s%s merges are R's, in R's order", name, prefix, word);
	ok(is_done && worst <= NEAR, "%s: %s%s heights are R's (%.1e)", name, prefix, word, worst);
	ok(is_done && same_order && same_cut, "%s: %s%s order and five clusters are R's", name,
	   prefix, word);
	for (int k = 0; k < 5; k++)
		free(b[k].at);
	free(at);
	free(merges);
	free(order);
	free(cut);
}

static void
check_components(const char *file, const char *name, const struct wn_characterization *r)
{
	struct block sdev = block_read(file, "sdev"), share = block_read(file, "share"),
		     loadings = block_read(file, "loadings"), scores = block_read(file, "scores"),
		     kept = block_read(file, "kept");
	const struct wn_pca *p = &r->pca;
	bool is_there = sdev.rows == p->n_components && share.rows == p->n_components &&
	                loadings.columns == p->n_components && scores.columns == p->n_components &&
	                scores.rows == p->n && kept.at;
	double worst_scores = 0, worst_loadings = 0;
	ok(is_there, "%s: %zu components of %zu rows", name, p->n_components, p->n);
	for (size_t k = 0; is_there && k < p->n_components; k++) {
		worst_scores = fmax(worst_scores, differs(&scores, k, p->scores + k * p->n, true));
		worst_loadings = fmax(
		    worst_loadings, differs(&loadings, k, p->loadings + k * p->n_variables, true));
	}
	ok(is_there && differs(&sdev, 0, p->sd, false) <= NEAR, "%s: deviations are R's", name);
	ok(is_there && differs(&share, 0, p->share, false) <= NEAR, "%s: shares are R's", name);
	ok(is_there && worst_loadings <= NEAR, "%s: loadings are R's up to sign (%.1e)", name,
	   worst_loadings);
	ok(is_there && worst_scores <= NEAR, "%s: scores are R's up to sign (%.1e)", name,
	   worst_scores);
	ok(is_there && (double)r->n_kept == kept.at[0], "%s: %zu components are kept", name,
	   r->n_kept);
	free(sdev.at);
	free(share.at);
	free(loadings.at);
	free(scores.at);
	free(kept.at);
}

static void
check_validation(const char *file, const char *name, const struct wn_characterization *r)
{
	struct block errors = block_read(file, "errors"), best = block_read(file, "best");
	double worst = 0;
	bool is_there = errors.rows == r->crossval.n && r->crossval.n > 0 && best.at;
	for (size_t q = 0; is_there && q < r->crossval.n; q++)
		worst = fmax(worst, fabs(r->crossval.error[q] - errors.at[q]) / errors.at[q]);
	ok(is_there && worst <= NEAR, "%s: errors of 0 to %zu components are R's (%.1e)", name,
	   r->crossval.n - 1, worst);
	ok(is_there && (double)r->crossval.best == best.at[0], "%s: %zu tell hidden cells best",
	   name, r->crossval.best);
	free(errors.at);
	free(best.at);
}

/* From the table to the clusters, without R's numbers in between. */
static void
check_whole(const char *file, const char *name, const struct wn_characterization *r)
{
	struct block merge = block_read(file, "merge.ward.D2"),
		     height = block_read(file, "height.ward.D2"),
		     cut = block_read(file, "cut.ward.D2");
	bool same = merge.rows + 1 == r->n && cut.rows == r->n, same_cut = same;
	double worst = same ? 0 : INFINITY;
	for (size_t i = 0; same_cut && i < r->n; i++)
		same_cut = (double)r->cluster[i] + 1 == cut.at[i];
	for (size_t i = 0; i + 1 < r->n && i < merge.rows; i++) {
		same = same && r->merges[i].a == (int32_t)merge.at[2 * i] &&
		       r->merges[i].b == (int32_t)merge.at[2 * i + 1];
		worst = fmax(worst, fabs(r->merges[i].height - height.at[i]));
	}
	ok(same, "%s: the whole way, merges are R's", name);
	ok(worst <= NEAR, "%s: the whole way, heights are R's (%.1e)", name, worst);
	ok(same_cut, "%s: the whole way, five clusters are R's", name);
	free(merge.at);
	free(height.at);
	free(cut.at);
}

static void
check(const char *folder, const char *name, bool is_tied)
{
	char csv[512], file[512];
	struct wn_cases cases = {0};
	struct wn_characterization *r = NULL;
	wn_err err = {.msg = ""};
	snprintf(csv, sizeof csv, "%s/%s.csv", folder, name);
	snprintf(file, sizeof file, "%s/%s.golden", folder, name);
	FILE *from = fopen(csv, "r");
	bool is_done = from && wn_cases_read(from, &cases, &err) == WN_OK &&
	               wn_characterize(&cases, NULL, &r, &err) == WN_OK;
	ok(is_done && r->none == WN_ANALYSED, "%s: characterised %s", name, err.msg);
	for (int kind = WN_WARD_D2; kind <= WN_WARD_D; kind++) {
		check_clusters(file, name, "", (enum wn_ward)kind);
		check_clusters(file, name, "raw.", (enum wn_ward)kind);
	}
	if (is_done && r->none == WN_ANALYSED) {
		check_components(file, name, r);
		check_validation(file, name, r);
		if (!is_tied)
			check_whole(file, name, r);
	}
	wn_characterization_free(r);
	wn_cases_fini(&cases);
	if (from)
		fclose(from);
}

int
main(int argc, char **argv)
{
	bool is_tied = false;
	for (int i = 2; i < argc; i++) {
		if (strcmp(argv[i], "--tied") == 0)
			is_tied = true;
		else
			check(argv[1], argv[i], is_tied);
	}
	return done();
}
