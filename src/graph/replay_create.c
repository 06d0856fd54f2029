/* SPDX-License-Identifier: MIT */
/* replay_create.c - creates grains: determines their parents, child numbers and creation cost; for
 * single tasks, taskloops, and tasks without a creation record. */
#include "graph/replay.h"

#include "base/mem.h"
#include "trace/encode.h"

/* Assigns context and child number among the parent's children, and the parent's open fork-join or
 * that of the splitter that creates the child: the parent may have continued, or ended. */
static wn_status
number_child(struct replay *r, wn_grain id, struct live *p, const struct live *splitter)
{
	struct wn_graph *g = r->g;
	uint32_t context = splitter ? g->context[splitter->id] : p->context;
	wn_status st;
	if (!splitter && p->open_fj == NO_INDEX && (st = fj_new(r, p->id, p, &p->open_fj)) != WN_OK)
		return st;
	g->fj[id] = splitter ? g->fj[splitter->id] : p->open_fj;
	if (context) /* a page that is never written takes no memory */
		g->context[id] = context;
	uint32_t *n = context ? &p->n_in_context : &p->n_in_thread_context;
	if (g->kind[id] == WN_GRAIN_TASKLOOP)
		n = context ? &p->taskloop.n_tasks_in_context : &p->taskloop.n_tasks;
	set_number(g->child_number, id, ++*n);
	if (g->n_children[p->id]++ == 0) /* relaxed: an estimate for the reader */
		atomic_store_explicit(&r->n_parents,
		                      atomic_load_explicit(&r->n_parents, memory_order_relaxed) + 1,
		                      memory_order_relaxed);
	g->after_join[id] = p->last_join;
	return WN_OK;
}

wn_status
grain_adopt(struct replay *r, wn_grain id, wn_grain parent, const struct live *p, struct live **out)
{
	struct live *l;
	wn_status st = live_new(r, id, &l);
	if (st != WN_OK)
		return st;
	r->g->parent[id] = parent;
	if (p) {
		memcpy(l->dist, p->dist, sizeof l->dist);
		l->group = l->born_in_group = p->group;
		l->implicit = p->implicit;
		l->region = p->region;
		l->team_size = p->team_size;
	}
	*out = l;
	return WN_OK;
}

static uint16_t
flags_of_aux(uint32_t aux)
{
	return (uint16_t)((aux & WN_TASK_FINAL ? WN_GF_FINAL : 0) |
	                  (aux & WN_TASK_UNTIED ? WN_GF_UNTIED : 0) |
	                  (aux & WN_TASK_DEPENDENT ? WN_GF_DEPENDENT : 0) |
	                  (aux & WN_TASK_UNDEFERRED ? WN_GF_UNDEFERRED : 0) |
	                  (aux & WN_TASK_DETACH ? WN_GF_DETACHED : 0));
}

/* Undeferred by the program's choice, not only because the team has one thread. */
static bool
is_serial(const struct wn_graph *g, const struct live *p, uint32_t aux)
{
	return (aux & WN_TASK_UNDEFERRED && p->team_size > 1) || g->flags[p->id] & WN_GF_FINAL;
}

void
ready_now(struct replay *r, struct live *l, uint64_t now_ns)
{
	struct team *team = team_get(r, l->region);
	if (!team || !l->is_offered || l->depend.n_unmet || r->g->flags[l->id] & WN_GF_STARTED)
		return;
	team_ready(team, now_ns, 1);
	l->is_ready_counted = true;
}

static void
offer(struct replay *r, struct replay_thread *t, struct live *l)
{
	l->is_offered = !(r->g->flags[l->id] & WN_GF_UNDEFERRED);
	ready_now(r, l, t->event_ns);
}

/* A runtime does not know chunks: where a taskloop's splitter creates for the chunk or section
 * that met the taskloop, it names the implicit task. */
static bool
stands_for_chunk(const struct wn_graph *g, wn_grain parent, wn_grain named)
{
	return g->parent[parent] == named &&
	       (g->kind[parent] == WN_GRAIN_CHUNK || g->kind[parent] == WN_GRAIN_SECTION);
}

/* Returns the splitter on top that creates for the task that met its taskloop; NULL if there is
 * none. */
