/* SPDX-License-Identifier: MIT */
/* replay_sync.c - waits and their joins: taskwaits, taskgroups, barriers. */
#include "graph/replay.h"

#include "base/mem.h"

#include <string.h>

void
latest_merge(struct latest *into, const struct latest *from)
{
	if (from->winner == WN_NO_GRAIN)
		return;
	if (into->winner == WN_NO_GRAIN || from->dist[SPAN_LOGICAL] > into->dist[SPAN_LOGICAL]) {
		into->winner = from->winner;
		into->winner_pos = from->winner_pos;
	}
	for (int k = 0; k < SPAN_N; k++)
		if (from->dist[k] > into->dist[k])
			into->dist[k] = from->dist[k];
	if (from->end_ns > into->end_ns)
		into->end_ns = from->end_ns;
}

wn_status
fj_new(struct replay *r, wn_grain owner, struct live *l, uint32_t *out)
{
	struct wn_graph *g = r->g;
	if (g->n_fjs >= UINT32_MAX - 1 ||
	    wn_grow(&g->fjs, &g->fjs_capacity, g->n_fjs + 1, sizeof *g->fjs) != 0 ||
	    wn_grow(&r->fj_next, &r->fj_next_capacity, g->n_fjs + 1, sizeof *r->fj_next) != 0)
		return replay_no_memory(r);
	g->fjs[g->n_fjs] =
	    (struct wn_fork_join){.owner = owner, .index = l->n_fjs++, .alias = WN_NO_FJ};
	r->fj_next[g->n_fjs] = NO_INDEX;
	*out = (uint32_t)g->n_fjs++;
	return WN_OK;
}

void
fj_pend(struct replay *r, uint32_t *list, uint32_t fj)
{
	r->fj_next[fj] = *list;
	*list = fj;
}

/* Moves the open fork-join to the older ones. */
static void
set_aside(struct replay *r, struct live *l)
{
	if (l->open_fj != NO_INDEX)
		fj_pend(r, &l->older_fj, l->open_fj);
	l->open_fj = NO_INDEX;
}

void
gather_open(struct replay *r, struct live *l)
{
	uint32_t *end = &l->older_fj;
	set_aside(r, l);
	for (uint32_t i = l->group; i != NO_INDEX && i != l->born_in_group;) {
		struct group *group = wn_pool_at(&r->groups, i);
		while (*end != NO_INDEX)
			end = &r->fj_next[*end];
		*end = group->outer_fj;
		group->outer_fj = NO_INDEX;
		i = group->outer;
	}
}

/* A group is in a list of the implicit task or context that its owner belongs to, while it is open.
 */
static void
group_list(struct replay *r, struct live *l, struct group *group, uint32_t index)
{
	struct live *implicit = live_get(r, l->implicit);
	group->implicit = l->implicit;
	group->previous = group->next = NO_INDEX;
	if (!implicit) { /* the region is over according to other threads */
		r->g->anomalies.n_unmatched++;
		return;
	}
	group->next = implicit->first_group;
	if (group->next != NO_INDEX)
		((struct group *)wn_pool_at(&r->groups, group->next))->previous = index;
	implicit->first_group = index;
}

static void
group_unlist(struct replay *r, const struct group *group)
{
	struct live *implicit = live_get(r, group->implicit);
	if (!implicit)
		return;
	if (group->next != NO_INDEX)
		((struct group *)wn_pool_at(&r->groups, group->next))->previous = group->previous;
	if (group->previous != NO_INDEX)
		((struct group *)wn_pool_at(&r->groups, group->previous))->next = group->next;
	else
		implicit->first_group = group->next;
}

/* Leaves what open groups would have joined to the implicit task. */
static void
groups_release(struct replay *r, struct live *implicit)
{
	uint32_t i = implicit->first_group;
	while (i != NO_INDEX) {
		struct group *group = wn_pool_at(&r->groups, i);
		while (group->pending_fj != NO_INDEX) {
			uint32_t fj = group->pending_fj;
			group->pending_fj = r->fj_next[fj];
			fj_pend(r, &implicit->pending_fj, fj);
		}
		i = group->next;
	}
}

