/* SPDX-License-Identifier: MIT */
/* replay_task.c - begin, migration and end of tasks; notifies waiting grains. */
#include "graph/replay.h"

/* A task observed on one thread is no longer running on its previous thread; it left at an unknown
 * time, now at the latest. From here on the previous thread works for the entry that the task was
 * started from. */
static void
leave_elsewhere(struct replay *r, const struct replay_thread *t, const struct live *l)
{
	struct replay_thread *other = &r->threads[l->thread];
	if (other == t || stack_top(other) != l->id || other->left_depth == other->depth)
		return;
	account(r, other, t->event_ns, WAIT_GOES_ON);
	other->left_depth = other->depth;
	const struct live *goes_on = live_runs(r, other);
	const struct team *team = goes_on ? team_get(r, goes_on->region) : NULL;
	if (team && goes_on->sync_kind)
		wait_piece_begins(r, other, team, t->event_ns);
	r->g->anomalies.n_parts_unseen++;
}

/* A task may begin inside its own creation: charges the cost so far. */
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

/* Returns whether this is a thread's context outside all regions. Such an id is never created, and
 * so never lost. */
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
may_begin(const struct replay *r, const struct replay_thread *t, wn_grain id)
{
	const struct wn_graph *g = r->g;
	if (g->kind[id] == WN_GRAIN_NONE)
		return !is_context(g, id);
	if (is_task(g, id))
		return true;
	for (size_t i = 0; i < t->depth; i++)
		if (t->stack[i].id == id)
			return false;
	return first_thread_of(r, id) == t->index;
}

/* An untied undeferred task is suspended between its parts like others; but its parent resumes
 * only when it has ended. */
static void
pass_parent(struct replay *r, const struct live *l, bool is_between)
{
	if (!(r->g->flags[l->id] & WN_GF_UNDEFERRED))
		return;
	struct live *p = live_get(r, r->g->parent[l->id]);
	if (p)
		p->is_passed = is_between;
}

/* A task that begins on the thread that creates it, before that call returns: the runtime did not
 * queue it, so no other thread could have run it. */
static bool
is_inline(struct replay *r, const struct replay_thread *t, const struct live *l)
{
	const struct live *p = live_get(r, r->g->parent[l->id]);
	bool is_deferrable = !(r->g->flags[l->id] & WN_GF_UNDEFERRED) && is_task(r->g, l->id);
	if (!p || p->team_size < 2 || !is_deferrable ||
	    (is_task(r->g, p->id) ? p->thread : p->first_thread) != t->index)
		return false;
	return p->creating == l->id ||
	       (p->taskloop.is_open && r->g->kind[l->id] == WN_GRAIN_TASKLOOP &&
	        l->id >= p->taskloop.first && p->taskloop.first != WN_NO_GRAIN);
}

wn_status
task_begin(struct replay *r, struct replay_thread *t, wn_grain id)
{
	struct wn_graph *g = r->g;
	wn_status st;
	account(r, t, t->event_ns, WAIT_GOT_TASK);
	if ((st = thread_base(r, t, t->event_ns)) != WN_OK)
		return st;
	if (id == WN_NO_GRAIN || g->flags[id] & WN_GF_COMPLETED || !may_begin(r, t, id)) {
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
		g->flags[id] |= WN_GF_STARTED | (is_inline(r, t, l) ? WN_GF_INLINE : 0);
		set_ns(g->begin_ns, id, t->event_ns);
		l->first_thread = t->index;
		g->cpu[id] = t->cpu;
		t->time->n_grains++;
		bear_creation(r, l);
		depend_begin(r, l);
		unstarted_remove(r, l);
	} else {
		if (l->first_thread != t->index)
			g->flags[id] |= WN_GF_MOVED;
		leave_elsewhere(r, t, l);
		pass_parent(r, l, false);
	}
	l->thread = t->index;
	return stack_push(r, t, id);
}

wn_status
on_task_begin_own(struct replay *r, struct replay_thread *t)
{
	uint64_t back = t->v[0], n_ids = t->at->n_ids;
	return task_begin(r, t, back < n_ids ? named_id(r, t->index, n_ids - back) : WN_NO_GRAIN);
}

wn_status
on_task_begin(struct replay *r, struct replay_thread *t)
{
	return task_begin(r, t, named_id(r, t->v[0], t->v[1]));
}

/* Returns from an undeferred task to its parent, which waited for it. */
static wn_status
return_to_parent(struct replay *r, const struct live *l, uint64_t now_ns)
{
	struct live *p = live_get(r, r->g->parent[l->id]);
	struct latest end = {.winner = WN_NO_GRAIN};
	if (!p)
		return WN_OK;
	latest_add(&end, l, now_ns);
	return join_new(r, p, WN_JOIN_UNDEFERRED, &end, NO_INDEX);
}

