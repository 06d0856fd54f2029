/* SPDX-License-Identifier: MIT */
/* simulation.c - a run ready to be simulated: its compact form, and the costs of the runtime. What
 * one thread alone pays is taken from the recording, where it ran on one thread; what contention
 * adds, from the calibration. */
#include "base/error.h"
#include "base/mem.h"
#include "simulate/program.h"

#include <math.h>

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

/* A creation without its insertion into a queue, and the system call of libgomp after it: that is
 * in each creation if one thread of several runs the tasks. */
static double
without_call(const struct wn_simulation *s, const struct wn_costs *c, double ns)
{
	ns -= cost_ns(c, WN_COST_LOCK, 1);
	if (!s->p.has_one_worker || c->runtime == WN_RUNTIME_LIBOMP)
		return ns;
	double least_ns = fmin(ns, cost_ns(c, WN_COST_CREATE, 1));
	return fmax(ns - cost_ns(c, WN_COST_WAKE_CALL, 1), least_ns);
}

/* Costs of a creation that are not its insertion into a queue, from what creations take in all,
 * and what probes add to each. */
static void
set_creation(const struct wn_simulation *s, struct wn_costs *c, double deferred_ns,
             double undeferred_ns, double more_ns)
{
	if (c->runtime == WN_RUNTIME_LIBOMP && s->p.n_threads == 1) {
		/* no task was queued */
		double ns = isnan(deferred_ns) ? undeferred_ns : deferred_ns;
		/* less than the same empty task takes over and over: too much was taken out of it
		 * as the cost of recording */
		if (c == &s->costs && c->is_calibrated && !isnan(ns))
			ns = fmax(ns, cost_ns(c, WN_COST_INLINE, 1));
		if (!isnan(ns))
			set_cost(c, WN_COST_INLINE, ns + more_ns);
		return;
	}
	if (!isnan(deferred_ns))
		set_cost(c, WN_COST_CREATE, without_call(s, c, deferred_ns) + more_ns);
	if (!isnan(undeferred_ns))
		set_cost(c, WN_COST_INLINE, undeferred_ns + more_ns);
	else if (!isnan(deferred_ns) && s->p.n_threads == 1) {
		/* on one thread the recording does not tell them apart: the mean is of both */
		double least_ns = fmin(cost_ns(c, WN_COST_INLINE, 1), deferred_ns);
		set_cost(c, WN_COST_INLINE,
		         c == &s->recorded_costs ? deferred_ns + more_ns : least_ns);
	}
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

/* Ends of tasks and waits of a run on one thread: nothing else is in them. A calibration ends the
 * same empty task over and over, which is faster than where tasks differ. */
static void
set_waits(struct wn_simulation *s, struct wn_costs *c, const struct wn_totals *t,
          uint64_t n_deferred)
{
	double waits_ns = (double)(t->scheduling_ns + t->leaving_ns + t->idle_ready_ns);
	if (n_deferred)
		set_cost(c, WN_COST_FINISH,
		         (waits_ns - (double)s->p.n_waits * cost_ns(c, WN_COST_WAIT, 1)) /
		                 (double)n_deferred -
		             cost_ns(c, WN_COST_LOCK, 1));
	else if (s->p.n_waits) /* no task ran in a wait */
		set_cost(c, WN_COST_WAIT, waits_ns / (double)s->p.n_waits);
}

/* Further costs that a run on one thread shows. */
static void
set_alone(struct wn_simulation *s, struct wn_costs *c, const struct wn_model *x, double more_ns)
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
	if (n_acquired)
		set_cost(c, WN_COST_MUTEX, (double)wait_ns / (double)n_acquired);
	if (n_outer) {
		set_cost(c, WN_COST_FORK, (double)t->forking_ns / (double)n_outer);
		set_cost(c, WN_COST_JOIN, 0);
	}
	/* a loop of few chunks does not show what one costs */
	if (t->n_chunks >= 16 * t->n_loops && t->n_chunks)
		set_cost(c, WN_COST_CHUNK,
		         (double)(t->dispatch_ns - t->static_ns) /
		                 (double)(t->n_chunks + t->n_loops) +
		             more_ns);
}

/* Where several threads take tasks up, what recording adds to their waits is in no other time. */
static void
add_probes_of_waits(struct wn_costs *c, const struct wn_calibration *by)
{
	if (!by)
		return;
	set_cost(c, WN_COST_FINISH,
	         cost_ns(c, WN_COST_FINISH, 1) +
	             by->piece[WN_EV_TASK_END][WN_EV_TASK_BEGIN].ps / 1000.0);
	set_cost(c, WN_COST_WAIT,
	         cost_ns(c, WN_COST_WAIT, 1) +
	             by->piece[WN_EV_SYNC_BEGIN][WN_EV_TASK_BEGIN].ps / 1000.0);
}