static struct live *
splitter_on(struct replay *r, const struct replay_thread *t, wn_grain named, uint32_t aux)
{
	struct live *top = live_top(r, t);
	if (!(aux & WN_TASK_TASKLOOP) || !top || top->taskloop.splits_for == NO_INDEX)
		return NULL;
	wn_grain parent = r->g->parent[top->id];
	if (r->g->kind[top->id] != WN_GRAIN_HELPER && named != parent &&
	    !stands_for_chunk(r->g, parent, named))
		return NULL;
	return top;
}

/* Returns the creator: the grain that the splitter creates for, even if it has ended, the named
 * one, or the top of the stack. */
static struct live *
creator(struct replay *r, const struct replay_thread *t, wn_grain named,
        const struct live *splitter)
{
	if (splitter)
		return wn_pool_at(&r->lives, splitter->taskloop.splits_for);
	wn_grain id = named != WN_NO_GRAIN && live_get(r, named) ? named : stack_top(t);
	while (id != WN_NO_GRAIN && r->g->kind[id] == WN_GRAIN_HELPER)
		id = r->g->parent[id];
	return live_get(r, id);
}

/* A task of a taskloop belongs to the open loop, or to the loop of the splitter that creates it: a
 * task of the runtime, which is then no grain. */
static wn_status
join_taskloop(struct replay *r, struct live *l, struct live *p, const struct live *splitter)
{
	struct wn_graph *g = r->g;
	uint64_t number = p->taskloop.number;
	if (splitter) {
		wn_grain from = splitter->id;
		number = g->ranges[g->range[from] - 1].taskloop;
		if (g->kind[from] == WN_GRAIN_TASKLOOP && !g->n_children[from] &&
		    splitter->last_join == WN_NO_JOIN) {
			g->kind[from] = WN_GRAIN_HELPER;
			g->n_children[p->id]--;
		}
		l->group = l->born_in_group = splitter->born_in_group;
	}
	l->taskloop.splits_for = splitter ? splitter->taskloop.splits_for : g->thread[p->id];
	p->taskloop.n_may_split++;
	wn_status st = range_add(r, l->id, 0, 0);
	if (st == WN_OK)
		g->ranges[g->range[l->id] - 1].taskloop = number;
	return st;
}

wn_status
detach(struct replay *r, struct live *l)
{
	uint32_t index = wn_pool_take(&r->detached);
	if (index == WN_POOL_NONE)
		return replay_no_memory(r);
	((struct detached *)wn_pool_at(&r->detached, index))->by.winner = WN_NO_GRAIN;
	l->detached = index;
	return WN_OK;
}

/* libgomp queues all tasks of a taskloop at once, as the last part of the call, or runs all of them
 * in it; libomp queues each when it is created. */
static bool
queues_at_end(const struct replay *r)
{
	return (wn_trace_header(r->g->trace)->sources & ~(uint32_t)WN_SOURCE_MPI) ==
	       WN_SOURCE_LIBGOMP;
}