static bool
has_open(struct replay *r, const struct live *l)
{
	if (l->open_fj != NO_INDEX || l->older_fj != NO_INDEX)
		return true;
	for (uint32_t i = l->group; i != NO_INDEX && i != l->born_in_group;) {
		const struct group *group = wn_pool_at(&r->groups, i);
		if (group->outer_fj != NO_INDEX)
			return true;
		i = group->outer;
	}
	return false;
}

/* Rogue fork-joins become part of the owner's own one if that is its newest, else of a new one: a
 * grain's rogue children are drawn after that grain. */
static wn_status
adopt_pending(struct replay *r, struct live *owner, uint32_t *list)
{
	wn_status st;
	if (*list == NO_INDEX)
		return WN_OK;
	if (owner->open_fj != NO_INDEX && r->g->fjs[owner->open_fj].index + 1 != owner->n_fjs)
		set_aside(r, owner);
	if (owner->open_fj == NO_INDEX &&
	    (st = fj_new(r, owner->id, owner, &owner->open_fj)) != WN_OK)
		return st;
	while (*list != NO_INDEX) {
		uint32_t fj = *list;
		*list = r->fj_next[fj];
		if (fj != owner->open_fj)
			r->g->fjs[fj].alias = owner->open_fj;
	}
	return WN_OK;
}

/* Stores the whole join, or in a lean graph its step. */
static wn_status
join_store(struct replay *r, const struct wn_join *join)
{
	struct wn_graph *g = r->g;
	void *array = g->detail < WN_DETAIL_WHOLE ? (void *)&g->steps : (void *)&g->joins;
	size_t each_bytes = g->detail < WN_DETAIL_WHOLE ? sizeof *g->steps : sizeof *g->joins;
	if (g->n_joins >= UINT32_MAX - 1 ||
	    wn_grow(array, &g->joins_capacity, g->n_joins + 1, each_bytes) != 0)
		return replay_no_memory(r);
	if (g->detail < WN_DETAIL_WHOLE)
		g->steps[g->n_joins++] =
		    (struct wn_join_step){join->prev, join->winner, join->winner_pos};
	else
		g->joins[g->n_joins++] = *join;
	return WN_OK;
}

/* Continues the owner's path from the latest grain that it waited for, or from itself. */
wn_status
join_new(struct replay *r, struct live *l, enum wn_join_kind kind, const struct latest *latest,
         uint32_t fj)
{
	struct wn_graph *g = r->g;
	struct wn_join join = {.owner = l->id,
	                       .prev = l->last_join,
	                       .winner = WN_NO_GRAIN,
	                       .winner_pos = WN_NO_JOIN,
	                       .fj = fj,
	                       .instant_ns = g->detail < WN_DETAIL_WHOLE ? 0 : live_exec_ns(r, l),
	                       .kind = (uint8_t)kind};
	if (latest->winner != WN_NO_GRAIN) {
		if (latest->dist[SPAN_LOGICAL] > l->dist[SPAN_LOGICAL] && latest->winner != l->id) {
			join.winner = latest->winner;
			join.winner_pos = latest->winner_pos;
		}
		for (int k = 0; k < SPAN_N; k++)
			if (latest->dist[k] > l->dist[k])
				l->dist[k] = latest->dist[k];
	}
	l->last_join = (uint32_t)g->n_joins;
	set_number(g->last_join, l->id, l->last_join);
	return join_store(r, &join);
}

/* Closes the fork-joins in older_fj and the open one, oldest first: a join each, with pieces of
 * length 0 between; if none is open, one join and no piece. The previous piece is over. */