/* A thread's time from one chunk's dispatch to the next, without the dispatch, on average. */
static double
chunk_ns(const struct program *p)
{
	double sum_ns = 0;
	for (uint32_t i = 0; i < p->n_chunks; i++)
		sum_ns += (double)p->chunks[i].work_ns + (double)p->chunks[i].extra_ns;
	return p->n_chunks ? sum_ns / p->n_chunks : 0;
}

/* Costs are fitted to the run by so many simulations, each by at most this factor. */
#define FITS    2u
#define FIT_MAX 2.0

static void
scale_tasks(struct wn_costs *c, double factor)
{
	static const enum wn_cost of_tasks[] = {
	    WN_COST_CREATE, WN_COST_INLINE,   WN_COST_FINISH, WN_COST_WAIT,      WN_COST_LOCK,
	    WN_COST_FAR,    WN_COST_FAR_PICK, WN_COST_MOVE,   WN_COST_WAKE_CALL, WN_COST_YIELD,
	};
	for (unsigned i = 0; i < sizeof of_tasks / sizeof *of_tasks; i++)
		for (unsigned k = 0; k < WN_COST_POINTS; k++)
			c->ps[of_tasks[i]][k] = (uint32_t)fmin(4e9, factor * c->ps[of_tasks[i]][k]);
}

/* Simulates the run as it was recorded. If that is refused, which is reported later with the
 * reason, the result is not known. */
static wn_status
simulate_recorded(struct wn_simulation *s, wn_err *err)
{
	const struct wn_scenario as_recorded = {.is_as_recorded = true};
	wn_status st = wn_simulate(s, &as_recorded, &s->recorded, err);
	s->knows_recorded = st == WN_OK;
	return st == WN_E_ARG ? WN_OK : st;
}

/* How far apart CPUs are, and how long a call of the kernel takes, changes between calibration and
 * run, and copies and dependences take time, too: where the runtime has so much of the threads'
 * time, costs are scaled to the run's. Those count with which a simulation is nearest to the run:
 * by the elapsed time, and for a part by what the runtime takes. */
#define TASKS_FIT_SHARE 0.05
#define TASKS_FITS      4u
#define LARGE_FITS      2u
#define LARGE           1000000u
#define TASKS_FIT_MAX   5.0
#define FITTED          0.02
#define OF_RUNTIME      0.5

static wn_status
fit_tasks(struct wn_simulation *s, const struct wn_totals *t, wn_err *err)
{
	double recorded_ns = (double)(t->creation_ns + t->scheduling_ns + t->recording_ns) -
	                     (double)t->grain_recording_ns;
	double all_ns = (double)s->p.recorded_ns * s->p.n_threads;
	struct wn_costs of_plain = s->costs, of_recorded = s->recorded_costs;
	struct wn_sim_result nearest = {.elapsed_ns = 0};
	double factor = 1, least = INFINITY;
	unsigned n_fits = s->p.n_grains < LARGE ? TASKS_FITS : LARGE_FITS;
	if (s->p.n_threads < 2 || s->p.has_nested_teams || all_ns <= 0 ||
	    recorded_ns < TASKS_FIT_SHARE * all_ns)
		return WN_OK;
	for (unsigned i = 0; i <= n_fits; i++) {
		const struct wn_sim_result *r = &s->recorded;
		wn_status st = simulate_recorded(s, err);
		if (!s->knows_recorded)
			return st;
		double ns = (double)r->ns[WN_SIM_CREATION] + (double)r->ns[WN_SIM_RUNTIME] +
		            (double)r->ns[WN_SIM_SCHEDULE];
		double ratio = recorded_ns / fmax(1, ns);
		double off = fabs(log((double)r->elapsed_ns / (double)s->p.recorded_ns)) +
		             OF_RUNTIME * fabs(log(ratio));
		if (off < least) {
			least = off;
			nearest = *r;
			of_plain = s->costs;
			of_recorded = s->recorded_costs;
		}
		factor *= ratio;
		if (r->n_tasks == 0 || factor > TASKS_FIT_MAX || factor < 1 / TASKS_FIT_MAX ||
		    fabs(ratio - 1) < FITTED)
			break;
		scale_tasks(&s->recorded_costs, ratio);
		scale_tasks(&s->costs, ratio);
	}
	s->costs = of_plain;
	s->recorded_costs = of_recorded;
	s->recorded = nearest;
	return WN_OK;
}