static wn_status
task_create(struct replay *r, struct replay_thread *t, wn_grain named)
{
	struct wn_graph *g = r->g;
	uint32_t aux = t->at->aux;
	wn_grain id = new_id(r, t, 0);
	wn_status st;
	account(r, t, t->event_ns, WAIT_GOES_ON);
	t->created = WN_NO_GRAIN;
	if (id == WN_NO_GRAIN)
		return WN_OK;
	if ((st = thread_base(r, t, t->event_ns)) != WN_OK)
		return st;
	const struct live *splitter = splitter_on(r, t, named, aux);
	struct live *p = creator(r, t, named, splitter);
	struct live *l;
	if (!p) {
		g->anomalies.n_unmatched++;
		return WN_OK;
	}
	if ((st = fragment_end(r, p)) != WN_OK || (st = grain_adopt(r, id, p->id, p, &l)) != WN_OK)
		return st;
	bool is_helper = aux & WN_TASK_WAITPOINT;
	g->kind[id] = is_helper                ? WN_GRAIN_HELPER
	              : aux & WN_TASK_TASKLOOP ? WN_GRAIN_TASKLOOP
	                                       : WN_GRAIN_TASK;
	g->flags[id] |= flags_of_aux(aux);
	if (g->flags[p->id] & WN_GF_FINAL) /* whether or not the source reports it */
		g->flags[id] |= WN_GF_FINAL | WN_GF_UNDEFERRED;
	g->site[id] = t->at->site;
	/* created by a splitter: the address lies in the runtime, so the splitter's site is used */
	wn_grain top = stack_top(t);
	if (!t->at->has_addr && top != p->id && top != WN_NO_GRAIN)
		g->site[id] = g->site[top];
	g->cpu[id] = UINT16_MAX;
	t->created = id;
	t->may_carry = aux & WN_TASK_UNDEFERRED && aux & WN_TASK_DEPENDENT && !is_helper &&
	               p->depend.waitpoint != WN_NO_GRAIN;
	if (!t->may_carry && p->depend.waitpoint != WN_NO_GRAIN)
		depend_drop_waitpoint(r, p);
	if (is_helper) {
		g->after_join[id] = p->last_join;
		p->depend.waitpoint = id;
		/* until the creation ends, time belongs to the runtime, not to the creator's work
		 */
		p->creating = id;
		p->creation_ns = 0;
		return WN_OK;
	}
	if ((st = number_child(r, id, p, splitter)) != WN_OK)
		return st;
	if (aux & WN_TASK_TASKLOOP && (st = join_taskloop(r, l, p, splitter)) != WN_OK)
		return st;
	if (aux & WN_TASK_DETACH && (st = detach(r, l)) != WN_OK)
		return st;
	if (is_serial(g, p, aux))
		g->flags[id] |= WN_GF_SERIAL;
	if (g->instant_ns)
		g->instant_ns[id] = live_exec_ns(r, p);
	bool is_in_loop = p->taskloop.is_open && !splitter;
	bool is_measured =
	    !p->taskloop.is_open && !splitter && !t->creation_unknown && named == WN_NO_GRAIN;
	if (!is_measured && !(is_in_loop && queues_at_end(r)))
		offer(r, t, l); /* otherwise when its creation is over */
	if (l->born_in_group != NO_INDEX)
		((struct group *)wn_pool_at(&r->groups, l->born_in_group))->n_members++;
	unstarted_add(r, l);
	if (is_in_loop) {
		if (p->taskloop.first == WN_NO_GRAIN)
			p->taskloop.first = id;
		p->taskloop.n++;
	} else if (is_measured) {
		p->creating = id;
		p->creation_ns = 0;
	}
	return WN_OK;
}

wn_status
on_task_create(struct replay *r, struct replay_thread *t)
{
	return task_create(r, t, WN_NO_GRAIN);
}

wn_status
on_task_create_by(struct replay *r, struct replay_thread *t)
{
	return task_create(r, t, named_id(r, t->v[0], t->v[1]));
}

wn_status
on_create_end(struct replay *r, struct replay_thread *t)
{
	struct wn_graph *g = r->g;
	account(r, t, t->event_ns, WAIT_GOES_ON);
	struct live *p = live_top(r, t);
	if (!p || p->creating == WN_NO_GRAIN)
		return WN_OK; /* inside a taskloop, whose creation is measured as a whole */
	wn_grain id = p->creating;
	set_time(r, &g->creation, id, p->creation_ns);
	g->flags[id] |= WN_GF_CREATION_KNOWN;
	if (g->instant_ns)
		g->instant_ns[id] = live_exec_ns(r, p);
	struct live *l = live_get(r, id);
	const struct detached *d = l ? detached_of(r, l) : NULL;
	if (l && !(d && d->is_body_over)) /* otherwise it had ended before */
		bear(r, l, p->creation_ns - l->burden_ns);
	if (l && !(g->flags[id] & WN_GF_STARTED))
		offer(r, t, l);
	p->creating = WN_NO_GRAIN;
	return WN_OK;
}

wn_status
find_lost(struct replay *r, struct replay_thread *t, wn_grain id)
{
	struct wn_graph *g = r->g;
	struct live *l, *p;
	wn_status st;
	wn_grain parent = g->first_id[t->index];
	size_t depth = t->depth;
	t->depth = 0;
	st = thread_base(r, t, t->event_ns);
	t->depth = depth;
	if (st != WN_OK || (st = grain_adopt(r, id, parent, live_get(r, parent), &l)) != WN_OK)
		return st;
	g->kind[id] = WN_GRAIN_TASK;
	g->site[id] = WN_NO_SITE;
	g->anomalies.n_lost++;
	p = live_get(r, parent);
	return p ? number_child(r, id, p, NULL) : WN_OK;
}

