/* SPDX-License-Identifier: MIT */
/* replay_region.c - parallel regions and the implicit tasks of their teams. */
#include "graph/replay.h"

#include "base/mem.h"

#include <string.h>

/* User code of all threads so far. */
static uint64_t
work_so_far(const struct replay *r)
{
	uint64_t sum_ns = 0;
	for (uint32_t i = 0; i < r->g->n_threads; i++)
		sum_ns += r->g->thread_time[i].work_ns;
	return sum_ns;
}

static bool
is_outermost(const struct wn_graph *g, const struct wn_region *region)
{
	return g->kind[region->parent] == WN_GRAIN_INITIAL;
}

/* A region is in a list of the implicit task or context in which it was met, while it is open. */
static void
list_in_outer(struct replay *r, const struct live *p, struct team *team)
{
	struct live *outer = live_get(r, p->implicit);
	team->outer = p->implicit;
	team->next_inner = NO_INDEX;
	if (!outer)
		return;
	team->next_inner = outer->first_inner;
	outer->first_inner = team->region;
}

static void
unlist_in_outer(struct replay *r, const struct team *team)
{
	struct live *outer = live_get(r, team->outer);
	uint32_t *at = outer ? &outer->first_inner : NULL;
	while (at && *at != NO_INDEX && *at != team->region)
		at = &team_get(r, *at)->next_inner;
	if (at && *at != NO_INDEX)
		*at = team->next_inner;
}

wn_status
on_region_begin(struct replay *r, struct replay_thread *t)
{
	struct wn_graph *g = r->g;
	uint64_t id = (uint64_t)g->first_region[t->index] + t->v[1] - 1;
	wn_status st;
	account(r, t, t->event_ns, WAIT_GOES_ON);
	if (id >= g->first_region[t->index + 1])
		return WN_OK;
	if ((st = thread_base(r, t, t->event_ns)) != WN_OK)
		return st;
	struct live *p = actor(r, t);
	if (!p)
		return WN_OK;
	if (wn_grow(&t->open_regions, &t->open_regions_capacity, t->n_open_regions + 1,
	            sizeof *t->open_regions) != 0)
		return replay_no_memory(r);
	if (g->regions[id].parent != WN_NO_GRAIN) {
		/* a damaged stream counts regions backwards: this number was used already */
		g->anomalies.n_unmatched++;
		t->open_regions[t->n_open_regions++] = NO_INDEX;
		return WN_OK;
	}
	t->open_regions[t->n_open_regions++] = (uint32_t)id;
	if ((st = fragment_end(r, p)) != WN_OK)
		return st;
	uint32_t index = wn_pool_take(&r->teams);
	if (index == WN_POOL_NONE)
		return replay_no_memory(r);
	struct team *team = wn_pool_at(&r->teams, index);
	r->team_of[id] = index;
	r->recent_region = (uint32_t)id;
	r->recent_team = team;
	team->region = (uint32_t)id;
	team->tasks.winner = WN_NO_GRAIN;
	team->unstarted = WN_NO_GRAIN;
	memcpy(team->start_dist, p->dist, sizeof team->start_dist);
	team->start_join = p->last_join;
	p->is_forking = true;
	list_in_outer(r, p, team);

	struct wn_region *region = &g->regions[id];
	region->parent = p->id;
	region->context = p->context;
	region->number = p->context ? p->n_regions_in_context++ : p->n_regions++;
	region->site = t->at->site;
	region->requested = t->v[0] < UINT32_MAX ? (uint32_t)t->v[0] : 0;
	region->thread = t->index;
	region->begin_ns = t->event_ns;
	team->start_work_ns = is_outermost(g, region) ? work_so_far(r) : 0;
	return fj_new(r, p->id, p, &region->fj);
}

/* A worker leaves a region's team late or without an event, and may be in the next region before
 * its master reports the end of the first one. */
static wn_status
leave_region_before(struct replay *r, struct replay_thread *t, uint64_t thread_num)
{
	struct live *l = live_top(r, t);
	if (thread_num == 0 || !l || r->g->kind[l->id] != WN_GRAIN_IMPLICIT ||
	    l->sync_kind != WN_SYNC_BARRIER_REGION)
		return WN_OK;
	return on_implicit_end(r, t);
}