static wn_status
close_open(struct replay *r, struct live *l, enum wn_join_kind kind, const struct latest *latest)
{
	uint32_t oldest = NO_INDEX;
	wn_status st = WN_OK;
	set_aside(r, l);
	if (l->older_fj == NO_INDEX)
		return join_new(r, l, kind, latest, NO_INDEX);
	while (l->older_fj != NO_INDEX) {
		uint32_t fj = l->older_fj;
		l->older_fj = r->fj_next[fj];
		fj_pend(r, &oldest, fj);
	}
	while (st == WN_OK && oldest != NO_INDEX) {
		uint32_t fj = oldest;
		oldest = r->fj_next[fj];
		st = join_new(r, l, kind, latest, fj);
		if (st == WN_OK && oldest != NO_INDEX)
			st = fragment_end(r, l);
	}
	return st;
}

/* Returns whether any task is ahead of a context at its end; a repeated replay uses the first
 * one's result: joins do not depend on weights. */
static bool
has_ahead(const struct replay *r, const struct live *l, const struct latest *tasks)
{
	const struct wn_graph *like = r->like;
	bool is_ahead = false;
	if (like)
		return r->g->n_joins < like->n_joins && like->joins[r->g->n_joins].owner == l->id;
	for (int k = 0; k < SPAN_N; k++)
		is_ahead |= tasks->winner != WN_NO_GRAIN && tasks->dist[k] > l->dist[k];
	return is_ahead;
}

/* Ends a context without a recorded barrier: joins its tasks, if any has not been joined. */
wn_status
context_join(struct replay *r, struct live *l, const struct latest *tasks)
{
	groups_release(r, l);
	wn_status st = adopt_pending(r, l, &l->pending_fj);
	gather_open(r, l);
	if (st != WN_OK || (l->older_fj == NO_INDEX && !has_ahead(r, l, tasks)))
		return st;
	st = close_open(r, l, WN_JOIN_BARRIER, tasks);
	return st == WN_OK ? fragment_end(r, l) : st;
}

bool
is_barrier(uint32_t kind)
{
	return kind == WN_SYNC_BARRIER_EXPLICIT || kind == WN_SYNC_BARRIER_IMPLICIT ||
	       kind == WN_SYNC_BARRIER_REGION || kind == WN_SYNC_BARRIER_TEAMS;
}

/* A barrier that all threads have left. */
static void
barrier_end(struct wn_graph *g, const struct barrier *b)
{
	if (b->is_entered && b->spread != NO_INDEX)
		spread_add_instance(&g->spreads[b->spread], b->n_arrived, b->sum_ns, b->busiest_ns);
}

void
barriers_end(struct replay *r, struct team *team)
{
	for (size_t i = 0; i < sizeof team->barrier / sizeof *team->barrier; i++)
		barrier_end(r->g, &team->barrier[i]);
}

static struct barrier *
barrier_of(struct replay *r, struct team *team, const struct live *l)
{
	struct barrier *b =
	    &team->barrier[l->barrier_number == UINT32_MAX ? 2 : l->barrier_number & 1];
	if (!b->is_entered || b->number != l->barrier_number) {
		barrier_end(r->g, b);
		memset(b, 0, sizeof *b);
		b->number = l->barrier_number;
		b->is_entered = true;
		b->entries.winner = WN_NO_GRAIN;
		b->spread = NO_INDEX;
	}
	return b;
}

/* Counts what a thread did since the barrier before. */
static wn_status
count_work(struct replay *r, struct barrier *b, struct live *l, uint32_t site)
{
	uint64_t work_ns = l->work_ns - l->barrier_work_ns;
	uint64_t off_ns = r->g->off_cpu_ns ? r->g->off_cpu_ns[l->id] : 0;
	wn_status st;
	l->barrier_work_ns = l->work_ns;
	if (b->spread == NO_INDEX &&
	    (st = spread_find(r, r->g->regions[l->region].site, site, false, &b->spread)) != WN_OK)
		return st;
	b->n_arrived++;
	b->sum_ns += work_ns;
	b->busiest_ns = work_ns > b->busiest_ns ? work_ns : b->busiest_ns;
	r->g->spreads[b->spread].off_cpu_ns += off_ns - l->barrier_off_ns;
	l->barrier_off_ns = off_ns;
	return spread_add_thread(r, b->spread, l->thread_num, work_ns);
}

