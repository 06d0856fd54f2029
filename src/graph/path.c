/* SPDX-License-Identifier: MIT */
/* path.c - marks the critical path by walking back from the end of the span. */
#include "graph/graph.h"

static struct wn_join_step
step_at(const struct wn_graph *g, uint32_t pos)
{
	if (g->detail < WN_DETAIL_WHOLE)
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
	for (wn_grain other = 0; other < g->n; other++)
		g->flags[other] &= (uint16_t)~WN_GF_CRITICAL;
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
