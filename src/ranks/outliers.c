/* SPDX-License-Identifier: MIT */
#include "ranks/outliers.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>

const char *
wn_measure_name(int measure)
{
	return measure == WN_MEASURE_ELAPSED ? "elapsed"
	       : measure == WN_MEASURE_MPI   ? "mpi"
	                                     : wn_time_categories[measure].name;
}

const char *
wn_measure_title(int measure)
{
	return measure == WN_MEASURE_ELAPSED ? "elapsed time"
	       : measure == WN_MEASURE_MPI   ? "time in MPI"
	                                     : wn_time_categories[measure].title;
}

/* --- medians --- */

/* Of an even number, the lower one. */
static uint64_t
median(uint64_t *values, size_t n)
{
	qsort(values, n, sizeof *values, wn_compare_u64);
	return values[(n - 1) / 2];
}

static uint64_t
distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* --- work at places --- */

/* Work of one rank at one place, per thread. */
struct sample {
	uint64_t key, ns;
};

struct samples {
	struct sample *items; /* [n] sorted by place, then by work */
	size_t n;
};

WN_COMPARE(by_place, struct sample, WN_BY_FIRST(key, WN_BY(ns)))

static bool
collect_samples(const struct wn_ranks *s, struct samples *out)
{
	out->n = 0;
	out->items = wn_calloc((size_t)s->header->n_ranks * WN_RANK_PLACES, sizeof *out->items);
	if (!out->items)
		return false;
	for (size_t i = 0; i < s->header->n_ranks; i++) {
		const struct wn_rank_row *rank = &s->ranks[i];
		for (size_t k = 0; k < WN_RANK_PLACES && rank->places[k].key; k++)
			out->items[out->n++] = (struct sample){
			    rank->places[k].key, rank->places[k].ns / rank->n_threads};
	}
	qsort(out->items, out->n, sizeof *out->items, by_place);
	return true;
}

static size_t
first_of(const struct samples *samples, uint64_t key)
{
	WN_FIRST_NOT(low, samples->n, i, samples->items[i].key < key);
	return low;
}

/* The median over the ranks that have the place among those that they keep. */
static uint64_t
median_at(const struct samples *samples, uint64_t key)
{
	size_t first = first_of(samples, key), end = first_of(samples, key + 1);
	return first < end ? samples->items[first + (end - first - 1) / 2].ns : 0;
}

/* Finds the place that differs most, in the direction in which the whole work differs. */
static void
find_place(const struct samples *samples, const struct wn_rank_row *rank, struct wn_outlier *o)
{
	bool is_above = o->value_ns > o->median_ns;
	for (size_t k = 0; k < WN_RANK_PLACES && rank->places[k].key; k++) {
		uint64_t ns = rank->places[k].ns / rank->n_threads;
		uint64_t usual_ns = median_at(samples, rank->places[k].key);
		uint64_t by_ns = distance(ns, usual_ns);
		if ((ns > usual_ns) != is_above || by_ns <= (uint64_t)llabs(o->place_ns) ||
		    by_ns > INT64_MAX)
			continue;
		o->place = rank->places[k].key;
		o->place_ns = is_above ? (int64_t)by_ns : -(int64_t)by_ns;
	}
}

/* --- outliers --- */

struct search {
	const struct wn_ranks *s;
	uint64_t run_ns;
	uint64_t *values, *sorted; /* [ranks] of the measure; scratch */
	struct samples samples;
	struct wn_outlier *found;
	size_t n_found, capacity;
};

static uint64_t
value_of(const struct wn_rank_row *rank, int measure)
{
	return measure == WN_MEASURE_ELAPSED ? rank->elapsed_ns
	       : measure == WN_MEASURE_MPI   ? rank->primary_mpi_ns
	                                     : rank->ns[measure] / rank->n_threads;
}

/* Returns whether the measure is known of all ranks. */
static bool
is_known(const struct wn_ranks *s, int measure)
{
	for (size_t i = 0; i < s->header->n_ranks; i++)
		if ((measure < WN_TIME_N && !(s->ranks[i].known >> measure & 1)) ||
		    (measure == WN_MEASURE_MPI && !(s->ranks[i].flags & WN_RANK_KNOWS_MPI)))
			return false;
	return true;
}

static wn_status
compare(struct search *x, int measure, wn_err *err)
{
	size_t n = x->s->header->n_ranks;
	for (size_t i = 0; i < n; i++)
		x->sorted[i] = x->values[i] = value_of(&x->s->ranks[i], measure);
	uint64_t middle_ns = median(x->sorted, n);
	for (size_t i = 0; i < n; i++)
		x->sorted[i] = distance(x->values[i], middle_ns);
	uint64_t mad_ns = median(x->sorted, n);
	for (size_t i = 0; i < n; i++) {
		double by = (double)x->values[i] - (double)middle_ns;
		double z = mad_ns ? 0.6745 * by / (double)mad_ns : by * INFINITY;
		if (fabs(by) <= WN_OUTLIER_SHARE * (double)x->run_ns || fabs(z) <= WN_OUTLIER_Z)
			continue;
		struct wn_outlier o = {(uint32_t)i, measure, z, x->values[i], middle_ns, 0, 0};
		if (measure == WN_TIME_WORK)
			find_place(&x->samples, &x->s->ranks[i], &o);
		if (wn_grow(&x->found, &x->capacity, x->n_found + 1, sizeof o) != 0)
			return wn_no_memory(err);
		x->found[x->n_found++] = o;
	}
	return WN_OK;
}

static int
by_difference(const void *left, const void *right)
{
	const struct wn_outlier *a = left, *b = right;
	uint64_t a_ns = distance(a->value_ns, a->median_ns);
	uint64_t b_ns = distance(b->value_ns, b->median_ns);
	if (a_ns != b_ns)
		return a_ns > b_ns ? -1 : 1;
	if (a->index != b->index)
		return a->index < b->index ? -1 : 1;
	return a->measure - b->measure;
}

wn_status
wn_outliers(const struct wn_ranks *s, uint64_t run_ns, struct wn_outlier **out, size_t *n_out,
            wn_err *err)
{
	size_t n = s->header->n_ranks;
	struct search x = {.s = s, .run_ns = run_ns};
	wn_status st = WN_OK;
	*out = NULL;
	*n_out = 0;
	if (n < WN_OUTLIER_RANKS)
		return WN_OK;
	x.values = wn_calloc(n, sizeof *x.values);
	x.sorted = wn_calloc(n, sizeof *x.sorted);
	if (!x.values || !x.sorted || !collect_samples(s, &x.samples))
		WN_TRY(wn_no_memory(err));
	for (int measure = 0; measure < WN_MEASURE_N; measure++)
		if (measure != WN_TIME_MPI && is_known(s, measure)) /* WN_MEASURE_MPI */
			WN_TRY(compare(&x, measure, err));
	if (x.n_found)
		qsort(x.found, x.n_found, sizeof *x.found, by_difference);
	*out = x.found;
	*n_out = x.n_found;
	x.found = NULL;
out:
	WN_FREE_ALL(x.found, x.samples.items, x.values, x.sorted);
	return st;
}