/* Updates all grains that may wait for a finished one. */
static wn_status
notify_waiters(struct replay *r, struct live *l, uint64_t now_ns)
{
	struct wn_graph *g = r->g;
	struct live *p = live_get(r, g->parent[l->id]);
	struct team *team = team_get(r, l->region);
	pass_parent(r, l, false);
	if (g->kind[l->id] == WN_GRAIN_CHUNK || g->kind[l->id] == WN_GRAIN_SECTION) {
		chunk_completed(r, l, now_ns);
		return WN_OK;
	}
	if (p)
		latest_add(&p->children, l, now_ns);
	if (l->born_in_group != NO_INDEX) {
		struct group *group = wn_pool_at(&r->groups, l->born_in_group);
		group->n_members -= group->n_members > 0;
		latest_add(&group->members, l, now_ns);
	}
	if (team)
		latest_add(&team->tasks, l, now_ns);
	else if (l->implicit != WN_NO_GRAIN)
		latest_add(&r->threads[first_thread_of(r, l->implicit)].strays, l, now_ns);
	if (g->flags[l->id] & WN_GF_SERIAL)
		return return_to_parent(r, l, now_ns);
	return WN_OK;
}

/* Hands children that were not waited for to the enclosing taskgroup or the team's barrier. */
static void
leave_rogues(struct replay *r, struct live *l)
{
	if (l->open_fj == NO_INDEX && l->older_fj == NO_INDEX && l->group == l->born_in_group)
		return; /* most wait for all */
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
		else /* its region is over according to other threads */
			r->g->anomalies.n_unmatched++;
	}
}

/* Ends a task; also used for chunks and sections, and for tasks open at the end of the trace. */
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
	if ((st = notify_waiters(r, l, now_ns)) != WN_OK)
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
	wn_grain id = t->stack[t->depth - 1].id;
	if (id != WN_NO_GRAIN && !is_task(r->g, id)) {
		r->g->anomalies.n_unmatched++; /* an end of a task whose begin is missing */
		return WN_OK;
	}
	t->depth--;
	struct live *l = live_get(r, id);
	if (!l)
		return WN_OK;
	if (t->at->code == WN_EV_TASK_SUSPEND) {
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

/* Without a wrapper for the detach clause, a task is not known to be detached until its event is
 * fulfilled, which can be after its code has ended. */
static bool
has_ended_detached(const struct wn_graph *g, wn_grain id)
{
	return id != WN_NO_GRAIN && is_task(g, id) && g->site[id] != WN_NO_SITE &&
	       g->flags[id] & WN_GF_COMPLETED &&
	       !(g->flags[id] & (WN_GF_DETACHED | WN_GF_CANCELLED));
}

/* Its waiters also wait for the grain that fulfils the event, up to here. */
wn_status
on_task_fulfill(struct replay *r, struct replay_thread *t)
{
	wn_grain id = named_id(r, t->v[0], t->v[1]);
	wn_status st;
	account_aside(r, t);
	if ((st = thread_base(r, t, t->event_ns)) != WN_OK)
		return st;
	struct live *l = live_get(r, id), *by = live_top(r, t);
	if (l && l->detached == NO_INDEX && is_task(r->g, id) && (st = detach(r, l)) != WN_OK)
		return st;
	struct detached *d = l ? detached_of(r, l) : NULL;
	if (!l && has_ended_detached(r->g, id)) {
		r->g->flags[id] |= WN_GF_DETACHED;
		return note_add(r, r->g->site[id], WN_NOTE_DETACH, 1);
	}
	bool is_discarded = id != WN_NO_GRAIN && r->g->flags[id] & WN_GF_CANCELLED;
	if (!d || d->is_fulfilled) {
		r->g->anomalies.n_unmatched += !is_discarded;
		return WN_OK;
	}
	r->g->flags[id] |= WN_GF_DETACHED;
	d->is_fulfilled = true;
	if (by && by != l && r->g->kind[by->id] != WN_GRAIN_HELPER) {
		d->by.winner = by->id;
		d->by.winner_pos = by->last_join;
		for (int k = 0; k < SPAN_N; k++)
			d->by.dist[k] = by->dist[k] + by->piece_ns;
		if (r->weigher)
			weigh_so_far(r, by, d->by.dist);
	}
	return d->is_body_over ? grain_complete(r, l, t->event_ns) : WN_OK;
}

/* Makes `next` the only entry above the implicit task; entries in between are suspended. */
wn_status
on_task_switch(struct replay *r, struct replay_thread *t)
{
	struct wn_graph *g = r->g;
	uint64_t thread = t->v[1], number = t->v[2];
	wn_grain next = WN_NO_GRAIN;
	wn_status st;
	bool is_left = t->depth && t->left_depth == t->depth;
	account(r, t, t->event_ns, is_left ? WAIT_GOES_ON : WAIT_GOT_TASK);
	if (t->v[0] && (st = on_task_end(r, t)) != WN_OK)
		return st;
	const struct live *left = live_top(r, t);
	if (!t->v[0] && !is_left && left && g->flags[left->id] & WN_GF_UNTIED)
		g->anomalies.n_parts_unseen++;
	if (thread < g->n_threads && number < g->first_id[thread + 1] - g->first_id[thread])
		next = g->first_id[thread] + (uint32_t)number;
	while (t->depth && stack_top(t) != next &&
	       (stack_top(t) == WN_NO_GRAIN || is_task(g, stack_top(t))))
		t->depth--;
	wn_grain top = stack_top(t);
	/* a runtime does not know chunks: to switch to an implicit task means to its current chunk
	 */
	bool is_chunk = top != WN_NO_GRAIN &&
	                (g->kind[top] == WN_GRAIN_CHUNK || g->kind[top] == WN_GRAIN_SECTION);
	if (top != WN_NO_GRAIN && (top == next || (is_chunk && g->parent[top] == next)))
		return WN_OK;
	return task_begin(r, t, next);
}
