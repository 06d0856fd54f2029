/* SPDX-License-Identifier: MIT */
/*
 * chunk_joins.c - converts the graph to the form of the papers' runtime: children that a chunk or
 * section has not waited for are joined at its end, instead of at the loop's barrier.
 *
 * A fork-join that outlived its chunk is an alias of the one that joined it. The chunk's oldest
 * one is restored, with all children of that chunk: the papers' runtime ended each chunk with one
 * wait.
 */
#include "graph/graph.h"

#include "base/error.h"
#include "base/mem.h"

#include <string.h>

static bool
is_chunk(const struct wn_graph *g, wn_grain id)
{
	return id != WN_NO_GRAIN &&
	       (g->kind[id] == WN_GRAIN_CHUNK || g->kind[id] == WN_GRAIN_SECTION);
}

static bool
outlived_chunk(const struct wn_graph *g, wn_grain id)
{
	return wn_is_grain(g, id) && g->flags[id] & WN_GF_ROGUE && is_chunk(g, g->parent[id]);
}

WN_MUST_CHECK static bool
move(struct wn_graph *g, wn_grain id, uint32_t to)
{
	uint32_t from = g->fj[id];
	uint64_t work_ns = wn_work_ns(g, id), left_ns = wn_fork_join_work(g, from).sum_ns - work_ns;
	if (!wn_fork_join_add(g, to, work_ns) || wn_times_set(&g->fj_sum, from, left_ns) != 0)
		return false;
	g->fjs[from].n_children--;
	g->fjs[to].alias = WN_NO_FJ;
	g->fjs[to].n_children++;
	g->fj[id] = to;
	g->flags[id] &= (uint16_t)~WN_GF_ROGUE;
	return true;
}

/* Recomputes the longest child of fork-joins that have lost children. */
WN_MUST_CHECK static bool
find_longest_again(struct wn_graph *g, const uint8_t *has_lost)
{
	int failed = 0;
	for (uint32_t i = 0; i < g->n_fjs; i++)
		if (has_lost[i])
			failed |= wn_times_set(&g->fj_max, i, 0);
	for (wn_grain id = 0; id < g->n; id++) {
		uint32_t fj = g->fj[id];
		if (fj != WN_NO_FJ && g->kind[id] != WN_GRAIN_HELPER && has_lost[fj])
			failed |= wn_times_raise(&g->fj_max, fj, wn_work_ns(g, id));
	}
	return !failed;
}

wn_status
wn_graph_join_at_chunks(struct wn_graph *g, wn_err *err)
{
	uint32_t *oldest = wn_calloc(g->n, sizeof *oldest);
	uint8_t *has_lost = wn_calloc(g->n_fjs, 1);
	if (!oldest || !has_lost) {
		wn_free(oldest);
		wn_free(has_lost);
		return wn_no_memory(err);
	}
	bool is_ok = true;
	memset(oldest, 0xff, g->n * sizeof *oldest);
	for (size_t i = g->n_fjs; i-- > 0;)
		if (g->fjs[i].alias != WN_NO_FJ && is_chunk(g, g->fjs[i].owner))
			oldest[g->fjs[i].owner] = (uint32_t)i;
	for (wn_grain id = 0; id < g->n && is_ok; id++) {
		if (!outlived_chunk(g, id) || oldest[g->parent[id]] == WN_NO_FJ)
			continue;
		has_lost[g->fj[id]] = 1;
		is_ok = move(g, id, oldest[g->parent[id]]);
	}
	is_ok = is_ok && find_longest_again(g, has_lost);
	wn_free(oldest);
	wn_free(has_lost);
	return is_ok ? WN_OK : wn_no_memory(err);
}
