/* SPDX-License-Identifier: MIT */
/*
 * prop_characterize.c - components, clusters, cross-validation and cut-offs of random tables
 * against slow twins, and laws that hold of any table.
 */
#include "base/mem.h"
#include "base/mix.h"
#include "characterize/characterize.h"
#include "characterize/scale.h"
#include "slow.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TABLES 60u
#define NEAR   1e-9

static uint64_t state;

/* From -1 to 1. */
static double
some(void)
{
	state = wn_mix(state, 1);
	return (double)(state >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

/* Autoscaled columns that are not independent: by columns, and row after row. */
struct table {
	size_t n, p;
	double *columns, *rows;
};

static struct table
table_make(uint64_t seed)
{
	state = wn_mix(seed, 2015);
	struct table t = {.n = 2 + seed % 17, .p = 1 + seed % 7};
	t.columns = calloc(t.n * t.p, sizeof(double));
	t.rows = calloc(t.n * t.p, sizeof(double));
	for (size_t i = 0; i < t.n; i++) {
		double cause = some();
		for (size_t j = 0; j < t.p; j++)
			t.columns[j * t.n + i] = some() + (double)(j % 3) * cause;
	}
	for (size_t j = 0; j < t.p; j++) {
		double mean, sd;
		if (!wn_autoscale(t.columns + j * t.n, t.n, &mean, &sd))
			abort();
		for (size_t i = 0; i < t.n; i++)
			t.rows[i * t.p + j] = t.columns[j * t.n + i];
	}
	return t;
}

static void
table_fini(struct table *t)
{
	free(t->columns);
	free(t->rows);
}

static bool
components_agree(const struct wn_lapack *l, const struct table *t)
{
	struct wn_pca pca;
	wn_err err;
	double *m = calloc(t->p * t->p, sizeof *m), *values = calloc(t->p, sizeof *values),
	       *vectors = calloc(t->p * t->p, sizeof *vectors), worst = 0;
	for (size_t a = 0; a < t->p; a++)
		for (size_t b = 0; b < t->p; b++)
			for (size_t i = 0; i < t->n; i++)
				m[a * t->p + b] +=
				    t->rows[i * t->p + a] * t->rows[i * t->p + b] / (double)t->n;
	slow_eigen(t->p, m, values, vectors);
	if (wn_pca(l, t->columns, t->n, t->p, &pca, &err) != WN_OK)
		return false;
	bool is_good = pca.n_components == (t->n - 1 < t->p ? t->n - 1 : t->p) &&
	               fabs(pca.cumulative[pca.n_components - 1] - 1) < NEAR;
	for (size_t k = 0; k < pca.n_components; k++) {
		worst = fmax(worst, fabs(pca.sd[k] * pca.sd[k] - values[k]));
		double apart[2] = {0, 0};
		for (size_t i = 0; i < t->n; i++) {
			double score = 0;
			for (size_t j = 0; j < t->p; j++)
				score += t->rows[i * t->p + j] * vectors[k * t->p + j];
			apart[0] = fmax(apart[0], fabs(score - pca.scores[k * t->n + i]));
			apart[1] = fmax(apart[1], fabs(score + pca.scores[k * t->n + i]));
		}
		worst = fmax(worst, fmin(apart[0], apart[1]));
		is_good = is_good && pca.loadings[k * t->p] >= 0;
	}
	wn_pca_fini(&pca);
	free(m);
	free(values);
	free(vectors);
	return is_good && worst < NEAR;
}

static bool
same_parts(const size_t *a, const size_t *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			if ((a[i] == a[k]) != (b[i] == b[k]))
				return false;
	return true;
}

static bool
clusters_agree(const struct table *t)
{
	struct wn_merge *merges = calloc(t->n, sizeof *merges);
	size_t *order = calloc(t->n, sizeof *order), *cut = calloc(t->n, sizeof *cut),
	       *last = calloc(t->n, sizeof *last), k = 1 + t->n / 3;
	double *heights = calloc(t->n, sizeof *heights), worst = 0;
	wn_err err;
	for (size_t i = 0; i < t->n; i++)
		last[i] = i;
	bool is_good = wn_ward(t->columns, t->n, t->p, WN_WARD_D2, merges, order, &err) == WN_OK &&
	               wn_ward_cut(merges, t->n, k, cut, &err) == WN_OK;
	slow_ward_d2(t->rows, t->n, t->p, heights, last, k);
	if (k == 1)
		memset(last, 0, t->n * sizeof *last);
	for (size_t i = 0; i + 1 < t->n; i++)
		worst = fmax(worst, fabs(merges[i].height - heights[i]));
	is_good = is_good && worst < NEAR && same_parts(cut, last, t->n);
	is_good =
	    is_good && wn_ward(t->columns, t->n, t->p, WN_WARD_D, merges, order, &err) == WN_OK;
	slow_ward_d(t->rows, t->n, t->p, heights);
	for (size_t i = 0; i + 1 < t->n; i++)
		worst = fmax(worst, fabs(merges[i].height - heights[i]));
	/* no branches cross: each merge's cases are neighbours, which an order has once each */
	memset(cut, 0, t->n * sizeof *cut);
	for (size_t i = 0; i < t->n; i++)
		is_good = is_good && order[i] < t->n && cut[order[i]]++ == 0;
	free(merges);
	free(order);
	free(cut);
	free(last);
	free(heights);
	return is_good && worst < NEAR;
}

static bool
validation_agrees(const struct wn_lapack *l, const struct table *t)
{
	struct wn_crossval c;
	wn_err err;
	double worst = 0;
	if (wn_crossval(l, t->columns, t->n, t->p, &c, &err) != WN_OK)
		return false;
	size_t n_wanted = t->p < t->n - 1 ? t->p : t->n - 1;
	bool is_good = c.n == (n_wanted < 6 ? n_wanted : 6);
	for (size_t q = 0; q < c.n; q++) {
		double wanted = slow_loo(t->rows, t->n, t->p, q);
		worst = fmax(worst, fabs(c.error[q] - wanted) / wanted);
		is_good = is_good && c.error[c.best] <= c.error[q];
	}
	if (!(worst < 1e-7))
		note("%zu x %zu: %.1e", t->n, t->p, worst);
	return is_good && worst < 1e-7;
}

/* Units do not matter, and the order of rows only for names. */
static bool
laws_hold(const struct table *t, uint64_t seed)
{
	struct wn_cases c[2] = {{0}, {0}};
	struct wn_characterization *r[2] = {NULL, NULL};
	wn_err err;
	char name[32];
	double row[WN_CROSSVAL_COMPONENTS + 10];
	bool is_good = true;
	for (int k = 0; k < 2; k++) {
		for (size_t j = 0; j < t->p; j++) {
			snprintf(name, sizeof name, "v%zu", j);
			is_good = is_good && wn_cases_add_variable(&c[k], name, &err) == WN_OK;
		}
		for (size_t i = 0; i < t->n; i++) {
			size_t from = k ? t->n - 1 - i : i;
			for (size_t j = 0; j < t->p; j++)
				row[j] =
				    t->rows[from * t->p + j] * (k ? 1000.0 * (double)(j + 1) : 1) +
				    (k ? 7 : 0);
			snprintf(name, sizeof name, "c%zu", from);
			is_good = is_good && wn_cases_add(&c[k], name, row, &err) == WN_OK;
		}
		struct wn_characterize_options o = {.keep = 0.5 + (double)(seed % 5) / 10,
		                                    .n_clusters = 1 + seed % 4};
		is_good = is_good && wn_characterize(&c[k], &o, &r[k], &err) == WN_OK;
	}
	is_good = is_good && r[0]->n == t->n && r[0]->n_kept == r[1]->n_kept;
	/* n - 1 autoscaled components: all are equally far from each other */
	for (size_t i = 0; is_good && r[0]->n_kept < t->n - 1 && i < t->n; i++) {
		for (size_t m = 0; m < t->n; m++)
			is_good = is_good &&
			          (r[0]->cluster[i] == r[0]->cluster[m]) ==
			              (r[1]->cluster[t->n - 1 - i] == r[1]->cluster[t->n - 1 - m]);
	}
	for (size_t k = 0; is_good && k < r[0]->pca.n_components; k++)
		is_good = fabs(r[0]->pca.sd[k] - r[1]->pca.sd[k]) < NEAR;
	if (!is_good)
		note("seed %llu, %zu x %zu", (unsigned long long)seed, t->n, t->p);
	for (int k = 0; k < 2; k++) {
		wn_characterization_free(r[k]);
		wn_cases_fini(&c[k]);
	}
	return is_good;
}

/* The range against a walk in small steps. */
static bool
range_agrees(uint64_t seed)
{
	struct wn_cutoff runs[8];
	struct wn_cutoff_range range;
	state = wn_mix(seed, 99);
	size_t n = 2 + seed % 6;
	for (size_t i = 0; i < n; i++) {
		runs[i].at = pow(2, (double)(i + 1));
		for (int k = 0; k < WN_TREND_N; k++)
			runs[i].ns[k] = exp(8 + 3 * some());
	}
	wn_cutoff_range(runs, n, &range);
	size_t n_good = 0, n_meet[2] = {0, 0};
	double widest = -1, start = NAN;
	bool was[2] = {false, false};
	for (size_t step = 0; step <= (n - 1) * 10000; step++) {
		size_t i = step / 10000 < n - 1 ? step / 10000 : n - 2;
		double t = (double)step / 10000 - (double)i, y[WN_TREND_N];
		for (int k = 0; k < WN_TREND_N; k++)
			y[k] = (1 - t) * log(runs[i].ns[k]) + t * log(runs[i + 1].ns[k]);
		bool above[2] = {y[WN_TREND_PARALLELISATION] > y[WN_TREND_EXECUTION],
		                 y[WN_TREND_IDLE] > y[WN_TREND_PARALLELISATION]};
		for (int k = 0; k < 2; k++) {
			n_meet[k] += step > 0 && above[k] != was[k];
			was[k] = above[k];
		}
		double x = (double)i + t;
		bool is_good = !above[0] && !above[1];
		n_good += is_good && isnan(start);
		start = !is_good ? NAN : isnan(start) ? x : start;
		widest = is_good ? fmax(widest, x - start) : widest;
	}
	bool same = n_good == range.n_good && n_meet[0] == range.grain.n &&
	            n_meet[1] == range.idle.n &&
	            (n_good == 0 || fabs(log2(range.to / range.from) - widest) < 1e-3);
	return same || (note("seed %llu", (unsigned long long)seed), false);
}

/* Text that was a table, with a few bytes that are others: cases or a message, and nothing is left.
 */
static bool
reader_holds(uint64_t seed)
{
	static const char table[] =
	    "name,a,b,\"c,\"\"d\"\nx,1,2,3\n\"y\"\"\",-1e3,NA,\nz,4,5.5,6\n";
	static const char odd[] = "\"\n,\r\0ex9-\xff";
	char text[sizeof table];
	struct wn_cases c = {0};
	wn_err err = {.msg = ""};
	memcpy(text, table, sizeof table);
	state = wn_mix(seed, 7);
	for (uint64_t k = 0; k < 1 + seed % 4; k++) {
		state = wn_mix(state, k);
		text[state % (sizeof table - 1)] = odd[(state >> 32) % (sizeof odd - 1)];
	}
	long before = wn_mem_live();
	FILE *from = fmemopen(text, sizeof table - 1 - seed % 3, "r");
	wn_status st = from ? wn_cases_read(from, &c, &err) : WN_E_IO;
	bool is_good = from && (st == WN_OK ? c.n > 0 && c.n_variables > 0 : err.msg[0] != '\0');
	for (size_t i = 0; st == WN_OK && i < c.n * c.n_variables; i++)
		is_good = is_good && !isinf(c.at[i]);
	wn_cases_fini(&c);
	if (from)
		fclose(from);
	return is_good && wn_mem_live() == before;
}

/* Each allocation fails once: an error, and nothing is left. */
static void
check_no_memory(void)
{
	struct wn_cases c = {0};
	struct wn_characterization *r = NULL;
	struct table t = table_make(3);
	double row[8];
	char name[32];
	wn_err err;
	bool is_good = true;
	for (size_t j = 0; j < t.p; j++) {
		snprintf(name, sizeof name, "v%zu", j);
		is_good = is_good && wn_cases_add_variable(&c, name, &err) == WN_OK;
	}
	for (size_t i = 0; i < t.n; i++) {
		memcpy(row, t.rows + i * t.p, t.p * sizeof *row);
		is_good = is_good && wn_cases_add(&c, "case", row, &err) == WN_OK;
	}
	long before = wn_mem_live(), n_failed = 0;
	wn_status st = WN_E_NOMEM;
	for (long fail = 0; st == WN_E_NOMEM && fail < 100000; fail++) {
		wn_mem_fail_after(fail);
		st = wn_characterize(&c, NULL, &r, &err);
		wn_mem_fail_after(-1);
		n_failed += st == WN_E_NOMEM;
		if (st == WN_OK)
			wn_characterization_free(r);
		is_good = is_good && wn_mem_live() == before;
	}
	ok(is_good && st == WN_OK && n_failed > 20,
	   "each of %ld allocations may fail, and nothing is left", n_failed);
	wn_cases_fini(&c);
	table_fini(&t);
}

int
main(void)
{
	struct wn_lapack l;
	wn_err err;
	size_t n_components = 0, n_clusters = 0, n_valid = 0, n_laws = 0, n_ranges = 0;
	if (wn_lapack_open(&l, &err) != WN_OK) {
		ok(false, "%s", err.msg);
		return done();
	}
	for (uint64_t seed = 1; seed <= TABLES; seed++) {
		struct table t = table_make(seed);
		n_components += components_agree(&l, &t);
		n_clusters += clusters_agree(&t);
		n_valid += validation_agrees(&l, &t);
		n_laws += laws_hold(&t, seed);
		table_fini(&t);
	}
	for (uint64_t seed = 1; seed <= 300; seed++)
		n_ranges += range_agrees(seed);
	size_t n_read = 0;
	for (uint64_t seed = 0; seed < 5000; seed++)
		n_read += reader_holds(seed);
	ok(n_read == 5000, "%zu tables with odd bytes are read, or not, as it should be", n_read);
	ok(n_components == TABLES, "components of %zu tables are those of Jacobi's rotations",
	   n_components);
	ok(n_clusters == TABLES, "clusters of %zu tables are those of Ward's sum of squares",
	   n_clusters);
	ok(n_valid == TABLES, "hidden cells of %zu tables are told as by brute force", n_valid);
	ok(n_laws == TABLES, "units and order of %zu tables do not matter", n_laws);
	ok(n_ranges == 300, "ranges of %zu series are those of a walk along them", n_ranges);
	wn_lapack_close(&l);
	check_no_memory();
	return done();
}
