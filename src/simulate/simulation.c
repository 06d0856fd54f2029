/* SPDX-License-Identifier: MIT */
/*
 * simulation.c - a run ready to be simulated: its compact form, and the costs of the runtime. What
 * one thread alone pays is taken from the recording, where it ran on one thread; what contention
 * adds, from the calibration.
 */
#include "base/error.h"
#include "base/mem.h"
#include "simulate/program.h"

#include <math.h>

/* What the recorder adds to the start of a thread, as measured (doc/prediction.md). */
#define ATTACH_NS 85000

static void
set_cost(struct wn_costs *c, enum wn_cost which, double ns)
{
	double change = fmax(0, ns) * 1000 - c->ps[which][0];
	/* what contention adds stays as it is */
	for (unsigned k = 0; k < WN_COST_POINTS; k++)
		c->ps[which][k] = (uint32_t)fmin(4e9, fmax(0, c->ps[which][k] + change));
}

static double
cost_ns(const struct wn_costs *c, enum wn_cost which, uint32_t k)
{
	return (double)wn_cost_ns(c, which, k);
}

/* What the probes in creations, dispatches, forks add, by event of these. */
static double
probes_ns(const struct wn_totals *t)
{
	double n = (double)(t->n_explicit + t->n_taskloop + t->n_chunks + t->n_regions);
	double ns =
	    (double)(t->recording_ns - t->serial_recording_ns) - (double)t->grain_recording_ns;
	return n > 0 && ns > 0 ? ns / n : 0;
}

/* Costs of a creation that are not its insertion into a queue. */
static void
set_creation(struct wn_simulation *s, struct wn_costs *c, double more_ns)
{
	double lock_ns = cost_ns(c, WN_COST_LOCK, 1);
	if (c->runtime == WN_RUNTIME_LIBOMP && s->p.n_threads == 1) {
		/* no task was queued */
		double ns = isnan(s->p.create_ns) ? s->p.inline_ns : s->p.create_ns;
		if (!isnan(ns))
			set_cost(c, WN_COST_INLINE, ns + more_ns);
		return;
	}
	if (!isnan(s->p.create_ns))
		set_cost(c, WN_COST_CREATE, s->p.create_ns - lock_ns + more_ns);
	if (!isnan(s->p.inline_ns))
		set_cost(c, WN_COST_INLINE, s->p.inline_ns + more_ns);
	else if (!isnan(s->p.create_ns) && s->p.n_threads == 1)
		set_cost(c, WN_COST_INLINE,
		         fmin(cost_ns(c, WN_COST_INLINE, 1), s->p.create_ns) + more_ns);
}

/* No hold of the lock takes longer than what it is a part of. */
static void
limit_lock(struct wn_costs *c, const struct wn_totals *t, uint64_t n_deferred)
{
	double each_ns =
	    (double)(t->scheduling_ns + t->leaving_ns + t->idle_ready_ns) / (double)n_deferred;
	c->ps[WN_COST_LOCK][0] = (uint32_t)fmin(c->ps[WN_COST_LOCK][0], 400 * each_ns);
	c->ps[WN_COST_WAIT][0] = (uint32_t)fmin(c->ps[WN_COST_WAIT][0], 200 * each_ns);
}

/* Costs that a run on one thread shows: nothing else is in its waits. */
static void
set_alone(struct wn_simulation *s, struct wn_costs *c, const struct wn_model *x,
          uint64_t n_deferred, double more_ns)
{
	const struct wn_totals *t = &x->m->totals;
	const struct wn_graph *g = x->m->g;
	uint64_t n_acquired = 0, wait_ns = 0, n_outer = 0;
	for (size_t i = 0; i < g->n_mutexes; i++) {
		n_acquired += g->mutexes[i].n_acquired;
		wait_ns += g->mutexes[i].wait_ns;
	}
	for (uint32_t i = 0; i < s->p.n_regions; i++)
		n_outer += g->regions[i].parent != WN_NO_GRAIN;
	double waits_ns = (double)(t->scheduling_ns + t->leaving_ns + t->idle_ready_ns);
	if (n_deferred)
		set_cost(c, WN_COST_FINISH,
		         (waits_ns - (double)s->p.n_waits * cost_ns(c, WN_COST_WAIT, 1)) /
		                 (double)n_deferred -
		             cost_ns(c, WN_COST_LOCK, 1));
	else if (s->p.n_waits) /* no task ran in a wait */
		set_cost(c, WN_COST_WAIT, waits_ns / (double)s->p.n_waits);
	if (n_acquired)
		set_cost(c, WN_COST_MUTEX, (double)wait_ns / (double)n_acquired);
	if (n_outer) {
		set_cost(c, WN_COST_FORK, (double)t->forking_ns / (double)n_outer);
		set_cost(c, WN_COST_JOIN, 0);
	}
	/* a loop of few chunks does not show what one costs */
	if (t->n_chunks >= 16 * t->n_loops && t->n_chunks)
		set_cost(c, WN_COST_CHUNK,
		         (double)t->dispatch_ns / (double)(t->n_chunks + t->n_loops) + more_ns);
}

