/* SPDX-License-Identifier: MIT */
/* order.c - the fork-join order of grains. Each thread's stream is read on its own: a grain's forks
 * and joins are events of the thread that runs it, and ticks give their order. */
#include "base/order.h"
#include "base/error.h"
#include "base/mem.h"
#include "sharing/sharing.h"

#include <stdlib.h>
#include <string.h>

enum node_kind { NODE_NONE, NODE_CONTEXT, NODE_IMPLICIT, NODE_TASK, NODE_CHUNK };

struct node {
	uint32_t parent;
	uint32_t joiner;          /* ORDER_NONE: by the group, or the region's barrier */
	uint32_t next;            /* list of the parent's grains that are not joined yet */
	uint32_t pending, chunks; /* heads of such lists */
	uint32_t group;           /* created inside; ORDER_NONE: as the parent */
	uint32_t region;          /* implicit tasks */
	uint32_t phase;      /* the parent's at its creation; implicit tasks: their own, so far */
	uint32_t chunk;      /* that it runs while the stream is read */
	uint32_t open_group; /* innermost */
	uint64_t create_tick, join_tick;
	uint8_t kind;
};

struct group {
	uint32_t owner, outer;
	uint64_t end_tick;
	uint32_t phase;
};

struct region {
	uint32_t parent, phase;
	uint64_t begin_tick, end_tick;
};

/* A depend clause; sorted by parent, address and order of creation. */
struct clause {
	uint32_t parent, grain, sequence;
	bool is_in;
	uint64_t address;
};

struct edge {
	uint32_t to, from;
};

struct order {
	uint32_t *first, *first_region; /* [n_threads + 1] */
	uint32_t n_threads;
	struct node *nodes;
	struct region *regions;
	struct group *groups;
	size_t n_groups, groups_max;
	struct clause *clauses;
	size_t n_clauses, clauses_max;
	struct edge *edges; /* sorted by `to` */
	size_t n_edges, edges_max;
};

/* State of the stream being read. */
struct stream {
	struct order *o;
	struct wn_trace *trace;
	uint32_t thread, n_ids, n_regions;
	uint32_t *stack;
	size_t depth, stack_max;
	uint32_t *open_regions; /* innermost last */
	size_t n_open, open_max;
	uint32_t created; /* the creation begun last */
	uint8_t wait;     /* enum wn_sync_kind of the innermost wait */
	uint64_t held[ORDER_HELD_N], wanted;
	struct order_query *queries;
	size_t n_queries, next_query;
};

/* Dense number of a grain (thread << 32 | number); ORDER_NONE if there is none. */
static uint32_t
dense_number(const struct order *o, uint64_t id)
{
	uint64_t thread = id >> 32, number = id & UINT32_MAX;
	if (thread >= o->n_threads || number >= o->first[thread + 1] - o->first[thread])
		return ORDER_NONE;
	return o->first[thread] + (uint32_t)number;
}

bool
order_is_chunk(const struct order *o, uint32_t grain)
{
	return o->nodes[grain].kind == NODE_CHUNK;
}

bool
order_query_before(const struct order_query *a, const struct order_query *b)
{
	if (a->os_tid != b->os_tid)
		return a->os_tid < b->os_tid;
	return a->at.tick < b->at.tick;
}

/* ---- reading a stream ---- */

static uint32_t
top(const struct stream *s)
{
	return s->depth ? s->stack[s->depth - 1] : s->o->first[s->thread];
}

/* The chunk that the task on top runs, or the task. */
static uint32_t
current(const struct stream *s)
{
	uint32_t task = top(s), chunk = s->o->nodes[task].chunk;
	return chunk != ORDER_NONE ? chunk : task;
}

static uint32_t
new_node(struct stream *s, enum node_kind kind, uint32_t parent, uint64_t tick)
{
	struct order *o = s->o;
	s->n_ids++;
	if (s->n_ids >= o->first[s->thread + 1] - o->first[s->thread])
		return ORDER_NONE;
	uint32_t id = o->first[s->thread] + s->n_ids;
	struct node *n = &o->nodes[id];
	n->kind = (uint8_t)kind;
	n->parent = parent;
	n->create_tick = tick;
	if (parent != ORDER_NONE) {
		const struct node *p = &o->nodes[parent];
		n->phase = p->phase;
		n->group = kind == NODE_TASK ? p->open_group : ORDER_NONE;
	}
	return id;
}

