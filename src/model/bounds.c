/* SPDX-License-Identifier: MIT */
/* bounds.c - lower bounds on the elapsed time. Regions that one thread meets outside all others
 * follow one another, so each has a bound of its own, and they add up with the serial code. */
#include "model/model.h"

#include "trace/trace_switches.h"

#include <math.h>

/* Shares beyond which no bound is computed: of work without known structure, of lost time, and of
 * time off the CPU that is not known by interval. */
#define HIDDEN_MAX  0.10
#define LOST_MAX    0.01
#define UNKNOWN_MAX 0.05

static double
cpus_usable(const struct wn_model *x)
{
	const struct wn_trace *trace = x->m->g->trace;
	double n = x->n_threads, n_cpus = wn_trace_header(trace)->n_cpus;
	uint64_t quota;
	if (n_cpus > 0)
		n = fmin(n, n_cpus);
	if (wn_trace_fact(trace, WN_FACT_QUOTA_MILLICPUS, &quota) && quota > 0)
		n = fmin(n, (double)quota / 1000);
	return n;
}

/* gcc computes static schedules inside the program: whether the work of an implicit task is a loop
 * that could be divided otherwise is unknown. */
static uint64_t
hidden_ns(const struct wn_model *x)
{
	const struct wn_graph *g = x->m->g;
	const struct wn_trace_header *h = wn_trace_header(g->trace);
	uint64_t sum_ns = 0;
	if (!(h->sources & WN_SOURCE_LIBGOMP))
		return 0;
	for (size_t i = 0; i < g->n_loops; i++)
		if ((g->loops[i].kind_flags & WN_WORK_KIND_MASK) == WN_WORK_LOOP_STATIC)
			return 0; /* recorded: the plug-in compiled it */
	for (uint32_t i = 0; i < g->n_regions; i++)
		if (g->regions[i].parent != WN_NO_GRAIN && g->regions[i].n_implicit > 1)
			sum_ns += g->regions[i].own_work_ns;
	return sum_ns;
}

static const char *
reason_for_no_bound(const struct wn_model *x)
{
	const struct wn_totals *t = &x->m->totals;
	uint64_t queue_ns = 0;
	if (!x->m->g->thread_time)
		return "the table has no times of threads";
	if ((double)x->ns[WN_TIME_LOST] > LOST_MAX * (double)x->thread_ns)
		return "part of the run was not recorded";
	bool has_queue = wn_trace_queue_ns(x->m->g->trace, &queue_ns);
	if (x->n_cpus < x->n_threads && !x->m->g->off_cpu_ns)
		return "threads shared CPUs, and when each of them had one is unknown";
	if ((has_queue && (double)queue_ns > UNKNOWN_MAX * (double)x->thread_ns) ||
	    (x->m->g->off_cpu_ns &&
	     (double)t->switch_unknown_ns > UNKNOWN_MAX * (double)x->thread_ns &&
	     (double)t->preempted_ns > UNKNOWN_MAX * (double)x->thread_ns))
		return "threads were off the CPU at unknown times";
	return NULL;
}

static uint64_t
larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Returns the only thread that met regions outside all others; UINT32_MAX: several did. */
static uint32_t
only_master(const struct wn_graph *g)
{
	uint32_t master = 0;
	bool is_found = false;
	for (uint32_t i = 0; i < g->n_regions; i++) {
		const struct wn_region *region = &g->regions[i];
		if (region->parent == WN_NO_GRAIN || g->kind[region->parent] != WN_GRAIN_INITIAL)
			continue;
		if (is_found && region->thread != master)
			return UINT32_MAX;
		master = region->thread;
		is_found = true;
	}
	return master;
}

uint64_t
wn_model_floor(const struct wn_model *x, const struct wn_edit *edit)
{
	const struct wn_graph *g = x->m->g;
	const struct wn_totals *t = &x->m->totals;
	double share = t->work_ns ? fmax(0, 1 - edit->work_ns / (double)t->work_ns) : 1;
	uint64_t all_ns = (uint64_t)(share * (double)t->work_ns / x->n_cpus);
	uint64_t sum_ns = 0, regions_ns = 0;
	if (!edit->changes_grains)
		all_ns = larger(all_ns, t->span_ns);
	if (!x->regions_follow || edit->shares_serial)
		return all_ns;
	for (uint32_t i = 0; i < g->n_regions; i++) {
		const struct wn_region *region = &g->regions[i];
		if (region->parent == WN_NO_GRAIN || g->kind[region->parent] != WN_GRAIN_INITIAL)
			continue;
		uint64_t ns = (uint64_t)(share * (double)region->work_ns / x->n_cpus);
		if (!edit->changes_grains)
			ns = larger(ns, region->span_ns);
		if (!edit->changes_grains && !edit->is_unlocked)
			ns = larger(ns, region->held_ns);
		sum_ns += ns;
		regions_ns += region->work_ns;
	}
	uint64_t serial_ns = t->work_ns > regions_ns ? t->work_ns - regions_ns : 0;
	return larger(all_ns, sum_ns + serial_ns);
}

void
model_bounds(struct wn_model *x)
{
	const struct wn_totals *t = &x->m->totals;
	const struct wn_edit none = {0};
	x->n_cpus = cpus_usable(x);
	x->no_bound = reason_for_no_bound(x);
	if (!x->no_bound && (double)hidden_ns(x) > HIDDEN_MAX * (double)t->work_ns) {
		x->no_bound = "work in static loops is not divided into grains";
		x->hides_loops = true;
	}
	x->regions_follow = x->m->g->thread_time && only_master(x->m->g) != UINT32_MAX &&
	                    t->serial_ns <= t->elapsed_ns;
	x->bound_ns = wn_model_floor(x, &none);
	x->is_bound_by_mutex =
	    x->bound_ns > wn_model_floor(x, &(struct wn_edit){.is_unlocked = true});
	if (x->bound_ns > t->recorded_ns) /* times of damaged recordings */
		x->bound_ns = t->recorded_ns;
}
