/* SPDX-License-Identifier: MIT */
/*
 * rules_regions.c - regions with load imbalance, too many regions, and the serial code between
 * them.
 */
#include "advise/advise_private.h"

#include "metrics/outside.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>

/* Marks regions in which implicit tasks, or chunks of theirs, create tasks: threads without work of
 * their own run those. */
static void
mark_tasks(const struct wn_graph *g, uint8_t *has_tasks)
{
	for (wn_grain id = 0; id < g->n; id++) {
		if (!advice_is_task(g, id))
			continue;
		wn_grain parent = g->parent[id];
		if (parent != WN_NO_GRAIN && g->kind[parent] == WN_GRAIN_CHUNK)
			parent = g->parent[parent];
		if (parent != WN_NO_GRAIN && g->kind[parent] == WN_GRAIN_IMPLICIT)
			has_tasks[g->context[parent]] = 1;
	}
}

/* Work of implicit tasks that is in no grain: between each two barriers, the other threads wait for
 * the busiest one. */
wn_status
rule_uneven_regions(struct advice *a, wn_err *err)
{
	const struct wn_graph *g = a->g;
	uint8_t *has_tasks = wn_calloc(g->n_regions, 1);
	if (!has_tasks)
		return wn_no_memory(err);
	mark_tasks(g, has_tasks);
	for (uint32_t i = 0; i < g->n_regions; i++) {
		const struct wn_region *region = &g->regions[i];
		if (has_tasks[i] || region->n_implicit < 2 || region->own_work_ns == 0)
			continue;
		double mean_ns = (double)region->own_work_ns / region->n_implicit;
		double busiest_ns = fmax(mean_ns, (double)region->busiest_ns);
		struct entry *e = advice_entry(a, WN_RULE_UNEVEN_REGION, region->site);
		e->n++;
		e->gain_ns += busiest_ns - mean_ns;
		e->sum += busiest_ns / mean_ns;
	}
	wn_free(has_tasks);
	return WN_OK;
}

/* Returns the first region from this one on that its thread met outside all others. */
static uint32_t
outermost_from(const struct wn_graph *g, uint32_t thread, uint32_t region)
{
	for (; region < g->first_region[thread + 1]; region++) {
		wn_grain parent = g->regions[region].parent;
		if (parent != WN_NO_GRAIN && g->kind[parent] == WN_GRAIN_INITIAL)
			break;
	}
	return region;
}

static uint64_t
count_outermost(const struct wn_graph *g, uint32_t thread)
{
	uint64_t n = 0;
	uint32_t end = g->first_region[thread + 1];
	uint32_t region = outermost_from(g, thread, g->first_region[thread]);
	for (; region < end; region = outermost_from(g, thread, region + 1))
		n++;
	return n;
}

struct stretch {
	uint64_t ns;
	uint32_t site; /* of the region that follows; WN_NO_SITE: it comes after the last one */
};

/* Regions cut a thread's context into stretches. If it created tasks, these cut it, too, and the
 * order relative to regions is unknown. */
static void
find_longest(const struct wn_graph *g, struct stretch *longest)
{
	struct wn_fragment f;
	uint32_t region = 0;
	bool is_cut_by_regions = false;
	wn_fragments_from(&g->fragments, g->last_runs, &f);
	while (wn_fragments_next(&f)) {
		if (g->kind[f.grain] != WN_GRAIN_INITIAL)
			continue;
		uint32_t thread = g->thread[f.grain];
		if (f.is_first) {
			is_cut_by_regions = f.n_left == count_outermost(g, thread);
			region = g->first_region[thread];
		}
		region = outermost_from(g, thread, region);
		bool is_before = region < g->first_region[thread + 1];
		if (is_cut_by_regions && f.ns > longest->ns)
			*longest = (struct stretch){f.ns, is_before ? g->regions[region].site
			                                            : WN_NO_SITE};
		region += is_before;
	}
}

