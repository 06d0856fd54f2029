/* SPDX-License-Identifier: MIT */
/* restrict.c - metrics of a part of the grains. Values of single grains stay as in the whole run;
 * counts and sums become those of the part, and values of threads are dropped. */
#include "metrics/metrics.h"

#include <math.h>

static void
count_grain(struct wn_metrics *m, wn_grain id)
{
	const struct wn_graph *g = m->g;
	struct wn_totals *t = &m->totals;
	uint8_t kind = g->kind[id];
	bool is_grain = wn_is_grain(g, id);
	t->n_grains += is_grain;
	t->n_explicit += kind == WN_GRAIN_TASK;
	t->n_taskloop += kind == WN_GRAIN_TASKLOOP;
	t->n_chunks += kind == WN_GRAIN_CHUNK;
	t->n_sections += kind == WN_GRAIN_SECTION;
	t->n_implicit += kind == WN_GRAIN_IMPLICIT;
	t->work_ns += wn_work_ns(g, id);
	t->grain_work_ns += is_grain ? wn_work_ns(g, id) : 0;
	t->sync_ns += wn_sync_ns(g, id);
	if (is_grain && g->flags[id] & WN_GF_CREATION_KNOWN)
		t->creation_ns += wn_creation_ns(g, id);
	else if (is_grain)
		t->creation_known = false;
	for (uint32_t bits = m->problems[id]; bits; bits &= bits - 1) {
		int p = __builtin_ctz(bits);
		m->problem[p].count++;
		m->problem[p].work_ns += wn_work_ns(g, id);
		m->problem[p].on_critical_path += (g->flags[id] & WN_GF_CRITICAL) != 0;
	}
}

void
wn_metrics_restrict(struct wn_metrics *m, const uint8_t *has_grain, uint64_t span_ns)
{
	m->has_grain = has_grain;
	m->totals = (struct wn_totals){.creation_known = true,
	                               .span_ns = span_ns,
	                               .n_threads = m->totals.n_threads,
	                               .n_cpus = m->totals.n_cpus,
	                               .cores_used = (double)NAN};
	for (int p = 0; p < m->n_problems; p++)
		m->problem[p].count = m->problem[p].work_ns = m->problem[p].on_critical_path = 0;
	for (wn_grain id = 0; id < m->g->n; id++)
		if (has_grain[id])
			count_grain(m, id);
	m->totals.parallelism = span_ns ? (double)m->totals.work_ns / (double)span_ns : (double)NAN;
}