static int
push(struct stream *s, uint32_t grain)
{
	if (grain == ORDER_NONE)
		return 0;
	if (wn_grow(&s->stack, &s->stack_max, s->depth + 1, sizeof *s->stack) != 0)
		return -1;
	s->stack[s->depth++] = grain;
	return 0;
}

static void
switch_to(struct stream *s, uint32_t grain)
{
	size_t at = s->depth;
	if (grain == ORDER_NONE)
		return;
	while (at > 0 && s->stack[at - 1] != grain)
		at--;
	if (at > 0) {
		s->depth = at;
	} else if (s->depth > 0) {
		s->depth = s->depth > 1 ? 2 : 1;
		s->stack[s->depth - 1] = grain;
	}
}

static void
create_task(struct stream *s, uint32_t parent, const struct wn_event *e)
{
	struct order *o = s->o;
	uint32_t flags = wn_trace_site(s->trace, e->site).aux;
	uint32_t id = new_node(s, NODE_TASK, parent, e->tick);
	s->created = id;
	if (id == ORDER_NONE || parent == ORDER_NONE)
		return;
	uint32_t task = o->nodes[parent].kind == NODE_CHUNK ? o->nodes[parent].parent : parent;
	o->nodes[id].group = o->nodes[task].open_group;
	if (flags & WN_TASK_UNDEFERRED) {
		o->nodes[id].joiner = parent; /* when the creation ends */
		o->nodes[id].join_tick = e->tick + 1;
	} else {
		o->nodes[id].next = o->nodes[task].pending;
		o->nodes[task].pending = id;
	}
}

/* Joins the grains of a list, or those created in one group. */
static void
join_list(struct stream *s, uint32_t *head, uint32_t group, uint64_t tick)
{
	struct order *o = s->o;
	uint32_t joiner = current(s);
	while (*head != ORDER_NONE) {
		struct node *n = &o->nodes[*head];
		if (group != ORDER_NONE && n->group != group) {
			head = &n->next;
			continue;
		}
		n->joiner = joiner;
		n->join_tick = tick;
		*head = n->next;
		n->next = ORDER_NONE;
	}
}

static void
end_loop(struct stream *s, uint64_t tick)
{
	struct node *task = &s->o->nodes[top(s)];
	task->chunk = ORDER_NONE;
	join_list(s, &task->chunks, ORDER_NONE, tick);
}

static void
begin_chunk(struct stream *s, uint64_t tick, uint64_t n_ids)
{
	uint32_t task = top(s), id = new_node(s, NODE_CHUNK, task, tick);
	if (n_ids > 1)
		s->n_ids += (uint32_t)n_ids - 1;
	if (id == ORDER_NONE)
		return;
	s->o->nodes[id].next = s->o->nodes[task].chunks;
	s->o->nodes[task].chunks = id;
	s->o->nodes[task].chunk = id;
}

static void
end_wait(struct stream *s, uint64_t tick)
{
	struct node *task = &s->o->nodes[top(s)];
	if (s->wait == WN_SYNC_TASKWAIT) {
		join_list(s, &task->pending, ORDER_NONE, tick);
	} else if (s->wait == WN_SYNC_TASKGROUP && task->open_group != ORDER_NONE) {
		struct group *group = &s->o->groups[task->open_group];
		join_list(s, &task->pending, task->open_group, tick);
		group->end_tick = tick;
		group->phase = task->phase;
		task->open_group = group->outer;
	} else if (s->wait == WN_SYNC_BARRIER_EXPLICIT || s->wait == WN_SYNC_BARRIER_IMPLICIT) {
		end_loop(s, tick);
		task->phase++;
		task->pending = ORDER_NONE; /* joined by the barrier */
	}
	s->wait = 0;
}

static int
begin_group(struct stream *s)
{
	struct order *o = s->o;
	struct node *task = &o->nodes[top(s)];
	if (wn_grow(&o->groups, &o->groups_max, o->n_groups + 1, sizeof *o->groups) != 0)
		return -1;
	o->groups[o->n_groups] = (struct group){current(s), task->open_group, UINT64_MAX, 0};
	task->open_group = (uint32_t)o->n_groups++;
	return 0;
}

