/* SPDX-License-Identifier: MIT */
/* rules_producer.c - one thread creates nearly all tasks, spends much of the run on task creation
 * and its work in between, and the others are idle. The producer is one grain of the whole run, or
 * one of the team's in each region. The place is that of the producer: a region, or a task; the
 * sites of its tasks are the parts. */
#include "advise/advise_private.h"

#include "base/error.h"
#include "base/mem.h"

#include <string.h>

#define LEAST_TASKS 100
/* Of all tasks; of the run. */
#define NEARLY_ALL 0.9
#define LEAST_MADE 0.2

struct makers {
	struct advice *a;
	uint32_t *n_made;      /* [n] tasks that a grain created */
	uint8_t *is_producer;  /* [n] */
	double *between_ns;    /* [n_places + 1] own work of producers there, between tasks */
	wn_grain *best;        /* [n_regions] the implicit task that created most */
	uint64_t *n_in_region; /* [n_regions] tasks created by implicit tasks */
	uint64_t *n_at;        /* [n_places + 1] tasks of one producer place, by their own place */
	uint32_t *site_at;     /* [n_places + 1] one of their sites */
	uint64_t n_tasks;
};

static bool
make(struct makers *m, struct advice *a)
{
	const struct wn_graph *g = a->g;
	m->a = a;
	return (m->n_made = wn_calloc(g->n, sizeof *m->n_made)) &&
	       (m->is_producer = wn_calloc(g->n, 1)) &&
	       (m->best = wn_calloc(g->n_regions, sizeof *m->best)) &&
	       (m->n_in_region = wn_calloc(g->n_regions, sizeof *m->n_in_region)) &&
	       (m->n_at = wn_calloc(a->n_places + 1, sizeof *m->n_at)) &&
	       (m->between_ns = wn_calloc(a->n_places + 1, sizeof *m->between_ns)) &&
	       (m->site_at = wn_calloc(a->n_places + 1, sizeof *m->site_at));
}

/* Tasks of a taskloop that ran in its call were never meant for the other threads' queue:
 * rule_inline_tasks. */
static bool
is_for_others(const struct wn_graph *g, wn_grain id)
{
	bool is_kept = g->kind[id] == WN_GRAIN_TASKLOOP && g->flags[id] & WN_GF_INLINE;
	return advice_is_task(g, id) && g->parent[id] != WN_NO_GRAIN && !is_kept;
}

static void
count_made(struct makers *m)
{
	const struct wn_graph *g = m->a->g;
	for (wn_grain id = 0; id < g->n; id++)
		if (is_for_others(g, id)) {
			m->n_made[g->parent[id]]++;
			m->n_tasks++;
		}
	for (wn_grain id = 0; id < g->n; id++) {
		if (g->kind[id] != WN_GRAIN_IMPLICIT || m->n_made[id] == 0)
			continue;
		uint32_t region = g->context[id];
		if (m->n_in_region[region] == 0 || m->n_made[id] > m->n_made[m->best[region]])
			m->best[region] = id;
		m->n_in_region[region] += m->n_made[id];
	}
}

static bool
is_nearly_all(uint64_t part, uint64_t all)
{
	return (double)part >= NEARLY_ALL * (double)all;
}

/* Marks the producers of nearly all tasks; false if there are none. */
static bool
find_producers(struct makers *m)
{
	const struct wn_graph *g = m->a->g;
	uint64_t n_by_one = 0;
	for (wn_grain id = 0; id < g->n; id++)
		if (is_nearly_all(m->n_made[id], m->n_tasks)) {
			m->is_producer[id] = 1;
			return true;
		}
	for (uint32_t i = 0; i < g->n_regions; i++) {
		if (g->regions[i].team_size < 2 || m->n_in_region[i] == 0 ||
		    !is_nearly_all(m->n_made[m->best[i]], m->n_in_region[i]))
			continue;
		m->is_producer[m->best[i]] = 1;
		n_by_one += m->n_made[m->best[i]];
	}
	return is_nearly_all(n_by_one, m->n_tasks);
}

static void
find_parts(struct makers *m, size_t place, struct entry *e)
{
	struct advice *a = m->a;
	const struct wn_graph *g = a->g;
	memset(m->n_at, 0, (a->n_places + 1) * sizeof *m->n_at);
	for (wn_grain id = 0; id < g->n; id++) {
		if (!is_for_others(g, id) || !m->is_producer[g->parent[id]] ||
		    advice_place(a, g->site[g->parent[id]]) != place)
			continue;
		size_t made_at = advice_place(a, g->site[id]);
		if (m->n_at[made_at]++ == 0)
			m->site_at[made_at] = g->site[id];
	}
	for (size_t i = 0; i <= a->n_places; i++)
		if (m->n_at[i])
			advice_keep_part(e, m->site_at[i], (double)m->n_at[i] / (double)e->n);
}

/* Fragments end at task creations and waits. The first is before all tasks; the number after the
 * last task is that of the waits: for the tasks, at the end of a single, at the end of the region.
 */
#define BEHIND 3

static double
find_between(struct makers *m)
{
	const struct wn_graph *g = m->a->g;
	struct wn_fragment f;
	double sum_ns = 0;
	for (wn_fragments_begin(&g->fragments, &f); wn_fragments_next(&f);) {
		if (!m->is_producer[f.grain] || f.is_first || f.n_left < BEHIND)
			continue;
		m->between_ns[advice_place(m->a, g->site[f.grain])] += (double)f.ns;
		sum_ns += (double)f.ns;
	}
	return sum_ns;
}

static void
add_findings(struct makers *m)
{
	struct advice *a = m->a;
	const struct wn_graph *g = a->g;
	double made_ns = find_between(m);
	for (wn_grain id = 0; id < g->n; id++)
		if (m->is_producer[id])
			made_ns += (double)wn_made_ns(g, id);
	if (made_ns < LEAST_MADE * a->elapsed_ns)
		return;
	for (wn_grain id = 0; id < g->n; id++) {
		if (!m->is_producer[id])
			continue;
		struct entry *e = advice_entry(a, WN_RULE_ONE_PRODUCER, g->site[id]);
		e->n += m->n_made[id];
		e->sum += (double)wn_made_ns(g, id);
		e->on_critical_path |= g->flags[id] & WN_GF_CRITICAL;
	}
	for (size_t place = 0; place <= a->n_places; place++) {
		struct entry *e = advice_at(a, WN_RULE_ONE_PRODUCER, place);
		if (e->n == 0)
			continue;
		e->sum += m->between_ns[place];
		e->sum2 = e->sum > 0 ? m->between_ns[place] / e->sum : 0;
		e->gain_ns = made_ns > 0 ? a->idle_ns * e->sum / made_ns : 0;
		if (advice_is_significant(a, e))
			find_parts(m, place, e);
	}
}

wn_status
rule_one_producer(struct advice *a, wn_err *err)
{
	const struct wn_totals *t = &a->m->totals;
	struct makers m = {0};
	wn_status st = WN_OK;
	if (t->n_explicit + t->n_taskloop < LEAST_TASKS || a->n_threads < 2)
		return WN_OK;
	if (!make(&m, a)) {
		st = wn_no_memory(err);
	} else {
		count_made(&m);
		if (m.n_tasks >= LEAST_TASKS && find_producers(&m))
			add_findings(&m);
	}
	WN_FREE_ALL(m.n_made, m.is_producer, m.best, m.n_in_region, m.n_at, m.between_ns,
	            m.site_at);
	return st;
}