wn_status
range_add(struct replay *r, wn_grain id, uint64_t first, uint64_t iterations)
{
	struct wn_graph *g = r->g;
	if (g->n_ranges >= UINT32_MAX - 1 ||
	    wn_grow(&g->ranges, &g->ranges_capacity, g->n_ranges + 1, sizeof *g->ranges) != 0)
		return replay_no_memory(r);
	g->ranges[g->n_ranges] = (struct wn_range){first, iterations, 0};
	g->range[id] = (uint32_t)++g->n_ranges;
	return WN_OK;
}

wn_status
on_task_range(struct replay *r, struct replay_thread *t)
{
	wn_grain id = stack_top(t);
	struct wn_graph *g = r->g;
	wn_status st;
	bool is_chunk = id != WN_NO_GRAIN && g->kind[id] == WN_GRAIN_CHUNK;
	if (is_chunk && !g->range[id])
		return WN_OK; /* a lean graph keeps no ranges */
	bool is_task =
	    id != WN_NO_GRAIN && (g->kind[id] == WN_GRAIN_TASK || g->kind[id] == WN_GRAIN_TASKLOOP);
	if (!is_chunk && !is_task)
		return WN_OK;
	if (!is_chunk)
		g->kind[id] = WN_GRAIN_TASKLOOP;
	if (!g->range[id] && (st = range_add(r, id, 0, 0)) != WN_OK)
		return st;
	struct wn_range *range = &g->ranges[g->range[id] - 1];
	range->first = (uint64_t)wn_unzigzag(t->v[0]);
	range->iterations = t->v[1];
	return WN_OK;
}

wn_status
on_taskloop_begin(struct replay *r, struct replay_thread *t)
{
	wn_status st;
	account(r, t, t->event_ns, WAIT_GOES_ON);
	if ((st = thread_base(r, t, t->event_ns)) != WN_OK)
		return st;
	struct live *l = live_top(r, t);
	if (!l)
		return WN_OK;
	l->taskloop.is_open = true;
	l->taskloop.number = l->context ? l->taskloop.n_loops_in_context++ : l->taskloop.n_loops++;
	l->taskloop.first = WN_NO_GRAIN;
	l->taskloop.n = 0;
	l->taskloop.trips = t->v[0];
	l->taskloop.ns = 0;
	return WN_OK;
}

/* Completes the tasks of one taskloop: same thread, consecutive births, this parent. Each gets an
 * equal share of the creation time; ranges without an event follow from the count, since runtimes
 * assign trip / n iterations each and one more to the first trip % n. */
wn_status
on_taskloop_end(struct replay *r, struct replay_thread *t)
{
	struct wn_graph *g = r->g;
	account(r, t, t->event_ns, WAIT_GOES_ON);
	struct live *l = live_top(r, t);
	if (!l || !l->taskloop.is_open)
		return WN_OK;
	l->taskloop.is_open = false;
	if (l->taskloop.first == WN_NO_GRAIN)
		return WN_OK;
	uint64_t share_ns = l->taskloop.ns / l->taskloop.n;
	uint64_t each = l->taskloop.trips / l->taskloop.n, more = l->taskloop.trips % l->taskloop.n;
	uint64_t first = 0;
	uint32_t seen = 0;
	wn_grain end = g->first_id[t->index + 1];
	for (wn_grain id = l->taskloop.first; id < end && seen < l->taskloop.n; id++) {
		if (g->parent[id] != l->id || g->kind[id] != WN_GRAIN_TASKLOOP)
			continue;
		uint64_t iterations = each + (seen++ < more);
		struct wn_range *range = g->range[id] ? &g->ranges[g->range[id] - 1] : NULL;
		if (range && !range->iterations && g->flags[id] & WN_GF_UNDEFERRED)
			*range = (struct wn_range){first, iterations, range->taskloop};
		first += iterations;
		set_time(r, &g->creation, id, share_ns);
		g->flags[id] |= WN_GF_CREATION_KNOWN;
		struct live *task = live_get(r, id);
		if (task && !task->is_offered && !(g->flags[id] & WN_GF_STARTED))
			offer(r, t, task);
	}
	return WN_OK;
}
