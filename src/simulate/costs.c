/* SPDX-License-Identifier: MIT */
/* costs.c - defaults of service times, those of a calibration, and values between them. */
#include "simulate/costs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const wn_cost_names[WN_COST_N] = {
#define WN_COST(NAME, name, ...) [WN_COST_##NAME] = #name,
#include "simulate/costs.def"
};

/* libgomp, libomp, and what each further thread adds. */
static const uint32_t defaults_ns[WN_COST_N][4] = {
#define WN_COST(NAME, name, gomp, omp, gomp_more, omp_more, definition)                            \
	[WN_COST_##NAME] = {gomp, omp, gomp_more, omp_more},
#include "simulate/costs.def"
};

/* Standard deviation of defaults, relative: they are of another machine. */
#define DEFAULT_SIGMA 0.5

static uint32_t
to_ps(double ns)
{
	return ns * 1000 >= (double)UINT32_MAX ? UINT32_MAX : (uint32_t)(ns * 1000);
}

static void
fill_defaults(struct wn_costs *c)
{
	unsigned column = c->runtime == WN_RUNTIME_LIBOMP;
	for (unsigned i = 0; i < WN_COST_N; i++)
		for (unsigned k = 0; k < WN_COST_POINTS; k++)
			c->ps[i][k] =
			    to_ps(defaults_ns[i][column] + (double)defaults_ns[i][column + 2] * k);
	c->spin_ns = defaults_ns[WN_COST_SPIN][column];
	c->init_ns = defaults_ns[WN_COST_INIT][column];
}

/* Beyond what was measured, each doubling of the threads adds as much as the last one measured. */
static void
extend(uint32_t ps[WN_COST_POINTS], unsigned n_known)
{
	for (unsigned k = n_known; k < WN_COST_POINTS; k++) {
		double more = k >= 2 && ps[k - 1] > ps[k - 2] ? ps[k - 1] - ps[k - 2] : 0;
		ps[k] = to_ps((ps[k - 1] + more) / 1000);
	}
}

_Static_assert(WN_COST_N <= 32, "a bit for each in is_missing");

/* Whether a calibration has the cost: the others are constants, or fitted, or part of another. */
static bool
is_measured(enum wn_runtime_kind runtime, enum wn_cost which)
{
	if (which == WN_COST_COLD || which == WN_COST_MOVE || which == WN_COST_SPIN)
		return false;
	if (runtime == WN_RUNTIME_LIBOMP)
		return which != WN_COST_WAKE_SLEEP && which != WN_COST_WAKE_CALL &&
		       which != WN_COST_FAR_PICK;
	return which != WN_COST_YIELD;
}

struct wn_costs
wn_costs_of(enum wn_runtime_kind runtime, const struct wn_calibration *calibration)
{
	struct wn_costs c = {.runtime = runtime, .n_measured = 0, .relative_sigma = DEFAULT_SIGMA};
	unsigned n_known[WN_COST_N] = {0};
	double sum = 0;
	unsigned n = 0, n_missing = 0;
	fill_defaults(&c);
	for (unsigned i = 0; calibration && i < calibration->n_services; i++) {
		const struct wn_service *s = &calibration->services[i];
		unsigned which = 0, point = 0;
		if (strcmp(s->name, "handed_over") == 0 && s->n_threads == 2)
			c.handed_over_ps = s->cost.ps;
		while (which < WN_COST_N && strcmp(wn_cost_names[which], s->name) != 0)
			which++;
		if (strcmp(s->name, "init_ns") == 0)
			which = WN_COST_INIT;
		while (point < WN_COST_POINTS && 1u << point != s->n_threads)
			point++;
		if (point < WN_COST_POINTS && strcmp(s->name, "memory") == 0)
			c.memory_ps[point] = s->cost.ps;
		if (which == WN_COST_N || point == WN_COST_POINTS)
			continue;
		if (which == WN_COST_SPIN) {
			c.spin_ns = s->cost.ps; /* in nanoseconds */
			continue;
		}
		c.ps[which][point] = s->cost.ps;
		if (which == WN_COST_INIT) /* "init": of older calibrations, at most 1 ms */
			c.init_ns = strcmp(s->name, "init_ns") == 0 ? s->cost.ps
			                                            : (s->cost.ps + 500) / 1000;
		if (point >= n_known[which])
			n_known[which] = point + 1;
		if (s->n_threads > c.n_measured)
			c.n_measured = s->n_threads;
		if (s->cost.ps) {
			sum += fmin(1, (double)s->cost.sigma_ps / s->cost.ps);
			n++;
		}
	}
	for (unsigned i = 0; i < WN_COST_N; i++)
		if (n_known[i] > 0)
			extend(c.ps[i], n_known[i]);
	c.is_calibrated = n > 0;
	for (unsigned i = 0; n > 0 && i < WN_COST_N; i++)
		if (n_known[i] == 0 && is_measured(runtime, i)) {
			c.is_missing |= 1u << i;
			sum += DEFAULT_SIGMA;
			n_missing++;
		}
	if (n > 0)
		c.relative_sigma = sum / (n + n_missing);
	return c;
}

const char *
wn_costs_missing(const struct wn_costs *c, char out[WN_COSTS_TEXT_BYTES])
{
	size_t used = 0;
	for (unsigned i = 0; i < WN_COST_N; i++)
		if (c->is_missing >> i & 1 && used < WN_COSTS_TEXT_BYTES)
			used += (size_t)snprintf(out + used, WN_COSTS_TEXT_BYTES - used, "%s%s",
			                         used ? ", " : "", wn_cost_names[i]);
	return used ? out : NULL;
}

double
wn_cost_memory(const struct wn_costs *c, uint32_t from, uint32_t to)
{
	double ps[2] = {0, 0};
	for (unsigned i = 0; i < 2; i++) {
		uint32_t n = i ? to : from;
		unsigned point = 0;
		while (point + 1 < WN_COST_POINTS && 1u << point < n)
			point++;
		ps[i] = c->memory_ps[point];
	}
	return ps[0] > 0 && ps[1] > 0 ? fmax(1, ps[1] / ps[0]) : 0;
}

uint64_t
wn_cost_ns(const struct wn_costs *c, enum wn_cost which, uint32_t k)
{
	unsigned point = 0;
	if (which == WN_COST_SPIN)
		return c->spin_ns;
	if (which == WN_COST_INIT)
		return c->init_ns;
	while (point + 1 < WN_COST_POINTS && (2u << point) <= k)
		point++;
	uint64_t ps = c->ps[which][point];
	uint32_t at = 1u << point;
	if (k > at && point + 1 < WN_COST_POINTS) {
		int64_t more = (int64_t)c->ps[which][point + 1] - (int64_t)ps;
		ps = (uint64_t)((int64_t)ps + more * (int64_t)(k - at) / (int64_t)at);
	}
	return (ps + 500) / 1000;
}
