/* SPDX-License-Identifier: MIT */
#include "compare/deviate.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Running statistics of differences. */
struct spread {
	double mean, squares;
};

struct deviator {
	const struct wn_deviate_input *in;
	struct wn_place_diff *out;
	struct spread *spread; /* [n_places] */
	size_t *end;           /* [n_places] in deviations */
	double *deviations;    /* by place */
	struct wn_deviation_problem problem;
};

static bool
is_counted(const struct deviator *d, int side, wn_grain id)
{
	const struct wn_graph *g = d->in->match->names[side].g;
	return (wn_is_grain(g, id) || g->kind[id] == WN_GRAIN_IMPLICIT) &&
	       (!d->in->is_inside[side] || d->in->is_inside[side][id]);
}

static size_t
place_of(const struct deviator *d, int side, wn_grain id)
{
	uint32_t site = d->in->match->names[side].g->site[id];
	uint32_t place = site == WN_NO_SITE ? UINT32_MAX : d->in->place_of_site[side][site];
	return place == UINT32_MAX ? d->in->n_places : place;
}

static void
add_side(struct deviator *d, int side)
{
	const struct wn_metrics *m = d->in->metrics[side];
	const struct wn_graph *g = d->in->match->names[side].g;
	for (wn_grain id = 0; id < g->n; id++) {
		size_t place = is_counted(d, side, id) ? place_of(d, side, id) : d->in->n_places;
		if (place == d->in->n_places)
			continue;
		struct wn_place_diff *at = &d->out[place];
		at->n[side]++;
		at->work_ns[side] += wn_work_ns(g, id);
		at->n_problems[side] += m->problems[id] ? 1 : 0;
		for (uint32_t bits = m->problems[id]; bits; bits &= bits - 1)
			at->problem[side][__builtin_ctz(bits)]++;
		if (g->flags[id] & WN_GF_CREATION_KNOWN) {
			at->creation_ns[side] += wn_creation_ns(g, id);
			at->n_creation_known[side]++;
		}
	}
}

/* Finds the grain of A that matches a grain of B, if both started; and its place. */
static wn_grain
partner_of(const struct deviator *d, wn_grain id, size_t *place)
{
	const struct wn_match *m = d->in->match;
	if (!is_counted(d, 1, id))
		return WN_NO_GRAIN;
	wn_grain a = m->to[1][id];
	if (a == WN_NO_GRAIN || !is_counted(d, 0, a) ||
	    !(m->names[0].g->flags[a] & WN_GF_STARTED) ||
	    !(m->names[1].g->flags[id] & WN_GF_STARTED))
		return WN_NO_GRAIN;
	*place = place_of(d, 1, id);
	if (*place != place_of(d, 0, a))
		*place = d->in->n_places;
	return a;
}

static void
add_problem(struct deviator *d, wn_grain id, size_t place, double deviation)
{
	const struct wn_graph *g = d->in->match->names[1].g;
	if (!wn_is_grain(g, id))
		return;
	d->problem.n_deviations++;
	if (!(deviation > d->in->threshold))
		return;
	d->problem.count++;
	d->problem.on_critical_path += g->flags[id] & WN_GF_CRITICAL ? 1 : 0;
	d->problem.work_ns += wn_work_ns(g, id);
	if (place < d->in->n_places)
		d->out[place].n_deviating++;
}

static void
add_pairs(struct deviator *d)
{
	const struct wn_match *m = d->in->match;
	const struct wn_graph *ga = m->names[0].g, *gb = m->names[1].g;
	for (wn_grain id = 0; id < gb->n; id++) {
		size_t place;
		wn_grain a = partner_of(d, id, &place);
		if (a == WN_NO_GRAIN)
			continue;
		double deviation = wn_work_deviation(m, id);
		if (!isnan(deviation))
			add_problem(d, id, place, deviation);
		if (place == d->in->n_places)
			continue;
		struct wn_place_diff *at = &d->out[place];
		struct spread *spread = &d->spread[place];
		double difference = (double)wn_work_ns(gb, id) - (double)wn_work_ns(ga, a);
		double before = difference - spread->mean;
		at->n_pairs++;
		at->n_deviations += isnan(deviation) ? 0 : 1;
		at->pairs_ns += difference;
		spread->mean += before / (double)at->n_pairs;
		spread->squares += before * (difference - spread->mean);
	}
}

static wn_status
find_medians(struct deviator *d)
{
	const struct wn_match *m = d->in->match;
	size_t n = 0;
	for (size_t i = 0; i < d->in->n_places; i++) {
		d->end[i] = n;
		n += d->out[i].n_deviations;
	}
	d->deviations = wn_calloc(n, sizeof *d->deviations);
	if (!d->deviations)
		return WN_E_NOMEM;
	for (wn_grain id = 0; id < m->names[1].g->n; id++) {
		size_t place;
		if (partner_of(d, id, &place) == WN_NO_GRAIN || place == d->in->n_places)
			continue;
		double deviation = wn_work_deviation(m, id);
		if (!isnan(deviation))
			d->deviations[d->end[place]++] = deviation;
	}
	for (size_t i = 0; i < d->in->n_places; i++) {
		size_t of_place = d->out[i].n_deviations;
		double *first = d->deviations + d->end[i] - of_place;
		d->out[i].median_deviation = NAN;
		if (of_place == 0)
			continue;
		qsort(first, of_place, sizeof *first, wn_compare_double);
		d->out[i].median_deviation = (first[(of_place - 1) / 2] + first[of_place / 2]) / 2;
	}
	return WN_OK;
}

/* The 97.5 % quantile of Student's t with n - 1 degrees of freedom. */
static double
student(uint64_t n)
{
	static const double t[] = {0,    0,    12.7, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26,
	                           2.23, 2.20, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.10, 2.09};
	return n < sizeof t / sizeof t[0] ? t[n] : n < 60 ? 2.08 : 2.0;
}

enum wn_clarity
wn_clarity_of(double sum_ns, double error_ns, uint64_t n_pairs)
{
	if (n_pairs < 2 || isnan(error_ns))
		return WN_UNKNOWN;
	return fabs(sum_ns) > student(n_pairs) * error_ns ? WN_CLEAR : WN_UNCLEAR;
}

wn_status
wn_deviate(const struct wn_deviate_input *in, struct wn_place_diff *out,
           struct wn_deviation_problem *problem, wn_err *err)
{
	struct deviator d = {.in = in, .problem = {.threshold = in->threshold}};
	wn_status st = WN_OK;
	d.out = wn_calloc(in->n_places, sizeof *d.out);
	d.spread = wn_calloc(in->n_places, sizeof *d.spread);
	d.end = wn_calloc(in->n_places, sizeof *d.end);
	if (!d.out || !d.spread || !d.end)
		WN_TRY(WN_E_NOMEM);
	add_side(&d, 0);
	add_side(&d, 1);
	add_pairs(&d);
	WN_TRY(find_medians(&d));
	for (size_t i = 0; i < in->n_places; i++) {
		struct wn_place_diff *at = &d.out[i];
		double n = (double)at->n_pairs;
		at->error_ns = n < 2 ? (double)NAN : sqrt(d.spread[i].squares / (n - 1) * n);
		at->clarity = (uint8_t)wn_clarity_of(at->pairs_ns, at->error_ns, at->n_pairs);
	}
	if (in->n_places)
		memcpy(out, d.out, in->n_places * sizeof *out);
	*problem = d.problem;
out:
	WN_FREE_ALL(d.out, d.spread, d.end, d.deviations);
	return st == WN_OK ? st : wn_no_memory(err);
}