static int
begin_region(struct stream *s, uint64_t tick)
{
	struct order *o = s->o;
	s->n_regions++;
	if (s->n_regions > o->first_region[s->thread + 1] - o->first_region[s->thread])
		return 0;
	uint32_t number = o->first_region[s->thread] + s->n_regions - 1;
	o->regions[number] = (struct region){.parent = current(s),
	                                     .phase = o->nodes[top(s)].phase,
	                                     .begin_tick = tick,
	                                     .end_tick = UINT64_MAX};
	if (wn_grow(&s->open_regions, &s->open_max, s->n_open + 1, sizeof *s->open_regions) != 0)
		return -1;
	s->open_regions[s->n_open++] = number;
	return 0;
}

static int
begin_implicit(struct stream *s, const struct wn_event *e)
{
	struct order *o = s->o;
	uint64_t thread = e->v[0], number = e->v[1];
	uint32_t id = new_node(s, NODE_IMPLICIT, ORDER_NONE, e->tick);
	if (id != ORDER_NONE && thread < o->n_threads && number > 0 &&
	    number <= o->first_region[thread + 1] - o->first_region[thread])
		o->nodes[id].region = o->first_region[thread] + (uint32_t)number - 1;
	return push(s, id);
}

static int
add_clause(struct stream *s, const struct wn_event *e)
{
	struct order *o = s->o;
	if (s->created == ORDER_NONE || o->nodes[s->created].parent == ORDER_NONE)
		return 0;
	if (wn_grow(&o->clauses, &o->clauses_max, o->n_clauses + 1, sizeof *o->clauses) != 0)
		return -1;
	o->clauses[o->n_clauses] = (struct clause){.parent = o->nodes[s->created].parent,
	                                           .grain = s->created,
	                                           .sequence = (uint32_t)o->n_clauses,
	                                           .is_in = e->v[0] == WN_DEPEND_IN,
	                                           .address = e->v[1]};
	o->n_clauses++;
	return 0;
}

static void
hold(struct stream *s, uint64_t from, uint64_t to)
{
	for (unsigned i = 0; i < ORDER_HELD_N; i++)
		if (s->held[i] == from) {
			s->held[i] = to;
			return;
		}
}

static int
take_event(struct stream *s, const struct wn_event *e)
{
	switch ((int)e->code) {
	case WN_EV_REGION_BEGIN:
		return begin_region(s, e->tick);
	case WN_EV_REGION_END:
		if (s->n_open > 0)
			s->o->regions[s->open_regions[--s->n_open]].end_tick = e->tick;
		break;
	case WN_EV_IMPLICIT_BEGIN:
		return begin_implicit(s, e);
	case WN_EV_IMPLICIT_END:
	case WN_EV_TASK_END:
	case WN_EV_TASK_SUSPEND:
		s->depth -= s->depth > 0;
		break;
	case WN_EV_TASK_CREATE:
		create_task(s, current(s), e);
		break;
	case WN_EV_TASK_CREATE_BY:
		create_task(s, dense_number(s->o, e->v[0] << 32 | (e->v[1] & UINT32_MAX)), e);
		break;
	case WN_EV_TASK_BEGIN_OWN:
		return push(s, e->v[0] < s->n_ids
		                   ? dense_number(s->o, (uint64_t)s->thread << 32 |
		                                            (s->n_ids - (uint32_t)e->v[0]))
		                   : ORDER_NONE);
	case WN_EV_TASK_BEGIN:
		return push(s, dense_number(s->o, e->v[0] << 32 | (e->v[1] & UINT32_MAX)));
	case WN_EV_TASK_SWITCH:
		switch_to(s, dense_number(s->o, e->v[1] << 32 | (e->v[2] & UINT32_MAX)));
		break;
	case WN_EV_SYNC_BEGIN:
		s->wait = (uint8_t)wn_trace_site(s->trace, e->site).aux;
		break;
	case WN_EV_SYNC_END:
		end_wait(s, e->tick);
		break;
	case WN_EV_GROUP_BEGIN:
		return begin_group(s);
	case WN_EV_WORK_END:
		end_loop(s, e->tick);
		break;
	case WN_EV_CHUNK_BEGIN:
	case WN_EV_SECTION_BEGIN:
		begin_chunk(s, e->tick, 1);
		break;
	case WN_EV_STATIC_BEGIN:
		begin_chunk(s, e->tick, e->v[1]);
		break;
	case WN_EV_CHUNK_END:
		s->o->nodes[top(s)].chunk = ORDER_NONE;
		break;
	case WN_EV_DEPEND:
		return add_clause(s, e);
	case WN_EV_MUTEX_WAIT:
		s->wanted = wn_trace_site(s->trace, e->site).aux != WN_MUTEX_DOACROSS ? e->v[0] : 0;
		break;
	case WN_EV_MUTEX_ACQUIRED:
		if (s->wanted)
			hold(s, 0, s->wanted);
		break;
	case WN_EV_MUTEX_RELEASED:
		if (e->v[0])
			hold(s, e->v[0], 0);
		break;
	default:
		break;
	}
	return 0;
}

