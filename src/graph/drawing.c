/* SPDX-License-Identifier: MIT */
/* drawing.c - links and marks shared by both drawn forms; names; counting. */
#include "graph/draw.h"

#include "base/error.h"
#include "base/mem.h"
#include "graph/draw_private.h"

#include <inttypes.h>
#include <stdio.h>

static bool
make_common(struct wn_draw *d)
{
	const struct wn_graph *g = d->g;
	return (d->fj_mark = wn_calloc(g->n_fjs, 1)) && (d->id_mark = wn_calloc(g->n, 1)) &&
	       (d->join_visited = wn_calloc(g->n_joins, 1)) &&
	       (d->first_fj = wn_calloc_none(g->n)) && (d->next_fj = wn_calloc_none(g->n_fjs)) &&
	       (d->fj_number = wn_calloc_none(g->n_fjs));
}

static bool
make_reduced(struct wn_draw *d)
{
	return (d->first_child = wn_calloc_none(d->g->n_fjs)) &&
	       (d->next_child = wn_calloc_none(d->g->n));
}

static bool
make_fragments(struct wn_draw *d)
{
	const struct wn_graph *g = d->g;
	return (d->early_child = wn_calloc_none(g->n)) &&
	       (d->late_child = wn_calloc_none(g->n_joins)) &&
	       (d->next_sibling = wn_calloc_none(g->n)) && (d->first_join = wn_calloc_none(g->n)) &&
	       (d->next_join = wn_calloc_none(g->n_joins)) &&
	       (d->run = wn_calloc(g->n, sizeof *d->run));
}

/* Prepends `item` to the list at *head. */
static void
push(uint32_t *head, uint32_t *next, uint32_t item)
{
	next[item] = *head;
	*head = item;
}

/* Links fork-joins in the order in which they were opened. Where two of an owner overlap, their
 * joins may come in another order; but children depend on older ones only, and a grain's rogue
 * children are in a fork-join that is younger than the grain's (replay_sync.c), so that no edge
 * goes backwards in this order. */
static void
link_fork_joins(struct wn_draw *d)
{
	const struct wn_graph *g = d->g;
	for (size_t i = 0; i < g->n_joins; i++)
		if (g->joins[i].fj != WN_NO_FJ)
			d->fj_mark[g->joins[i].fj] |= FJ_HAS_JOIN;
	for (uint32_t fj = (uint32_t)g->n_fjs; fj-- > 0;) {
		wn_grain owner = g->fjs[fj].owner;
		if (!fj_is_drawn(g, fj))
			continue;
		push(&d->first_fj[owner], d->next_fj, fj);
		if (!wn_is_drawn(g, owner))
			d->id_mark[owner] |= ID_ROOT;
	}
	for (wn_grain id = 0; id < g->n; id++) {
		uint32_t number = 0;
		for (uint32_t fj = d->first_fj[id]; fj != WN_NO_FJ; fj = d->next_fj[fj])
			d->fj_number[fj] = number++;
		wn_grain parent = g->parent[id];
		if (wn_is_drawn(g, id) && parent != WN_NO_GRAIN && !wn_is_drawn(g, parent))
			d->id_mark[parent] |= ID_ROOT;
	}
}

static void
link_reduced(struct wn_draw *d)
{
	const struct wn_graph *g = d->g;
	for (wn_grain id = g->n; id-- > 0;)
		if (wn_is_drawn(g, id) && fj_is_drawn(g, g->fj[id]))
			push(&d->first_child[g->fj[id]], d->next_child, id);
}

/* Helpers are linked too: their creation cuts their parent's work in two. */
static void
link_fragments(struct wn_draw *d)
{
	const struct wn_graph *g = d->g;
	for (wn_grain id = g->n; id-- > 0;) {
		wn_grain parent = g->parent[id];
		uint32_t after = g->after_join[id];
		if (parent == WN_NO_GRAIN || g->kind[id] == WN_GRAIN_NONE)
			continue;
		bool is_early = after == WN_NO_JOIN || g->joins[after].owner != parent;
		push(is_early ? &d->early_child[parent] : &d->late_child[after], d->next_sibling,
		     id);
	}
	for (uint32_t join = (uint32_t)g->n_joins; join-- > 0;)
		push(&d->first_join[g->joins[join].owner], d->next_join, join);
	struct wn_fragment f;
	wn_fragments_begin(&g->fragments, &f);
	for (size_t place = 0; wn_fragments_next(&f);) {
		if (f.is_first)
			d->run[f.grain] = 1 + place;
		place = wn_fragments_place(&g->fragments, &f);
	}
}

