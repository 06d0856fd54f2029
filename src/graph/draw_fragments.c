/* SPDX-License-Identifier: MIT */
/*
 * draw_fragments.c - enumerates the fragments form: each grain as the chain of its pieces.
 *
 * The pieces' durations are graph->fragments, which end where the builder found a creation, a
 * wait, a region or a loop. Some of these are not drawn (a barrier without tasks, a task of the
 * runtime): then two durations are merged into one fragment. The rest at the end of a grain
 * belongs to its last fragment, so that a grain's fragments always sum to its work.
 */
#include "graph/draw_private.h"

struct walk {
	const struct wn_draw *d;
	const struct wn_graph *g;
	wn_node_fn *on_node;
	wn_edge_fn *on_edge;
	void *user;
	wn_status st; /* sticky: after a failure no callback is called */

	/* the grain being walked */
	wn_grain id;
	uint32_t n_fragments, n_forks;
	struct wn_fragment piece; /* its next recorded fragment ... */
	bool has_piece;           /* ... if there is one */
	uint64_t n_pieces;        /* recorded fragments before it */
	uint64_t duration_ns;     /* of the open fragment */
	uint16_t cpu;             /* CPU of its first piece */
	bool is_open;
	struct wn_node_id after; /* if none is open: the node that precedes the next one */
	uint64_t after_ns;       /* its weight */
	bool after_is_critical;
	bool is_on_path;        /* the critical path is in this grain now */
	bool fragment_critical; /* ... or was since the open fragment began */
};

static void
node(struct walk *w, struct wn_node_id id, uint64_t weight_ns, bool is_critical)
{
	struct wn_node n = {id, weight_ns, is_critical, w->cpu};
	if (w->st == WN_OK && w->on_node)
		w->st = w->on_node(&n, w->user);
}

static void
edge(struct walk *w, enum wn_edge_kind kind, struct wn_node_id from, struct wn_node_id to,
     uint64_t weight_ns, bool is_critical)
{
	struct wn_edge e = {from, to, kind, weight_ns, is_critical, false};
	if (w->st == WN_OK && w->on_edge)
		w->st = w->on_edge(&e, w->user);
}

static struct wn_node_id
fragment_id(const struct walk *w)
{
	return node_id(WN_NODE_FRAGMENT, w->id, w->n_fragments);
}

/* Adds the duration of the next recorded piece to the open fragment. */
static void
take_piece(struct walk *w)
{
	if (!w->has_piece)
		return;
	w->duration_ns += w->piece.ns;
	w->n_pieces++;
	w->has_piece = !w->piece.is_last && wn_fragments_next(&w->piece);
}

static void
fragment_open(struct walk *w)
{
	if (w->is_open)
		return;
	w->n_fragments++;
	w->is_open = true;
	w->duration_ns = 0;
	w->cpu = wn_fragment_cpu(w->g, w->id, w->n_pieces);
	w->fragment_critical = w->is_on_path;
	if (w->n_fragments > 1)
		edge(w, WN_EDGE_CONTINUE, w->after, fragment_id(w), w->after_ns,
		     w->after_is_critical && w->is_on_path);
	w->after_ns = 0;
}

/* Ends the open fragment at the node `to`; the critical path passes this edge if is_critical. */
static void
fragment_close(struct walk *w, enum wn_edge_kind kind, struct wn_node_id to, bool is_critical)
{
	fragment_open(w);
	node(w, fragment_id(w), w->duration_ns, w->fragment_critical);
	edge(w, kind, fragment_id(w), to, w->duration_ns, is_critical && w->is_on_path);
	w->is_open = false;
	w->after = to;
	w->after_is_critical = is_critical;
}

/* Ends the fragment; the next one follows without a node between, as other edges lead there. */
static void
cut(struct walk *w, bool goes_on)
{
	fragment_open(w);
	node(w, fragment_id(w), w->duration_ns, w->fragment_critical);
	w->is_open = false;
	w->after = fragment_id(w);
	w->after_ns = w->duration_ns;
	w->after_is_critical = goes_on;
}

