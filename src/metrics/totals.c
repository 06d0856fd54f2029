/* SPDX-License-Identifier: MIT */
/* totals.c - counts and sums over the whole run. */
#include "metrics/metrics_private.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/parallel.h"
#include "trace/trace_calibration.h"
#include "trace/trace_reader.h"
#include "trace/trace_switches.h"

#include <math.h>

/* The grains of one job. */
struct part {
	const struct wn_graph *g;
	struct wn_totals t; /* of the part */
	wn_grain first, end;
};

enum { PARTS_MAX = 16, LEAST_IDS = 1 << 14 };

/* Returns twice the relative standard deviation of what recording has added to times. */
static double
twice_sigma(const struct wn_graph *g)
{
	if (!g->recording_ns || g->probes_ps == 0)
		return 0;
	return 2 * ((double)g->probes_sigma_ps / (double)g->probes_ps);
}

static inline uint64_t
resolution_ns(const struct wn_graph *g, wn_grain id, double twice)
{
	return twice > 0 ? (uint64_t)(twice * (double)g->recording_ns[id]) : 0;
}

uint64_t
metrics_resolution_ns(const struct wn_graph *g, wn_grain id)
{
	return resolution_ns(g, id, twice_sigma(g));
}

static void
count_part(void *user, size_t i)
{
	struct part *part = (struct part *)user + i;
	const struct wn_graph *g = part->g;
	struct wn_totals own = {.creation_known = true}, *t = &own; /* on lines of this thread */
	double twice = twice_sigma(g);
	for (wn_grain id = part->first; id < part->end; id++) {
		uint8_t kind = g->kind[id];
		bool is_task = kind == WN_GRAIN_TASK || kind == WN_GRAIN_TASKLOOP;
		uint64_t work_ns = wn_work_ns(g, id);
		t->work_ns += g->imported ? wn_imported_weight(g, id) : work_ns;
		t->n_explicit += kind == WN_GRAIN_TASK;
		t->n_taskloop += kind == WN_GRAIN_TASKLOOP;
		t->n_chunks += kind == WN_GRAIN_CHUNK;
		t->n_sections += kind == WN_GRAIN_SECTION;
		t->n_implicit += kind == WN_GRAIN_IMPLICIT;
		t->n_nodes += wn_is_drawn(g, id);
		if (is_task && !(g->flags[id] & WN_GF_CREATION_KNOWN))
			t->creation_known = false;
		if (wn_is_grain(g, id)) {
			t->n_below_resolution += work_ns < resolution_ns(g, id, twice);
			t->grain_work_ns += work_ns;
			t->grain_recording_ns += g->recording_ns ? g->recording_ns[id] : 0;
			t->sync_ns += wn_sync_ns(g, id);
		} else if (kind == WN_GRAIN_IMPLICIT || kind == WN_GRAIN_INITIAL) {
			t->sync_ns += wn_sync_ns(g, id);
		}
	}
	part->t = own;
}

static void
count_grains(struct wn_totals *t, const struct wn_graph *g)
{
	struct part parts[PARTS_MAX];
	size_t n = g->n < LEAST_IDS ? 1 : wn_parallel_cpus();
	n = n < PARTS_MAX ? n : PARTS_MAX;
	for (size_t i = 0; i < n; i++)
		parts[i] = (struct part){.g = g,
		                         .first = (wn_grain)(i * (uint64_t)g->n / n),
		                         .end = (wn_grain)((i + 1) * (uint64_t)g->n / n)};
	wn_parallel((unsigned)n, n, count_part, parts);
	t->creation_known = true;
	for (size_t i = 0; i < n; i++) {
		t->work_ns += parts[i].t.work_ns;
		t->n_explicit += parts[i].t.n_explicit;
		t->n_taskloop += parts[i].t.n_taskloop;
		t->n_chunks += parts[i].t.n_chunks;
		t->n_sections += parts[i].t.n_sections;
		t->n_implicit += parts[i].t.n_implicit;
		t->n_nodes += parts[i].t.n_nodes;
		t->creation_known &= parts[i].t.creation_known;
		t->grain_work_ns += parts[i].t.grain_work_ns;
		t->grain_recording_ns += parts[i].t.grain_recording_ns;
		t->n_below_resolution += parts[i].t.n_below_resolution;
		t->sync_ns += parts[i].t.sync_ns;
	}
	t->n_grains = t->n_explicit + t->n_taskloop + t->n_chunks + t->n_sections;
	if (g->imported)
		t->n_grains += t->n_implicit;
	for (size_t i = 0; i < g->n_fjs; i++)
		t->n_fork_joins += g->fjs[i].alias == WN_NO_FJ && g->fjs[i].n_children > 0;
	t->n_fork_joins_opened = g->n_fjs;
	t->n_nodes += 2 * t->n_fork_joins + 2;
}