/* Repeats the walk of wn_graph_mark_critical() and records the edges and joins it passes. */
static void
mark_critical(struct wn_draw *d)
{
	const struct wn_graph *g = d->g;
	wn_grain id = g->span_end;
	uint32_t pos = g->span_end_join;
	uint64_t steps_left = (uint64_t)g->n + g->n_joins + 1;
	while (id != WN_NO_GRAIN && steps_left-- > 0) {
		const struct wn_dependent *by = wn_dependent(g, id);
		if (pos == WN_NO_JOIN && by && by->winner != WN_NO_GRAIN) {
			d->id_mark[id] |= ID_BY_DEPENDENCE;
			d->id_mark[by->winner] |= ID_LEFT;
			depend_mark(d, by, by->winner, id);
			pos = by->winner_pos;
			id = by->winner;
			continue;
		}
		if (pos == WN_NO_JOIN) {
			d->id_mark[id] |= ID_ENTERED;
			if (g->fj[id] != WN_NO_FJ && !(g->flags[id] & WN_GF_ROGUE))
				d->fj_mark[g->fj[id]] |= FJ_FORK_CRITICAL;
			pos = g->after_join[id];
			id = g->parent[id];
			continue;
		}
		const struct wn_join *join = &g->joins[pos];
		bool is_own = join->winner == WN_NO_GRAIN;
		d->join_visited[pos] = 1;
		if (join->fj != WN_NO_FJ)
			d->fj_mark[join->fj] |= FJ_JOIN_CRITICAL | (is_own ? FJ_FORK_CRITICAL : 0);
		if (!is_own && (join->kind == WN_JOIN_DEPEND || join->kind == WN_JOIN_FULFILL))
			d->id_mark[join->winner] |= ID_LEFT;
		const struct wn_dependent *wait =
		    join->kind == WN_JOIN_DEPEND ? wn_dependent(g, join->waitpoint) : NULL;
		if (wait && !is_own && d->form == WN_FORM_FRAGMENTS) {
			const struct wn_dependent *from =
			    wait->carrier == WN_NO_GRAIN ? wait : wn_dependent(g, wait->carrier);
			depend_mark(d, from, join->winner, wait->grain);
		}
		id = is_own ? id : join->winner;
		pos = is_own ? join->prev : join->winner_pos;
	}
}

wn_status
wn_draw_new(const struct wn_graph *g, enum wn_form form, struct wn_draw **out, wn_err *err)
{
	if (g->detail < WN_DETAIL_WHOLE)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "a lean graph cannot be drawn");
	struct wn_draw *d = wn_calloc(1, sizeof *d);
	if (!d)
		return wn_no_memory(err);
	d->g = g;
	d->form = form;
	if (!make_common(d) || !(form == WN_FORM_REDUCED ? make_reduced(d) : make_fragments(d)) ||
	    !depend_make(d)) {
		wn_draw_free(d);
		return wn_no_memory_for(err, g->n, "grains");
	}
	link_fork_joins(d);
	if (form == WN_FORM_REDUCED)
		link_reduced(d);
	else
		link_fragments(d);
	mark_critical(d);
	if (g->n_dependents) {
		/* the last fragments are known only after a walk */
		if (form == WN_FORM_FRAGMENTS && fragments_walk(d, NULL, NULL, NULL) != WN_OK) {
			wn_draw_free(d);
			return wn_fail(err, WN_E_INVARIANT, WN_NO_OFFSET, "not drawn");
		}
		depend_find_gates(d);
	}
	*out = d;
	return WN_OK;
}

