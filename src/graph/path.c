/* SPDX-License-Identifier: MIT */
/*
 * path.c - walk back from the end of the span, and name a grain by its path from the root.
 */
#include "graph/graph.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void
wn_graph_mark_critical(struct wn_graph *g)
{
	wn_grain id = g->span_end;
	uint32_t pos = g->span_end_join;
	/* each step goes to an older join or to a parent, which was created earlier */
	uint64_t steps_left = (uint64_t)g->n + g->n_joins + 1;
	while (id != WN_NO_GRAIN && steps_left-- > 0) {
		g->flags[id] |= WN_GF_CRITICAL;
		if (pos == WN_NO_JOIN) {
			pos = g->after_join[id];
			id = g->parent[id];
			continue;
		}
		const struct wn_join *join = &g->joins[pos];
		if (join->winner == WN_NO_GRAIN) {
			pos = join->prev;
			continue;
		}
		id = join->winner;
		pos = join->winner_pos;
	}
}

struct text {
	char *buffer;
	size_t size, length;
};

static void
put(struct text *t, const char *separator, const char *fmt, uint64_t a, uint64_t b)
{
	char step[64];
	int n = snprintf(step, sizeof step, fmt, a, b);
	size_t sep = t->length ? strlen(separator) : 0;
	const char *parts[2] = {separator, step};
	size_t lengths[2] = {sep, n > 0 ? (size_t)n : 0};
	for (int i = 0; i < 2; i++) {
		for (size_t k = 0; k < lengths[i]; k++, t->length++)
			if (t->length + 1 < t->size)
				t->buffer[t->length] = parts[i][k];
	}
}

/* The step from the parent's name to this grain's, without what the parent says itself. */
static void
put_step(const struct wn_graph *g, wn_grain id, struct text *t)
{
	wn_grain parent = g->parent[id];
	const struct wn_range *range = g->range[id] ? &g->ranges[g->range[id] - 1] : NULL;
	bool below_implicit = parent != WN_NO_GRAIN && g->kind[parent] == WN_GRAIN_IMPLICIT;
	bool in_single = below_implicit && g->context[id] != 0;
	switch (g->kind[id]) {
	case WN_GRAIN_IMPLICIT: /* its region; the thread is named only by what needs it */
		put(t, ".", "P%" PRIu64, g->regions[g->context[id]].number, 0);
		return;
	case WN_GRAIN_CHUNK:
	case WN_GRAIN_SECTION: {
		const struct wn_loop *loop = &g->loops[g->context[id]];
		put(t, ".", g->kind[id] == WN_GRAIN_CHUNK ? "L%" PRIu64 : "S%" PRIu64, loop->number, 0);
		if (range && g->kind[id] == WN_GRAIN_CHUNK)
			put(t, "", "[%" PRIu64 ":%" PRIu64 ")", range->first, range->first + range->iterations);
		else if (range)
			put(t, "", "[%" PRIu64 "]", range->first, 0);
		return;
	}
	default:
		break;
	}
	if (below_implicit && in_single)
		put(t, ".", "s%" PRIu64, g->context[id] - 1, 0);
	else if (below_implicit)
		put(t, ".", "t%" PRIu64, g->child_number[parent] - 1, 0);
	if (g->kind[id] == WN_GRAIN_TASKLOOP && range) {
		put(t, ".", "TL%" PRIu64, range->taskloop, 0);
		put(t, "", "[%" PRIu64 ":%" PRIu64 ")", range->first, range->first + range->iterations);
		return;
	}
	put(t, ".", "%" PRIu64, g->child_number[id], 0);
}

size_t
wn_graph_lineage(const struct wn_graph *g, wn_grain id, char *buffer, size_t size)
{
	struct text t = {buffer, size, 0};
	wn_grain at = id;
	uint32_t depth = 0;
	while (g->parent[at] != WN_NO_GRAIN && depth < g->n) {
		at = g->parent[at];
		depth++;
	}
	if (g->thread[at] != 0)
		put(&t, ".", "I%" PRIu64, g->thread[at], 0);
	/* from the root down, 256 steps at a time, so that no depth needs memory */
	wn_grain chain[256];
	for (uint32_t done = 0; done < depth;) {
		uint32_t take = depth - done < 256 ? depth - done : 256;
		at = id;
		for (uint32_t i = 0; i < depth - done - take; i++)
			at = g->parent[at];
		for (uint32_t i = take; i-- > 0; at = g->parent[at])
			chain[i] = at;
		for (uint32_t i = 0; i < take; i++)
			put_step(g, chain[i], &t);
		done += take;
	}
	if (g->kind[id] == WN_GRAIN_IMPLICIT)
		put(&t, ".", "t%" PRIu64, g->child_number[id] - 1, 0);
	if (t.length == 0)
		put(&t, "", "R", 0, 0);
	if (size)
		buffer[t.length < size ? t.length : size - 1] = '\0';
	return t.length;
}