static void
sum_threads(struct wn_totals *t, const struct wn_graph *g)
{
	uint64_t longest_ns = 0;
	for (size_t i = 0; i < g->n_loops; i++)
		t->static_ns +=
		    g->loops[i].kind_flags & WN_LOOP_INLINE ? g->loops[i].overhead_ns : 0;
	for (uint32_t i = 0; g->thread_time && i < g->n_threads; i++) {
		const struct wn_thread_time *time = &g->thread_time[i];
		longest_ns = time->paused_ns > longest_ns ? time->paused_ns : longest_ns;
		t->creation_ns += time->creation_ns;
		t->dispatch_ns += time->dispatch_ns;
		t->scheduling_ns += time->scheduling_ns;
		t->leaving_ns += time->leaving_ns;
		t->mutex_ns += time->mutex_ns;
		t->mpi_ns += time->mpi_ns + time->serial_mpi_ns;
		t->serial_mpi_ns += time->serial_mpi_ns;
		t->paused_ns += time->paused_ns;
		t->idle_ready_ns += time->idle_ready_ns;
		t->idle_empty_ns += time->idle_empty_ns;
		t->forking_ns += time->forking_ns;
		t->serial_ns += time->serial_ns;
		t->region_ns += time->region_ns;
		t->lost_ns += time->lost_ns;
		t->preempted_ns += time->preempted_ns + time->serial_preempted_ns;
		t->blocked_ns += time->blocked_ns + time->serial_blocked_ns;
		t->serial_off_ns += time->serial_preempted_ns + time->serial_blocked_ns;
		t->switch_unknown_ns += time->unknown_ns;
		t->recording_ns += time->recording_ns + time->serial_recording_ns;
		t->serial_recording_ns += time->serial_recording_ns;
	}
	t->knows_woken = wn_trace_woken_ns(g->trace, &t->woken_ns);
	t->elapsed_ns = g->last_ns - g->first_ns;
	t->recorded_ns = t->elapsed_ns - longest_ns;
	t->n_threads = 1;
	for (uint32_t i = 0; i < g->n_regions; i++)
		if (g->regions[i].team_size > t->n_threads)
			t->n_threads = g->regions[i].team_size;
}

/* The cost of a probe where it was not measured. */
#define GUESSED_PS 25000.0

static double
cost_ps(const struct wn_calibration *by, enum wn_event_code from, enum wn_event_code to)
{
	return by && by->piece[from][to].ps ? by->piece[from][to].ps : GUESSED_PS;
}

/* Returns the share of the waits for mutexes that recording may have made: that of the probes in
 * the time for which a mutex was held, or in the pace at which threads request mutexes. Threads
 * that come back to a mutex before another has noticed its release do not contend for it; a probe
 * gives the other one the time. */
static double
made_share(const struct wn_totals *t, const struct wn_calibration *by, const struct wn_mutex *m,
           double n_acquired)
{
	double held_ps = cost_ps(by, WN_EV_MUTEX_ACQUIRED, WN_EV_MUTEX_RELEASED);
	double all_ns = n_acquired / 1000 *
	                (held_ps + cost_ps(by, WN_EV_MUTEX_WAIT, WN_EV_MUTEX_ACQUIRED) +
	                 cost_ps(by, WN_EV_MUTEX_RELEASED, WN_EV_MUTEX_WAIT));
	double held = held_ps / 1000 * (double)m->n_acquired / fmax(1, (double)m->held_ns);
	return fmin(1, fmax(held, all_ns / fmax(1, all_ns + (double)t->work_ns)));
}

/* The probes of the thread that has most of them lengthen the run, and so do the waits for mutexes
 * that they make, and the starts of threads beyond those that work at a time. */
