/* SPDX-License-Identifier: MIT */
/* place_stats.c - sums grains by place in the source, with an exact median. */
#include "metrics/metrics_private.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"
#include "base/parallel.h"

#include <string.h>

static bool
is_counted(const struct wn_graph *g, wn_grain id)
{
	return wn_is_grain(g, id) || g->kind[id] == WN_GRAIN_IMPLICIT;
}

static void
add(const struct wn_metrics *m, wn_grain id, struct wn_place_stats *s)
{
	const struct wn_graph *g = m->g;
	uint64_t work_ns = wn_work_ns(g, id);
	if (s->n++ == 0)
		s->kind = g->kind[id];
	else if (s->kind != g->kind[id])
		s->is_mixed = true;
	s->work_ns += work_ns;
	s->sync_ns += wn_sync_ns(g, id);
	if (work_ns > s->max_ns)
		s->max_ns = work_ns;
	if (g->flags[id] & WN_GF_CREATION_KNOWN) {
		s->creation_ns += wn_creation_ns(g, id);
		s->n_creation_known++;
	}
	if (g->flags[id] & WN_GF_CRITICAL) {
		s->n_critical++;
		s->critical_work_ns += work_ns;
	}
	for (uint32_t left = m->problems[id]; left; left &= left - 1)
		s->problem[__builtin_ctz(left)]++;
}

/* The grains of one job. */
struct part {
	const struct wn_metrics *m;
	const uint32_t *group_of_site; /* [n_sites] */
	size_t n_sites, n_groups;
	wn_grain first, end;
	struct wn_place_stats *stats; /* [n_groups] of the part */
	size_t *at;                   /* [n_groups] where the part's works begin in the list */
	struct works {
		uint32_t *shorts; /* [m->g->n] if each is below 2^32 ... */
		uint64_t *longs;  /* ... else this one; the other is NULL */
	} works;
};

enum { PARTS_MAX = 16, LEAST_IDS = 1 << 14 };

/* Elements between two arrays, so that no line of the cache has some of both. */
enum { APART = 8 };

static inline uint32_t
group_of(const struct part *p, wn_grain id)
{
	const struct wn_metrics *m = p->m;
	const struct wn_graph *g = m->g;
	if (m->has_grain && !m->has_grain[id])
		return UINT32_MAX;
	if (!is_counted(g, id) || g->site[id] >= p->n_sites)
		return UINT32_MAX;
	uint32_t group = p->group_of_site[g->site[id]];
	return group < p->n_groups ? group : UINT32_MAX;
}

static void
sum_part(void *user, size_t i)
{
	const struct part *p = (struct part *)user + i;
	for (wn_grain id = p->first; id < p->end; id++) {
		uint32_t group = group_of(p, id);
		if (group != UINT32_MAX)
			add(p->m, id, &p->stats[group]);
	}
}

static void
list_part(void *user, size_t i)
{
	const struct part *p = (struct part *)user + i;
	for (wn_grain id = p->first; id < p->end; id++) {
		uint32_t group = group_of(p, id);
		if (group == UINT32_MAX)
			continue;
		if (p->works.shorts)
			p->works.shorts[p->at[group]++] = (uint32_t)wn_work_ns(p->m->g, id);
		else
			p->works.longs[p->at[group]++] = wn_work_ns(p->m->g, id);
	}
}

/* Adds the stats of the same place from later grains. */
static void
merge(struct wn_place_stats *to, const struct wn_place_stats *from, int n_problems)
{
	if (from->n == 0)
		return;
	if (to->n == 0)
		to->kind = from->kind;
	to->is_mixed |= from->is_mixed || to->kind != from->kind;
	to->n += from->n;
	to->work_ns += from->work_ns;
	to->sync_ns += from->sync_ns;
	to->max_ns = from->max_ns > to->max_ns ? from->max_ns : to->max_ns;
	to->creation_ns += from->creation_ns;
	to->n_creation_known += from->n_creation_known;
	to->n_critical += from->n_critical;
	to->critical_work_ns += from->critical_work_ns;
	for (int p = 0; p < n_problems; p++)
		to->problem[p] += from->problem[p];
}