/* Passes a boundary that is not drawn. */
static void
pass(struct walk *w)
{
	fragment_open(w);
	take_piece(w);
}

static struct wn_node_id
fork_new(struct walk *w)
{
	struct wn_node_id fork = node_id(WN_NODE_FORK, w->id, ++w->n_forks);
	fragment_open(w);
	take_piece(w);
	fragment_close(w, WN_EDGE_SCOPE, fork, w->is_on_path);
	node(w, fork, 0, w->is_on_path);
	return fork;
}

/* Emits the edge to a child; returns whether it is critical. */
static bool
fork_to(struct walk *w, struct wn_node_id fork, wn_grain child)
{
	bool is_entered = w->is_on_path && w->d->id_mark[child] & ID_ENTERED;
	edge(w, WN_EDGE_CREATE, fork, node_id(WN_NODE_FRAGMENT, child, 1), 0, is_entered);
	return is_entered;
}

static bool
is_chunk(const struct wn_graph *g, wn_grain id)
{
	return g->kind[id] == WN_GRAIN_CHUNK || g->kind[id] == WN_GRAIN_SECTION;
}

/* Emits children between two joins: tasks, each with its fork, and chunks, with one for all. */
static void
bear_tasks(struct walk *w, wn_grain first)
{
	const struct wn_graph *g = w->g;
	uint32_t loop_fj = WN_NO_FJ;
	struct wn_node_id fork = {WN_NODE_FORK, WN_NO_GRAIN, 0, WN_NO_FJ};
	for (wn_grain c = first; c != WN_NO_GRAIN; c = w->d->next_sibling[c]) {
		if (g->kind[c] == WN_GRAIN_IMPLICIT)
			continue;
		if (!wn_is_drawn(g, c)) {
			pass(w);
			continue;
		}
		bool is_same = is_chunk(g, c) && loop_fj == g->fj[c] && loop_fj != WN_NO_FJ;
		if (!is_same)
			fork = fork_new(w);
		loop_fj = is_chunk(g, c) ? g->fj[c] : WN_NO_FJ;
		if (fork_to(w, fork, c))
			w->is_on_path = false;
	}
}

/* Emits the team of the region that the grain met last before a join: one fork for all. */
static void
bear_team(struct walk *w, wn_grain first)
{
	const struct wn_graph *g = w->g;
	uint32_t region = UINT32_MAX;
	struct wn_node_id fork = {WN_NODE_FORK, WN_NO_GRAIN, 0, WN_NO_FJ};
	bool goes_there = false;
	for (wn_grain c = first; c != WN_NO_GRAIN; c = w->d->next_sibling[c]) {
		if (g->kind[c] != WN_GRAIN_IMPLICIT || !wn_is_drawn(g, c))
			continue;
		if (region != g->context[c])
			fork = fork_new(w);
		region = g->context[c];
		goes_there |= fork_to(w, fork, c);
	}
	if (goes_there)
		w->is_on_path = false;
}

static void
join_drawn(struct walk *w, uint32_t fj, bool is_waiting, bool is_visited)
{
	struct wn_node_id join = join_id(w->d, fj);
	/* at the end of a region or loop the grain comes directly from the fork: it did nothing
	 * since */
	if (is_waiting || w->is_open || w->after.kind != WN_NODE_FORK)
		fragment_close(w, WN_EDGE_SYNC, join, is_visited);
	node(w, join, 0, is_visited);
	w->after = join;
	w->after_is_critical = is_visited;
	w->is_on_path = is_visited;
}

static void
meet_join(struct walk *w, uint32_t index)
{
	const struct wn_join *join = &w->g->joins[index];
	bool is_visited = w->d->join_visited[index];
	uint32_t dependent =
	    join->kind == WN_JOIN_DEPEND && w->g->dependent ? w->g->dependent[join->waitpoint] : 0;
	bool is_waiting = join->kind == WN_JOIN_TASKWAIT || join->kind == WN_JOIN_GROUP ||
	                  join->kind == WN_JOIN_BARRIER;
	if (fj_is_drawn(w->g, join->fj)) {
		if (is_waiting)
			pass(w);
		join_drawn(w, join->fj, is_waiting, is_visited);
		return;
	}
	if (dependent) {
		pass(w);
		cut(w, w->is_on_path && is_visited);
		w->is_on_path = is_visited;
		w->d->after_wait[dependent - 1] = w->n_fragments + 1;
		w->d->wait_join[dependent - 1] = index;
		return;
	}
	if (join->kind != WN_JOIN_UNDEFERRED && join->kind != WN_JOIN_FULFILL)
		pass(w);
	w->is_on_path = is_visited;
	w->fragment_critical |= is_visited;
}