static wn_status
barrier_enter(struct replay *r, struct live *l, uint32_t site, uint64_t now_ns)
{
	struct team *team = team_get(r, l->region);
	wn_status st = fragment_end(r, l);
	if (st != WN_OK || !team)
		return st;
	struct barrier *b = barrier_of(r, team, l);
	latest_add(&b->entries, l, now_ns);
	return count_work(r, b, l, site);
}

/* A barrier waits for the arrival of all threads, and for every task of the team. Fixed when the
 * first thread leaves, since tasks created after the barrier do not count. */
static const struct latest *
barrier_release(struct replay *r, struct team *team, struct live *l)
{
	struct barrier *b = barrier_of(r, team, l);
	if (!b->is_released) {
		latest_merge(&b->entries, &team->tasks);
		b->is_released = true;
	}
	return &b->entries;
}

wn_status
barrier_leave(struct replay *r, struct live *l)
{
	struct team *team = team_get(r, l->region);
	struct latest nothing = {.winner = WN_NO_GRAIN};
	const struct latest *latest = team ? barrier_release(r, team, l) : &nothing;
	wn_status st = adopt_pending(r, l, &l->pending_fj);
	if (st != WN_OK)
		return st;
	if (!team)
		latest = &l->children;
	gather_open(r, l);
	st = close_open(r, l, WN_JOIN_BARRIER, latest);
	l->barrier_number++;
	return st;
}

wn_status
barrier_work_end(struct replay *r, struct live *l)
{
	struct team *team = team_get(r, l->region);
	return team ? count_work(r, barrier_of(r, team, l), l, WN_NO_SITE) : WN_OK;
}

wn_status
on_sync_begin(struct replay *r, struct replay_thread *t)
{
	uint32_t kind = t->at->aux;
	wn_status st;
	account(r, t, t->event_ns, WAIT_GOES_ON);
	if ((st = thread_base(r, t, t->event_ns)) != WN_OK)
		return st;
	struct live *l = actor(r, t);
	if (!l || kind == 0 || kind >= WN_SYNC_KIND_N)
		return WN_OK;
	if (l->sync_kind) /* the end of the previous wait is missing */
		r->g->anomalies.n_unmatched++;
	l->sync_kind = (uint8_t)kind;
	l->creating = WN_NO_GRAIN;
	if (is_barrier(kind)) {
		forget_cancelled(l);
		/* threads that obey a cancellation may have met fewer barriers than others */
		struct team *team = team_get(r, l->region);
		if (kind == WN_SYNC_BARRIER_REGION && team && team->is_cancelled)
			l->barrier_number = UINT32_MAX;
		return barrier_enter(r, l, t->at->site, t->event_ns);
	}
	if (kind == WN_SYNC_DEPEND)
		l->sync_joins = depend_wait_joins(r, l);
	else if (kind == WN_SYNC_TASKWAIT)
		l->sync_joins = has_open(r, l);
	else
		l->sync_joins = l->open_fj != NO_INDEX || l->older_fj != NO_INDEX;
	if (kind == WN_SYNC_TASKGROUP && l->group != NO_INDEX && l->group != l->born_in_group) {
		struct group *group = wn_pool_at(&r->groups, l->group);
		l->sync_joins |=
		    group->members.winner != WN_NO_GRAIN || group->pending_fj != NO_INDEX;
	}
	bool has_group = l->group != NO_INDEX && l->group != l->born_in_group;
	if (kind == WN_SYNC_TASKGROUP && !has_group)
		r->g->anomalies.n_unmatched++; /* its begin is missing */
	if (kind == WN_SYNC_TASKYIELD || kind == WN_SYNC_REDUCTION ||
	    (kind == WN_SYNC_TASKGROUP && !has_group))
		l->sync_joins = false;
	return l->sync_joins ? fragment_end(r, l) : WN_OK;
}

