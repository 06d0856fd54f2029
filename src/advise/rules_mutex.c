/* SPDX-License-Identifier: MIT */
/* rules_mutex.c - places of lock contention; those that use the same mutexes are one finding. */
#include "advise/advise_private.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>

static size_t
root_of(const size_t *root, size_t place)
{
	while (root[place] != place)
		place = root[place];
	return place;
}

/* Sets root[place] to a place that stands for all places that use the same mutexes. */
static void
group_places(const struct advice *a, size_t *root)
{
	const struct wn_graph *g = a->g;
	for (size_t place = 0; place <= a->n_places; place++)
		root[place] = place;
	for (size_t i = 0; i < g->n_mutexes; i++) {
		const struct wn_mutex *m = &g->mutexes[i];
		size_t here = root_of(root, advice_place(a, m->site));
		size_t there = root_of(root, advice_place(a, g->mutexes[m->shares_with].site));
		if (here != a->n_places && there != a->n_places)
			root[here] = there;
	}
}

/* Makes one finding of each group of places. */
static wn_status
merge_groups(struct advice *a, wn_err *err)
{
	size_t n = a->n_places + 1, *root = wn_calloc(n, sizeof *root);
	uint8_t *is_member = wn_calloc(n, 1), *is_done = wn_calloc(n, 1);
	wn_status st = root && is_member && is_done ? WN_OK : wn_no_memory(err);
	if (st == WN_OK)
		group_places(a, root);
	for (size_t i = 0; st == WN_OK && i < a->n_places; i++) {
		size_t group = root_of(root, i);
		if (is_done[group] || advice_at(a, WN_RULE_MUTEX, i)->n == 0)
			continue;
		is_done[group] = 1;
		for (size_t place = 0; place < a->n_places; place++)
			is_member[place] = root_of(root, place) == group;
		advice_merge(a, WN_RULE_MUTEX, is_member);
	}
	WN_FREE_ALL(root, is_member, is_done);
	return st;
}

/* Threads that pass a mutex one by one also wait at the end of the region: for the last one to
 * pass. What the model's bound on the elapsed time owes to mutexes is due to the one that is held
 * longest, if it has a finding. */
static void
add_forced(struct advice *a)
{
	const struct wn_edit none = {0}, unlocked = {.is_unlocked = true};
	double forced_ns =
	    (double)wn_model_floor(a->x, &none) - (double)wn_model_floor(a->x, &unlocked);
	struct entry *longest = NULL;
	for (size_t place = 0; place <= a->n_places; place++) {
		struct entry *e = advice_at(a, WN_RULE_MUTEX, place);
		if (e->n > 0 && e->gain_ns > 0 && (!longest || e->sum2 > longest->sum2))
			longest = e;
	}
	if (longest)
		longest->gain_ns = fmax(longest->gain_ns, forced_ns);
}

/* The thread that waits most may also be the one that the others wait for: without its waits, it
 * arrives earlier, up to the time when another one is the last. What that adds is due to the mutex
 * with most waits. */
static void
add_late(struct advice *a)
{
	const struct wn_graph *g = a->g;
	double most_ns = 0, idle_ns = 0, others_ns = 0;
	struct entry *largest = NULL;
	for (uint32_t i = 0; i < g->n_threads; i++) {
		const struct wn_thread_time *time = &g->thread_time[i];
		others_ns += (double)time->idle_empty_ns;
		if ((double)time->mutex_ns > most_ns) {
			most_ns = (double)time->mutex_ns;
			idle_ns = (double)time->idle_empty_ns;
		}
	}
	others_ns = fmax(0, others_ns - idle_ns - a->off_ns);
	double late_ns = fmax(0, others_ns - idle_ns * (a->n_threads - 1)) / a->n_threads;
	for (size_t place = 0; place <= a->n_places; place++) {
		struct entry *e = advice_at(a, WN_RULE_MUTEX, place);
		if (e->n > 0 && (!largest || e->gain_ns > largest->gain_ns))
			largest = e;
	}
	if (largest && largest->gain_ns < most_ns)
		largest->gain_ns = fmin(most_ns, largest->gain_ns + late_ns);
}

/* From a release to the next acquisition: a thread has to notice it, and perhaps to wake up; where
 * others take CPUs, it only may have to notice it. */
#define HANDOVER_NS           50e3
#define HANDOVER_NS_DISTURBED 2e3

/* Each thread waits for the others while they hold a mutex, and hand it over; in ordered code and
 * doacross loops also while they do the work that comes first in the order. What threads wait
 * longer than that is not the mutex's: the thread whose turn it was did not run. */
static double
own_wait_ns(const struct advice *a, const struct wn_mutex *m)
{
	double wait_ns = (double)m->wait_ns, all_ns = (double)a->m->totals.mutex_ns;
	double work_ns = (double)a->m->totals.work_ns, n_others = a->n_threads - 1;
	if (a->n_threads < 2) /* what locking takes without others */
		return wait_ns;
	bool is_shared = a->off_ns > 0 || a->n_cpus < a->n_threads;
	double handover_ns = is_shared ? HANDOVER_NS_DISTURBED : HANDOVER_NS;
	if (m->kind == WN_MUTEX_DOACROSS) {
		double left = a->off_ns > 0 && all_ns > 0 ? fmax(0, 1 - a->off_ns / all_ns) : 1;
		return fmin(wait_ns * left, work_ns * n_others);
	}
	double most_ns = ((double)m->held_ns + (double)m->n_contended * handover_ns) * n_others;
	/* beside others the order itself is no reason: a thread that does not run makes all wait */
	if (m->kind == WN_MUTEX_ORDERED && !is_shared)
		most_ns += work_ns / a->n_threads;
	return fmin(wait_ns, most_ns);
}

/* The runtime's lock for atomic constructs is held so long only to add up a thread's copies of
 * arrays. */
#define REDUCTION_NS 10e3

static bool
is_reduction(const struct wn_mutex *m)
{
	return m->kind == WN_MUTEX_ATOMIC &&
	       (double)m->held_ns >= REDUCTION_NS * (double)m->n_acquired;
}

/* Waits are not known per thread, so they are averaged over all threads, as idle time is. */
wn_status
rule_mutex(struct advice *a, wn_err *err)
{
	const struct wn_graph *g = a->g;
	wn_status st = WN_OK;
	for (size_t i = 0; i < g->n_mutexes; i++) {
		const struct wn_mutex *m = &g->mutexes[i];
		struct entry *e = advice_entry(a, WN_RULE_MUTEX, m->site);
		e->n += m->n_acquired;
		/* copies that are not there need not be added up either */
		double added_ns = is_reduction(m) ? (double)m->held_ns : 0;
		e->gain_ns =
		    fmin(e->gain_ns + (own_wait_ns(a, m) + added_ns) / a->n_threads, a->elapsed_ns);
		bool is_late = own_wait_ns(a, m) < (double)m->wait_ns / 2;
		e->variant = m->kind == WN_MUTEX_DOACROSS  ? MUTEX_DOACROSS
		             : is_late                     ? MUTEX_LATE
		             : m->kind == WN_MUTEX_ORDERED ? MUTEX_ORDERED
		             : is_reduction(m)             ? MUTEX_REDUCTION
		                                           : 0;
		e->sum += (double)m->wait_ns;
		e->sum2 += (double)m->held_ns;
	}
	if (g->n_mutexes > 1)
		WN_TRY(merge_groups(a, err));
	if (a->n_threads > 1)
		add_late(a);
	add_forced(a);
out:
	return st;
}