/* Queries before the tick have the state that the events so far have made. */
static void
answer(struct stream *s, uint64_t tick)
{
	for (; s->next_query < s->n_queries; s->next_query++) {
		struct order_query *q = &s->queries[s->next_query];
		if (q->at.tick >= tick)
			return;
		q->thread = s->thread;
		memcpy(q->held, s->held, sizeof q->held);
		q->at.grain = dense_number(s->o, q->id);
		if (q->at.grain != ORDER_NONE)
			q->at.phase = s->o->nodes[q->at.grain].phase;
	}
}

/* Waits nest: a task that runs in a wait may wait itself; each task's kind is kept with it. */
static wn_status
read_stream(struct stream *s, wn_err *err)
{
	struct wn_cursor cursor;
	struct wn_event e;
	int has_event;
	uint8_t *waits = NULL;
	size_t n_waits = 0, waits_max = 0;
	wn_status st = WN_OK;
	wn_cursor_init(&cursor, s->trace, s->thread);
	while ((has_event = wn_cursor_next(&cursor, &e)) == 1) {
		answer(s, e.tick);
		if (e.code == WN_EV_GAP)
			break; /* nothing is known from here on */
		if (e.code == WN_EV_SYNC_BEGIN) {
			if (wn_grow(&waits, &waits_max, n_waits + 1, sizeof *waits) != 0) {
				st = wn_no_memory(err);
				break;
			}
			waits[n_waits++] = s->wait;
		}
		if (take_event(s, &e) != 0) {
			st = wn_no_memory(err);
			break;
		}
		if (e.code == WN_EV_SYNC_END && n_waits > 0)
			s->wait = waits[--n_waits];
	}
	if (has_event < 0)
		st = wn_no_memory(err);
	if (st == WN_OK && has_event == 0)
		answer(s, UINT64_MAX);
	wn_free(waits);
	return st;
}

/* ---- dependences ---- */

WN_COMPARE(by_address, struct clause, WN_BY_FIRST(parent, WN_BY_FIRST(address, WN_BY(sequence))))

WN_COMPARE(by_target, struct edge, WN_BY_FIRST(to, WN_BY(from)))

static int
add_edge(struct order *o, uint32_t from, uint32_t to)
{
	if (from == to)
		return 0;
	if (wn_grow(&o->edges, &o->edges_max, o->n_edges + 1, sizeof *o->edges) != 0)
		return -1;
	o->edges[o->n_edges++] = (struct edge){to, from};
	return 0;
}

static wn_status
link_dependences(struct order *o, wn_err *err)
{
	size_t writer = SIZE_MAX; /* the last one at the address; the readers since follow it */
	if (o->n_clauses == 0)
		return WN_OK;
	qsort(o->clauses, o->n_clauses, sizeof *o->clauses, by_address);
	for (size_t i = 0; i < o->n_clauses; i++) {
		const struct clause *c = &o->clauses[i];
		bool is_first = i == 0 || c[-1].parent != c->parent || c[-1].address != c->address;
		int failed = 0;
		size_t from = is_first ? i : writer == SIZE_MAX ? 0 : writer;
		if (is_first)
			writer = SIZE_MAX;
		if (c->is_in && writer != SIZE_MAX)
			failed = add_edge(o, o->clauses[writer].grain, c->grain);
		for (size_t k = i; !c->is_in && !is_first && k-- > from;) {
			const struct clause *before = &o->clauses[k];
			if (before->parent != c->parent || before->address != c->address)
				break;
			failed |= add_edge(o, before->grain, c->grain);
		}
		if (failed)
			return wn_no_memory(err);
		if (!c->is_in)
			writer = i;
	}
	if (o->n_edges > 0)
		qsort(o->edges, o->n_edges, sizeof *o->edges, by_target);
	return WN_OK;
}

#define STEPS_MAX 4096u

