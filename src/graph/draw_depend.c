/* SPDX-License-Identifier: MIT */
/* draw_depend.c - edges of depend clauses, for both forms. They lead from the end of a task to the
 * start of another, or to the parent's fragment after a wait for some tasks, which only fragments
 * can show. Gates are nodes of their own. The reduced form draws rogue children after their
 * parent's other children, so that an edge from the former to one of the latter would go
 * backwards: only the fragments form has it. */
#include "base/mem.h"
#include "graph/draw_private.h"

#include <string.h>

static bool
is_task(const struct wn_graph *g, wn_grain id)
{
	return g->kind[id] == WN_GRAIN_TASK || g->kind[id] == WN_GRAIN_TASKLOOP;
}

/* A waitpoint's clauses are stored with the task that it was for. */
static const struct wn_dependent *
with_clauses(const struct wn_graph *g, const struct wn_dependent *d)
{
	return d->carrier == WN_NO_GRAIN ? d : wn_dependent(g, d->carrier);
}

/* Finds the target of a dependent's edges; false if this form cannot show it. */
static bool
target(const struct wn_draw *d, size_t dependent, struct wn_node_id *out)
{
	const struct wn_graph *g = d->g;
	wn_grain id = g->dependents[dependent].grain;
	bool is_reduced = d->form == WN_FORM_REDUCED;
	if (is_task(g, id)) {
		*out = node_id(is_reduced ? WN_NODE_GRAIN : WN_NODE_FRAGMENT, id, !is_reduced);
		return true;
	}
	if (is_reduced || !d->after_wait[dependent])
		return false;
	*out = node_id(WN_NODE_FRAGMENT, g->parent[id], d->after_wait[dependent]);
	return true;
}

static struct wn_node_id
source(const struct wn_draw *d, wn_grain id)
{
	if (d->form == WN_FORM_REDUCED)
		return node_id(WN_NODE_GRAIN, id, 0);
	return node_id(WN_NODE_FRAGMENT, id, d->n_drawn[id]);
}

static bool
is_rogue(const struct wn_graph *g, wn_grain id)
{
	return g->flags[id] & WN_GF_ROGUE;
}

static struct wn_node_id
gate_id(uint32_t gate)
{
	return node_id(WN_NODE_GATE, WN_NO_GRAIN, gate);
}

bool
depend_make(struct wn_draw *d)
{
	const struct wn_graph *g = d->g;
	if (!g->n_dependents)
		return true;
	d->gate_marks = wn_calloc(g->n_gates, sizeof *d->gate_marks);
	if (!d->gate_marks)
		return false;
	if (d->form == WN_FORM_FRAGMENTS &&
	    (!(d->n_drawn = wn_calloc(g->n, sizeof *d->n_drawn)) ||
	     !(d->after_wait = wn_calloc(g->n_dependents, sizeof *d->after_wait)) ||
	     !(d->wait_join = wn_calloc(g->n_dependents, sizeof *d->wait_join))))
		return false;
	if (d->wait_join)
		memset(d->wait_join, 0xff, g->n_dependents * sizeof *d->wait_join);
	for (size_t i = 0; i < g->n_gates; i++)
		d->gate_marks[i] = (struct gate_mark){.from = WN_NO_GRAIN, .to = WN_NO_GRAIN};
	return true;
}

/* Finds the gates with drawn dependents. Requires the fragments after waits. */
void
depend_find_gates(struct wn_draw *d)
{
	const struct wn_graph *g = d->g;
	struct wn_node_id to;
	for (size_t i = 0; i < g->n_dependents; i++) {
		const struct wn_dependent *from = with_clauses(g, &g->dependents[i]);
		for (uint32_t k = 0; from && k < from->n_gates && target(d, i, &to); k++) {
			struct gate_mark *mark =
			    &d->gate_marks[g->gates_before[from->first_gate + k]];
			mark->is_drawn = true;
			mark->has_own |= !is_rogue(g, g->dependents[i].grain);
		}
	}
}

