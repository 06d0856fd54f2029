/* SPDX-License-Identifier: MIT */
/*
 * replay_task.c - grains come to life, run, and end; fragments and forks on the way.
 */
#include "graph/replay.h"

#include "base/error.h"
#include "base/mem.h"
#include "trace/encode.h"

wn_status
replay_no_memory(struct replay *r)
{
	return wn_fail(r->err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
}

wn_status
live_new(struct replay *r, wn_grain id, struct live **out)
{
	uint32_t index = wn_pool_take(&r->lives);
	if (index == WN_POOL_NONE)
		return replay_no_memory(r);
	struct live *l = wn_pool_at(&r->lives, index);
	r->live_of[id] = index;
	l->id = id;
	l->group = l->born_in_group = NO_INDEX;
	l->open_fj = l->older_fj = l->pending_fj = NO_INDEX;
	l->region = l->loop = l->loop_fj = NO_INDEX;
	l->member_of = l->follows = l->table = l->detached = l->splits_for = NO_INDEX;
	l->waitpoint = l->next_unstarted = l->previous_unstarted = WN_NO_GRAIN;
	l->implicit = l->creating = l->taskloop_first = WN_NO_GRAIN;
	l->children.winner = l->chunks.winner = WN_NO_GRAIN;
	*out = l;
	return WN_OK;
}

static void
live_give(struct replay *r, uint32_t index)
{
	struct live *l = wn_pool_at(&r->lives, index);
	if (wn_run_close(&l->run, &r->cells, l->id, &r->g->fragments) != 0)
		r->is_out_of_memory = true;
	wn_pool_give(&r->lives, index);
}

void
live_free(struct replay *r, wn_grain id)
{
	struct live *l = live_get(r, id);
	uint32_t index = r->live_of[id], parent = l->splits_for;
	depend_free(r, l);
	unstarted_remove(r, l);
	if (l->detached != NO_INDEX)
		wn_pool_give(&r->detached, l->detached);
	r->live_of[id] = NO_INDEX;
	if (l->n_may_split == 0)
		live_give(r, index);
	else
		l->is_over = true;
	if (parent == NO_INDEX)
		return;
	struct live *p = wn_pool_at(&r->lives, parent);
	if (--p->n_may_split == 0 && p->is_over)
		live_give(r, parent);
}

/* A piece and the pieces before it take no longer than the time that has passed: what does not fit
 * was claimed by two threads of a damaged stream, one of which was late to say so. */
static void
cut_piece(struct replay *r, struct live *l, uint64_t passed_ns)
{
	uint64_t room_ns = passed_ns > l->run.end_ns ? passed_ns - l->run.end_ns : 0;
	if (l->piece_ns <= room_ns)
		return;
	r->g->work_ns[l->id] -= l->piece_ns - room_ns;
	l->piece_ns = room_ns;
	r->g->anomalies.n_unmatched++;
}

/* Ends the running fragment of a grain at the work it has done so far. No path is longer than the
 * time that has passed: what was done while something else was waited for, as a damaged stream may
 * have it of the parent of an undeferred task, does not come after it. */
wn_status
fragment_end(struct replay *r, struct live *l)
{
	uint64_t passed_ns = r->now_ns - r->g->first_ns;
	if (r->weigher)
		return weigh_piece(r, l);
	cut_piece(r, l, passed_ns);
	if (l->dist[SPAN_LOGICAL] + l->piece_ns > passed_ns)
		l->dist[SPAN_LOGICAL] = passed_ns - l->piece_ns;
	if (wn_run_add(&l->run, &r->cells, l->dist[SPAN_LOGICAL], l->piece_ns) != 0)
		return replay_no_memory(r);
	wn_status st = move_note(r, l, l->run.n - 1);
	for (int k = 0; k < SPAN_N; k++)
		l->dist[k] += l->piece_ns;
	l->piece_ns = 0;
	return st;
}

/* The grain on top, if it may do what programs do: meet regions, loops and waits. The runtime's own
 * tasks may not; a stream that says so is damaged. */
struct live *
actor(struct replay *r, const struct replay_thread *t)
{
	struct live *l = live_get(r, stack_top(t));
	if (!l || r->g->kind[l->id] != WN_GRAIN_HELPER)
		return l;
	r->g->anomalies.n_unmatched++;
	return NULL;
}

wn_status
stack_push(struct replay *r, struct replay_thread *t, wn_grain id)
{
	if (wn_grow(&t->stack, &t->stack_capacity, t->depth + 1, sizeof *t->stack) != 0)
		return replay_no_memory(r);
	if (t->left_depth > t->depth)
		t->left_depth = 0;
	t->stack[t->depth++] = id;
	return WN_OK;
}

/* A task that is seen on one thread has left the one on which it ran: when, nothing told; by now at
 * the latest. From here on that thread works for what it was started from. */
static void
leave_elsewhere(struct replay *r, const struct replay_thread *t, const struct live *l)
{
	struct replay_thread *other = &r->threads[l->thread];
	if (other == t || stack_top(other) != l->id || other->left_depth == other->depth)
		return;
	account(r, other, t->event_ns, WAIT_GOES_ON);
	other->left_depth = other->depth;
	const struct live *goes_on = live_get(r, stack_runs(other));
	const struct team *team = goes_on ? team_get(r, goes_on->region) : NULL;
	if (team && goes_on->sync_kind)
		other->ready_mark = team_ready_ns(team, t->event_ns);
	r->g->anomalies.n_parts_unseen++;
}

/* Puts the thread's own context on an empty stack: it acts outside all regions. */
wn_status
thread_base(struct replay *r, struct replay_thread *t, uint64_t now_ns)
{
	struct wn_graph *g = r->g;
	wn_grain id = g->first_id[t->index];
	struct live *l;
	wn_status st;
	if (t->depth)
		return WN_OK;
	if (g->kind[id] == WN_GRAIN_NONE) {
		if ((st = live_new(r, id, &l)) != WN_OK)
			return st;
		g->kind[id] = WN_GRAIN_INITIAL;
		g->flags[id] |= WN_GF_STARTED;
		set_ns(g->begin_ns, id, now_ns);
		g->thread[id] = t->index;
		g->cpu[id] = t->cpu;
		l->implicit = id;
		l->team_size = 1;
	}
	return stack_push(r, t, id);
}

/* Context and child number among the parent's children; the parent's fork-join that is open, or
 * that of the splitter that makes the child: the parent may have gone on, or have ended. */
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
		n = context ? &p->n_taskloop_tasks_in_context : &p->n_taskloop_tasks;
	set_number(g->child_number, id, ++*n);
	g->n_children[p->id]++;
	g->after_join[id] = g->last_join[p->id];
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

/* Undeferred by the program's wish, not only because the team has one thread. */
static bool
is_serial(const struct wn_graph *g, const struct live *p, uint32_t aux)
{
	return (aux & WN_TASK_UNDEFERRED && p->team_size > 1) || g->flags[p->id] & WN_GF_FINAL;
}

void
ready_now(struct replay *r, struct live *l, uint64_t now_ns)
{
	struct team *team = team_get(r, l->region);
	if (!team || !l->is_offered || l->n_unmet || r->g->flags[l->id] & WN_GF_STARTED)
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

/* A runtime knows no chunks: it names the implicit task where a taskloop's splitter creates for the
 * chunk or section that met the taskloop. */
static bool
stands_for_chunk(const struct wn_graph *g, wn_grain parent, wn_grain named)
{
	return g->parent[parent] == named &&
	       (g->kind[parent] == WN_GRAIN_CHUNK || g->kind[parent] == WN_GRAIN_SECTION);
}

/* The splitter on top that creates for the task that met its taskloop; NULL if none does. */
static struct live *
splitter_on(struct replay *r, const struct replay_thread *t, wn_grain named, uint32_t aux)
{
	struct live *top = live_get(r, stack_top(t));
	if (!(aux & WN_TASK_TASKLOOP) || !top || top->splits_for == NO_INDEX)
		return NULL;
	wn_grain parent = r->g->parent[top->id];
	if (r->g->kind[top->id] != WN_GRAIN_HELPER && named != parent &&
	    !stands_for_chunk(r->g, parent, named))
		return NULL;
	return top;
}

/* The grain that creates: the one that the splitter creates for, even if it has ended, the one
 * named, or the one on top. */
static struct live *
creator(struct replay *r, const struct replay_thread *t, wn_grain named,
        const struct live *splitter)
{
	if (splitter)
		return wn_pool_at(&r->lives, splitter->splits_for);
	wn_grain id = named != WN_NO_GRAIN && live_get(r, named) ? named : stack_top(t);
	while (id != WN_NO_GRAIN && r->g->kind[id] == WN_GRAIN_HELPER)
		id = r->g->parent[id];
	return live_get(r, id);
}

/* A task of a taskloop belongs to the loop that is open, or to the loop of the splitter that makes
 * it: a task of the runtime's own, which is then no grain. */
static wn_status
join_taskloop(struct replay *r, struct live *l, struct live *p, const struct live *splitter)
{
	struct wn_graph *g = r->g;
	uint64_t number = p->taskloop_number;
	if (splitter) {
		wn_grain from = splitter->id;
		number = g->ranges[g->range[from] - 1].taskloop;
		if (g->kind[from] == WN_GRAIN_TASKLOOP && !g->n_children[from] &&
		    g->last_join[from] == WN_NO_JOIN) {
			g->kind[from] = WN_GRAIN_HELPER;
			g->n_children[p->id]--;
		}
		l->group = l->born_in_group = splitter->born_in_group;
	}
	l->splits_for = splitter ? splitter->splits_for : r->live_of[p->id];
	p->n_may_split++;
	wn_status st = range_add(r, l->id, 0, 0);
	if (st == WN_OK)
		g->ranges[g->range[l->id] - 1].taskloop = number;
	return st;
}

/* What completes it is not only its end. */
static wn_status
detach(struct replay *r, struct live *l)
{
	uint32_t index = wn_pool_take(&r->detached);
	if (index == WN_POOL_NONE)
		return replay_no_memory(r);
	((struct detached *)wn_pool_at(&r->detached, index))->by.winner = WN_NO_GRAIN;
	l->detached = index;
	return WN_OK;
}

static struct detached *
detached_of(struct replay *r, const struct live *l)
{
	return l->detached == NO_INDEX ? NULL : wn_pool_at(&r->detached, l->detached);
}

wn_status
on_task_create(struct replay *r, struct replay_thread *t, wn_grain named)
{
	struct wn_graph *g = r->g;
	struct wn_site_key key = wn_trace_site(r->trace, t->event.site);
	wn_grain id = new_id(r, t, 0);
	wn_status st;
	account(r, t, t->event_ns, WAIT_GOES_ON);
	t->created = WN_NO_GRAIN;
	if (id == WN_NO_GRAIN)
		return WN_OK;
	if ((st = thread_base(r, t, t->event_ns)) != WN_OK)
		return st;
	const struct live *splitter = splitter_on(r, t, named, key.aux);
	struct live *p = creator(r, t, named, splitter);
	struct live *l;
	if (!p) {
		g->anomalies.n_unmatched++;
		return WN_OK;
	}
	if ((st = fragment_end(r, p)) != WN_OK || (st = grain_adopt(r, id, p->id, p, &l)) != WN_OK)
		return st;
	bool is_helper = key.aux & WN_TASK_WAITPOINT;
	g->kind[id] = is_helper                    ? WN_GRAIN_HELPER
	              : key.aux & WN_TASK_TASKLOOP ? WN_GRAIN_TASKLOOP
	                                           : WN_GRAIN_TASK;
	g->flags[id] = flags_of_aux(key.aux);
	if (g->flags[p->id] & WN_GF_FINAL) /* whether or not the source knows it */
		g->flags[id] |= WN_GF_FINAL | WN_GF_UNDEFERRED;
	g->site[id] = t->event.site;
	/* made by a splitter: the runtime's own address says nothing, the splitter's says where */
	wn_grain top = stack_top(t);
	if (key.addr == 0 && top != p->id && top != WN_NO_GRAIN)
		g->site[id] = g->site[top];
	g->cpu[id] = UINT16_MAX;
	t->created = id;
	t->may_carry = key.aux & WN_TASK_UNDEFERRED && key.aux & WN_TASK_DEPENDENT && !is_helper &&
	               p->waitpoint != WN_NO_GRAIN;
	if (!t->may_carry)
		depend_drop_waitpoint(r, p);
	if (is_helper) {
		g->after_join[id] = g->last_join[p->id];
		p->waitpoint = id;
		/* what happens until it is made is the runtime's time, not the creator's work */
		p->creating = id;
		p->creation_ns = 0;
		return WN_OK;
	}
	if ((st = number_child(r, id, p, splitter)) != WN_OK)
		return st;
	if (key.aux & WN_TASK_TASKLOOP && (st = join_taskloop(r, l, p, splitter)) != WN_OK)
		return st;
	if (key.aux & WN_TASK_DETACH && (st = detach(r, l)) != WN_OK)
		return st;
	if (is_serial(g, p, key.aux))
		g->flags[id] |= WN_GF_SERIAL;
	set_ns(g->instant_ns, id, wn_exec_ns(g, p->id));
	bool is_in_loop = p->in_taskloop && !splitter;
	bool is_measured =
	    !p->in_taskloop && !splitter && !t->creation_unknown && named == WN_NO_GRAIN;
	if (!is_measured)
		offer(r, t, l); /* else when its creation is over */
	if (l->born_in_group != NO_INDEX)
		((struct group *)wn_pool_at(&r->groups, l->born_in_group))->n_members++;
	unstarted_add(r, l);
	if (is_in_loop) {
		if (p->taskloop_first == WN_NO_GRAIN)
			p->taskloop_first = id;
		p->taskloop_n++;
	} else if (is_measured) {
		p->creating = id;
		p->creation_ns = 0;
	}
	return WN_OK;
}

wn_status
on_create_end(struct replay *r, struct replay_thread *t)
{
	struct wn_graph *g = r->g;
	account(r, t, t->event_ns, WAIT_GOES_ON);
	struct live *p = live_get(r, stack_top(t));
	if (!p || p->creating == WN_NO_GRAIN)
		return WN_OK; /* inside a taskloop, which is measured as a whole */
	wn_grain id = p->creating;
	g->creation_ns[id] = p->creation_ns;
	g->flags[id] |= WN_GF_CREATION_KNOWN;
	set_ns(g->instant_ns, id, wn_exec_ns(g, p->id));
	struct live *l = live_get(r, id);
	const struct detached *d = l ? detached_of(r, l) : NULL;
	if (l && !(d && d->is_body_over)) /* else it had ended before */
		bear(r, l, p->creation_ns - l->burden_ns);
	if (l && !(g->flags[id] & WN_GF_STARTED))
		offer(r, t, l);
	p->creating = WN_NO_GRAIN;
	return WN_OK;
}

/* An id that begins without having been created: its creation was lost with a block. */
static wn_status
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

/* A task may begin inside its own creation: so far it has cost this much. */
static void
bear_creation(struct replay *r, struct live *l)
{
	const struct live *p = live_get(r, r->g->parent[l->id]);
	if (!p || p->creating != l->id)
		return;
	l->burden_ns = p->creation_ns;
	bear(r, l, l->burden_ns);
}

static bool
is_task(const struct wn_graph *g, wn_grain id)
{
	return g->kind[id] == WN_GRAIN_TASK || g->kind[id] == WN_GRAIN_TASKLOOP ||
	       g->kind[id] == WN_GRAIN_HELPER;
}

/* Is this a thread's place outside all regions? Such an id is never created, and so never lost. */
static bool
is_context(const struct wn_graph *g, wn_grain id)
{
	for (uint32_t i = 0; i < g->n_threads; i++)
		if (g->first_id[i] == id)
			return true;
	return false;
}

/* An implicit task, context or chunk stays on its thread, and is resumed only by a stream that had
 * lost it. */
static bool
may_begin(const struct wn_graph *g, const struct replay_thread *t, wn_grain id)
{
	if (g->kind[id] == WN_GRAIN_NONE)
		return !is_context(g, id);
	if (is_task(g, id))
		return true;
	for (size_t i = 0; i < t->depth; i++)
		if (t->stack[i] == id)
			return false;
	return g->thread[id] == t->index;
}

/* An untied task that is undeferred is left between its parts as others are; but its parent goes on
 * only when it has ended. */
static void
pass_parent(struct replay *r, const struct live *l, bool is_between)
{
	struct live *p = live_get(r, r->g->parent[l->id]);
	if (p && r->g->flags[l->id] & WN_GF_UNDEFERRED)
		p->is_passed = is_between;
}

wn_status
on_task_begin(struct replay *r, struct replay_thread *t, wn_grain id)
{
	struct wn_graph *g = r->g;
	wn_status st;
	account(r, t, t->event_ns, WAIT_GOT_TASK);
	if ((st = thread_base(r, t, t->event_ns)) != WN_OK)
		return st;
	if (id == WN_NO_GRAIN || g->flags[id] & WN_GF_COMPLETED || !may_begin(g, t, id)) {
		g->anomalies.n_unmatched++;
		return stack_push(r, t, WN_NO_GRAIN);
	}
	if (g->kind[id] == WN_GRAIN_NONE && (st = find_lost(r, t, id)) != WN_OK)
		return st;
	struct live *l = live_get(r, id);
	const struct detached *d = l ? detached_of(r, l) : NULL;
	if (d && d->is_body_over) {
		g->anomalies.n_unmatched++;
		l = NULL;
	}
	if (!l)
		return stack_push(r, t, WN_NO_GRAIN);
	struct team *team = team_get(r, l->region);
	if (l->is_ready_counted && team)
		team_ready(team, t->event_ns, -1);
	l->is_ready_counted = false;
	if (!(g->flags[id] & WN_GF_STARTED)) {
		g->flags[id] |= WN_GF_STARTED;
		set_ns(g->begin_ns, id, t->event_ns);
		g->thread[id] = t->index;
		g->cpu[id] = t->cpu;
		g->thread_time[t->index].n_grains++;
		bear_creation(r, l);
		depend_begin(r, l);
		unstarted_remove(r, l);
	} else {
		if (g->thread[id] != t->index)
			g->flags[id] |= WN_GF_MOVED;
		leave_elsewhere(r, t, l);
		pass_parent(r, l, false);
	}
	l->thread = t->index;
	return stack_push(r, t, id);
}

/* An undeferred task returns to its parent, which waited for it. */
static wn_status
return_to_parent(struct replay *r, const struct live *l, uint64_t now_ns)
{
	struct live *p = live_get(r, r->g->parent[l->id]);
	struct latest end = {.winner = WN_NO_GRAIN};
	if (!p)
		return WN_OK;
	latest_add(&end, l, r->g->last_join[l->id], now_ns);
	return join_new(r, p, WN_JOIN_UNDEFERRED, &end, NO_INDEX);
}

/* What a finished grain means to those who may wait for it. */
static wn_status
tell_waiters(struct replay *r, struct live *l, uint64_t now_ns)
{
	struct wn_graph *g = r->g;
	struct live *p = live_get(r, g->parent[l->id]);
	struct team *team = team_get(r, l->region);
	uint32_t pos = g->last_join[l->id];
	pass_parent(r, l, false);
	if (g->kind[l->id] == WN_GRAIN_CHUNK || g->kind[l->id] == WN_GRAIN_SECTION) {
		chunk_completed(r, l, now_ns);
		return WN_OK;
	}
	if (p)
		latest_add(&p->children, l, pos, now_ns);
	if (l->born_in_group != NO_INDEX) {
		struct group *group = wn_pool_at(&r->groups, l->born_in_group);
		group->n_members -= group->n_members > 0;
		latest_add(&group->members, l, pos, now_ns);
	}
	if (team)
		latest_add(&team->tasks, l, pos, now_ns);
	else if (l->implicit != WN_NO_GRAIN)
		latest_add(&r->threads[g->thread[l->implicit]].strays, l, pos, now_ns);
	if (g->flags[l->id] & WN_GF_SERIAL)
		return return_to_parent(r, l, now_ns);
	return WN_OK;
}

/* Children that nobody waited for: the enclosing taskgroup or the team's barrier will. */
static void
leave_rogues(struct replay *r, struct live *l)
{
	struct live *implicit = live_get(r, l->implicit);
	uint32_t *list = implicit ? &implicit->pending_fj : NULL;
	if (l->born_in_group != NO_INDEX)
		list = &((struct group *)wn_pool_at(&r->groups, l->born_in_group))->pending_fj;
	gather_open(r, l);
	while (l->older_fj != NO_INDEX) {
		uint32_t fj = l->older_fj;
		l->older_fj = r->fj_next[fj];
		if (list)
			fj_pend(r, list, fj);
	}
}

/* Runs the end of a task: also used for chunks and sections, and for what is open at the end. */
wn_status
grain_complete(struct replay *r, struct live *l, uint64_t now_ns)
{
	struct wn_graph *g = r->g;
	wn_grain id = l->id;
	wn_status st;
	if (l->sync_kind) /* the end of its wait is missing */
		g->anomalies.n_unmatched++;
	const struct detached *d = detached_of(r, l);
	if (!(d && d->is_body_over) && (st = fragment_end(r, l)) != WN_OK)
		return st;
	if (d && d->by.winner != WN_NO_GRAIN &&
	    (st = join_new(r, l, WN_JOIN_FULFILL, &d->by, WN_NO_FJ)) != WN_OK)
		return st;
	g->flags[id] |= WN_GF_COMPLETED;
	set_ns(g->end_ns, id, now_ns);
	leave_rogues(r, l);
	depend_end(r, l, now_ns);
	if ((st = tell_waiters(r, l, now_ns)) != WN_OK)
		return st;
	live_free(r, id);
	return WN_OK;
}

wn_status
on_task_end(struct replay *r, struct replay_thread *t)
{
	account(r, t, t->event_ns, WAIT_GOES_ON);
	if (t->depth == 0) {
		r->g->anomalies.n_unmatched++;
		return WN_OK;
	}
	wn_grain id = t->stack[t->depth - 1];
	if (id != WN_NO_GRAIN && !is_task(r->g, id)) {
		r->g->anomalies.n_unmatched++; /* an end of a task whose begin is missing */
		return WN_OK;
	}
	t->depth--;
	struct live *l = live_get(r, id);
	if (!l)
		return WN_OK;
	if (t->event.code == WN_EV_TASK_SUSPEND) {
		pass_parent(r, l, true);
		return WN_OK;
	}
	struct detached *d = detached_of(r, l);
	leave_elsewhere(r, t, l);
	if (d && !d->is_fulfilled) {
		d->is_body_over = true;
		return fragment_end(r, l);
	}
	return grain_complete(r, l, t->event_ns);
}

/* Its waiters wait for what fulfils it, too: for the grain that does, up to here. */
wn_status
on_task_fulfill(struct replay *r, struct replay_thread *t, wn_grain id)
{
	wn_status st;
	account_aside(r, t);
	if ((st = thread_base(r, t, t->event_ns)) != WN_OK)
		return st;
	struct live *l = live_get(r, id), *by = live_get(r, stack_top(t));
	if (l && l->detached == NO_INDEX && is_task(r->g, id) && (st = detach(r, l)) != WN_OK)
		return st;
	struct detached *d = l ? detached_of(r, l) : NULL;
	bool is_discarded = id != WN_NO_GRAIN && r->g->flags[id] & WN_GF_CANCELLED;
	if (!d || d->is_fulfilled) {
		r->g->anomalies.n_unmatched += !is_discarded;
		return WN_OK;
	}
	r->g->flags[id] |= WN_GF_DETACHED;
	d->is_fulfilled = true;
	if (by && by != l && r->g->kind[by->id] != WN_GRAIN_HELPER) {
		d->by.winner = by->id;
		d->by.winner_pos = r->g->last_join[by->id];
		for (int k = 0; k < SPAN_N; k++)
			d->by.dist[k] = by->dist[k] + by->piece_ns;
		if (r->weigher)
			weigh_so_far(r, by, d->by.dist);
	}
	return d->is_body_over ? grain_complete(r, l, t->event_ns) : WN_OK;
}

/* The stack becomes `next` above the implicit task; what lay between is suspended. */
wn_status
on_task_switch(struct replay *r, struct replay_thread *t)
{
	struct wn_graph *g = r->g;
	uint64_t thread = t->event.v[1], number = t->event.v[2];
	wn_grain next = WN_NO_GRAIN;
	wn_status st;
	bool is_left = t->depth && t->left_depth == t->depth;
	account(r, t, t->event_ns, is_left ? WAIT_GOES_ON : WAIT_GOT_TASK);
	if (t->event.v[0] && (st = on_task_end(r, t)) != WN_OK)
		return st;
	const struct live *left = live_get(r, stack_top(t));
	if (!t->event.v[0] && !is_left && left && g->flags[left->id] & WN_GF_UNTIED)
		g->anomalies.n_parts_unseen++;
	if (thread < g->n_threads && number < g->first_id[thread + 1] - g->first_id[thread])
		next = g->first_id[thread] + (uint32_t)number;
	while (t->depth && stack_top(t) != next &&
	       (stack_top(t) == WN_NO_GRAIN || is_task(g, stack_top(t))))
		t->depth--;
	wn_grain top = stack_top(t);
	/* a runtime knows no chunks: back to an implicit task means back to the chunk that it runs
	 */
	bool is_chunk = top != WN_NO_GRAIN &&
	                (g->kind[top] == WN_GRAIN_CHUNK || g->kind[top] == WN_GRAIN_SECTION);
	if (top != WN_NO_GRAIN && (top == next || (is_chunk && g->parent[top] == next)))
		return WN_OK;
	return on_task_begin(r, t, next);
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
	if (id == WN_NO_GRAIN || (!is_chunk && (!is_task(g, id) || g->kind[id] == WN_GRAIN_HELPER)))
		return WN_OK;
	if (!is_chunk)
		g->kind[id] = WN_GRAIN_TASKLOOP;
	if (!g->range[id] && (st = range_add(r, id, 0, 0)) != WN_OK)
		return st;
	struct wn_range *range = &g->ranges[g->range[id] - 1];
	range->first = (uint64_t)wn_unzigzag(t->event.v[0]);
	range->iterations = t->event.v[1];
	return WN_OK;
}

wn_status
on_taskloop_begin(struct replay *r, struct replay_thread *t)
{
	wn_status st;
	account(r, t, t->event_ns, WAIT_GOES_ON);
	if ((st = thread_base(r, t, t->event_ns)) != WN_OK)
		return st;
	struct live *l = live_get(r, stack_top(t));
	if (!l)
		return WN_OK;
	l->in_taskloop = true;
	l->taskloop_number = l->context ? l->n_taskloops_in_context++ : l->n_taskloops++;
	l->taskloop_first = WN_NO_GRAIN;
	l->taskloop_n = 0;
	l->taskloop_trips = t->event.v[0];
	l->taskloop_ns = 0;
	return WN_OK;
}

/* The tasks that one taskloop made: same thread, consecutive births, this parent. Each bears an
 * equal share of the time of making them; ranges that no event told follow from the count, since
 * runtimes hand out trip / n iterations each and one more to the first trip % n. */
wn_status
on_taskloop_end(struct replay *r, struct replay_thread *t)
{
	struct wn_graph *g = r->g;
	account(r, t, t->event_ns, WAIT_GOES_ON);
	struct live *l = live_get(r, stack_top(t));
	if (!l || !l->in_taskloop)
		return WN_OK;
	l->in_taskloop = false;
	if (l->taskloop_first == WN_NO_GRAIN)
		return WN_OK;
	uint64_t share_ns = l->taskloop_ns / l->taskloop_n;
	uint64_t each = l->taskloop_trips / l->taskloop_n, more = l->taskloop_trips % l->taskloop_n;
	uint64_t first = 0;
	uint32_t seen = 0;
	wn_grain end = g->first_id[t->index + 1];
	for (wn_grain id = l->taskloop_first; id < end && seen < l->taskloop_n; id++) {
		if (g->parent[id] != l->id || g->kind[id] != WN_GRAIN_TASKLOOP)
			continue;
		uint64_t iterations = each + (seen++ < more);
		struct wn_range *range = g->range[id] ? &g->ranges[g->range[id] - 1] : NULL;
		if (range && !range->iterations && g->flags[id] & WN_GF_UNDEFERRED)
			*range = (struct wn_range){first, iterations, range->taskloop};
		first += iterations;
		g->creation_ns[id] = share_ns;
		g->flags[id] |= WN_GF_CREATION_KNOWN;
	}
	return WN_OK;
}