/* Begins the implicit task of a team thread, if the trace still has the region. */
wn_status
on_implicit_begin(struct replay *r, struct replay_thread *t)
{
	struct wn_graph *g = r->g;
	wn_grain id = new_id(r, t, 0);
	const uint64_t *v = t->v;
	struct live *l;
	wn_status st = leave_region_before(r, t, v[3]);
	if (st != WN_OK)
		return st;
	account(r, t, t->event_ns, WAIT_GOES_ON);
	uint64_t region_id =
	    v[0] < g->n_threads && v[1] ? g->first_region[v[0]] + v[1] - 1 : UINT64_MAX;
	if (id == WN_NO_GRAIN)
		return stack_push(r, t, WN_NO_GRAIN);
	if (region_id < g->n_regions && region_id >= g->first_region[v[0] + 1])
		region_id = UINT64_MAX;
	struct team *team = region_id < g->n_regions ? team_get(r, (uint32_t)region_id) : NULL;
	if (!team) {
		g->anomalies.n_unmatched++;
		return stack_push(r, t, WN_NO_GRAIN);
	}
	struct wn_region *region = &g->regions[region_id];
	const struct live *p = live_get(r, region->parent);
	if ((st = grain_adopt(r, id, region->parent, p, &l)) != WN_OK)
		return st;
	if (wn_grow(&team->implicit, &team->implicit_capacity, team->n_implicit + 1,
	            sizeof *team->implicit) != 0)
		return replay_no_memory(r);
	team->implicit[team->n_implicit++] = id;
	memcpy(l->dist, team->start_dist, sizeof l->dist);
	l->implicit = id;
	l->region = (uint32_t)region_id;
	l->team_size = v[2] < UINT32_MAX ? (uint32_t)v[2] : 0;
	l->thread_num = v[3] < UINT32_MAX ? (uint32_t)v[3] : UINT32_MAX;
	l->group = l->born_in_group = NO_INDEX;
	region->team_size = l->team_size;
	region->n_implicit++;

	g->kind[id] = WN_GRAIN_IMPLICIT;
	g->flags[id] |= WN_GF_STARTED;
	g->site[id] = region->site;
	set_ns(g->begin_ns, id, t->event_ns);
	l->first_thread = t->index;
	g->cpu[id] = t->cpu;
	g->fj[id] = region->fj;
	g->context[id] = (uint32_t)region_id;
	set_number(g->child_number, id, v[3] < UINT32_MAX - 1 ? (uint32_t)v[3] + 1 : 0);
	g->after_join[id] = p ? p->last_join : team->start_join;
	g->n_children[region->parent]++;
	if (t->n_implicit++ == 0)
		t->region_begin_ns = t->event_ns;
	return stack_push(r, t, id);
}

/* Updates its region at an implicit task's end. */
static void
report_to_region(struct wn_graph *g, const struct live *l)
{
	struct wn_region *region = &g->regions[l->region];
	uint64_t work_ns = l->work_ns + l->work.chunks_work_ns;
	region->sum_work_ns += work_ns;
	region->own_work_ns += l->work_ns;
	if (work_ns > region->max_work_ns)
		region->max_work_ns = work_ns;
	if (l->n_singles > region->n_singles)
		region->n_singles = l->n_singles;
}

/* Ends an implicit task: the join of its last barrier if it still waits, then the task itself. */
static wn_status
implicit_close(struct replay *r, struct live *l, uint64_t now_ns)
{
	struct wn_graph *g = r->g;
	wn_grain id = l->id;
	wn_status st = WN_OK;
	struct team *team = team_get(r, l->region);
	if (is_barrier(l->sync_kind)) {
		st = barrier_leave(r, l);
		l->sync_kind = 0;
	}
	if (st == WN_OK)
		st = last_fragment_end(r, l);
	if (st == WN_OK) /* no barrier was recorded (serialised region): its end waits too */
		st = context_join(r, l, team ? &team->tasks : &l->children);
	l->sync_kind = 0;
	if (st == WN_OK)
		st = barrier_work_end(r, l);
	report_to_region(g, l);
	g->flags[id] |= WN_GF_COMPLETED;
	set_ns(g->end_ns, id, now_ns);
	return st;
}

/* Removes an implicit task, and everything above it, from its thread's stack. */
static void
implicit_unstack(struct replay *r, wn_grain id)
{
	struct replay_thread *t = &r->threads[first_thread_of(r, id)];
	size_t at = t->depth;
	while (at > 0 && t->stack[at - 1].id != id)
		at--;
	if (at == 0)
		return;
	t->depth = at - 1;
	if (t->n_implicit > 0 && --t->n_implicit == 0)
		t->time->region_ns += t->last_ns - t->region_begin_ns;
}

wn_status
on_implicit_end(struct replay *r, struct replay_thread *t)
{
	wn_grain id = stack_top(t);
	struct live *l = live_get(r, id);
	if (l && is_barrier(l->sync_kind))
		r->release_ns = fulfilled_ns(r, l);
	account(r, t, t->event_ns, WAIT_RELEASED);
	if (id == WN_NO_GRAIN && t->depth) {
		t->depth--;
		return WN_OK;
	}
	if (!l || r->g->kind[id] != WN_GRAIN_IMPLICIT) {
		/* late event of a worker whose region is over: nothing left to do */
		return WN_OK;
	}
	wn_status st = implicit_close(r, l, t->event_ns);
	implicit_unstack(r, id);
	return st;
}