static enum wn_cost
dispatch_cost(const struct wn_simulation *s)
{
	return s->costs.runtime == WN_RUNTIME_LIBOMP ? WN_COST_OWN_CHUNK : WN_COST_CHUNK;
}

static void
scale_dispatch(struct wn_costs *c, enum wn_cost which, double factor)
{
	for (unsigned k = 1; k < WN_COST_POINTS; k++)
		c->ps[which][k] = (uint32_t)fmin(4e9, factor * c->ps[which][k]);
}

/* Whether requests follow one another is what the simulation decides: it is repeated with
 * dispatches as much shorter or longer as those of the run took. */
static wn_status
fit_dispatch(struct wn_simulation *s, double recorded_ns, wn_err *err)
{
	for (unsigned i = 0; i < FITS && !s->p.has_nested_teams; i++) {
		const struct wn_sim_result *r = &s->recorded;
		wn_status st = simulate_recorded(s, err);
		if (!s->knows_recorded)
			return st;
		double ratio = recorded_ns / fmax(1, (double)r->ns[WN_SIM_SCHEDULE]);
		/* with tasks, it contains what they take; far off, the chunks are others */
		if (r->n_tasks > 0 || ratio > FIT_MAX || ratio < 1 / FIT_MAX)
			break;
		s->knows_recorded = false;
		scale_dispatch(&s->recorded_costs, dispatch_cost(s), ratio);
	}
	return WN_OK;
}

/* Dispatches of chunks: contention for them is what the run shows, if it had several threads, and
 * what other numbers of threads add to it is as calibrated. It depends on the program: a dispatch
 * begins when the stores of the chunk before it are done, which takes long where another CPU has
 * their cache lines. Requests for the shared counter follow one another if they take longer than
 * the chunks between them; as the recorder has its stores before each, too, a plain run is taken to
 * be in the middle of what was recorded and what was calibrated. */
static wn_status
set_dispatch(struct wn_simulation *s, const struct wn_totals *t, double more_ns, wn_err *err)
{
	uint32_t n_threads = s->p.n_threads;
	enum wn_cost which = dispatch_cost(s);
	bool is_own = which == WN_COST_OWN_CHUNK;
	double n_calls = (double)(t->n_chunks + t->n_loops * (uint64_t)n_threads);
	double known_ns = cost_ns(&s->costs, which, n_threads);
	if (n_threads < 2 || known_ns <= 0 || t->n_chunks == 0 ||
	    t->n_chunks < 16 * t->n_loops * (uint64_t)n_threads)
		return WN_OK;
	double dispatch_ns = (double)(t->dispatch_ns - t->static_ns);
	double ns = dispatch_ns / n_calls + more_ns;
	if (!is_own)
		ns = fmin(ns, (chunk_ns(&s->p) + ns) / n_threads);
	scale_dispatch(&s->recorded_costs, which, ns / known_ns);
	wn_status st = fit_dispatch(s, dispatch_ns + n_calls * more_ns, err);
	double plain_ns = fmax(0, cost_ns(&s->recorded_costs, which, n_threads) - more_ns);
	if (!is_own)
		plain_ns = sqrt(plain_ns * known_ns);
	scale_dispatch(&s->costs, which, plain_ns / known_ns);
	return st;
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
	         WN_ATTACH_NS + cost_ns(&s->costs, WN_COST_START, 1));
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
	double probe_ns = probes_ns(&x->m->totals);
	set_creation(s, &s->costs, s->p.deferred.plain_ns, s->p.undeferred.plain_ns, 0);
	set_creation(s, &s->recorded_costs, s->p.deferred.recorded_ns, s->p.undeferred.recorded_ns,
	             probe_ns);
	if (s->p.n_threads == 1) {
		set_waits(s, &s->recorded_costs, &x->m->totals, n_deferred);
		/* libomp queues nothing on one thread, so its waits there are others */
		if (is_gomp || !s->costs.is_calibrated)
			set_waits(s, &s->costs, &x->m->totals, n_deferred);
		set_alone(s, &s->recorded_costs, x, probe_ns);
		if (!s->costs.is_calibrated)
			set_alone(s, &s->costs, x, 0);
	} else {
		add_probes_of_waits(&s->recorded_costs, wn_trace_calibration(trace, NULL));
	}
	WN_TRY(set_dispatch(s, &x->m->totals, probe_ns, err));
	WN_TRY(fit_tasks(s, &x->m->totals, err));
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
