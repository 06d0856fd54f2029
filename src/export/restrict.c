/* SPDX-License-Identifier: MIT */
/* restrict.c - restricts an export to a node of the graph's tree. */
#include "export/export.h"

#include "base/error.h"
#include "base/mem.h"

/* A gate is inside if one of its tasks is. */
static bool
has_gate(const struct wn_export *x, uint32_t index)
{
	const struct wn_dep_gate *gate = &x->g->gates[index];
	for (uint32_t m = 0; m < gate->n_members; m++)
		if (x->has_grain[x->g->gate_members[gate->first_member + m]])
			return true;
	return false;
}

static bool
has_node(const struct wn_export *x, struct wn_node_id id)
{
	switch (id.kind) {
	case WN_NODE_GRAIN:
	case WN_NODE_FRAGMENT:
		return x->has_grain[id.grain];
	case WN_NODE_GATE:
		return has_gate(x, id.index);
	case WN_NODE_FORK:
	case WN_NODE_JOIN:
		/* a fork of fragments belongs to its owner's fork-join */
		return id.fj != WN_NO_FJ ? x->has_fj[id.fj] : x->has_grain[id.grain];
	case WN_NODE_START:
	case WN_NODE_END:
	case WN_NODE_KIND_N:
		break;
	}
	return false;
}

struct filter {
	const struct wn_export *x;
	wn_node_fn *on_node;
	wn_edge_fn *on_edge;
	void *user;
};

static wn_status
pass_node(const struct wn_node *node, void *user)
{
	const struct filter *f = user;
	return has_node(f->x, node->id) ? f->on_node(node, f->user) : WN_OK;
}

static wn_status
pass_edge(const struct wn_edge *edge, void *user)
{
	const struct filter *f = user;
	bool is_inside = has_node(f->x, edge->from) && has_node(f->x, edge->to);
	return is_inside ? f->on_edge(edge, f->user) : WN_OK;
}

wn_status
wn_export_nodes(const struct wn_export *x, wn_node_fn *call, void *user)
{
	struct filter f = {.x = x, .on_node = call, .user = user};
	return x->has_grain ? wn_draw_nodes(x->draw, pass_node, &f)
	                    : wn_draw_nodes(x->draw, call, user);
}

wn_status
wn_export_edges(const struct wn_export *x, wn_edge_fn *call, void *user)
{
	struct filter f = {.x = x, .on_edge = call, .user = user};
	return x->has_grain ? wn_draw_edges(x->draw, pass_edge, &f)
	                    : wn_draw_edges(x->draw, call, user);
}

static wn_status
count_node(const struct wn_node *node, void *user)
{
	(void)node;
	++*(uint64_t *)user;
	return WN_OK;
}

uint64_t
wn_export_n_nodes(const struct wn_export *x)
{
	uint64_t n_nodes = 0, n_edges;
	if (!x->has_grain)
		wn_draw_count(x->draw, &n_nodes, &n_edges);
	else if (wn_export_nodes(x, count_node, &n_nodes) != WN_OK)
		return 0; /* count_node() cannot fail */
	return n_nodes;
}

wn_status
wn_export_restrict(struct wn_export *x, const struct wn_tree *t, wn_tree_node node, wn_err *err)
{
	size_t n_bytes = wn_tree_name(t, node, NULL, 0) + 1;
	x->has_grain = wn_calloc(x->g->n, 1);
	x->has_fj = wn_calloc(x->g->n_fjs, 1);
	x->group = wn_calloc(n_bytes, 1);
	if (!x->has_grain || !x->has_fj || !x->group)
		return wn_no_memory(err);
	wn_tree_name(t, node, x->group, n_bytes);
	for (wn_tree_node i = node; i < t->end[node]; i++) {
		if (t->kind[i] == WN_TREE_GRAIN)
			x->has_grain[t->ref[i]] = 1;
		else if (t->kind[i] == WN_TREE_FORK_JOIN)
			x->has_fj[t->ref[i]] = 1;
	}
	return wn_export_weigh(x);
}
