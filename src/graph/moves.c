/* SPDX-License-Identifier: MIT */
/*
 * moves.c - records which fragments ran on another CPU than the previous one, and so where each
 * ran. Most grains stay on their CPU: only moves are stored.
 *
 * A thread's CPU is recorded where grains start or resume; a fragment ran on its thread's CPU at
 * its first work.
 */
#include "graph/replay.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"

#include <stddef.h>
#include <stdlib.h>

wn_status
move_add(struct replay *r, struct live *l, uint64_t fragment)
{
	struct wn_graph *g = r->g;
	uint16_t cpu = (uint16_t)(l->piece_cpu - 1);
	uint64_t piece_ns = l->piece_ns;
	l->piece_cpu = 0;
	if (fragment > UINT32_MAX)
		return WN_OK;
	uint16_t last = l->move ? g->moves[l->move - 1].cpu : g->cpu[l->id];
	if (cpu == last) {
		if (l->move)
			g->moves[l->move - 1].work_ns += piece_ns;
		return WN_OK;
	}
	if (g->n_moves == UINT32_MAX - 1)
		return WN_OK;
	if (wn_grow(&g->moves, &g->moves_capacity, g->n_moves + 1, sizeof *g->moves) != 0)
		return replay_no_memory(r);
	g->moves[g->n_moves++] = (struct wn_cpu_move){l->id, (uint32_t)fragment, piece_ns, cpu};
	l->move = (uint32_t)g->n_moves;
	return WN_OK;
}

WN_COMPARE(by_grain, struct wn_cpu_move, WN_BY_FIRST(grain, WN_BY(fragment)))

wn_status
moves_end(struct wn_graph *g, wn_err *err)
{
	if (g->n_moves == 0)
		return WN_OK;
	qsort(g->moves, g->n_moves, sizeof *g->moves, by_grain);
	g->has_moves = wn_calloc((size_t)g->n / 8 + 1, 1);
	if (!g->has_moves)
		return wn_no_memory(err);
	for (size_t i = 0; i < g->n_moves; i++)
		g->has_moves[g->moves[i].grain / 8] |= (uint8_t)(1u << g->moves[i].grain % 8);
	return WN_OK;
}

const struct wn_cpu_move *
wn_cpu_moves_of(const struct wn_graph *g, wn_grain id, size_t *n)
{
	*n = 0;
	if (!g->has_moves || !(g->has_moves[id / 8] >> id % 8 & 1))
		return NULL;
	size_t low = wn_first_from(g->moves, g->n_moves, sizeof *g->moves,
	                           offsetof(struct wn_cpu_move, grain), id);
	while (low + *n < g->n_moves && g->moves[low + *n].grain == id)
		++*n;
	return &g->moves[low];
}

uint16_t
wn_fragment_cpu(const struct wn_graph *g, wn_grain id, uint64_t fragment)
{
	size_t n;
	const struct wn_cpu_move *moves = wn_cpu_moves_of(g, id, &n);
	if (fragment < UINT32_MAX)
		n = wn_first_from(moves, n, sizeof *moves, offsetof(struct wn_cpu_move, fragment),
		                  (uint32_t)fragment + 1);
	return n ? moves[n - 1].cpu : g->cpu[id];
}

static uint64_t
work_on(const struct wn_cpu_move *moves, size_t n, uint16_t cpu)
{
	uint64_t sum_ns = 0;
	for (size_t i = 0; i < n; i++)
		sum_ns += moves[i].cpu == cpu ? moves[i].work_ns : 0;
	return sum_ns;
}

uint16_t
wn_grain_main_cpu(const struct wn_graph *g, wn_grain id)
{
	size_t n;
	const struct wn_cpu_move *moves = wn_cpu_moves_of(g, id, &n);
	uint16_t best = g->cpu[id];
	uint64_t away_ns = 0;
	if (n == 0)
		return best;
	for (size_t i = 0; i < n; i++)
		away_ns += moves[i].work_ns;
	uint64_t best_ns = wn_work_ns(g, id) > away_ns ? wn_work_ns(g, id) - away_ns : 0;
	best_ns += work_on(moves, n, best);
	/* consecutive fragments mostly share a CPU: tries as many others as a machine has */
	for (size_t i = 0; i < n; i++) {
		if (moves[i].cpu == best || (i > 0 && moves[i].cpu == moves[i - 1].cpu))
			continue;
		uint64_t ns = work_on(moves, n, moves[i].cpu);
		if (ns > best_ns) {
			best_ns = ns;
			best = moves[i].cpu;
		}
		if (i >= 64) /* enough samples */
			break;
	}
	return best;
}
