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
#define RANGE_THREADS 0.15
#define RANGE_CUTOFF  0.30
#define RANGE_COSTS   0.50 /* of the share of the threads' time that goes to the runtime */

/* Work differs so much from run to run. */
#define WORK_SPREAD 0.03

/* Simulations with other random choices; fewer of large runs. */
#define SEEDS       8u
#define SEEDS_LARGE 3u
#define LARGE       1000000u

/* Share of work of unknown structure beyond which nothing is predicted. */
#define UNKNOWN_MAX 0.10

/* Outcomes that differ by more than this depend on a race. */
#define RACE 1.2

const char *const wn_limit_names[WN_LIMIT_N] = {
    "work", "serial", "span", "runtime_lock", "creation", "schedule", "mutex", "sync", "waits",
};
const char *const wn_limit_titles[WN_LIMIT_N] = {
    "work",       "serial code",         "span",     "runtime's lock",           "task creation",
    "scheduling", "the program's locks", "wake-ups", "waits beside ready tasks",
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
	    [WN_SIM_IDLE] = WN_LIMIT_SPAN,       [WN_SIM_IDLE_READY] = WN_LIMIT_WAITS,
	    [WN_SIM_SERIAL] = WN_LIMIT_SERIAL};
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
           const struct wn_scenario *scenario, const struct wn_sim_result *r, uint32_t n_threads)
{
	double width = n_threads == s->p.n_threads ? RANGE_REPLAY : RANGE_THREADS;
	if (scenario->n_changes)
		width = fmax(width, is_cutoff(scenario) ? RANGE_CUTOFF : RANGE_THREADS);
	if (check && check->is_widened)
		width += fabs(check->error);
	/* costs of the runtime are less certain than work */
	double costs_ns = (double)r->ns[WN_SIM_CREATION] + (double)r->ns[WN_SIM_RUNTIME] +
	                  (double)r->ns[WN_SIM_SCHEDULE] + (double)r->ns[WN_SIM_SYNC];
	if (n_threads != s->p.n_threads && r->elapsed_ns)
		width += RANGE_COSTS * costs_ns / ((double)r->elapsed_ns * n_threads);
	return width;
}

/* Why other numbers of threads are not predicted. */
static const char *
reason_against(const struct program *p)
{
	if ((double)p->divided_ns > UNKNOWN_MAX * (double)p->work_ns)
		return "over 10 % of the work is outside of recorded loops and tasks: how other "
		       "numbers "
		       "of threads would divide it is not known";
	if ((double)p->defaulted_ns > UNKNOWN_MAX * (double)p->work_ns)
		return "over 10 % of the work is in taskloops with as many tasks as threads: "
		       "without "
		       "grainsize or num_tasks, other numbers of threads have other tasks";
	return NULL;
}

/* Splits outcomes at the largest step between two of them. */
static void
take_race(struct wn_prediction *p, const uint64_t *times, uint32_t n)
{
	uint32_t at = 0;
	for (uint32_t i = 1; i < n; i++)
		if (at == 0 || times[i] - times[i - 1] > times[at] - times[at - 1])
			at = i;
	if (at == 0 || (double)times[at] < RACE * (double)times[at - 1])
		return;
	p->is_race = true;
	p->fast_ns = times[(at - 1) / 2];
	p->slow_ns = times[at + (n - 1 - at) / 2];
	p->slow_share = (double)(n - at) / n;
}

/* Relative standard deviation of the costs: more beyond the threads that they were measured for. */
#define SIGMA_PER_DOUBLING 0.35

static double
cost_sigma(const struct wn_simulation *s, uint32_t n_threads)
{
	double n_known = s->costs.n_measured ? s->costs.n_measured : 2;
	return s->costs.relative_sigma + SIGMA_PER_DOUBLING * fmax(0, log2(n_threads / n_known));
}

static uint64_t
larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Nothing is faster than the bounds of the edited graph. */
static void
apply_bounds(struct wn_prediction *p)
{
	uint64_t bound_ns = larger(p->bound_work_ns, p->bound_span_ns);
	p->ns = larger(p->ns, bound_ns);
	p->low_ns = larger(p->low_ns, (uint64_t)((1 - WORK_SPREAD) * (double)bound_ns));
	p->high_ns = larger(p->high_ns, bound_ns);
}

wn_status
wn_predict(const struct wn_simulation *s, const struct wn_self_check *check,
           const struct wn_scenario *scenario, struct wn_prediction *out, wn_err *err)
{
	uint32_t n_threads = scenario->n_threads ? scenario->n_threads : s->p.n_threads;
	uint64_t times[SEEDS];
	struct wn_sim_result results[SEEDS];
	uint32_t n_seeds = s->p.n_grains < LARGE ? SEEDS : SEEDS_LARGE;
	struct wn_prediction p = {.n_threads = n_threads};
	struct wn_sim_result other;
	struct wn_scenario draw = *scenario;
	wn_status st;
	draw.n_threads = n_threads;
	const char *why = n_threads == s->p.n_threads ? NULL : reason_against(&s->p);
	if (why)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "%s", why);
	for (uint32_t i = 0; i < n_seeds; i++) {
		draw.seed = scenario->seed + i;
		WN_TRY(wn_simulate(s, &draw, &results[i], err));
		times[i] = results[i].elapsed_ns;
	}
	qsort(times, n_seeds, sizeof *times, by_time);
	uint64_t low_ns = times[0], high_ns = times[n_seeds - 1];
	p.ns = times[(n_seeds - 1) / 2]; /* an outcome, not a mean of two */
	for (uint32_t i = 0; i < n_seeds; i++)
		if (results[i].elapsed_ns == p.ns)
			p.result = results[i];
	take_race(&p, times, n_seeds);
	/* the costs of contention, 1.6 standard deviations down and up */
	double sigma = cost_sigma(s, n_threads);
	draw.seed = scenario->seed;
	for (int sign = -1; sign <= 1; sign += 2) {
		draw.cost_scale = exp(sign * 1.6 * sigma);
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
	double width = half_width(s, check, scenario, &p.result, n_threads);
	p.low_ns = (uint64_t)((double)low_ns / (1 + width));
	p.high_ns = (uint64_t)((double)high_ns * (1 + width));
	/* two standard deviations of what was taken out of work as the cost of recording */
	uint64_t sigma_ns = 2 * s->p.compensation_sigma_ns / n_threads;
	p.high_ns += sigma_ns;
	p.low_ns = p.low_ns > sigma_ns ? p.low_ns - sigma_ns : 0;
	if (n_threads !=
	    s->p.n_threads) /* if all of such a loop's work were in one thread's part */
		p.high_ns += s->p.unsplit_ns - s->p.unsplit_ns / n_threads;
	/* chunks that are divided otherwise have other paths */
	bool is_same = n_threads == s->p.n_threads || !s->p.has_divisible_loops;
	p.bound_work_ns = (scenario->n_changes ? p.result.work_ns : s->p.work_ns) / n_threads;
	p.bound_span_ns = scenario->n_changes || !is_same ? 0 : s->p.span_ns;
	apply_bounds(&p);
	draw = *scenario;
	draw.n_threads = 1;
	WN_TRY(wn_simulate(s, &draw, &other, err));
	p.speed_up = p.ns && n_threads > 1 ? (double)other.elapsed_ns / (double)p.ns : 1;
	p.efficiency = p.speed_up / n_threads;
	p.limit = limit_of(s, scenario, &p.result, n_threads);
	p.extrapolated = extrapolation(s, n_threads);
	*out = p;
out:
	return st;
}
