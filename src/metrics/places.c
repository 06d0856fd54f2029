/* SPDX-License-Identifier: MIT */
/*
 * places.c - sums over the grains of one place in the source, with an exact median.
 */
#include "metrics/metrics_private.h"

#include "base/error.h"
#include "base/mem.h"

#include <string.h>

static bool
is_counted(const struct wn_graph *g, wn_grain id)
{
	return wn_is_grain(g, id) || g->kind[id] == WN_GRAIN_IMPLICIT;
}

static uint32_t
group_of(const struct wn_metrics *m, const uint32_t *group_of_site, size_t n_groups, wn_grain id)
{
	const struct wn_graph *g = m->g;
	if (m->has_grain && !m->has_grain[id])
		return UINT32_MAX;
	if (!is_counted(g, id) || g->site[id] >= wn_trace_n_sites(g->trace))
		return UINT32_MAX;
	uint32_t group = group_of_site[g->site[id]];
	return group < n_groups ? group : UINT32_MAX;
}

static void
add(const struct wn_metrics *m, wn_grain id, struct wn_place_stats *s)
{
	const struct wn_graph *g = m->g;
	if (s->n++ == 0)
		s->kind = g->kind[id];
	else if (s->kind != g->kind[id])
		s->is_mixed = true;
	s->work_ns += g->work_ns[id];
	s->sync_ns += g->sync_ns[id];
	if (g->work_ns[id] > s->max_ns)
		s->max_ns = g->work_ns[id];
	if (g->flags[id] & WN_GF_CREATION_KNOWN) {
		s->creation_ns += g->creation_ns[id];
		s->n_creation_known++;
	}
	if (g->flags[id] & WN_GF_CRITICAL) {
		s->n_critical++;
		s->critical_work_ns += g->work_ns[id];
	}
	for (int p = 0; p < m->n_problems; p++)
		s->problem[p] += m->problems[id] >> p & 1;
}

wn_status
wn_metrics_places(const struct wn_metrics *m, const uint32_t *group_of_site, size_t n_groups,
                  struct wn_place_stats *out, wn_err *err)
{
	const struct wn_graph *g = m->g;
	uint64_t *values = wn_calloc(g->n, sizeof *values);
	size_t *end = wn_calloc(n_groups + 1, sizeof *end);
	wn_status st = WN_OK;
	if (!values || !end) {
		st = wn_no_memory(err);
		goto out;
	}
	memset(out, 0, n_groups * sizeof *out);
	for (wn_grain id = 0; id < g->n; id++) {
		uint32_t group = group_of(m, group_of_site, n_groups, id);
		if (group != UINT32_MAX)
			add(m, id, &out[group]);
	}
	for (size_t i = 0; i < n_groups; i++)
		end[i + 1] = end[i] + out[i].n;
	for (wn_grain id = 0; id < g->n; id++) {
		uint32_t group = group_of(m, group_of_site, n_groups, id);
		if (group != UINT32_MAX)
			values[end[group]++] = g->work_ns[id];
	}
	for (size_t i = 0; i < n_groups; i++)
		if (out[i].n)
			out[i].median_ns = metrics_select(values + end[i] - out[i].n, out[i].n,
			                                  (out[i].n - 1) / 2);
out:
	wn_free(values);
	wn_free(end);
	return st;
}