/* Computes where each part's works of each group begin in the list: by group, within it by part. */
static void
place_works(struct part *parts, size_t n_parts, struct wn_place_stats *out)
{
	size_t at = 0;
	for (size_t group = 0; group < parts->n_groups; group++) {
		memset(&out[group], 0, sizeof out[group]);
		for (size_t i = 0; i < n_parts; i++) {
			parts[i].at[group] = at;
			at += parts[i].stats[group].n;
			merge(&out[group], &parts[i].stats[group], parts->m->n_problems);
		}
	}
}

/* Makes the list of all works. */
static bool
make_list(struct part *parts, size_t n_parts, const struct wn_place_stats *out)
{
	struct works works = {NULL, NULL};
	size_t n = parts[0].m->g->n;
	bool is_long = false;
	for (size_t group = 0; group < parts->n_groups; group++)
		is_long |= out[group].max_ns > UINT32_MAX;
	if (is_long)
		works.longs = wn_calloc(n, sizeof *works.longs);
	else
		works.shorts = wn_calloc(n, sizeof *works.shorts);
	for (size_t i = 0; i < n_parts; i++)
		parts[i].works = works;
	return works.shorts || works.longs;
}

/* The works of each group, of which the median is selected. */
struct medians {
	struct works works;
	const size_t *end; /* [n_groups] in the list */
	struct wn_place_stats *out;
};

static void
find_median(void *user, size_t group)
{
	const struct medians *m = user;
	struct wn_place_stats *s = &m->out[group];
	size_t first = m->end[group] - s->n, middle = (s->n - 1) / 2;
	if (s->n && m->works.shorts)
		s->median_ns = wn_order_select_short(m->works.shorts + first, s->n, middle);
	else if (s->n)
		s->median_ns = wn_order_select(m->works.longs + first, s->n, middle);
}

static bool
make_parts(struct part *parts, size_t n_parts, struct part all)
{
	bool has_memory = true;
	for (size_t i = 0; i < n_parts; i++) {
		parts[i] = all;
		parts[i].first = (wn_grain)(i * (uint64_t)all.end / n_parts);
		parts[i].end = (wn_grain)((i + 1) * (uint64_t)all.end / n_parts);
		parts[i].stats = wn_calloc(all.n_groups + 1, sizeof *all.stats);
		parts[i].at = wn_calloc(all.n_groups + APART, sizeof *all.at);
		has_memory &= parts[i].stats && parts[i].at;
	}
	return has_memory;
}

wn_status
wn_metrics_places(const struct wn_metrics *m, const uint32_t *group_of_site, size_t n_groups,
                  struct wn_place_stats *out, wn_err *err)
{
	struct part parts[PARTS_MAX];
	size_t n = m->g->n < LEAST_IDS ? 1 : wn_parallel_cpus();
	n = n < PARTS_MAX ? n : PARTS_MAX;
	bool is_done = make_parts(parts, n,
	                          (struct part){.m = m,
	                                        .group_of_site = group_of_site,
	                                        .n_sites = wn_trace_n_sites(m->g->trace),
	                                        .n_groups = n_groups,
	                                        .end = m->g->n});
	if (is_done) {
		wn_parallel((unsigned)n, n, sum_part, parts);
		place_works(parts, n, out);
		is_done = make_list(parts, n, out);
	}
	if (is_done) {
		wn_parallel((unsigned)n, n, list_part, parts);
		struct medians medians = {parts[0].works, parts[n - 1].at, out};
		wn_parallel((unsigned)n, n_groups, find_median, &medians);
	}
	wn_free(parts[0].works.shorts);
	wn_free(parts[0].works.longs);
	for (size_t i = 0; i < n; i++) {
		wn_free(parts[i].stats);
		wn_free(parts[i].at);
	}
	return is_done ? WN_OK : wn_no_memory(err);
}