static wn_status
close_team(struct replay *r, struct team *team, uint64_t now_ns, struct latest *ends)
{
	struct wn_graph *g = r->g;
	wn_status st = WN_OK;
	for (size_t i = 0; st == WN_OK && i < team->n_implicit; i++) {
		wn_grain id = team->implicit[i];
		struct live *l = live_get(r, id);
		if (!l)
			continue;
		if (!(g->flags[id] & WN_GF_COMPLETED)) {
			struct replay_thread *t = &r->threads[l->first_thread];
			const struct live *top = live_runs(r, t);
			r->release_ns = is_barrier(l->sync_kind) ? fulfilled_ns(r, l) : 0;
			/* only if the thread is executing it: it may have been lost */
			if (top == l)
				account(r, t, now_ns, WAIT_RELEASED);
			st = implicit_close(r, l, now_ns);
			implicit_unstack(r, id);
		}
		latest_add(ends, l, now_ns);
	}
	return st;
}

static wn_status
close_one(struct replay *r, uint32_t region_id, uint64_t now_ns)
{
	struct wn_graph *g = r->g;
	struct team *team = team_get(r, region_id);
	struct latest ends = {.winner = WN_NO_GRAIN};
	if (!team)
		return WN_OK;
	struct wn_region *region = &g->regions[region_id];
	uint64_t work_before_ns = team->start_work_ns;
	wn_status st = close_team(r, team, now_ns, &ends);
	if (st == WN_OK && team->is_cancelled)
		st = discard_all(r, &team->unstarted, now_ns);
	for (size_t i = 0; i < team->n_implicit; i++)
		if (live_get(r, team->implicit[i]))
			live_free(r, team->implicit[i]);
	region->end_ns = now_ns;
	region->is_closed = 1;
	region->n_loops = (uint32_t)team->n_loops;
	region->n_sections = (uint32_t)team->n_sections;
	barriers_end(r, team);
	WN_FREE_ALL(team->implicit, team->loops, team->sections);
	unlist_in_outer(r, team);
	wn_pool_give(&r->teams, r->team_of[region_id]);
	r->team_of[region_id] = NO_INDEX;
	if (r->recent_region == region_id) {
		r->recent_region = NO_INDEX;
		r->recent_team = NULL;
	}
	struct live *p = live_get(r, region->parent);
	if (st == WN_OK && p) {
		uint64_t before_ns = p->dist[SPAN_LOGICAL];
		p->is_forking = false;
		st = join_new(r, p, WN_JOIN_REGION, &ends, region->fj);
		region->span_ns = p->dist[SPAN_LOGICAL] - before_ns;
	}
	if (is_outermost(r->g, region)) {
		region->work_ns = work_so_far(r) - work_before_ns;
		region->held_ns = r->most_held_ns;
		r->most_held_ns = 0;
		r->n_outermost++;
	}
	return st;
}

/* Appends the open regions that are inside a region to r->closing. */
static wn_status
list_inner(struct replay *r, const struct team *team)
{
	for (size_t i = 0; i < team->n_implicit; i++) {
		const struct live *l = live_get(r, team->implicit[i]);
		uint32_t inner = l ? l->first_inner : NO_INDEX;
		for (; inner != NO_INDEX; inner = team_get(r, inner)->next_inner) {
			if (wn_grow(&r->closing, &r->closing_capacity, r->n_closing + 1,
			            sizeof *r->closing) != 0)
				return replay_no_memory(r);
			r->closing[r->n_closing++] = inner;
		}
	}
	return WN_OK;
}

/* Inner regions whose ends are missing end with the region, before it. */
wn_status
region_close(struct replay *r, uint32_t region_id, uint64_t now_ns)
{
	wn_status st = WN_OK;
	r->n_closing = 0;
	if (team_get(r, region_id))
		st = list_inner(r, team_get(r, region_id));
	for (size_t i = 0; st == WN_OK && i < r->n_closing; i++)
		st = list_inner(r, team_get(r, r->closing[i]));
	while (st == WN_OK && r->n_closing > 0)
		st = close_one(r, r->closing[--r->n_closing], now_ns);
	return st == WN_OK ? close_one(r, region_id, now_ns) : st;
}

wn_status
on_region_end(struct replay *r, struct replay_thread *t)
{
	account(r, t, t->event_ns, WAIT_GOES_ON);
	if (t->n_open_regions == 0) {
		r->g->anomalies.n_unmatched++;
		return WN_OK;
	}
	return region_close(r, t->open_regions[--t->n_open_regions], t->event_ns);
}
