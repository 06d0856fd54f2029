/* SPDX-License-Identifier: MIT */
/*
 * oracle_span.c - the program as a graph of pieces, and the longest paths in it, by depth-first
 * search from the end. Graphs are small: every node looks through all edges.
 */
#include "oracle.h"

#include "graph/graph.h"
#include "operate.h"

#include <stdlib.h>

#define IN_ALL       ((1u << SPANS_N) - 1)
#define IN_SCHEDULED (1u << SCHEDULED)
#define IN_OTHERS    (1u << LOGICAL | 1u << BURDENED | 1u << COUNTED)

struct ends {
	uint32_t *first, *last; /* node of each grain */
	uint32_t *barrier;      /* node of a barrier: team * PHASES_MAX + phase */
};

static uint32_t
node(struct oracle *o, uint32_t grain, uint64_t ns, uint64_t burden_ns)
{
	sim_grow(&o->nodes, &o->nodes_capacity, o->n_nodes + 1, sizeof *o->nodes);
	o->nodes[o->n_nodes] =
	    (struct oracle_node){.grain = grain, .ns = ns, .burden_ns = burden_ns};
	return (uint32_t)o->n_nodes++;
}

static void
edge(struct oracle *o, uint32_t from, uint32_t to, uint64_t burden_ns, unsigned spans)
{
	if (from == NONE || to == NONE)
		return;
	sim_grow(&o->edges, &o->edges_capacity, o->n_edges + 1, sizeof *o->edges);
	o->edges[o->n_edges++] = (struct oracle_edge){from, to, burden_ns, (uint8_t)spans};
}

static bool
is_task(const struct sim_grain *g)
{
	return g->kind == WN_GRAIN_TASK || g->kind == WN_GRAIN_TASKLOOP;
}

/* A node after `at` in program order. */
static uint32_t
after(struct oracle *o, uint32_t grain, uint32_t at, uint64_t ns, uint64_t burden_ns)
{
	uint32_t next = node(o, grain, ns, burden_ns);
	edge(o, at, next, 0, IN_ALL);
	return next;
}

/* Ends of what a taskwait, group end or barrier waits for, to the node behind it. */
static void
join_tasks(struct oracle *o, const struct ends *e, uint32_t to, uint32_t parent, uint32_t group,
           uint32_t team, uint32_t phase, uint32_t before)
{
	const struct sim *s = o->s;
	for (uint32_t id = 0; id < s->n_grains; id++) {
		const struct sim_grain *g = &s->grains[id];
		if (!is_task(g) || g->is_silent)
			continue;
		bool counts = parent != NONE  ? g->parent == parent && id < before
		              : group != NONE ? sim_in_group(s, g, group)
		                              : g->team == team && g->phase <= phase;
		if (counts)
			edge(o, e->last[id], to, 0, IN_ALL);
	}
}

/* What a task or waitpoint depends on, to the node before which it ends. */
static void
join_predecessors(struct oracle *o, const struct ends *e, uint32_t to, uint32_t id)
{
	const struct sim *s = o->s;
	for (uint32_t before = 0; before < id; before++)
		if (s->grains[before].kind != WN_GRAIN_HELPER && sim_depends(s, id, before))
			edge(o, e->last[before], to, 0, IN_ALL);
}

/* The newest child that the grain had made when it came to item i, plus one. */
static uint32_t
children_before(const struct sim_grain *g, size_t i)
{
	while (i-- > 0)
		if (g->items[i].kind == IT_CREATE)
			return g->items[i].what + 1;
	return 0;
}

static uint32_t
barrier_node(struct oracle *o, struct ends *e, uint32_t team, uint32_t phase)
{
	uint32_t *at = &e->barrier[team * PHASES_MAX + phase];
	if (*at == NONE)
		*at = node(o, NONE, 0, 0);
	return *at;
}

