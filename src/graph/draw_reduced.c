/* SPDX-License-Identifier: MIT */
/* draw_reduced.c - enumerates the reduced form: each grain once, one fork and one join per
 * fork-join. */
#include "graph/draw_private.h"

struct walk {
	const struct wn_draw *d;
	const struct wn_graph *g;
	wn_node_fn *on_node;
	wn_edge_fn *on_edge;
	void *user;
	uint64_t n_entries; /* edges that left S */
};

static struct wn_node_id
fork_id(const struct wn_draw *d, uint32_t fj)
{
	return (struct wn_node_id){WN_NODE_FORK, d->g->fjs[fj].owner, d->fj_number[fj], fj};
}

static wn_status
node(struct walk *w, struct wn_node_id id, bool is_critical)
{
	struct wn_node n = {.id = id, .is_critical = is_critical};
	if (!w->on_node)
		return WN_OK;
	if (id.kind == WN_NODE_GRAIN)
		n.weight_ns = wn_work_ns(w->g, id.grain);
	return w->on_node(&n, w->user);
}

static wn_status
edge(struct walk *w, enum wn_edge_kind kind, struct wn_node_id from, struct wn_node_id to,
     bool is_critical)
{
	struct wn_edge e = {.from = from, .to = to, .kind = kind, .is_critical = is_critical};
	if (from.kind == WN_NODE_START)
		w->n_entries++;
	if (!w->on_edge)
		return WN_OK;
	if (from.kind == WN_NODE_GRAIN)
		e.weight_ns = wn_work_ns(w->g, from.grain);
	return w->on_edge(&e, w->user);
}

static bool
grain_is_critical(const struct wn_graph *g, wn_grain id)
{
	return g->flags[id] & WN_GF_CRITICAL;
}

/* Emits the edge from the true creator to a child that another grain joined. */
static wn_status
rogue_edge(struct walk *w, wn_grain child)
{
	const struct wn_graph *g = w->g;
	wn_grain parent = g->parent[child];
	bool is_drawn = parent != WN_NO_GRAIN && wn_is_drawn(g, parent);
	if (!w->on_edge)
		return WN_OK;
	struct wn_edge e = {
	    .from = is_drawn ? node_id(WN_NODE_GRAIN, parent, 0)
	                     : node_id(WN_NODE_START, WN_NO_GRAIN, 0),
	    .to = node_id(WN_NODE_GRAIN, child, 0),
	    .kind = WN_EDGE_CREATE,
	    .weight_ns = is_drawn ? wn_work_ns(g, parent) : 0,
	    .is_critical = w->d->id_mark[child] & ID_ENTERED,
	    .is_rogue = true,
	};
	return w->on_edge(&e, w->user);
}

static wn_status
child_edges(struct walk *w, uint32_t fj, wn_grain child)
{
	const struct wn_graph *g = w->g;
	struct wn_node_id id = node_id(WN_NODE_GRAIN, child, 0);
	bool is_critical = grain_is_critical(g, child);
	bool is_rogue = g->flags[child] & WN_GF_ROGUE;
	wn_status st = edge(w, WN_EDGE_CREATE, fork_id(w->d, fj), id,
	                    is_critical && wn_draw_fork_is_critical(w->d, fj) &&
	                        !(w->d->id_mark[child] & ID_BY_DEPENDENCE));
	if (st == WN_OK && is_rogue)
		st = rogue_edge(w, child);
	if (st == WN_OK && w->d->first_fj[child] == WN_NO_FJ)
		st = edge(w, WN_EDGE_SYNC, id, join_id(w->d, fj),
		          is_critical && wn_draw_join_is_critical(w->d, fj) &&
		              !(w->d->id_mark[child] & ID_LEFT));
	return st;
}

