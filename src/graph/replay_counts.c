/* SPDX-License-Identifier: MIT */
/*
 * replay_counts.c - attributes counts to grains. A counter is treated as an additional clock: its
 * growth between two timed records of a thread goes to the account of the time between them
 * (account.c), undivided.
 *
 * A thread may lack some or all counters: grains that run there have an unknown value.
 */
#include "graph/replay.h"

#include "base/mem.h"

#include <string.h>

/* Bounds sums so that none overflows: a stream that counts more is damaged. */
#define COUNTS_MAX (UINT64_C(1) << 62)

wn_status
counts_init(struct replay *r)
{
	struct wn_graph *g = r->g;
	const struct wn_trace_counter *named;
	size_t n = wn_trace_counters(r->trace, &named);
	if (n == 0)
		return WN_OK;
	g->counts = wn_calloc(n, sizeof *g->counts);
	if (!g->counts)
		return replay_no_memory(r);
	g->n_counts = n;
	for (size_t i = 0; i < n; i++) {
		g->counts[i].name = named[i].name;
		g->counts[i].unit = named[i].unit;
		g->counts[i].by = named[i].by;
		if (!named[i].name)
			continue;
		g->counts[i].own = wn_calloc(g->n, sizeof *g->counts[i].own);
		g->counts[i].is_unknown = wn_calloc((size_t)g->n / 8 + 1, 1);
		if (!g->counts[i].own || !g->counts[i].is_unknown)
			return replay_no_memory(r);
	}
	for (uint32_t i = 0; i < g->n_threads; i++) {
		r->threads[i].pending = wn_calloc(n, sizeof *r->threads[i].pending);
		r->threads[i].shares = wn_calloc(n, sizeof *r->threads[i].shares);
		if (!r->threads[i].pending || !r->threads[i].shares)
			return replay_no_memory(r);
	}
	return WN_OK;
}

wn_status
on_counting(struct replay *r, struct replay_thread *t)
{
	t->counted = t->v[0];
	for (size_t i = 0; i < r->g->n_counts; i++)
		if (t->counted >> i & 1)
			r->g->counts[i].n_threads += !(t->has_counted >> i & 1);
	t->has_counted |= t->counted;
	return WN_OK;
}

wn_status
on_counts(struct replay *r, struct replay_thread *t)
{
	struct wn_graph *g = r->g;
	for (uint32_t i = 0; i < WN_COUNTS_GROUP_N; i++) {
		uint64_t grown = t->v[1 + i];
		if (grown == 0)
			continue;
		/* the group may have any value */
		bool is_named = t->v[0] < WN_COUNTERS_MAX / WN_COUNTS_GROUP_N;
		size_t number = is_named ? (size_t)t->v[0] * WN_COUNTS_GROUP_N + i : 0;
		is_named = is_named && number < g->n_counts && g->counts[number].name;
		if (!is_named || !(t->counted >> number & 1) ||
		    grown > COUNTS_MAX - g->counts[number].total) {
			g->anomalies.n_counts_unknown++;
			continue;
		}
		t->pending[number] += grown;
		g->counts[number].total += grown;
		t->has_pending = true;
	}
	return WN_OK;
}

/* The set of locations that a grain touched is unknown where some of it could not be kept
 * (counters/properties.def). */
static bool
is_loss(const struct wn_counts *c)
{
	return strcmp(c->name, "footprint_lost") == 0;
}

static void
lose_footprint(struct wn_graph *g, wn_grain id)
{
	static const char start[] = "footprint_";
	for (size_t i = 0; i < g->n_counts; i++) {
		struct wn_counts *c = &g->counts[i];
		if (c->name && strncmp(c->name, start, sizeof start - 1) == 0 && !is_loss(c))
			c->is_unknown[id / 8] |= (uint8_t)(1u << id % 8);
	}
}

/* The last record of each thread is used. An implausible time is ignored. */
wn_status
on_count_share(struct replay *r, struct replay_thread *t)
{
	const uint64_t *v = t->v;
	if (v[0] >= r->g->n_counts || v[1] > WN_NS_MAX || v[2] > v[1])
		return WN_OK;
	struct wn_counts *c = &r->g->counts[v[0]];
	struct wn_count_share *last = &t->shares[v[0]];
	c->enabled_ns += v[1] - last->enabled_ns;
	c->running_ns += v[2] - last->running_ns;
	*last = (struct wn_count_share){v[1], v[2]};
	return WN_OK;
}

/* The thread requested a counter that was never scheduled: its grains' counts are unknown, not 0.
 */
static void
lose_thread(struct replay *r, uint32_t thread, struct wn_counts *c)
{
	const struct wn_graph *g = r->g;
	c->n_threads_without_turn++;
	for (wn_grain id = 0; id < g->n; id++)
		if (g->flags[id] & WN_GF_STARTED && g->thread[id] == thread)
			c->is_unknown[id / 8] |= (uint8_t)(1u << id % 8);
}

void
counts_end(struct replay *r)
{
	for (size_t i = 0; i < r->g->n_counts; i++) {
		struct wn_counts *c = &r->g->counts[i];
		for (uint32_t k = 0; c->name && k < r->g->n_threads; k++) {
			const struct wn_count_share *last = &r->threads[k].shares[i];
			if (last->enabled_ns && !last->running_ns)
				lose_thread(r, k, c);
		}
	}
}

static void
give_own(struct replay *r, struct replay_thread *t, wn_grain id, bool has_run)
{
	struct wn_graph *g = r->g;
	for (size_t i = 0; i < g->n_counts; i++) {
		struct wn_counts *c = &g->counts[i];
		if (!c->name)
			continue;
		if (has_run && !(t->counted >> i & 1))
			c->is_unknown[id / 8] |= (uint8_t)(1u << id % 8);
		c->own[id] += t->pending[i];
		if (t->pending[i] && is_loss(c))
			lose_footprint(g, id);
	}
}

void
counts_give(struct replay *r, struct replay_thread *t, enum wn_account account, wn_grain id,
            bool has_run)
{
	struct wn_graph *g = r->g;
	if (r->current != t || (!t->has_pending && account != WN_ACCOUNT_OWN))
		return; /* no COUNTS record precedes this event: the counts come later */
	if (account == WN_ACCOUNT_OWN)
		give_own(r, t, id, has_run);
	for (size_t i = 0; t->has_pending && i < g->n_counts; i++) {
		g->counts[i].sum[account] += t->pending[i];
		t->pending[i] = 0;
	}
	t->has_pending = false;
}

void
counts_split(struct replay *r, wn_grain from, wn_grain to, double part)
{
	for (size_t i = 0; i < r->g->n_counts; i++) {
		struct wn_counts *c = &r->g->counts[i];
		if (!c->name)
			continue;
		uint64_t moved = (uint64_t)(part * (double)c->own[from]);
		if (moved > c->own[from]) /* rounded, above 2^53 */
			moved = c->own[from];
		c->own[from] -= moved;
		c->own[to] += moved;
		if (wn_count_is_unknown(c, from))
			c->is_unknown[to / 8] |= (uint8_t)(1u << to % 8);
	}
}
