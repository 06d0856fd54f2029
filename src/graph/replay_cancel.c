/* SPDX-License-Identifier: MIT */
/*
 * replay_cancel.c - cancellation of taskgroups, loops, sections and regions.
 *
 * A task discarded before it ran is a grain without work. Some runtimes report this (its begin and
 * end with a CANCEL between), others do not: then a task that has not started when its cancelled
 * group or region ends never will. Such tasks are therefore kept in lists of the group in which
 * they were created, else of their team.
 *
 * A thread that obeys leaves its loop, and its current chunk, at once. Sources may or may not
 * report the ends of these.
 */
#include "graph/replay.h"

static wn_grain *
list_of(struct replay *r, const struct live *l)
{
	if (l->born_in_group != NO_INDEX)
		return &((struct group *)wn_pool_at(&r->groups, l->born_in_group))->unstarted;
	struct team *team = team_get(r, l->region);
	return team ? &team->unstarted : NULL;
}

void
unstarted_add(struct replay *r, struct live *l)
{
	wn_grain *list = list_of(r, l);
	if (!list)
		return;
	l->unstarted.next = *list;
	l->unstarted.previous = WN_NO_GRAIN;
	l->unstarted.is_listed = true;
	if (*list != WN_NO_GRAIN)
		live_get(r, *list)->unstarted.previous = l->id;
	*list = l->id;
}

void
unstarted_unlist(struct replay *r, struct live *l)
{
	wn_grain *list = list_of(r, l);
	if (!list)
		return;
	struct live *next = live_get(r, l->unstarted.next);
	struct live *previous = live_get(r, l->unstarted.previous);
	if (next)
		next->unstarted.previous = l->unstarted.previous;
	if (previous)
		previous->unstarted.next = l->unstarted.next;
	else
		*list = l->unstarted.next;
	l->unstarted.is_listed = false;
}

void
unstarted_forget(struct replay *r, wn_grain *list)
{
	while (*list != WN_NO_GRAIN) {
		struct live *l = live_get(r, *list);
		*list = l->unstarted.next;
		l->unstarted.is_listed = false;
	}
}

/* The task will not run; tasks that depend on it no longer wait for it. */
static wn_status
discard(struct replay *r, struct live *l, uint64_t now_ns)
{
	struct wn_graph *g = r->g;
	wn_grain id = l->id;
	struct team *team = team_get(r, l->region);
	wn_status st = fragment_end(r, l);
	if (st != WN_OK)
		return st;
	if (l->is_ready_counted && team)
		team_ready(team, now_ns, -1);
	if (l->born_in_group != NO_INDEX) {
		struct group *group = wn_pool_at(&r->groups, l->born_in_group);
		group->n_members -= group->n_members > 0;
	}
	g->flags[id] |= WN_GF_CANCELLED | WN_GF_COMPLETED;
	set_ns(g->begin_ns, id, now_ns);
	set_ns(g->end_ns, id, now_ns);
	depend_discard(r, l, now_ns);
	return WN_OK;
}

wn_status
discard_all(struct replay *r, wn_grain *list, uint64_t now_ns)
{
	wn_status st = WN_OK;
	while (st == WN_OK && *list != WN_NO_GRAIN) {
		struct live *l = live_get(r, *list);
		unstarted_remove(r, l);
		st = discard(r, l, now_ns);
	}
	return st;
}

bool
group_is_cancelled(struct replay *r, const struct live *owner)
{
	const struct team *team = team_get(r, owner->region);
	/* where ends of groups are missing, the way outwards may be a cycle */
	uint32_t steps_left = r->groups.n;
	for (uint32_t i = owner->group; i != NO_INDEX && steps_left-- > 0;) {
		const struct group *group = wn_pool_at(&r->groups, i);
		if (group->is_cancelled)
			return true;
		i = group->outer;
	}
	return team && team->is_cancelled;
}

/* Leaves the thread's loop, from inside a chunk or not. */
static wn_status
leave_cancelled(struct replay *r, struct replay_thread *t, struct live *l)
{
	struct wn_graph *g = r->g;
	wn_status st;
	uint8_t kind = g->kind[l->id];
	if (kind == WN_GRAIN_CHUNK || kind == WN_GRAIN_SECTION) {
		struct live *p = live_get(r, g->parent[l->id]);
		if ((st = chunk_leave(r, t)) != WN_OK || !p || stack_top(t) != p->id)
			return st;
		l = p;
	}
	if (l->work.loop == NO_INDEX)
		return WN_OK;
	l->work.cancelled_depth = l->work.depth;
	return leave_loop(r, l);
}

void
forget_cancelled(struct live *l)
{
	if (l->work.cancelled_depth && l->work.depth >= l->work.cancelled_depth)
		l->work.depth = l->work.cancelled_depth - 1;
	l->work.cancelled_depth = 0;
}

static wn_status
leave_region(struct replay *r, struct replay_thread *t, struct live *l)
{
	wn_status st = leave_cancelled(r, t, l);
	struct live *implicit = live_top(r, t);
	if (st != WN_OK || !implicit || r->g->kind[implicit->id] != WN_GRAIN_IMPLICIT)
		return st;
	implicit->context = 0;
	/* all enclosing constructs are over; the outermost one's end may still be reported */
	implicit->work.cancelled_depth = implicit->work.depth ? 1 : 0;
	return WN_OK;
}

wn_status
on_cancel(struct replay *r, struct replay_thread *t)
{
	struct wn_graph *g = r->g;
	uint32_t flags = t->at->aux;
	wn_status st;
	account(r, t, t->event_ns, WAIT_GOES_ON);
	if ((st = thread_base(r, t, t->event_ns)) != WN_OK)
		return st;
	struct live *l = actor(r, t);
	if (!l)
		return WN_OK;
	struct team *team = team_get(r, l->region);
	if (flags & WN_CANCEL_DISCARDED) {
		g->flags[l->id] |= WN_GF_CANCELLED;
		if (l->detached != NO_INDEX)
			((struct detached *)wn_pool_at(&r->detached, l->detached))->is_fulfilled =
			    true;
		return WN_OK;
	}
	if (!(flags & (WN_CANCEL_ACTIVATED | WN_CANCEL_DETECTED)))
		return WN_OK;
	if (flags & WN_CANCEL_TASKGROUP && l->group != NO_INDEX)
		((struct group *)wn_pool_at(&r->groups, l->group))->is_cancelled = true;
	if (flags & WN_CANCEL_PARALLEL && team) {
		team->is_cancelled = true;
		g->regions[team->region].is_cancelled = 1;
		return leave_region(r, t, l);
	}
	if (flags & (WN_CANCEL_LOOP | WN_CANCEL_SECTIONS))
		return leave_cancelled(r, t, l);
	return WN_OK;
}