/* Closes fork-joins without a recorded join at the end of their owner. */
static void
close_open(struct walk *w)
{
	for (uint32_t fj = w->d->first_fj[w->id]; fj != WN_NO_FJ; fj = w->d->next_fj[fj]) {
		if (w->d->fj_mark[fj] & FJ_HAS_JOIN)
			continue;
		fragment_open(w);
		join_drawn(w, fj, true, w->is_on_path);
	}
}

static void
walk_grain(struct walk *w, wn_grain id)
{
	const struct wn_draw *d = w->d;
	bool is_drawn = wn_is_drawn(w->g, id);
	w->id = id;
	w->n_pieces = 0;
	w->n_fragments = w->n_forks = 0;
	w->has_piece = d->run[id] > 0;
	if (w->has_piece) {
		wn_fragments_at(&w->g->fragments, d->run[id] - 1, &w->piece);
		wn_fragments_next(&w->piece);
	}
	w->is_open = false;
	w->is_on_path = d->id_mark[id] & (ID_ENTERED | ID_BY_DEPENDENCE);
	fragment_open(w);
	if (!is_drawn || w->g->parent[id] == WN_NO_GRAIN)
		edge(w, WN_EDGE_SCOPE, node_id(WN_NODE_START, WN_NO_GRAIN, 0), fragment_id(w), 0,
		     w->is_on_path);
	bear_tasks(w, d->early_child[id]);
	bear_team(w, d->early_child[id]);
	for (uint32_t j = d->first_join[id]; j != WN_NO_JOIN; j = d->next_join[j]) {
		meet_join(w, j);
		bear_tasks(w, d->late_child[j]);
		bear_team(w, d->late_child[j]);
	}
	close_open(w);
	fragment_open(w);
	while (w->has_piece)
		take_piece(w);
	struct wn_node_id exit =
	    is_drawn ? exit_id(w->d, id) : node_id(WN_NODE_END, WN_NO_GRAIN, 0);
	bool is_joined = exit.kind == WN_NODE_JOIN;
	fragment_close(w, is_joined ? WN_EDGE_SYNC : WN_EDGE_CONTINUE, exit,
	               !(d->id_mark[id] & ID_LEFT) &&
	                   (!is_joined || d->fj_mark[w->g->fj[id]] & FJ_JOIN_CRITICAL));
	if (d->n_drawn)
		d->n_drawn[id] = w->n_fragments;
}

wn_status
fragments_walk(const struct wn_draw *d, wn_node_fn *on_node, wn_edge_fn *on_edge, void *user)
{
	struct walk w = {.d = d, .g = d->g, .on_node = on_node, .on_edge = on_edge, .user = user};
	struct wn_node_id start = node_id(WN_NODE_START, WN_NO_GRAIN, 0);
	struct wn_node_id end = node_id(WN_NODE_END, WN_NO_GRAIN, 0);
	bool is_empty = true;
	node(&w, start, 0, true);
	for (wn_grain id = 0; w.st == WN_OK && id < d->g->n; id++) {
		if (!wn_is_drawn(d->g, id) && !(d->id_mark[id] & ID_ROOT))
			continue;
		walk_grain(&w, id);
		is_empty = false;
	}
	if (is_empty)
		edge(&w, WN_EDGE_CONTINUE, start, end, 0, true);
	if (w.st == WN_OK && d->g->n_dependents && (on_node || on_edge))
		w.st = depend_walk(d, on_node, on_edge, user);
	node(&w, end, 0, true);
	return w.st;
}
