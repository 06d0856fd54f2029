/* SPDX-License-Identifier: MIT */
/* predict.c - self-check, ranges, and what limits a predicted run. */
#include "base/error.h"
#include "simulate/program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Errors of the replay beyond which the range is wider, and nothing is predicted. */
#define ERROR_WIDER   0.10
#define ERROR_REFUSED 0.25

/* Relative errors of predictions in measurements (doc/prediction.md): half-widths of the range. */
#define RANGE_REPLAY  0.05
#define RANGE_THREADS 0.10
#define RANGE_CUTOFF  0.30

#define SEEDS 4u

const char *const wn_limit_names[WN_LIMIT_N] = {
    "work", "serial", "span", "runtime_lock", "creation", "schedule", "mutex", "sync", "cpus",
};
const char *const wn_limit_titles[WN_LIMIT_N] = {
    "work",       "serial code",         "span",     "runtime's lock", "task creation",
    "scheduling", "the program's locks", "wake-ups", "CPUs",
};

wn_status
wn_predict_check(const struct wn_simulation *s, struct wn_self_check *out, wn_err *err)
{
	const struct wn_scenario as_recorded = {.is_as_recorded = true};
	struct wn_sim_result result;
	wn_status st = wn_simulate(s, &as_recorded, &result, err);
	if (st != WN_OK)
		return st;
	*out = (struct wn_self_check){.simulated_ns = result.elapsed_ns,
	                              .recorded_ns = s->p.recorded_ns};
	out->error =
	    s->p.recorded_ns ? (double)result.elapsed_ns / (double)s->p.recorded_ns - 1 : 0;
	out->is_widened = fabs(out->error) > ERROR_WIDER;
	if (fabs(out->error) > ERROR_REFUSED)
		out->refused = "the replay of the recorded run differs from it by over 25 %";
	return WN_OK;
}

static enum wn_limit
limit_of(const struct wn_simulation *s, const struct wn_scenario *scenario,
         const struct wn_sim_result *r, uint32_t n_threads)
{
	static const enum wn_limit of_time[WN_SIM_TIME_N] = {
	    [WN_SIM_WORK] = WN_LIMIT_WORK,       [WN_SIM_CREATION] = WN_LIMIT_CREATION,
	    [WN_SIM_RUNTIME] = WN_LIMIT_RUNTIME, [WN_SIM_SCHEDULE] = WN_LIMIT_SCHEDULE,
	    [WN_SIM_MUTEX] = WN_LIMIT_MUTEX,     [WN_SIM_SYNC] = WN_LIMIT_SYNC,
	    [WN_SIM_IDLE] = WN_LIMIT_SPAN,       [WN_SIM_SERIAL] = WN_LIMIT_SERIAL};
	double all_ns = (double)n_threads * (double)r->elapsed_ns;
	enum wn_sim_time most = WN_SIM_CREATION;
	(void)s;
	(void)scenario;
	for (unsigned k = WN_SIM_CREATION; k < WN_SIM_TIME_N; k++)
		if (r->ns[k] > r->ns[most])
			most = (enum wn_sim_time)k;
	if ((double)r->ns[most] < 0.05 * all_ns)
		return WN_LIMIT_WORK;
	return of_time[most];
}

static const char *
extrapolation(const struct wn_simulation *s, uint32_t n_threads)
{
	if (n_threads > s->p.n_cpus && n_threads > s->p.machine_cpus)
		return "more threads than this machine has CPUs";
	if (n_threads > s->p.n_threads && s->p.n_threads > 1 && !s->costs.n_measured)
		return "no calibration of the runtime";
	if (s->costs.n_measured && n_threads > s->costs.n_measured)
		return "more threads than were calibrated";
	return NULL;
}

static int
by_time(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
	return (a > b) - (a < b);
}

static bool
is_cutoff(const struct wn_scenario *scenario)
{
	for (size_t i = 0; i < scenario->n_changes; i++)
		if (scenario->changes[i].kind == WN_SIM_CHANGE_CUTOFF)
			return true;
	return false;
}

/* Half-width of the range from the kind of change, the calibration and the self-check. */
static double
half_width(const struct wn_simulation *s, const struct wn_self_check *check,
           const struct wn_scenario *scenario, uint32_t n_threads)
{
	double width = n_threads == s->p.n_threads ? RANGE_REPLAY : RANGE_THREADS;
	if (scenario->n_changes)
		width = fmax(width, is_cutoff(scenario) ? RANGE_CUTOFF : RANGE_THREADS);
	if (check && check->is_widened)
		width += fabs(check->error);
	return width;
}

wn_status
wn_predict(const struct wn_simulation *s, const struct wn_self_check *check,
           const struct wn_scenario *scenario, struct wn_prediction *out, wn_err *err)
{
	uint32_t n_threads = scenario->n_threads ? scenario->n_threads : s->p.n_threads;
	uint64_t times[SEEDS];
	struct wn_prediction p = {.n_threads = n_threads};
	struct wn_sim_result other;
	struct wn_scenario draw = *scenario;
	wn_status st;
	draw.n_threads = n_threads;
	if (n_threads != s->p.n_threads && (double)s->p.divided_ns > 0.10 * (double)s->p.work_ns)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
		               "threads divide work among themselves by their numbers, outside "
		               "of loops and tasks: how is not recorded");
	for (uint32_t i = 0; i < SEEDS; i++) {
		draw.seed = scenario->seed + i;
		WN_TRY(wn_simulate(s, &draw, i == 0 ? &p.result : &other, err));
		times[i] = i == 0 ? p.result.elapsed_ns : other.elapsed_ns;
	}
	qsort(times, SEEDS, sizeof *times, by_time);
	uint64_t low_ns = times[0], high_ns = times[SEEDS - 1];
	p.ns = (times[SEEDS / 2 - 1] + times[SEEDS / 2]) / 2;
	/* the costs of contention, 1.6 standard deviations down and up */
	draw.seed = scenario->seed;
	for (int sign = -1; sign <= 1; sign += 2) {
		draw.cost_scale = exp(sign * 1.6 * s->costs.relative_sigma);
		WN_TRY(wn_simulate(s, &draw, &other, err));
		if (other.elapsed_ns < low_ns)
			low_ns = other.elapsed_ns;
		if (other.elapsed_ns > high_ns)
			high_ns = other.elapsed_ns;
	}
	draw.cost_scale = 1;
	draw.is_greedy = true;
	WN_TRY(wn_simulate(s, &draw, &other, err));
	p.greedy_ns = other.elapsed_ns;
	double width = half_width(s, check, scenario, n_threads);
	p.low_ns = (uint64_t)((double)low_ns / (1 + width));
	p.high_ns = (uint64_t)((double)high_ns * (1 + width));
	/* nothing is faster than the bounds of the edited graph */
	p.bound_work_ns = p.result.work_ns / n_threads;
	if (p.low_ns < p.bound_work_ns)
		p.low_ns = p.bound_work_ns < p.ns ? p.bound_work_ns : p.ns;
	p.bound_span_ns = scenario->n_changes ? 0 : s->p.span_ns;
	draw = *scenario;
	draw.n_threads = 1;
	WN_TRY(wn_simulate(s, &draw, &other, err));
	p.speed_up = p.ns ? (double)other.elapsed_ns / (double)p.ns : 1;
	p.efficiency = p.speed_up / n_threads;
	p.limit = limit_of(s, scenario, &p.result, n_threads);
	p.extrapolated = extrapolation(s, n_threads);
	*out = p;
out:
	return st;
}