static uint32_t
add_loop(struct oracle *o, struct ends *e, uint32_t id, size_t *i, uint32_t at)
{
	const struct sim_grain *g = &o->s->grains[id];
	uint32_t enter = after(o, id, at, 0, 0), chain = enter;
	uint32_t leave = node(o, id, 0, 0);
	uint64_t dispatch_ns = 0;
	size_t k = *i + 1;
	for (; g->items[k].kind != IT_LOOP_CLOSE; k++) {
		const struct item *item = &g->items[k];
		if (item->kind == IT_DISPATCH)
			dispatch_ns += item->ns;
		if (item->kind != IT_CHUNK)
			continue;
		edge(o, enter, e->first[item->what], dispatch_ns, IN_OTHERS);
		edge(o, chain, e->first[item->what], 0, IN_SCHEDULED);
		edge(o, e->last[item->what], leave, 0, IN_ALL);
		chain = e->last[item->what];
		dispatch_ns = 0;
	}
	edge(o, enter, leave, dispatch_ns, IN_ALL);
	*i = k;
	return leave;
}

static uint32_t
add_region(struct oracle *o, const struct ends *e, uint32_t id, uint32_t team_index, uint32_t at)
{
	const struct sim_team *team = &o->s->teams[team_index];
	uint32_t over = after(o, id, at, 0, 0);
	for (uint32_t k = 0; k < team->n_implicit; k++) {
		edge(o, at, e->first[team->implicit[k]], 0, IN_ALL);
		edge(o, e->last[team->implicit[k]], over, 0, IN_ALL);
	}
	return over;
}

static void
add_grain(struct oracle *o, struct ends *e, uint32_t id)
{
	const struct sim_grain *g = &o->s->grains[id];
	uint32_t at = e->first[id];
	for (size_t i = 0; i < g->n_items; i++) {
		const struct item item = g->items[i];
		uint32_t next;
		switch (item.kind) {
		case IT_WORK:
			at = after(o, id, at, item.ns, 0);
			o->nodes[at].counted = item.counted;
			break;
		case IT_MADE:
			at = after(o, id, at, 0, item.ns);
			break;
		case IT_CREATE:
			edge(o, at, e->first[item.what], o->s->grains[item.what].burden_ns, IN_ALL);
			break;
		case IT_RETURN:
			at = after(o, id, at, 0, 0);
			edge(o, e->last[item.what], at, 0, IN_ALL);
			break;
		case IT_WAIT:
			at = after(o, id, at, 0, 0);
			join_tasks(o, e, at, id, NONE, NONE, 0, children_before(g, i));
			break;
		case IT_FULFILL:
			if (item.what != id)
				edge(o, at, e->last[item.what], 0, IN_ALL);
			break;
		case IT_WAIT_FOR:
			at = after(o, id, at, 0, 0);
			join_predecessors(o, e, at, item.what);
			break;
		case IT_GROUP_CLOSE:
			at = after(o, id, at, 0, 0);
			join_tasks(o, e, at, NONE, item.what, NONE, 0, NONE);
			break;
		case IT_BARRIER:
			next = barrier_node(o, e, g->team, item.what);
			edge(o, at, next, 0, IN_ALL);
			at = after(o, id, next, 0, 0);
			break;
		case IT_LOOP_OPEN:
			at = add_loop(o, e, id, &i, at);
			break;
		case IT_REGION_OPEN:
			at = add_region(o, e, id, item.what, at);
			break;
		default:
			break;
		}
	}
	bool ends_context = g->kind == WN_GRAIN_INITIAL ||
	                    (g->kind == WN_GRAIN_IMPLICIT && !o->s->teams[g->team].has_barrier);
	if (ends_context) {
		at = after(o, id, at, 0, 0);
		join_tasks(o, e, at, NONE, NONE, g->team, PHASES_MAX, NONE);
	}
	edge(o, at, e->last[id], 0, IN_ALL);
}

static uint64_t
weight_of_node(const struct oracle_node *n, enum span span)
{
	return span == COUNTED ? n->counted : n->ns + (span == BURDENED ? n->burden_ns : 0);
}

static uint64_t
weight_of_edge(const struct oracle_edge *e, enum span span)
{
	return span == BURDENED ? e->burden_ns : 0;
}

static uint64_t
search(struct oracle *o, uint32_t at, enum span span)
{
	if (o->nodes[at].state[span] == 2)
		return o->nodes[at].dist[span];
	if (o->nodes[at].state[span] == 1)
		abort(); /* a cycle: the simulation is wrong */
	o->nodes[at].state[span] = 1;
	uint64_t most = 0;
	for (size_t i = o->first_edge[at]; i < o->first_edge[at + 1]; i++) {
		const struct oracle_edge *e = &o->edges[i];
		if (!(e->spans >> span & 1))
			continue;
		uint64_t dist = search(o, e->from, span) + weight_of_edge(e, span);
		most = dist > most ? dist : most;
	}
	o->nodes[at].dist[span] = most + weight_of_node(&o->nodes[at], span);
	o->nodes[at].state[span] = 2;
	return o->nodes[at].dist[span];
}