static wn_status
group_leave(struct replay *r, struct live *l)
{
	if (l->group == NO_INDEX || l->group == l->born_in_group)
		return WN_OK;
	uint32_t index = l->group;
	struct group *group = wn_pool_at(&r->groups, index);
	wn_status st = WN_OK;
	if (group->owner != l->id)
		return WN_OK;
	if (group->pending_fj != NO_INDEX || l->open_fj != NO_INDEX || l->older_fj != NO_INDEX ||
	    group->members.winner != WN_NO_GRAIN) {
		if (!l->sync_joins)
			st = fragment_end(r, l);
		if (st == WN_OK)
			st = adopt_pending(r, l, &group->pending_fj);
		if (st == WN_OK)
			st = close_open(r, l, WN_JOIN_GROUP, &group->members);
	}
	if (st == WN_OK && group_is_cancelled(r, l))
		st = discard_all(r, &group->unstarted, r->now_ns);
	unstarted_forget(r, &group->unstarted);
	if (group->n_members) /* the stream is damaged: a group's end waits for all of them */
		r->g->anomalies.n_unmatched++;
	l->older_fj = group->outer_fj;
	l->group = group->outer;
	group_unlist(r, group);
	wn_pool_give(&r->groups, index);
	return st;
}

uint64_t
fulfilled_ns(struct replay *r, struct live *l)
{
	struct team *team = team_get(r, l->region);
	if (is_barrier(l->sync_kind))
		return team ? barrier_release(r, team, l)->end_ns : 0;
	if (l->sync_kind == WN_SYNC_TASKGROUP && l->group != NO_INDEX &&
	    l->group != l->born_in_group)
		return ((struct group *)wn_pool_at(&r->groups, l->group))->members.end_ns;
	if (l->sync_kind == WN_SYNC_DEPEND)
		return depend_wait_met_ns(r, l);
	return l->children.end_ns;
}

wn_status
on_sync_end(struct replay *r, struct replay_thread *t)
{
	struct live *l = live_top(r, t);
	wn_status st = WN_OK;
	r->release_ns = l && l->sync_kind ? fulfilled_ns(r, l) : 0;
	account(r, t, t->event_ns, WAIT_RELEASED);
	if (!l || !l->sync_kind)
		return WN_OK;
	if (is_barrier(l->sync_kind)) {
		st = barrier_leave(r, l);
	} else if (l->sync_kind == WN_SYNC_TASKGROUP) {
		st = group_leave(r, l);
	} else if (l->sync_kind == WN_SYNC_TASKWAIT && l->sync_joins) {
		gather_open(r, l);
		st = close_open(r, l, WN_JOIN_TASKWAIT, &l->children);
	} else if (l->sync_kind == WN_SYNC_DEPEND && l->sync_joins) {
		st = depend_wait_end(r, l);
	}
	l->sync_kind = 0;
	l->sync_joins = false;
	return st;
}

wn_status
on_group_begin(struct replay *r, struct replay_thread *t)
{
	wn_status st;
	account(r, t, t->event_ns, WAIT_GOES_ON);
	if ((st = thread_base(r, t, t->event_ns)) != WN_OK)
		return st;
	struct live *l = actor(r, t);
	if (!l)
		return WN_OK;
	uint32_t index = wn_pool_take(&r->groups);
	if (index == WN_POOL_NONE)
		return replay_no_memory(r);
	struct group *group = wn_pool_at(&r->groups, index);
	group->owner = l->id;
	group->outer = l->group;
	group->pending_fj = NO_INDEX;
	group->members.winner = WN_NO_GRAIN;
	group->unstarted = WN_NO_GRAIN;
	group_list(r, l, group, index);
	l->group = index;
	/* earlier children are not the group's: a taskwait or barrier will join them */
	set_aside(r, l);
	group->outer_fj = l->older_fj;
	l->older_fj = NO_INDEX;
	return WN_OK;
}
