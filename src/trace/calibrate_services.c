/* SPDX-License-Identifier: MIT */
/* calibrate_services.c - service times of a runtime from the measurements of
 * cli/calibrate_services.c: each is a time per operation of a loop, which consists of several of
 * them. */
#include "base/order.h"
#include "trace/trace_calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fit {
	const struct wn_calibrate_services *from;
	struct wn_calibration *to;
	unsigned k; /* index of the number of threads */
};

/* Median and standard deviation over rounds, in nanoseconds; NAN: not measured. */
static double
measured(const struct wn_calibrate_services *from, unsigned k, const char *name, double *sigma)
{
	double values[WN_CALIBRATE_ROUNDS_MAX];
	size_t n = 0;
	for (size_t i = 0; i < from->n; i++) {
		const struct wn_calibrate_service *s = &from->samples[i];
		if (s->n_threads == 1u << k && strcmp(s->name, name) == 0 &&
		    n < WN_CALIBRATE_ROUNDS_MAX)
			values[n++] = (double)s->ps / 1000;
	}
	if (n == 0)
		return NAN;
	qsort(values, n, sizeof *values, wn_compare_double);
	if (sigma)
		*sigma = 0.74 * (values[(3 * n - 1) / 4] - values[n / 4]);
	return values[n / 2];
}

static double
value(const struct fit *f, unsigned k, const char *name)
{
	return measured(f->from, k, name, NULL);
}

static void
put(struct fit *f, const char *name, unsigned k, double ns, double sigma_ns)
{
	struct wn_calibration *c = f->to;
	if (isnan(ns) || c->n_services == WN_SERVICES_MAX)
		return;
	struct wn_service *s = &c->services[c->n_services++];
	*s = (struct wn_service){.n_threads = 1u << k};
	strncpy(s->name, name, sizeof s->name - 1);
	double ps = fmin(fmax(0, ns) * 1000, WN_CALIBRATION_PS_MAX);
	double sigma_ps = isnan(sigma_ns) ? ps / 5 : fmax(sigma_ns * 1000, ps / 50);
	s->cost = (struct wn_probe_cost){(uint32_t)ps, (uint32_t)fmin(sigma_ps, ps)};
}

/* A measurement that is a cost itself. */
static void
put_same(struct fit *f, const char *name, unsigned k)
{
	double sigma_ns = NAN, ns = measured(f->from, k, name, &sigma_ns);
	put(f, name, k, ns, sigma_ns);
}

/* Service time of a resource that k threads use twice per cycle of `cycle_ns`, of which `apart_ns`
 * are without it: the threads wait for each other only if the resource is always in use. */
static double
closed_loop(double cycle_ns, double apart_ns, unsigned n_threads, unsigned n_uses)
{
	double busy_ns = cycle_ns / (n_uses * n_threads);
	if (apart_ns + n_uses * busy_ns > cycle_ns)
		busy_ns = (cycle_ns - apart_ns) / n_uses;
	return busy_ns;
}

static void
fit_libgomp(struct fit *f, unsigned n_points)
{
	double create_ns = value(f, 0, "alone_create"), wait_ns = value(f, 0, "alone_wait");
	/* one by one, a task takes a further hold of the lock */
	double lock_ns = value(f, 0, "single") - create_ns - wait_ns - value(f, 0, "taskwait");
	lock_ns = fmin(fmax(lock_ns, 2), 0.8 * fmin(create_ns, wait_ns));
	double call_ns = fmax(0, value(f, 1, "alone_create") - create_ns);
	/* a creation holds the lock once; of a wait for one task, the second hold finds all near */
	double far_ns = lock_ns + fmax(0, value(f, 1, "turn_create") - value(f, 0, "turn_create"));
	double pick_ns = lock_ns + fmax(0, value(f, 1, "turn_wait") - value(f, 0, "turn_wait"));
	/* in a tree, half of the tasks wait, for two each */
	double finish_ns =
	    value(f, 0, "tree") - create_ns - 1.5 * lock_ns - value(f, 0, "taskwait") / 2;
	put(f, "create", 0, create_ns - lock_ns, NAN);
	put(f, "finish", 0, fmax(wait_ns - lock_ns, finish_ns), NAN);
	put(f, "lock", 0, lock_ns, NAN);
	put_same(f, "inline", 0);
	put(f, "wait", 0, value(f, 0, "taskwait"), NAN);
	put(f, "spin", 0, 300000 * value(f, 0, "pause") / 1000, 0); /* in microseconds */
	if (n_points < 2)
		return;
	put(f, "wake_call", 0, call_ns, NAN);
	put(f, "far", 0, far_ns, NAN);
	put(f, "far_pick", 0, pick_ns, NAN);
	put(f, "wake_spin", 0, value(f, 1, "wake") - create_ns - wait_ns - pick_ns, NAN);
	put(f, "wake_sleep", 0, value(f, 1, "wake_sleep"), NAN);
	for (unsigned k = 1; k < n_points; k++)
		put(f, "lock", k,
		    fmax(lock_ns, closed_loop(value(f, k, "together"),
		                              create_ns + wait_ns - 2 * lock_ns, 1u << k, 2)),
		    NAN);
}

