/* SPDX-License-Identifier: MIT */
/*
 * path.c - walk back from the end of the span, and name a grain by its path from the root.
 */
#include "graph/graph.h"

#include <inttypes.h>
#include <stdio.h>

static struct wn_join_step
step_at(const struct wn_graph *g, uint32_t pos)
{
	if (g->is_lean)
		return g->steps[pos];
	const struct wn_join *join = &g->joins[pos];
	return (struct wn_join_step){join->prev, join->winner, join->winner_pos};
}

void
wn_graph_mark_critical(struct wn_graph *g)
{
	wn_grain id = g->span_end;
	uint32_t pos = g->span_end_join;
	/* each step goes to an older join, or to a parent or sibling that was created earlier */
	uint64_t steps_left = (uint64_t)g->n + g->n_joins + 1;
	while (id != WN_NO_GRAIN && steps_left-- > 0) {
		const struct wn_dependent *d = wn_dependent(g, id);
		g->flags[id] |= WN_GF_CRITICAL;
		if (pos == WN_NO_JOIN && d && d->winner != WN_NO_GRAIN) {
			pos = d->winner_pos;
			id = d->winner;
			continue;
		}
		if (pos == WN_NO_JOIN) {
			pos = g->after_join[id];
			id = g->parent[id];
			continue;
		}
		struct wn_join_step step = step_at(g, pos);
		pos = step.winner == WN_NO_GRAIN ? step.prev : step.winner_pos;
		id = step.winner == WN_NO_GRAIN ? id : step.winner;
	}
}

struct text {
	char *buffer;
	size_t size, length;
};

static void
put_text(struct text *t, const char *text)
{
	for (; *text; text++, t->length++)
		if (t->length + 1 < t->size)
			t->buffer[t->length] = *text;
}

static void
put_number(struct text *t, const char *before, uint64_t number, const char *after)
{
	char digits[24];
	snprintf(digits, sizeof digits, "%" PRIu64, number);
	put_text(t, before);
	put_text(t, digits);
	put_text(t, after);
}

/* A step of the path: a letter or none, and a number. */
static void
put_named(struct text *t, const char *letters, uint64_t number)
{
	if (t->length)
		put_text(t, ".");
	put_number(t, letters, number, "");
}

static void
put_range(struct text *t, const struct wn_range *range)
{
	put_number(t, "[", range->first, ":");
	put_number(t, "", range->first + range->iterations, ")");
}

/* The step from the parent's name to this grain's, without what the parent says itself. */
static void
put_step(const struct wn_graph *g, wn_grain id, struct text *t)
{
	wn_grain parent = g->parent[id];
	const struct wn_range *range = g->range[id] ? &g->ranges[g->range[id] - 1] : NULL;
	bool below_implicit = parent != WN_NO_GRAIN && g->kind[parent] == WN_GRAIN_IMPLICIT;
	bool is_implicit = g->kind[id] == WN_GRAIN_IMPLICIT;
	uint32_t context = is_implicit ? g->regions[g->context[id]].context : g->context[id];
	switch (g->kind[id]) {
	case WN_GRAIN_CHUNK:
	case WN_GRAIN_SECTION: {
		const struct wn_loop *loop = &g->loops[g->context[id]];
		put_named(t, g->kind[id] == WN_GRAIN_CHUNK ? "L" : "S", loop->number);
		if (range && g->kind[id] == WN_GRAIN_SECTION)
			put_number(t, "[", range->first, "]");
		else if (range && range->iterations == 0 && below_implicit) /* unknown: a share */
			put_number(t, "[t", g->child_number[parent] - 1, "]");
		else if (range)
			put_range(t, range);
		return;
	}
	default:
		break;
	}
	if (below_implicit && context)
		put_named(t, "s", context - 1);
	else if (below_implicit)
		put_named(t, "t", g->child_number[parent] - 1);
	if (is_implicit) { /* its region; its thread is named only by what needs it */
		put_named(t, "P", g->regions[g->context[id]].number);
		return;
	}
	if (g->kind[id] == WN_GRAIN_TASKLOOP && range) {
		put_named(t, "TL", range->taskloop);
		put_range(t, range);
		return;
	}
	put_named(t, "", g->child_number[id]);
}

size_t
wn_graph_lineage(const struct wn_graph *g, wn_grain id, char *buffer, size_t size)
{
	struct text t = {buffer, size, 0};
	wn_grain at = id;
	uint32_t depth = 0;
	if (g->is_lean) { /* its numbers were not kept */
		put_text(&t, "?");
		goto out;
	}
	while (g->parent[at] != WN_NO_GRAIN && depth < g->n) {
		at = g->parent[at];
		depth++;
	}
	if (g->thread[at] != 0)
		put_named(&t, "I", g->thread[at]);
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
		put_named(&t, "t", g->child_number[id] - 1);
	if (t.length == 0)
		put_text(&t, "R");
out:
	if (size)
		buffer[t.length < size ? t.length : size - 1] = '\0';
	return t.length;
}