/* Chunks from ranges of threads: contention for them is what the run shows, if it had several
 * threads, and what other numbers of threads add to it is as calibrated. */
static void
set_own_chunks(struct wn_costs *c, const struct wn_totals *t, uint32_t n_threads)
{
	double n_calls = (double)(t->n_chunks + t->n_loops * (uint64_t)n_threads);
	double known_ns = cost_ns(c, WN_COST_OWN_CHUNK, n_threads);
	if (c->runtime != WN_RUNTIME_LIBOMP || n_threads < 2 || known_ns <= 0 ||
	    t->n_chunks < 16 * t->n_loops * (uint64_t)n_threads)
		return;
	double ratio = (double)t->dispatch_ns / n_calls / known_ns;
	for (unsigned k = 1; k < WN_COST_POINTS; k++)
		c->ps[WN_COST_OWN_CHUNK][k] =
		    (uint32_t)fmin(4e9, ratio * c->ps[WN_COST_OWN_CHUNK][k]);
}

wn_status
wn_simulation_build(const struct wn_model *x, const struct wn_costs *costs,
                    struct wn_simulation **out, wn_err *err)
{
	const struct wn_trace *trace = x->m->g->trace;
	bool is_gomp = wn_trace_header(trace)->sources & WN_SOURCE_LIBGOMP;
	struct wn_simulation *s = wn_calloc(1, sizeof *s);
	struct wn_scenario as_recorded = {.is_as_recorded = true};
	struct wn_sim_result dry;
	wn_status st;
	if (!s)
		return wn_no_memory(err);
	s->known_entry_ns = NAN;
	s->costs = costs ? *costs
	                 : wn_costs_of(is_gomp ? WN_RUNTIME_LIBGOMP : WN_RUNTIME_LIBOMP,
	                               wn_trace_calibration(trace, NULL));
	if (!costs)
		WN_TRY(costs_fit(&s->costs, err));
	WN_TRY(program_build(x, &s->p, err));
	simulation_count_bytes(s, x->m->g, s->p.work_ns);
	s->recorded_costs = s->costs;
	/* the recorder prepares itself in each new thread */
	set_cost(&s->recorded_costs, WN_COST_START,
	         ATTACH_NS + cost_ns(&s->costs, WN_COST_START, 1));
	uint64_t n_deferred = 0;
	if (s->p.n_threads == 1) {
		/* which tasks were queued does not depend on the costs, on one thread */
		WN_TRY(wn_simulate(s, &as_recorded, &dry, err));
		n_deferred = dry.n_tasks - dry.n_inline;
	}
	if (n_deferred) {
		limit_lock(&s->recorded_costs, &x->m->totals, n_deferred);
		if (!s->costs.is_calibrated)
			limit_lock(&s->costs, &x->m->totals, n_deferred);
	}
	set_creation(s, &s->costs, 0);
	set_creation(s, &s->recorded_costs, probes_ns(&x->m->totals));
	if (s->p.n_threads == 1) {
		set_alone(s, &s->recorded_costs, x, n_deferred, probes_ns(&x->m->totals));
		if (!s->costs.is_calibrated)
			set_alone(s, &s->costs, x, n_deferred, 0);
	}
	set_own_chunks(&s->costs, &x->m->totals, s->p.n_threads);
	set_own_chunks(&s->recorded_costs, &x->m->totals, s->p.n_threads);
	*out = s;
	s = NULL;
out:
	wn_simulation_free(s);
	return st;
}

void
wn_simulation_free(struct wn_simulation *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->n_growth; i++)
		wn_free(s->growth[i].ratio);
	program_fini(&s->p);
	wn_free(s);
}

const struct wn_costs *
wn_simulation_costs(const struct wn_simulation *s)
{
	return &s->costs;
}

uint32_t
wn_simulation_threads(const struct wn_simulation *s)
{
	return s->p.n_threads;
}

double
wn_simulation_unprobed(const struct wn_simulation *s)
{
	double all_ns = (double)s->p.recorded_ns * s->p.n_threads;
	return all_ns > 0 ? fmin(1, (double)s->p.unprobed_ns / all_ns) : 0;
}