/* Does one sibling precede the other? Beyond STEPS_MAX steps: assumed. */
static bool
precedes(const struct order *o, uint32_t from, uint32_t to)
{
	uint32_t queue[STEPS_MAX];
	size_t n = 0;
	if (o->n_edges == 0)
		return false;
	queue[n++] = to;
	for (size_t i = 0; i < n; i++) {
		size_t k = wn_first_from(o->edges, o->n_edges, sizeof *o->edges,
		                         offsetof(struct edge, to), queue[i]);
		for (; k < o->n_edges && o->edges[k].to == queue[i]; k++) {
			bool is_known = false;
			if (o->edges[k].from == from)
				return true;
			for (size_t j = 0; j < n; j++)
				is_known |= queue[j] == o->edges[k].from;
			if (is_known)
				continue;
			if (n == STEPS_MAX)
				return true;
			queue[n++] = o->edges[k].from;
		}
	}
	return false;
}

/* ---- order ---- */

/* A point in a grain, or the end of a phase: everything after the barrier. */
struct climb {
	uint32_t grain, phase;
	uint64_t tick;
	bool is_barrier; /* `phase` is the first one that is later */
};

static uint32_t
parent_of(const struct order *o, uint32_t grain)
{
	const struct node *n = &o->nodes[grain];
	if (n->kind == NODE_IMPLICIT)
		return n->region == ORDER_NONE ? ORDER_NONE : o->regions[n->region].parent;
	return n->kind == NODE_NONE ? ORDER_NONE : n->parent;
}

#define DEPTH_MAX 100000u

static uint32_t
depth_of(const struct order *o, uint32_t grain)
{
	uint32_t depth = 0;
	while (depth < DEPTH_MAX && (grain = parent_of(o, grain)) != ORDER_NONE)
		depth++;
	return depth;
}

/* The point in the parent where the grain was created. */
static void
to_creation(const struct order *o, struct climb *at)
{
	const struct node *n = &o->nodes[at->grain];
	if (n->kind == NODE_IMPLICIT) {
		const struct region *r = &o->regions[n->region];
		*at = (struct climb){r->parent, r->phase, r->begin_tick, false};
	} else {
		*at = (struct climb){n->parent, n->phase, n->create_tick, false};
	}
}

/* The innermost group that waits for it; ORDER_NONE: none. */
static uint32_t
group_of(const struct order *o, uint32_t grain)
{
	for (uint32_t i = 0; i < DEPTH_MAX && grain != ORDER_NONE; i++) {
		const struct node *n = &o->nodes[grain];
		if (n->kind == NODE_TASK && n->group != ORDER_NONE)
			return n->group;
		if (n->kind == NODE_IMPLICIT || n->kind == NODE_CONTEXT)
			return ORDER_NONE;
		grain = n->parent;
	}
	return ORDER_NONE;
}

/* The point at which another grain has waited for its end; false: none has. */
static bool
to_join(const struct order *o, struct climb *at)
{
	const struct node *n = &o->nodes[at->grain];
	if (n->kind == NODE_IMPLICIT && n->region != ORDER_NONE) {
		const struct region *r = &o->regions[n->region];
		*at = (struct climb){r->parent, r->phase, r->end_tick, false};
		return r->parent != ORDER_NONE;
	}
	if (n->kind != NODE_TASK && n->kind != NODE_CHUNK)
		return false;
	if (n->joiner != ORDER_NONE) {
		*at = (struct climb){n->joiner, n->phase, n->join_tick, false};
		return true;
	}
	uint32_t group = n->kind == NODE_TASK ? group_of(o, at->grain) : ORDER_NONE;
	if (group != ORDER_NONE) {
		const struct group *g = &o->groups[group];
		*at = (struct climb){g->owner, g->phase, g->end_tick, false};
		return true;
	}
	/* the barrier of the implicit task that it descends from */
	uint32_t grain = at->grain, phase = n->phase;
	for (uint32_t i = 0; i < DEPTH_MAX && grain != ORDER_NONE; i++) {
		if (o->nodes[grain].kind == NODE_IMPLICIT) {
			*at = (struct climb){grain, phase + 1, UINT64_MAX, true};
			return true;
		}
		phase = o->nodes[grain].phase;
		grain = parent_of(o, grain);
	}
	return false;
}

static bool
meets(const struct order *o, const struct climb *from, const struct climb *to, bool *is_before)
{
	const struct node *a = &o->nodes[from->grain], *b = &o->nodes[to->grain];
	if (from->grain == to->grain) {
		*is_before = from->is_barrier ? to->phase >= from->phase : from->tick <= to->tick;
		return true;
	}
	if (a->kind == NODE_IMPLICIT && b->kind == NODE_IMPLICIT && a->region == b->region &&
	    a->region != ORDER_NONE) {
		*is_before = to->phase >= from->phase + !from->is_barrier;
		return true;
	}
	if (a->kind == NODE_TASK && b->kind == NODE_TASK && a->parent == b->parent &&
	    precedes(o, from->grain, to->grain)) {
		*is_before = true;
		return true;
	}
	return false;
}