/* A team of one queues nothing. Between tasks of one wait the thread yields, and not after the last
 * one. */
static void
fit_libomp(struct fit *f, unsigned n_points)
{
	put(f, "inline", 0, value(f, 0, "alone_create"), NAN);
	if (n_points < 2)
		return;
	double create_ns = value(f, 1, "alone_create"), wait_ns = value(f, 1, "alone_wait");
	double call_ns = value(f, 1, "taskwait");
	double yield_ns = fmax(0, create_ns + wait_ns + call_ns - value(f, 1, "single"));
	double lock_ns = 0.2 * fmin(create_ns, wait_ns - yield_ns);
	/* in a tree, a thread yields between the two tasks of one wait */
	double finish_ns = value(f, 1, "tree") - create_ns - lock_ns - (yield_ns + call_ns) / 2;
	double far_ns = lock_ns;
	finish_ns = fmax(finish_ns, wait_ns - yield_ns - lock_ns);
	put(f, "create", 0, create_ns - lock_ns, NAN);
	put(f, "finish", 0, finish_ns, NAN);
	put(f, "yield", 0, yield_ns, NAN);
	put(f, "wait", 0, call_ns, NAN);
	put(f, "lock", 0, lock_ns, NAN);
	for (unsigned k = 1; k < n_points; k++) {
		/* the owner and thieves take tasks from one queue */
		double each_ns = value(f, k, "handed_over") -
		                 (value(f, k, "barrier") + value(f, k, "wake")) / 32;
		double contended_ns = fmin(each_ns, (1u << k) * each_ns - finish_ns - yield_ns);
		contended_ns = fmax(lock_ns, contended_ns);
		put(f, "lock", k, contended_ns, NAN);
		if (k == 1)
			far_ns = (lock_ns + contended_ns) / 2;
	}
	put(f, "far", 0, far_ns, NAN);
	put(f, "wake_spin", 0, value(f, 1, "wake") - create_ns - far_ns - finish_ns, NAN);
}

/* Threads request chunks one after another if requests take longer than the work between them. */
static void
fit_chunk(struct fit *f, unsigned k)
{
	double alone_ns = value(f, 0, "chunk"), cycle_ns = (1u << k) * value(f, k, "chunk_work");
	double work_ns = value(f, 0, "chunk_work") - alone_ns;
	if (k == 0)
		put_same(f, "chunk", 0);
	else
		put(f, "chunk", k, fmax(alone_ns, closed_loop(cycle_ns, work_ns, 1u << k, 1)), NAN);
}

void
wn_calibrate_services_fit(const struct wn_calibrate_services *from, bool is_libomp,
                          struct wn_calibration *to)
{
	static const char *const by_threads[] = {"barrier",   "fork",  "join",
	                                         "own_chunk", "mutex", "memory"};
	struct fit f = {.from = from, .to = to};
	unsigned n_points = 0;
	to->n_services = 0;
	while (n_points < 11 && !isnan(value(&f, n_points, "barrier")))
		n_points++;
	if (n_points == 0)
		return;
	if (is_libomp)
		fit_libomp(&f, n_points);
	else
		fit_libgomp(&f, n_points);
	for (unsigned k = 0; k < n_points; k++)
		for (size_t i = 0; i < sizeof by_threads / sizeof *by_threads; i++)
			put_same(&f, by_threads[i], k);
	for (unsigned k = 0; k < n_points; k++)
		fit_chunk(&f, k);
	/* milliseconds, which picoseconds cannot hold */
	double init_sigma_ns = NAN, init_ns = measured(from, 0, "init", &init_sigma_ns);
	put(&f, "init_ns", 0, init_ns / 1000, fmax(init_sigma_ns, init_ns / 5) / 1000);
	if (n_points < 2)
		return;
	put_same(&f, "handed_over", 1);
	put(&f, "spawn", 0, value(&f, 1, "spawn"), NAN);
	put(&f, "start", 0, value(&f, 1, "start"), NAN);
}
