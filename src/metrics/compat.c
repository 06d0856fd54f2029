/* SPDX-License-Identifier: MIT */
/*
 * compat.c - computes the span of the reduced graph like the prototype behind [P5]: a parent's
 * whole work comes before its first fork, and its fork-joins follow one another.
 *
 * The tail of a grain is the length from its start: its work, then each fork-join's longest
 * branch. A grain's tail is complete when those of all its children are; remaining children are
 * counted down, leaves first.
 */
#include "metrics/metrics_private.h"

#include "base/error.h"
#include "base/mem.h"

struct compat {
	uint64_t *tail_ns;   /* [n] */
	uint64_t *branch_ns; /* [n_fjs] longest branch */
	uint32_t *n_left;    /* [n] members of own fork-joins not yet complete */
	wn_grain *ready;     /* [n] stack */
	uint32_t *fj_left;   /* [n_fjs] */
};

static bool
is_node(const struct wn_graph *g, wn_grain id)
{
	return g->kind[id] != WN_GRAIN_NONE && g->kind[id] != WN_GRAIN_HELPER;
}

static uint64_t
run(const struct wn_graph *g, struct compat *c)
{
	size_t n_ready = 0;
	uint64_t span_ns = 0;
	for (wn_grain id = 0; id < g->n; id++) {
		if (!is_node(g, id) || g->fj[id] == WN_NO_FJ)
			continue;
		uint32_t fj = g->fj[id];
		if (c->fj_left[fj]++ == 0)
			c->n_left[g->fjs[fj].owner]++;
	}
	for (wn_grain id = 0; id < g->n; id++) {
		c->tail_ns[id] = wn_work_ns(g, id);
		if (is_node(g, id) && c->n_left[id] == 0)
			c->ready[n_ready++] = id;
	}
	while (n_ready) {
		wn_grain id = c->ready[--n_ready];
		uint32_t fj = g->fj[id];
		if (fj == WN_NO_FJ) {
			span_ns = c->tail_ns[id] > span_ns ? c->tail_ns[id] : span_ns;
			continue;
		}
		wn_grain owner = g->fjs[fj].owner;
		if (c->tail_ns[id] > c->branch_ns[fj])
			c->branch_ns[fj] = c->tail_ns[id];
		if (--c->fj_left[fj] > 0)
			continue;
		c->tail_ns[owner] += c->branch_ns[fj];
		if (--c->n_left[owner] == 0)
			c->ready[n_ready++] = owner;
	}
	return span_ns;
}

wn_status
metrics_compat_span(const struct wn_graph *g, uint64_t *span_ns, wn_err *err)
{
	wn_status st = WN_OK;
	struct compat c = {
	    .tail_ns = wn_calloc(g->n, sizeof *c.tail_ns),
	    .branch_ns = wn_calloc(g->n_fjs, sizeof *c.branch_ns),
	    .n_left = wn_calloc(g->n, sizeof *c.n_left),
	    .ready = wn_calloc(g->n, sizeof *c.ready),
	    .fj_left = wn_calloc(g->n_fjs, sizeof *c.fj_left),
	};
	if (!c.tail_ns || !c.branch_ns || !c.n_left || !c.ready || !c.fj_left)
		st = wn_no_memory(err);
	else
		*span_ns = run(g, &c);
	WN_FREE_ALL(c.tail_ns, c.branch_ns, c.n_left, c.ready, c.fj_left);
	return st;
}