void
wn_draw_free(struct wn_draw *d)
{
	if (!d)
		return;
	void *columns[] = {d->gate_marks, d->n_drawn,      d->after_wait,   d->wait_join,
	                   d->fj_mark,    d->id_mark,      d->join_visited, d->first_fj,
	                   d->next_fj,    d->first_child,  d->next_child,   d->early_child,
	                   d->late_child, d->next_sibling, d->first_join,   d->next_join,
	                   d->run,        d->fj_number};
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		wn_free(columns[i]);
	wn_free(d);
}

wn_status
wn_draw_nodes(const struct wn_draw *d, wn_node_fn *call, void *user)
{
	return d->form == WN_FORM_REDUCED ? reduced_walk(d, call, NULL, user)
	                                  : fragments_walk(d, call, NULL, user);
}

wn_status
wn_draw_edges(const struct wn_draw *d, wn_edge_fn *call, void *user)
{
	return d->form == WN_FORM_REDUCED ? reduced_walk(d, NULL, call, user)
	                                  : fragments_walk(d, NULL, call, user);
}

struct counts {
	uint64_t n_nodes, n_edges;
};

static wn_status
count_node(const struct wn_node *node, void *user)
{
	(void)node;
	((struct counts *)user)->n_nodes++;
	return WN_OK;
}

static wn_status
count_edge(const struct wn_edge *edge, void *user)
{
	(void)edge;
	((struct counts *)user)->n_edges++;
	return WN_OK;
}

void
wn_draw_count(const struct wn_draw *d, uint64_t *n_nodes, uint64_t *n_edges)
{
	struct counts counts = {0, 0};
	/* the counting callbacks cannot fail */
	wn_status st = d->form == WN_FORM_REDUCED
	                   ? reduced_walk(d, count_node, count_edge, &counts)
	                   : fragments_walk(d, count_node, count_edge, &counts);
	(void)st;
	*n_nodes = counts.n_nodes;
	*n_edges = counts.n_edges;
}

const char *
wn_node_name(struct wn_node_id id, char out[WN_NODE_NAME_BYTES])
{
	if (id.kind == WN_NODE_START || id.kind == WN_NODE_END)
		snprintf(out, WN_NODE_NAME_BYTES, "%s", id.kind == WN_NODE_START ? "0" : "E");
	else if (id.kind == WN_NODE_GRAIN)
		snprintf(out, WN_NODE_NAME_BYTES, "%" PRIu32, id.grain);
	else if (id.kind == WN_NODE_GATE)
		snprintf(out, WN_NODE_NAME_BYTES, "d.%" PRIu32, id.index);
	else if (id.kind == WN_NODE_FORK)
		snprintf(out, WN_NODE_NAME_BYTES, "f.%" PRIu32 ".%" PRIu32, id.grain, id.index);
	else if (id.kind == WN_NODE_JOIN)
		snprintf(out, WN_NODE_NAME_BYTES, "j.%" PRIu32 ".%" PRIu32, id.grain, id.index);
	else
		snprintf(out, WN_NODE_NAME_BYTES, "%" PRIu32 ".%" PRIu32, id.grain, id.index);
	return out;
}

uint32_t
wn_draw_first_fj(const struct wn_draw *d, wn_grain owner)
{
	return d->first_fj[owner];
}

uint32_t
wn_draw_next_fj(const struct wn_draw *d, uint32_t fj)
{
	return d->next_fj[fj];
}

uint32_t
wn_draw_fj_number(const struct wn_draw *d, uint32_t fj)
{
	return d->fj_number[fj];
}

wn_grain
wn_draw_first_child(const struct wn_draw *d, uint32_t fj)
{
	return d->first_child[fj];
}

wn_grain
wn_draw_next_child(const struct wn_draw *d, wn_grain child)
{
	return d->next_child[child];
}

bool
wn_draw_fork_is_critical(const struct wn_draw *d, uint32_t fj)
{
	return d->fj_mark[fj] & FJ_FORK_CRITICAL;
}

bool
wn_draw_join_is_critical(const struct wn_draw *d, uint32_t fj)
{
	return d->fj_mark[fj] & FJ_JOIN_CRITICAL;
}
