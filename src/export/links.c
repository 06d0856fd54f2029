/* SPDX-License-Identifier: MIT */
/*
 * links.c - maps edges of the reduced form from grains to nodes of a picture. Edges at a gate are
 * stored by gate and node until all are known; then each predecessor is linked to each successor.
 */
#include "export/links.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"

#include <stdlib.h>

/* Number of edges from a node to a gate, or from the gate to a node. */
struct at_gate {
	uint32_t gate, node;
	bool is_behind, is_critical;
	uint64_t n;
};

struct maker {
	const struct wn_export *x;
	const uint32_t *node_of;
	struct links *out;
	struct at_gate *gates; /* [n_gates] */
	size_t n_gates, gates_capacity;
	wn_err *err;
};

static wn_status
add(struct maker *m, uint32_t from, uint32_t to, bool is_rogue, bool is_critical, uint64_t n)
{
	struct links *out = m->out;
	if (from == LINKS_NONE || to == LINKS_NONE || from == to)
		return WN_OK;
	uint32_t i = out->first[from];
	while (i != LINKS_NONE && (out->items[i].to != to || out->items[i].is_rogue != is_rogue))
		i = out->items[i].next;
	if (i == LINKS_NONE) {
		if (wn_grow(&out->items, &out->capacity, out->n + 1, sizeof *out->items) != 0)
			return wn_no_memory(m->err);
		i = (uint32_t)out->n++;
		out->items[i] = (struct link){
		    .from = from, .to = to, .next = out->first[from], .is_rogue = is_rogue};
		out->first[from] = i;
	}
	out->items[i].n += n;
	out->items[i].is_critical |= is_critical;
	return WN_OK;
}

static wn_status
add_at_gate(struct maker *m, uint32_t gate, uint32_t node, bool is_behind, bool is_critical)
{
	if (node == LINKS_NONE)
		return WN_OK;
	if (wn_grow(&m->gates, &m->gates_capacity, m->n_gates + 1, sizeof *m->gates) != 0)
		return wn_no_memory(m->err);
	m->gates[m->n_gates++] = (struct at_gate){gate, node, is_behind, is_critical, 1};
	return WN_OK;
}

static uint32_t
node_of(const struct maker *m, struct wn_node_id id)
{
	return id.kind == WN_NODE_GRAIN ? m->node_of[id.grain] : LINKS_NONE;
}

static wn_status
take_edge(const struct wn_edge *e, void *user)
{
	struct maker *m = user;
	if (!e->is_rogue && e->kind != WN_EDGE_DEPEND)
		return WN_OK;
	if (e->from.kind == WN_NODE_GATE)
		return add_at_gate(m, e->from.index, node_of(m, e->to), true, e->is_critical);
	if (e->to.kind == WN_NODE_GATE)
		return add_at_gate(m, e->to.index, node_of(m, e->from), false, e->is_critical);
	return add(m, node_of(m, e->from), node_of(m, e->to), e->is_rogue, e->is_critical, 1);
}

WN_COMPARE(by_gate, struct at_gate, WN_BY_FIRST(gate, WN_BY_FIRST(is_behind, WN_BY(node))))

/* Merges edges between the same gate and node. */
static void
merge_gates(struct maker *m)
{
	size_t n = 0;
	if (m->n_gates > 0)
		qsort(m->gates, m->n_gates, sizeof *m->gates, by_gate);
	for (size_t i = 0; i < m->n_gates; i++) {
		if (n > 0 && by_gate(&m->gates[n - 1], &m->gates[i]) == 0) {
			m->gates[n - 1].n++;
			m->gates[n - 1].is_critical |= m->gates[i].is_critical;
		} else {
			m->gates[n++] = m->gates[i];
		}
	}
	m->n_gates = n;
}

static wn_status
pass_gates(struct maker *m)
{
	wn_status st = WN_OK;
	merge_gates(m);
	for (size_t first = 0, end; first < m->n_gates; first = end) {
		size_t behind = first;
		for (end = first; end < m->n_gates && m->gates[end].gate == m->gates[first].gate;
		     end++)
			behind += !m->gates[end].is_behind;
		for (size_t a = first; a < behind; a++)
			for (size_t b = behind; st == WN_OK && b < end; b++)
				st = add(m, m->gates[a].node, m->gates[b].node, false,
				         m->gates[a].is_critical && m->gates[b].is_critical,
				         m->gates[a].n * m->gates[b].n);
	}
	return st;
}

wn_status
links_make(const struct wn_export *x, const uint32_t *node_of, uint32_t n_nodes, struct links *out,
           wn_err *err)
{
	struct maker m = {.x = x, .node_of = node_of, .out = out, .err = err};
	wn_status st;
	*out = (struct links){.first = wn_calloc(n_nodes, sizeof *out->first)};
	if (!out->first)
		return wn_no_memory(err);
	for (uint32_t i = 0; i < n_nodes; i++)
		out->first[i] = LINKS_NONE;
	st = wn_export_edges(x, take_edge, &m);
	if (st == WN_OK)
		st = pass_gates(&m);
	if (st != WN_OK)
		links_fini(out);
	wn_free(m.gates);
	return st;
}

void
links_fini(struct links *l)
{
	wn_free(l->items);
	wn_free(l->first);
	*l = (struct links){0};
}