/* Marks the critical path into a dependent from its winner: directly, or through this gate. */
void
depend_mark(struct wn_draw *d, const struct wn_dependent *from, wn_grain winner, wn_grain to)
{
	const struct wn_graph *g = d->g;
	for (uint32_t k = 0; k < from->n_predecessors; k++)
		if (g->predecessors[from->first_predecessor + k] == winner)
			return;
	for (uint32_t k = 0; k < from->n_gates; k++) {
		uint32_t index = g->gates_before[from->first_gate + k];
		const struct wn_dep_gate *gate = &g->gates[index];
		for (uint32_t m = 0; m < gate->n_members; m++) {
			if (g->gate_members[gate->first_member + m] != winner)
				continue;
			d->gate_marks[index].from = winner;
			d->gate_marks[index].to = to;
			return;
		}
	}
}

/* Returns whether the critical path enters this dependent from `before`. */
static bool
comes_from(const struct wn_draw *d, size_t dependent, wn_grain before)
{
	const struct wn_dependent *to = &d->g->dependents[dependent];
	if (is_task(d->g, to->grain))
		return d->id_mark[to->grain] & ID_BY_DEPENDENCE && to->winner == before;
	uint32_t join = d->wait_join ? d->wait_join[dependent] : WN_NO_JOIN;
	return join != WN_NO_JOIN && d->join_visited[join] && d->g->joins[join].winner == before;
}

static struct wn_node
gate_node(const struct wn_draw *d, uint32_t gate)
{
	return (struct wn_node){.id = gate_id(gate),
	                        .is_critical = d->gate_marks[gate].from != WN_NO_GRAIN};
}

static wn_status
call(wn_edge_fn *on_edge, void *user, struct wn_node_id from, struct wn_node_id to,
     bool is_critical)
{
	struct wn_edge e = {from, to, WN_EDGE_DEPEND, 0, is_critical, false};
	return on_edge(&e, user);
}

static wn_status
edges_to(const struct wn_draw *d, size_t i, wn_edge_fn *on_edge, void *user)
{
	const struct wn_graph *g = d->g;
	const struct wn_dependent *from = with_clauses(g, &g->dependents[i]);
	struct wn_node_id to;
	wn_status st = WN_OK;
	if (!from || !target(d, i, &to))
		return WN_OK;
	for (uint32_t k = 0; st == WN_OK && k < from->n_predecessors; k++) {
		wn_grain before = g->predecessors[from->first_predecessor + k];
		if (d->form == WN_FORM_REDUCED && is_rogue(g, before) &&
		    !is_rogue(g, g->dependents[i].grain))
			continue;
		st = call(on_edge, user, source(d, before), to, comes_from(d, i, before));
	}
	for (uint32_t k = 0; st == WN_OK && k < from->n_gates; k++) {
		uint32_t gate = g->gates_before[from->first_gate + k];
		st = call(on_edge, user, gate_id(gate), to,
		          d->gate_marks[gate].to == g->dependents[i].grain);
	}
	return st;
}

wn_status
depend_walk(const struct wn_draw *d, wn_node_fn *on_node, wn_edge_fn *on_edge, void *user)
{
	const struct wn_graph *g = d->g;
	wn_status st = WN_OK;
	for (uint32_t i = 0; st == WN_OK && i < g->n_gates; i++) {
		const struct wn_dep_gate *gate = &g->gates[i];
		struct wn_node n = gate_node(d, i);
		if (!d->gate_marks[i].is_drawn)
			continue;
		if (on_node)
			st = on_node(&n, user);
		for (uint32_t m = 0; st == WN_OK && on_edge && m < gate->n_members; m++) {
			wn_grain before = g->gate_members[gate->first_member + m];
			if (d->form == WN_FORM_REDUCED && is_rogue(g, before) &&
			    d->gate_marks[i].has_own)
				continue;
			st = call(on_edge, user, source(d, before), n.id,
			          d->gate_marks[i].from == before);
		}
	}
	for (size_t i = 0; st == WN_OK && on_edge && i < g->n_dependents; i++)
		st = edges_to(d, i, on_edge, user);
	return st;
}