/* Serial time of the initial thread; the place is the region after the longest stretch. */
void
rule_serial_part(struct advice *a)
{
	double total_ns = (double)a->m->totals.serial_ns;
	struct stretch longest = {0, WN_NO_SITE};
	if (a->n_threads < 2 || a->m->totals.n_regions == 0)
		return;
	find_longest(a->g, &longest);
	struct entry *e = advice_entry(a, WN_RULE_SERIAL, longest.site);
	e->n = 1;
	e->gain_ns = total_ns * (1 - 1 / a->n_threads);
	e->sum = total_ns;
	e->sum2 = (double)longest.ns;
	e->on_critical_path = true;
}

/* Start-up time of any process, and the share of its time below which it is not reported. */
#define START_NS    20e6
#define START_SHARE 0.05

/* The place is the first region, which all threads wait for. */
void
rule_serial_start(struct advice *a)
{
	const struct wn_graph *g = a->g;
	const struct wn_region *first = NULL;
	struct wn_outside outside;
	if (a->n_threads < 2 || !wn_outside_of(g, a->m->totals.elapsed_ns, &outside))
		return;
	double wall_ns = (double)wn_trace_header(g->trace)->wall_ns;
	uint64_t loaded_ns; /* loading the program is not its own code */
	double before_ns = (double)outside.before_ns;
	if (wn_trace_fact(g->trace, WN_FACT_LOADED_NS, &loaded_ns)) /* ... before the recording */
		before_ns = fmin(before_ns, (double)(loaded_ns + g->first_ns));
	if (before_ns < START_NS || before_ns < START_SHARE * wall_ns)
		return;
	for (uint32_t i = 0; i < g->n_regions; i++)
		if (g->regions[i].parent != WN_NO_GRAIN &&
		    (!first || g->regions[i].begin_ns < first->begin_ns))
			first = &g->regions[i];
	if (!first)
		return;
	struct entry *e = advice_entry(a, WN_RULE_SERIAL_START, first->site);
	e->n = 1;
	e->gain_ns = before_ns * (1 - 1 / a->n_threads);
	e->sum = before_ns;
	e->sum2 = wall_ns;
	e->on_critical_path = true;
}

/* Fewer regions at a place are not too many, however long the first one takes to start. */
#define LEAST_REGIONS 10

/* What one long region would not lose: forking, and the end of the region, where threads wait for
 * the others and wake up. Time that other rules explain stays out: a large imbalance, and all but
 * forking where locks, chunks and tasks take more than it. */
static double
lost_around(const struct wn_region *region, bool is_all_theirs)
{
	double forking_ns = (double)region->forking_ns;
	double mean_ns = (double)region->sum_work_ns / fmax(1, region->n_implicit);
	double work_ns = (double)region->max_work_ns;
	if (!is_all_theirs)
		return forking_ns;
	if (work_ns - mean_ns <= forking_ns)
		work_ns = mean_ns;
	return fmax(forking_ns, (double)(region->end_ns - region->begin_ns) - work_ns);
}

/* Each region's own cost, since large teams start slowly: at most the regions' time. */
void
rule_many_regions(struct advice *a)
{
	const struct wn_graph *g = a->g;
	const struct wn_totals *t = &a->m->totals;
	if (t->n_regions < 100 || (double)t->forking_ns < 0.05 * a->elapsed_ns)
		return;
	bool is_all_theirs = t->forking_ns > t->mutex_ns + t->dispatch_ns + t->creation_ns +
	                                         t->scheduling_ns + t->preempted_ns;
	for (uint32_t i = 0; i < g->n_regions; i++) {
		const struct wn_region *region = &g->regions[i];
		if (region->parent == WN_NO_GRAIN)
			continue;
		struct entry *e = advice_entry(a, WN_RULE_MANY_REGIONS, region->site);
		e->n++;
		e->gain_ns += lost_around(region, is_all_theirs);
		e->sum += (double)(region->end_ns - region->begin_ns);
		e->sum2 += (double)region->forking_ns;
	}
	for (size_t place = 0; place <= a->n_places; place++) {
		struct entry *e = advice_at(a, WN_RULE_MANY_REGIONS, place);
		if (e->n < LEAST_REGIONS)
			e->n = 0;
		/* nested ones start at the same time on several threads */
		e->gain_ns = fmin(e->gain_ns, a->elapsed_ns);
	}
}