static void
estimate_perturbation(struct wn_totals *t, const struct wn_graph *g)
{
	const struct wn_calibration *by = wn_trace_calibration(g->trace, NULL);
	double probes_ps = 0, waits_ns = 0, n_acquired = 0;
	uint64_t n_guessed = by ? g->n_unprobed : g->n_events;
	t->is_calibrated = by != NULL;
	t->entry_ns = by ? by->entry.ps / 1000.0 * (double)t->n_grains : 0;
	for (uint32_t i = 0; i < g->n_threads; i++)
		probes_ps = fmax(probes_ps, (double)g->thread_time[i].probes_ps);
	probes_ps += GUESSED_PS * (double)n_guessed / t->n_threads;
	for (size_t i = 0; i < g->n_mutexes; i++)
		n_acquired += (double)g->mutexes[i].n_acquired;
	for (size_t i = 0; i < g->n_mutexes; i++)
		if (g->mutexes[i].wait_ns)
			waits_ns += (double)g->mutexes[i].wait_ns *
			            made_share(t, by, &g->mutexes[i], n_acquired);
	/* threads of nested regions come and go */
	double n_cpus = fmin(t->n_threads, fmax(1, wn_trace_header(g->trace)->n_cpus));
	double n_more = fmax(0, (double)g->n_threads - t->n_threads);
	if (!by && t->work_ns)
		t->recording_share = GUESSED_PS / 1000 * (double)g->n_events / (double)t->work_ns;
	if (t->elapsed_ns)
		t->perturbation =
		    (probes_ps / 1000 + waits_ns / t->n_threads + n_more * WN_ATTACH_NS / n_cpus) /
		    (double)t->elapsed_ns;
}

static wn_status
count_cpus(struct wn_totals *t, const struct wn_graph *g, wn_err *err)
{
	uint8_t *is_seen = wn_calloc(UINT16_MAX + 1, 1);
	if (!is_seen)
		return wn_no_memory(err);
	for (wn_grain id = 0; id < g->n; id++)
		if ((wn_is_grain(g, id) || g->kind[id] == WN_GRAIN_IMPLICIT) &&
		    g->cpu[id] != UINT16_MAX)
			is_seen[g->cpu[id]] = 1;
	for (int cpu = 0; cpu < UINT16_MAX; cpu++)
		t->n_cpus += is_seen[cpu];
	wn_free(is_seen);
	if (!g->thread_time) { /* as many as CPUs, as the prototype counts */
		t->n_threads = t->n_cpus ? t->n_cpus : 1;
		return WN_OK;
	}
	/* threads that shared a CPU by chance could have used all CPUs of the process */
	uint32_t usable = wn_trace_header(g->trace)->n_cpus;
	uint32_t wanted = usable && usable < t->n_threads ? usable : t->n_threads;
	if (t->n_cpus < wanted)
		t->n_cpus = wanted;
	return WN_OK;
}

wn_status
metrics_totals(struct wn_metrics *m, wn_err *err)
{
	const struct wn_graph *g = m->g;
	struct wn_totals *t = &m->totals;
	wn_status st;
	count_grains(t, g);
	sum_threads(t, g);
	if (g->thread_time)
		estimate_perturbation(t, g);
	WN_TRY(count_cpus(t, g, err));
	t->n_loops = g->n_loops;
	for (uint32_t i = 0; i < g->n_regions; i++)
		t->n_regions += g->regions[i].parent != WN_NO_GRAIN;
	for (size_t i = 0; i < g->n_loops; i++)
		if ((g->loops[i].kind_flags & WN_WORK_KIND_MASK) == WN_WORK_SECTIONS)
			t->n_loops--;
	t->n_fragments = g->fragments.n;
	t->n_dependences = g->n_dependences;
	t->span_ns = g->span_ns;
	t->span_scheduled_ns = g->span_scheduled_ns;
	t->span_burdened_ns = g->span_burdened_ns;
	if (m->options.compat && !g->imported) /* its span already is the prototype's */
		WN_TRY(metrics_compat_span(g, &t->span_ns, err));
	t->parallelism = t->span_ns ? (double)t->work_ns / (double)t->span_ns : NAN;
	uint64_t busy_ns =
	    t->work_ns + t->creation_ns + t->dispatch_ns + t->scheduling_ns + t->forking_ns;
	t->cores_used = t->recorded_ns ? (double)busy_ns / (double)t->recorded_ns : NAN;
	st = WN_OK;
out:
	return st;
}

bool
wn_outside_of(const struct wn_graph *g, uint64_t elapsed_ns, struct wn_outside *out)
{
	const struct wn_trace_header *h = wn_trace_header(g->trace);
	if (h->unseen_since_ns) /* part of the rest ran in parallel, unseen */
		return false;
	if (!h->finished || h->wall_ns < elapsed_ns || h->last_mono_ns <= h->start_mono_ns)
		return false;
	uint64_t outside_ns = h->wall_ns - elapsed_ns;
	uint64_t first_ns = h->start_mono_ns + g->first_ns;
	uint64_t start_ns = h->last_mono_ns > h->wall_ns ? h->last_mono_ns - h->wall_ns : 0;
	uint64_t before_ns = first_ns > start_ns ? first_ns - start_ns : 0;
	out->before_ns = before_ns < outside_ns ? before_ns : outside_ns;
	out->after_ns = outside_ns - out->before_ns;
	return true;
}
