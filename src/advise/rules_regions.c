/* SPDX-License-Identifier: MIT */
/*
 * rules_regions.c - regions that are uneven or too many, and the code between them.
 */
#include "advise/advise_private.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>

/* Regions in which nothing but the implicit tasks was seen. */
wn_status
rule_uneven_regions(struct advice *a, wn_err *err)
{
	const struct wn_graph *g = a->g;
	uint8_t *has_grains = wn_calloc(g->n_regions, 1);
	if (!has_grains)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	for (wn_grain id = 0; id < g->n; id++)
		if (g->kind[id] == WN_GRAIN_IMPLICIT && g->n_children[id])
			has_grains[g->context[id]] = 1;
	for (uint32_t i = 0; i < g->n_regions; i++) {
		const struct wn_region *region = &g->regions[i];
		if (has_grains[i] || region->n_implicit < 2 || region->sum_work_ns == 0)
			continue;
		double mean_ns = (double)region->sum_work_ns / region->n_implicit;
		struct entry *e = advice_entry(a, WN_RULE_UNEVEN_REGION, region->site);
		e->n++;
		e->gain_ns += (double)region->max_work_ns - mean_ns;
		e->sum += (double)region->max_work_ns / mean_ns;
	}
	wn_free(has_grains);
	return WN_OK;
}

/* Time the initial thread computes alone; the place is the region after the longest stretch. */
wn_status
rule_serial_part(struct advice *a, wn_err *err)
{
	const struct wn_graph *g = a->g;
	double total_ns = (double)a->m->totals.serial_ns;
	if (a->n_threads < 2 || a->m->totals.n_regions == 0)
		return WN_OK;
	uint32_t *n_seen = wn_calloc(g->n_threads, sizeof *n_seen);
	if (!n_seen)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	uint64_t longest_ns = 0;
	uint32_t site = WN_NO_SITE;
	struct wn_fragment f;
	for (wn_fragments_begin(&g->fragments, &f); wn_fragments_next(&f);) {
		if (g->kind[f.grain] != WN_GRAIN_INITIAL)
			continue;
		/* the k-th fragment of a thread's own context ends where its k-th region begins */
		uint32_t thread = g->thread[f.grain], k = n_seen[thread]++;
		uint32_t region = g->first_region[thread] + k;
		if (f.ns <= longest_ns)
			continue;
		longest_ns = f.ns;
		site = region < g->first_region[thread + 1] ? g->regions[region].site : WN_NO_SITE;
	}
	struct entry *e = advice_entry(a, WN_RULE_SERIAL, site);
	e->n = 1;
	e->gain_ns = total_ns * (1 - 1 / a->n_threads);
	e->sum = total_ns;
	e->sum2 = (double)longest_ns;
	e->on_critical_path = true;
	wn_free(n_seen);
	return WN_OK;
}

/* Fewer regions than this at a place are not many, whatever the first of them takes to start. */
#define LEAST_REGIONS 10

/* Each region's own cost, since large teams start slowly: never more than the regions took. */
void
rule_many_regions(struct advice *a)
{
	const struct wn_graph *g = a->g;
	const struct wn_totals *t = &a->m->totals;
	if (t->n_regions < 100 || (double)t->forking_ns < 0.05 * a->elapsed_ns)
		return;
	for (uint32_t i = 0; i < g->n_regions; i++) {
		const struct wn_region *region = &g->regions[i];
		if (region->parent == WN_NO_GRAIN)
			continue;
		struct entry *e = advice_entry(a, WN_RULE_MANY_REGIONS, region->site);
		e->n++;
		e->gain_ns += (double)region->forking_ns;
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
