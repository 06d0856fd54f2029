/* SPDX-License-Identifier: MIT */
/* time.c - divides threads x elapsed among the categories of time.def. */
#include "model/model.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"
#include "trace/trace_switches.h"

#include <math.h>
#include <stdlib.h>

const struct wn_time_category wn_time_categories[WN_TIME_N] = {
#define WN_TIME(NAME, name, totals_key, kind, is_known, ns, title, definition)                     \
	[WN_TIME_##NAME] = {#name, title, WN_TIME_KIND_##kind},
#include "model/time.def"
};

struct edge {
	uint64_t at_ns;
	int64_t change;
};

/* Sorts ends before begins at the same time. */
WN_COMPARE(by_time, struct edge, WN_BY_FIRST(at_ns, WN_BY(change)))

/* Each open region adds its team except the encountering thread. */
static wn_status
count_threads(struct wn_model *x, wn_err *err)
{
	const struct wn_graph *g = x->m->g;
	struct edge *edges = wn_calloc((size_t)g->n_regions * 2, sizeof *edges);
	size_t n = 0;
	int64_t now = 1, most = 1;
	if (!edges)
		return wn_no_memory(err);
	for (uint32_t i = 0; i < g->n_regions; i++) {
		const struct wn_region *region = &g->regions[i];
		if (region->parent == WN_NO_GRAIN || region->team_size < 2)
			continue;
		uint64_t end_ns = region->is_closed ? region->end_ns : g->last_ns;
		edges[n++] = (struct edge){region->begin_ns, (int64_t)region->team_size - 1};
		edges[n++] = (struct edge){end_ns, 1 - (int64_t)region->team_size};
	}
	qsort(edges, n, sizeof *edges, by_time);
	for (size_t i = 0; i < n; i++) {
		now += edges[i].change;
		most = now > most ? now : most;
	}
	wn_free(edges);
	/* no more threads can be active than were recorded */
	x->n_threads = most > (int64_t)g->n_threads ? g->n_threads : (uint32_t)most;
	if (!g->thread_time)
		x->n_threads = x->m->totals.n_threads;
	if (x->n_threads == 0)
		x->n_threads = 1;
	return WN_OK;
}

/* What the threads' own accounts do not contain is the time of threads outside regions. */
static void
divide_time(struct wn_model *x)
{
	const struct wn_totals *t = &x->m->totals;
	uint64_t work_ns = 0, outer_forking_ns = 0;
	for (uint32_t i = 0; x->m->g->thread_time && i < x->m->g->n_threads; i++) {
		const struct wn_thread_time *time = &x->m->g->thread_time[i];
		work_ns += time->work_ns;
		outer_forking_ns += time->forking_ns - time->nested_forking_ns;
	}
	uint64_t seen_ns = t->region_ns + t->serial_ns + t->serial_off_ns + t->serial_recording_ns +
	                   t->serial_mpi_ns + outer_forking_ns + t->paused_ns + t->lost_ns;
	x->thread_ns = x->n_threads * t->elapsed_ns;
	if (x->thread_ns < seen_ns)
		x->thread_ns = seen_ns;
	uint64_t serial_idle_ns = x->thread_ns - seen_ns;
	/* the state of the other threads is unknown, so it does not count as idle */
	uint64_t others_ns = (t->elapsed_ns - t->recorded_ns) * x->n_threads;
	others_ns = others_ns > t->paused_ns ? others_ns - t->paused_ns : 0;
	if (others_ns > serial_idle_ns)
		others_ns = serial_idle_ns;
	serial_idle_ns -= others_ns;
	uint64_t paused_ns = t->paused_ns + others_ns;
	bool knows_mutexes =
	    wn_trace_header(x->m->g->trace)->event_shape[WN_EV_MUTEX_WAIT] || t->mutex_ns;
#define WN_TIME(NAME, name, totals_key, kind, its_known, its_ns, title, definition)                \
	x->ns[WN_TIME_##NAME] = its_ns;                                                            \
	x->is_known[WN_TIME_##NAME] = its_known;
#include "model/time.def"
}

static bool
is_set_to(const struct wn_trace *trace, const char *name, const char *value)
{
	const char *text = wn_trace_setting(trace, name);
	return text && strcasecmp(text, value) == 0;
}

enum wn_wait_policy
wn_model_wait_policy(const struct wn_trace *trace)
{
	if (is_set_to(trace, "OMP_WAIT_POLICY", "active") ||
	    is_set_to(trace, "KMP_BLOCKTIME", "infinite") ||
	    is_set_to(trace, "GOMP_SPINCOUNT", "infinite") ||
	    is_set_to(trace, "GOMP_SPINCOUNT", "infinity"))
		return WN_WAIT_ACTIVE;
	if (is_set_to(trace, "OMP_WAIT_POLICY", "passive") ||
	    is_set_to(trace, "KMP_BLOCKTIME", "0") || is_set_to(trace, "GOMP_SPINCOUNT", "0"))
		return WN_WAIT_PASSIVE;
	return WN_WAIT_DEFAULT;
}

/* A wake-up of a thread that takes less is that of the runtime, and so is starting it, one after
 * the other. */
#define LATE_NS 1000000u

/* Outside regions all but one thread are idle, whatever that one does or waits for. */
uint64_t
wn_model_late_in_regions_ns(const struct wn_model *x)
{
	const struct wn_graph *g = x->m->g;
	const struct wn_totals *t = &x->m->totals;
	uint64_t n = 0, idle_ns = x->ns[WN_TIME_SERIAL_IDLE], inside_ns = 0;
	if (!x->regions_follow || t->lost_ns > 0)
		return 0;
	for (uint32_t i = 0; i < g->n_regions; i++) {
		wn_grain parent = g->regions[i].parent;
		if (parent == WN_NO_GRAIN || g->kind[parent] != WN_GRAIN_INITIAL)
			continue;
		if (g->regions[i].team_size < x->n_threads)
			return 0;
		inside_ns += g->regions[i].end_ns - g->regions[i].begin_ns;
		n++;
	}
	uint64_t n_others = x->n_threads - 1, serial_ns = t->forking_ns;
	if (t->elapsed_ns > inside_ns)
		serial_ns += t->elapsed_ns - inside_ns;
	uint64_t most_ns = n_others * (serial_ns + (n + x->n_threads / 2) * LATE_NS);
	if (n == 0 || idle_ns < most_ns)
		return 0;
	return idle_ns - n_others * serial_ns;
}

uint64_t
wn_model_late_ns(const struct wn_model *x)
{
	uint64_t late_ns = wn_model_late_in_regions_ns(x), woken_ns = x->m->totals.woken_ns,
		 n_bound;
	/* threads that have to share CPUs wait for one another */
	if (x->n_cpus < x->n_threads ||
	    (wn_trace_fact(x->m->g->trace, WN_FACT_BOUND_CPUS, &n_bound) && n_bound < x->n_threads))
		return 0;
	return late_ns > woken_ns ? late_ns : woken_ns;
}

double
wn_model_preempted_ns(const struct wn_model *x)
{
	const struct wn_totals *t = &x->m->totals;
	double own_ns = (double)t->work_ns * fmax(0, (double)x->n_threads / x->n_cpus - 1);
	return fmax(0, (double)t->preempted_ns - own_ns);
}

double
wn_model_waited_for_ns(const struct wn_model *x)
{
	const struct wn_totals *t = &x->m->totals;
	double late_ns = (double)wn_model_late_ns(x), preempted_ns = wn_model_preempted_ns(x);
	double most_ns = WN_DISTURBED * (double)x->n_threads * (double)t->elapsed_ns, off_ns = 0;
	if (preempted_ns > most_ns)
		off_ns = preempted_ns + (double)(t->blocked_ns + t->switch_unknown_ns);
	/* blocked time may contain it */
	if (late_ns > most_ns)
		off_ns = fmax(off_ns, preempted_ns + late_ns);
	return off_ns * (double)(x->n_threads - 1);
}

double
wn_model_others_ns(const struct wn_model *x, double n_cpus)
{
	uint64_t span_ns, cpu_ns;
	if (!wn_trace_fact(x->m->g->trace, WN_FACT_SPAN_NS, &span_ns) ||
	    !wn_trace_fact(x->m->g->trace, WN_FACT_CPU_NS, &cpu_ns))
		return (double)NAN;
	return fmax(0, n_cpus * (double)span_ns - (double)cpu_ns);
}

double
wn_model_steal_ns(const struct wn_model *x)
{
	uint64_t ns, n_cpus = wn_trace_header(x->m->g->trace)->n_cpus;
	bool is_known = wn_trace_fact(x->m->g->trace, WN_FACT_STEAL_NS, &ns);
	return is_known ? fmax(0, (double)ns - 8e6 * sqrt((double)n_cpus)) : 0;
}

double
wn_model_calls_ns(const struct wn_model *x)
{
	uint64_t kernel_ns, n_faults = 0;
	if (!wn_trace_fact(x->m->g->trace, WN_FACT_KERNEL_NS, &kernel_ns) ||
	    !wn_trace_fact(x->m->g->trace, WN_FACT_MINOR_FAULTS, &n_faults))
		return 0;
	double ns = (double)kernel_ns - WN_FAULT_NS_MAX * (double)n_faults;
	return fmin(fmax(0, ns), (double)x->m->totals.work_ns);
}

/* Longer ones are waits for something else. */
#define SHORT_SLEEP_NS 100e3

bool
wn_model_sleeps_are_short(const struct wn_model *x)
{
	const struct wn_graph *g = x->m->g;
	struct wn_switch_cursor cursor;
	struct wn_switch off;
	double n = 0;
	for (uint32_t thread = 0; thread < g->n_threads; thread++) {
		wn_switch_cursor_init(&cursor, g->trace, thread);
		while (wn_switch_next(&cursor, &off))
			n += off.kind == WN_SWITCH_BLOCKED;
	}
	return (double)x->m->totals.blocked_ns < n * SHORT_SLEEP_NS;
}

wn_status
wn_model_build(const struct wn_metrics *m, struct wn_model *out, wn_err *err)
{
	struct wn_model x = {.m = m};
	wn_status st;
	WN_TRY(count_threads(&x, err));
	divide_time(&x);
	model_bounds(&x);
	*out = x;
out:
	return st;
}