bool
order_is_before(const struct order *o, const struct order_point *from, const struct order_point *to)
{
	struct climb a = {from->grain, from->phase, from->tick, false};
	struct climb b = {to->grain, to->phase, to->tick, false};
	uint32_t depth_a = depth_of(o, a.grain), depth_b = depth_of(o, b.grain);
	bool is_before = false;
	for (;;) {
		for (; depth_b > depth_a; depth_b--)
			to_creation(o, &b);
		if (meets(o, &a, &b, &is_before))
			return is_before;
		if (!to_join(o, &a) || a.grain == ORDER_NONE)
			return false;
		depth_a = depth_of(o, a.grain);
	}
}

/* ---- */

void
order_free(struct order *o)
{
	if (!o)
		return;
	WN_FREE_ALL(o->first, o->first_region, o->nodes, o->regions, o->groups, o->clauses,
	            o->edges, o);
}

static wn_status
make_order(struct wn_trace *trace, struct order *o, wn_err *err)
{
	o->n_threads = wn_trace_n_threads(trace);
	o->first = wn_calloc(o->n_threads + 1, sizeof *o->first);
	o->first_region = wn_calloc(o->n_threads + 1, sizeof *o->first_region);
	if (!o->first || !o->first_region)
		return wn_no_memory(err);
	uint64_t n = 0, n_regions = 0;
	for (uint32_t t = 0; t < o->n_threads; t++) {
		n += wn_trace_n_ids(trace, t) + 1;
		n_regions += wn_trace_n_regions(trace, t);
		if (n >= ORDER_NONE || n_regions >= ORDER_NONE)
			return wn_fail(err, WN_E_LIMIT, WN_NO_OFFSET, "too many grains");
		o->first[t + 1] = (uint32_t)n;
		o->first_region[t + 1] = (uint32_t)n_regions;
	}
	o->nodes = wn_calloc(n + 1, sizeof *o->nodes);
	o->regions = wn_calloc(n_regions + 1, sizeof *o->regions);
	if (!o->nodes || !o->regions)
		return wn_no_memory(err);
	for (uint64_t i = 0; i < n; i++)
		o->nodes[i] = (struct node){.parent = ORDER_NONE,
		                            .joiner = ORDER_NONE,
		                            .next = ORDER_NONE,
		                            .pending = ORDER_NONE,
		                            .chunks = ORDER_NONE,
		                            .group = ORDER_NONE,
		                            .region = ORDER_NONE,
		                            .chunk = ORDER_NONE,
		                            .open_group = ORDER_NONE};
	for (uint64_t i = 0; i < n_regions; i++)
		o->regions[i].parent = ORDER_NONE;
	for (uint32_t t = 0; t < o->n_threads; t++)
		o->nodes[o->first[t]].kind = NODE_CONTEXT;
	return WN_OK;
}

/* The queries of a thread; kernel numbers of threads that have ended may be used again, which
 * leaves the later thread's unanswered. */
static void
find_queries(struct stream *s, struct order_query *queries, size_t n)
{
	size_t from =
	    wn_first_from(queries, n, sizeof *queries, offsetof(struct order_query, os_tid),
	                  wn_trace_os_tid(s->trace, s->thread));
	s->queries = queries + from;
	while (from + s->n_queries < n &&
	       s->queries[s->n_queries].os_tid == wn_trace_os_tid(s->trace, s->thread))
		s->n_queries++;
}

wn_status
order_read(struct wn_trace *trace, struct order_query *queries, size_t n, struct order **out,
           wn_err *err)
{
	wn_status st;
	struct order *o = wn_calloc(1, sizeof *o);
	if (!o)
		return wn_no_memory(err);
	WN_TRY(make_order(trace, o, err));
	for (uint32_t t = 0; t < o->n_threads; t++) {
		struct stream s = {.o = o, .trace = trace, .thread = t, .created = ORDER_NONE};
		find_queries(&s, queries, n);
		st = read_stream(&s, err);
		wn_free(s.stack);
		wn_free(s.open_regions);
		WN_TRY(st);
	}
	WN_TRY(link_dependences(o, err));
	*out = o;
	o = NULL;
out:
	order_free(o);
	return st;
}