static int
by_target(const void *left, const void *right)
{
	const struct oracle_edge *a = left, *b = right;
	return a->to < b->to ? -1 : a->to > b->to;
}

static void
index_edges(struct oracle *o)
{
	qsort(o->edges, o->n_edges, sizeof *o->edges, by_target);
	o->first_edge = calloc(o->n_nodes + 1, sizeof *o->first_edge);
	if (!o->first_edge)
		abort();
	for (size_t i = 0, at = 0; at <= o->n_nodes; at++) {
		while (i < o->n_edges && o->edges[i].to < at)
			i++;
		o->first_edge[at] = i;
	}
}

/* Chunks of a share did one after the other what their first one's items say; each has its part. */
static void
share_nodes(struct oracle *o, const struct ends *e, uint32_t first)
{
	const struct sim_grain *g = &o->s->grains[first];
	for (uint32_t k = 1; k < g->share.n; k++)
		o->nodes[e->last[first + k]].ns = o->work[first + k];
	/* the first chunk keeps its pieces but the last, which is what is left of its part */
	uint64_t left = o->work[first];
	for (size_t i = 0; i < o->n_nodes; i++) {
		if (o->nodes[i].grain != first || !o->nodes[i].ns)
			continue;
		if (o->nodes[i].ns > left)
			o->nodes[i].ns = left;
		left -= o->nodes[i].ns;
	}
	o->nodes[e->last[first]].ns += left;
}

void
oracle_spans(struct oracle *o)
{
	struct sim *s = o->s;
	struct ends e = {calloc(s->n_grains + 1, 4), calloc(s->n_grains + 1, 4),
	                 calloc(s->n_teams * PHASES_MAX + 1, 4)};
	if (!e.first || !e.last || !e.barrier)
		abort();
	for (size_t i = 0; i < s->n_teams * PHASES_MAX; i++)
		e.barrier[i] = NONE;
	for (uint32_t id = 0; id < s->n_grains; id++) {
		e.first[id] = node(o, id, 0, 0);
		e.last[id] = node(o, id, 0, 0);
	}
	for (uint32_t id = 0; id < s->n_grains; id++) {
		add_grain(o, &e, id);
		if (s->grains[id].kind != WN_GRAIN_HELPER)
			join_predecessors(o, &e, e.first[id], id);
	}
	for (uint32_t i = 0; i < s->n_teams * PHASES_MAX; i++)
		if (e.barrier[i] != NONE)
			join_tasks(o, &e, e.barrier[i], NONE, NONE, i / PHASES_MAX, i % PHASES_MAX,
			           NONE);
	for (uint32_t id = 0; id < s->n_grains; id++)
		if (s->grains[id].share.n > 1)
			share_nodes(o, &e, id);
	index_edges(o);
	for (int span = 0; span < SPANS_N; span++)
		o->span[span] = search(o, e.last[0], (enum span)span);
	free(e.first);
	free(e.last);
	free(e.barrier);
}

static bool
follow(struct oracle *o, uint32_t at, enum span span, const bool *is_critical)
{
	struct oracle_node *n = &o->nodes[at];
	uint64_t weight = weight_of_node(n, span);
	if (n->followed[span])
		return n->followed[span] == 2;
	n->followed[span] = 1;
	if (weight && !is_critical[n->grain])
		return false;
	bool is_good = n->dist[span] == weight;
	for (size_t i = o->first_edge[at]; !is_good && i < o->first_edge[at + 1]; i++) {
		const struct oracle_edge *e = &o->edges[i];
		uint64_t before = o->nodes[e->from].dist[span] + weight_of_edge(e, span);
		if (e->spans & 1u << span && before + weight == n->dist[span])
			is_good = follow(o, e->from, span, is_critical);
	}
	if (is_good)
		n->followed[span] = 2;
	return is_good;
}

bool
oracle_has_path(struct oracle *o, enum span span, const bool *is_critical)
{
	/* the last node of the root is the end of the program */
	return follow(o, 1, span, is_critical);
}