/* Emits the edge from a join: to the owner's next fork, or to the successor of the owner. */
static wn_status
onward_edge(struct walk *w, uint32_t fj)
{
	const struct wn_graph *g = w->g;
	wn_grain owner = g->fjs[fj].owner;
	uint32_t next = w->d->next_fj[fj], outer = g->fj[owner];
	bool is_critical = wn_draw_join_is_critical(w->d, fj);
	struct wn_node_id to;
	if (next != WN_NO_FJ) {
		to = fork_id(w->d, next);
		is_critical &= wn_draw_fork_is_critical(w->d, next);
	} else {
		bool has_outer = wn_is_drawn(g, owner) && fj_is_drawn(g, outer);
		to = wn_is_drawn(g, owner) ? exit_id(w->d, owner)
		                           : node_id(WN_NODE_END, WN_NO_GRAIN, 0);
		is_critical &= !has_outer || wn_draw_join_is_critical(w->d, outer);
		is_critical &= !(w->d->id_mark[owner] & ID_LEFT);
	}
	return edge(w, WN_EDGE_CONTINUE, join_id(w->d, fj), to, is_critical);
}

static wn_status
fork_join(struct walk *w, uint32_t fj)
{
	const struct wn_graph *g = w->g;
	wn_grain owner = g->fjs[fj].owner;
	bool fork_critical = wn_draw_fork_is_critical(w->d, fj);
	wn_status st = node(w, fork_id(w->d, fj), fork_critical);
	if (st == WN_OK)
		st = node(w, join_id(w->d, fj), wn_draw_join_is_critical(w->d, fj));
	if (st == WN_OK && fj == w->d->first_fj[owner]) {
		bool is_drawn = wn_is_drawn(g, owner);
		struct wn_node_id from = is_drawn ? node_id(WN_NODE_GRAIN, owner, 0)
		                                  : node_id(WN_NODE_START, WN_NO_GRAIN, 0);
		st = edge(w, WN_EDGE_SCOPE, from, fork_id(w->d, fj),
		          fork_critical && (!is_drawn || grain_is_critical(g, owner)));
	}
	for (wn_grain c = w->d->first_child[fj]; st == WN_OK && c != WN_NO_GRAIN;
	     c = w->d->next_child[c])
		st = child_edges(w, fj, c);
	return st == WN_OK ? onward_edge(w, fj) : st;
}

/* A grain below no fork-join (its creation was lost) stands alone between S and E. */
static wn_status
lone_grain(struct walk *w, wn_grain id)
{
	bool is_critical = grain_is_critical(w->g, id);
	struct wn_node_id self = node_id(WN_NODE_GRAIN, id, 0);
	wn_status st =
	    edge(w, WN_EDGE_SCOPE, node_id(WN_NODE_START, WN_NO_GRAIN, 0), self, is_critical);
	if (st == WN_OK && w->d->first_fj[id] == WN_NO_FJ)
		st = edge(w, WN_EDGE_SYNC, self, node_id(WN_NODE_END, WN_NO_GRAIN, 0), is_critical);
	return st;
}

wn_status
reduced_walk(const struct wn_draw *d, wn_node_fn *on_node, wn_edge_fn *on_edge, void *user)
{
	const struct wn_graph *g = d->g;
	struct walk w = {d, g, on_node, on_edge, user, 0};
	struct wn_node_id start = node_id(WN_NODE_START, WN_NO_GRAIN, 0);
	struct wn_node_id end = node_id(WN_NODE_END, WN_NO_GRAIN, 0);
	wn_status st = node(&w, start, true);
	for (wn_grain id = 0; st == WN_OK && id < g->n; id++) {
		if (wn_is_drawn(g, id)) {
			st = node(&w, node_id(WN_NODE_GRAIN, id, 0), grain_is_critical(g, id));
			if (st == WN_OK && !fj_is_drawn(g, g->fj[id]))
				st = lone_grain(&w, id);
		}
		for (uint32_t fj = d->first_fj[id]; st == WN_OK && fj != WN_NO_FJ;
		     fj = d->next_fj[fj])
			st = fork_join(&w, fj);
	}
	if (st == WN_OK && w.n_entries == 0)
		st = edge(&w, WN_EDGE_CONTINUE, start, end, true);
	if (st == WN_OK && g->n_dependents)
		st = depend_walk(d, on_node, on_edge, user);
	return st == WN_OK ? node(&w, end, true) : st;
}
