/* SPDX-License-Identifier: MIT */
/*
 * simulate.c - the clock, the threads, the waits. What each operation does: operate.c.
 */
#include "operate.h"

#include "graph/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
sim_grow(void *array, size_t *capacity, size_t need, size_t size_bytes)
{
	void *old;
	if (need <= *capacity)
		return;
	while (*capacity < need)
		*capacity = *capacity ? *capacity * 2 : 16;
	memcpy(&old, array, sizeof old);
	old = realloc(old, *capacity * size_bytes);
	if (!old)
		abort();
	memcpy(array, &old, sizeof old);
}

struct sim_event *
sim_event(struct sim *s, uint32_t thread, enum wn_event_code code, uint64_t at)
{
	struct sim_thread *t = &s->threads[thread];
	sim_grow(&t->events, &t->events_capacity, t->n_events + 1, sizeof *t->events);
	struct sim_event *e = &t->events[t->n_events++];
	memset(e, 0, sizeof *e);
	e->at = at;
	e->code = (uint8_t)code;
	return e;
}

struct sim_event *
sim_event_at(struct sim *s, uint32_t thread, enum wn_event_code code, uint64_t addr, uint32_t aux)
{
	struct sim_event *e = sim_event(s, thread, code, s->threads[thread].now);
	e->has_site = true;
	e->addr = addr;
	e->aux = aux;
	return e;
}

void
sim_item(struct sim *s, uint32_t grain, enum item_kind kind, uint32_t what, uint64_t ns)
{
	struct sim_grain *g = &s->grains[grain];
	sim_grow(&g->items, &g->items_capacity, g->n_items + 1, sizeof *g->items);
	g->items[g->n_items++] = (struct item){(uint8_t)kind, what, ns, 0};
}

uint64_t
sim_counted(uint32_t thread, uint64_t at)
{
	/* grows in leaps, at other times on each thread, with a few counts between */
	return (at + 37 * thread) / 64 * (100 + 7 * thread) + (at + thread) / 5;
}

static void
interval(struct sim *s, const struct interval *i)
{
	if (i->to == i->from && i->activity != ACT_WAIT)
		return;
	sim_grow(&s->intervals, &s->intervals_capacity, s->n_intervals + 1, sizeof *s->intervals);
	s->intervals[s->n_intervals++] = *i;
}

/* The thread spends ns for the grain on top of its stack. */
void
sim_pass(struct sim *s, uint32_t thread, enum activity activity, uint64_t ns)
{
	struct sim_thread *t = &s->threads[thread];
	uint32_t grain = t->stack[t->depth - 1];
	interval(s, &(struct interval){thread, grain, t->now, t->now + ns, (uint8_t)activity, 0, 0,
	                               NONE});
	uint64_t counted = sim_counted(thread, t->now + ns) - sim_counted(thread, t->now);
	t->now += ns;
	if (activity == ACT_WORK) {
		sim_item(s, grain, IT_WORK, NONE, ns);
		s->grains[grain].items[s->grains[grain].n_items - 1].counted = counted;
	}
	if (activity == ACT_MADE)
		sim_item(s, grain, IT_MADE, NONE, ns);
	if (activity == ACT_DISPATCH)
		sim_item(s, grain, IT_DISPATCH, NONE, ns);
	if (activity == ACT_LOCKED)
		sim_item(s, grain, IT_LOCKED, NONE, ns);
	if (activity == ACT_WORK || activity == ACT_MADE || activity == ACT_LOCKED)
		s->grains[grain].exec += ns;
}

uint32_t
sim_grain_new(struct sim *s, uint32_t thread, uint8_t kind, uint32_t parent)
{
	if (s->n_grains >= GRAINS_MAX)
		abort();
	struct sim_grain *g = &s->grains[s->n_grains];
	memset(g, 0, sizeof *g);
	g->kind = kind;
	g->thread = thread;
	g->number = kind == WN_GRAIN_INITIAL ? 0 : ++s->threads[thread].n_ids;
	g->parent = parent;
	g->team = g->implicit = g->group = g->open_group = NONE;
	g->begin_thread = thread;
	g->carrier = g->waits_for = g->fulfilled_by = NONE;
	if (parent != NONE) {
		const struct sim_grain *p = &s->grains[parent];
		g->team = p->team;
		g->implicit = p->implicit;
		g->group = g->open_group = p->open_group;
		g->phase = p->kind == WN_GRAIN_IMPLICIT ? p->n_barriers : p->phase;
	}
	if (s->n_grains > GRAINS_MAX - 40)
		s->is_too_big = true;
	return (uint32_t)s->n_grains++;
}

static uint64_t
trace_id(const struct sim *s, uint32_t grain)
{
	const struct sim_grain *g = &s->grains[grain];
	return (uint64_t)g->thread << 32 | g->number;
}

/* The task that a runtime knows: a chunk is none, its implicit task is. */
static uint64_t
runtime_id(const struct sim *s, uint32_t grain)
{
	while (s->grains[grain].kind == WN_GRAIN_CHUNK || s->grains[grain].kind == WN_GRAIN_SECTION)
		grain = s->grains[grain].parent;
	return trace_id(s, grain);
}

static void
recorder_push(struct sim_thread *t, uint64_t id)
{
	if (t->recorder_depth < 256)
		t->recorder_stack[t->recorder_depth] = id;
	t->recorder_depth++;
}

static uint64_t
recorder_peek(const struct sim_thread *t, uint32_t below)
{
	return below < t->recorder_depth ? t->recorder_stack[t->recorder_depth - 1 - below] : 0;
}

static void
emit_switch(struct sim *s, uint32_t thread, bool is_ended, uint64_t next)
{
	struct sim_thread *t = &s->threads[thread];
	struct sim_event *e = sim_event(s, thread, WN_EV_TASK_SWITCH, t->now);
	e->v[0] = is_ended;
	e->v[1] = next >> 32;
	e->v[2] = (uint32_t)next;
	t->recorder_depth = 0;
	recorder_push(t, next);
}

static void
emit_begin(struct sim *s, uint32_t thread, uint64_t id)
{
	struct sim_thread *t = &s->threads[thread];
	bool is_own = id >> 32 == thread;
	struct sim_event *e =
	    sim_event(s, thread, is_own ? WN_EV_TASK_BEGIN_OWN : WN_EV_TASK_BEGIN, t->now);
	e->v[0] = is_own ? t->n_ids - (uint32_t)id : id >> 32;
	e->v[1] = (uint32_t)id;
	recorder_push(t, id);
}

/* Puts a task on a thread's stack and lets it start or go on. */
static void
task_start(struct sim *s, uint32_t thread, uint32_t grain, bool is_announced)
{
	struct sim_thread *t = &s->threads[thread];
	struct sim_grain *g = &s->grains[grain];
	if (!is_announced)
		emit_begin(s, thread, trace_id(s, grain));
	if (!g->has_begun) {
		g->has_begun = true;
		g->begin = t->now;
		g->begin_thread = thread;
		if (g->kind == WN_GRAIN_TASKLOOP) {
			struct sim_event *e = sim_event(s, thread, WN_EV_TASK_RANGE, t->now);
			e->v[0] = g->range_first << 1;
			e->v[1] = g->range_n;
		}
	}
	if (g->kind == WN_GRAIN_TASKLOOP)
		g->burden_ns = 0; /* its creator's own way holds the making of it */
	else if (t->now > g->ready_at || g->end_thread == thread)
		g->burden_ns = g->creation_ns;
	else
		s->had_early = true;
	g->is_suspended = false;
	t->stack[t->depth++] = grain;
}

void
sim_task_inline(struct sim *s, uint32_t thread, uint32_t grain)
{
	uint64_t so_far_ns = s->grains[grain].creation_ns;
	s->grains[grain].ready_at = 0;
	task_start(s, thread, grain, false);
	s->grains[grain].burden_ns = s->grains[grain].kind == WN_GRAIN_TASKLOOP ? 0 : so_far_ns;
}

static bool
is_below(const struct sim *s, uint32_t grain, uint32_t ancestor)
{
	while (grain != NONE && grain != ancestor)
		grain = s->grains[grain].parent;
	return grain == ancestor;
}

static bool is_over(const struct sim *s, uint32_t thread, const struct sim_grain *g);

static bool
is_conflict(const struct clause *a, const struct clause *b)
{
	bool may_be_together = a->kind == WN_DEPEND_IN || a->kind == WN_DEPEND_MUTEXINOUTSET ||
	                       a->kind == WN_DEPEND_INOUTSET;
	if (a->kind == WN_DEPEND_ALL_MEMORY || b->kind == WN_DEPEND_ALL_MEMORY)
		return true;
	return a->address == b->address && !(a->kind == b->kind && may_be_together);
}

bool
sim_depends(const struct sim *s, uint32_t id, uint32_t before)
{
	const struct sim_grain *g = &s->grains[id], *b = &s->grains[before];
	if (before >= id || g->parent != b->parent)
		return false;
	for (uint32_t i = 0; i < g->n_clauses; i++)
		for (uint32_t k = 0; k < b->n_clauses; k++)
			if (is_conflict(&g->clauses[i], &b->clauses[k]))
				return true;
	return false;
}

bool
sim_is_free(const struct sim *s, uint32_t thread, uint32_t id)
{
	for (uint32_t i = 0; i < id; i++)
		if (s->grains[i].kind != WN_GRAIN_HELPER && sim_depends(s, id, i) &&
		    (!is_over(s, thread, &s->grains[i]) ||
		     (s->grains[i].is_silent && !sim_is_free(s, thread, i))))
			return false;
	return true;
}

/* A ready task that the grain, which waits on this thread, may run; NONE if there is none. */
static uint32_t
pick(struct sim *s, uint32_t thread, uint32_t waiter)
{
	const struct sim_thread *t = &s->threads[thread];
	const struct sim_grain *w = &s->grains[waiter];
	bool takes_any =
	    w->waiting >= WN_SYNC_BARRIER_EXPLICIT && w->waiting <= WN_SYNC_BARRIER_TEAMS;
	uint32_t found = NONE, n = 0;
	size_t at = 0;
	for (size_t i = 0; i < s->n_ready; i++) {
		const struct sim_grain *g = &s->grains[s->ready[i]];
		uint64_t seen_at =
		    g->is_suspended || !s->mode.is_early ? g->ready_at : g->create_at;
		bool is_seen =
		    seen_at < t->now || (g->end_thread == thread && g->ready_at <= t->now);
		if (g->team != w->team || !is_seen || !sim_is_free(s, thread, s->ready[i]) ||
		    (!takes_any && !is_below(s, s->ready[i], waiter)))
			continue;
		if (random_one_in(&s->random, ++n)) {
			found = s->ready[i];
			at = i;
		}
	}
	if (found != NONE)
		s->ready[at] = s->ready[--s->n_ready];
	return found;
}

static void
wait_piece(struct sim *s, uint32_t thread, uint32_t grain, enum wait_result result)
{
	struct sim_grain *g = &s->grains[grain];
	uint32_t what = g->waiting == WN_SYNC_TASKGROUP ? g->open_group
	                : g->waiting == WN_SYNC_DEPEND  ? g->waits_for
	                                                : g->n_barriers;
	interval(s, &(struct interval){thread, grain, g->piece_from, s->threads[thread].now,
	                               ACT_WAIT, (uint8_t)result, g->waiting, what});
	g->piece_from = s->threads[thread].now;
}

void
sim_wait_begin(struct sim *s, uint32_t thread, enum wn_sync_kind kind)
{
	struct sim_thread *t = &s->threads[thread];
	uint32_t grain = t->stack[t->depth - 1];
	struct sim_grain *g = &s->grains[grain];
	sim_event_at(s, thread, WN_EV_SYNC_BEGIN, 0x5000 + (uint64_t)kind, (uint32_t)kind);
	g->waiting = (uint8_t)kind;
	g->piece_from = t->now;
	if (kind >= WN_SYNC_BARRIER_EXPLICIT && kind <= WN_SYNC_BARRIER_TEAMS) {
		struct sim_team *team = &s->teams[g->team];
		team->arrived[g->n_barriers][team->n_arrived[g->n_barriers]++] = t->now;
	}
}

/* Done, and known to this thread. */
static bool
is_over(const struct sim *s, uint32_t thread, const struct sim_grain *g)
{
	return g->is_done && (g->end < s->threads[thread].now || g->end_thread == thread);
}

static bool
is_task(const struct sim_grain *g)
{
	return g->kind == WN_GRAIN_TASK || g->kind == WN_GRAIN_TASKLOOP;
}

bool
sim_in_group(const struct sim *s, const struct sim_grain *g, uint32_t group)
{
	uint32_t at = g->group;
	while (at != NONE && at != group)
		at = s->groups[at].outer;
	return at == group;
}

static bool
barrier_is_over(struct sim *s, uint32_t thread, const struct sim_grain *w)
{
	struct sim_team *team = &s->teams[w->team];
	uint32_t phase = w->n_barriers;
	uint64_t now = s->threads[thread].now;
	if (team->released_at[phase])
		return team->released_at[phase] < now;
	if (team->n_arrived[phase] < team->size)
		return false;
	for (uint32_t i = 0; i < team->size; i++)
		if (team->arrived[phase][i] >= now && team->size > 1)
			return false;
	for (size_t i = 0; i < s->n_grains; i++)
		if (is_task(&s->grains[i]) && s->grains[i].team == w->team &&
		    !is_over(s, thread, &s->grains[i]))
			return false;
	team->released_at[phase] = now;
	return true;
}

static bool
wait_is_over(struct sim *s, uint32_t thread, uint32_t waiter)
{
	const struct sim_grain *w = &s->grains[waiter];
	if (w->waiting == WN_SYNC_DEPEND)
		return sim_is_free(s, thread, w->waits_for);
	if (w->waiting != WN_SYNC_TASKWAIT && w->waiting != WN_SYNC_TASKGROUP)
		return barrier_is_over(s, thread, w);
	for (size_t i = 0; i < s->n_grains; i++) {
		const struct sim_grain *g = &s->grains[i];
		if (!is_task(g) || is_over(s, thread, g))
			continue;
		if (w->waiting == WN_SYNC_TASKWAIT ? g->parent == waiter
		                                   : sim_in_group(s, g, w->open_group))
			return false;
	}
	return true;
}

/* One look round: the wait is over (true), a task was taken, or nothing was to be had. */
bool
sim_wait_step(struct sim *s, uint32_t thread)
{
	struct sim_thread *t = &s->threads[thread];
	uint32_t grain = t->stack[t->depth - 1];
	bool is_lazy = random_one_in(&s->random, 6);
	if (!is_lazy && wait_is_over(s, thread, grain)) {
		wait_piece(s, thread, grain, RELEASED);
		sim_event(s, thread, WN_EV_SYNC_END, t->now);
		s->grains[grain].waiting = 0;
		return true;
	}
	uint32_t task = is_lazy ? NONE : pick(s, thread, grain);
	if (task == NONE) {
		if (random_one_in(&s->random, 3))
			sim_fulfill(s, thread, true);
		t->now += 1 + random_below(&s->random, 4);
		return false;
	}
	wait_piece(s, thread, grain, GOT_TASK);
	task_start(s, thread, task, false);
	return false;
}

void
sim_fulfill(struct sim *s, uint32_t thread, bool is_over_only)
{
	struct sim_thread *t = &s->threads[thread];
	uint32_t by = t->stack[t->depth - 1], found = NONE, n = 0;
	if (s->grains[by].share.n > 1) /* what it did so far is an estimate */
		return;
	for (uint32_t id = 0; id < s->n_grains; id++) {
		const struct sim_grain *g = &s->grains[id];
		bool is_known = g->create_at < t->now || g->thread == thread;
		if (g->is_detached && !g->is_fulfilled && is_known &&
		    (g->is_body_over || !is_over_only) && random_one_in(&s->random, ++n))
			found = id;
	}
	if (found == NONE)
		return;
	struct sim_grain *g = &s->grains[found];
	struct sim_event *e = sim_event(s, thread, WN_EV_TASK_FULFILL, t->now);
	e->v[0] = g->thread;
	e->v[1] = g->number;
	g->is_fulfilled = true;
	g->fulfilled_by = by;
	sim_item(s, by, IT_FULFILL, found, 0);
	if (!g->is_body_over)
		return;
	g->is_done = true;
	g->end = t->now;
	g->end_thread = thread;
}

/* The task on top has ended or gives way: what lies below goes on, or another one follows. */
static void
task_leave(struct sim *s, uint32_t thread, bool is_ended)
{
	struct sim_thread *t = &s->threads[thread];
	t->depth--;
	uint32_t below = t->stack[t->depth - 1];
	if (s->grains[below].waiting)
		s->grains[below].piece_from = t->now;
	if (!s->mode.is_switching) {
		sim_event(s, thread, is_ended ? WN_EV_TASK_END : WN_EV_TASK_SUSPEND, t->now);
		t->recorder_depth--;
		return;
	}
	uint32_t next = NONE;
	if (is_ended && s->grains[below].waiting && random_one_in(&s->random, 2) &&
	    !wait_is_over(s, thread, below))
		next = pick(s, thread, below);
	uint64_t next_id = next != NONE ? trace_id(s, next) : runtime_id(s, below);
	if (next_id != recorder_peek(t, 1)) {
		emit_switch(s, thread, is_ended, next_id);
	} else {
		sim_event(s, thread, WN_EV_TASK_END, t->now);
		t->recorder_depth--;
	}
	if (next != NONE) {
		wait_piece(s, thread, below, GOT_TASK);
		task_start(s, thread, next, true);
	}
}

void
sim_suspend(struct sim *s, uint32_t thread)
{
	struct sim_thread *t = &s->threads[thread];
	uint32_t grain = t->stack[t->depth - 1];
	struct sim_grain *g = &s->grains[grain];
	if (!g->is_untied || s->mode.is_switching || t->depth < 2 ||
	    !s->grains[t->stack[t->depth - 2]].waiting)
		return;
	g->is_suspended = true;
	g->ready_at = t->now;
	g->end_thread = NONE;
	simulator_ready(s, grain);
	task_leave(s, thread, false);
}

void
simulator_ready(struct sim *s, uint32_t grain)
{
	sim_grow(&s->ready, &s->ready_capacity, s->n_ready + 1, sizeof *s->ready);
	s->ready[s->n_ready++] = grain;
}

static void
implicit_leave(struct sim *s, uint32_t thread, uint32_t grain)
{
	struct sim_thread *t = &s->threads[thread];
	struct sim_grain *g = &s->grains[grain];
	struct sim_team *team = &s->teams[g->team];
	sim_event(s, thread, WN_EV_IMPLICIT_END, t->now);
	g->end = t->now;
	g->is_done = true;
	t->depth--;
	if (t->recorder_depth)
		t->recorder_depth--;
	if (grain != team->implicit[0] || t->depth == 0)
		t->is_idle = true;
}

/* An event without consequences, so that the stream shows where the program's context is. */
static void
mark_context(struct sim *s)
{
	sim_event_at(s, 0, WN_EV_SYNC_BEGIN, 0x5000, WN_SYNC_TASKYIELD);
	sim_event(s, 0, WN_EV_SYNC_END, s->threads[0].now);
}

/* The grain on top has run all its operations. */
static void
grain_finish(struct sim *s, uint32_t thread)
{
	struct sim_thread *t = &s->threads[thread];
	uint32_t grain = t->stack[t->depth - 1];
	struct sim_grain *g = &s->grains[grain];
	if (g->kind == WN_GRAIN_INITIAL) {
		t->is_idle = true;
		mark_context(s);
		return;
	}
	if (g->kind == WN_GRAIN_IMPLICIT) {
		struct sim_team *team = &s->teams[g->team];
		if (team->has_barrier && !g->waiting) {
			sim_wait_begin(s, thread, WN_SYNC_BARRIER_REGION);
			return;
		}
		if (g->waiting) {
			if (!sim_wait_step(s, thread))
				return;
			sim_item(s, grain, IT_BARRIER, g->n_barriers, 0);
			g = &s->grains[grain];
		}
		implicit_leave(s, thread, grain);
		return;
	}
	g->end = t->now;
	g->end_thread = thread;
	g->is_done = !g->is_detached || g->is_fulfilled;
	g->is_body_over = true;
	if (g->ends_silently) {
		t->depth--;
		return;
	}
	if (g->kind == WN_GRAIN_CHUNK || g->kind == WN_GRAIN_SECTION) {
		sim_event(s, thread, WN_EV_CHUNK_END, t->now);
		t->depth--;
		return;
	}
	task_leave(s, thread, true);
}

static void
step(struct sim *s, uint32_t thread)
{
	struct sim_thread *t = &s->threads[thread];
	struct sim_grain *g = &s->grains[t->stack[t->depth - 1]];
	while (g->n_frames) {
		struct frame *f = &g->frames[g->n_frames - 1];
		if (f->pc < s->p->bodies[f->body].n) {
			sim_operate(s, thread);
			return;
		}
		g->n_frames--;
	}
	grain_finish(s, thread);
}

/* Workers that were still in the region's barrier when the region ended hear of it later. */
void
sim_region_over(struct sim *s, uint32_t team_index, uint64_t at)
{
	struct sim_team *team = &s->teams[team_index];
	for (uint32_t i = 0; i < team->n_implicit; i++) {
		uint32_t grain = team->implicit[i];
		struct sim_grain *g = &s->grains[grain];
		if (g->is_done)
			continue;
		struct sim_thread *t = &s->threads[g->thread];
		interval(s, &(struct interval){g->thread, grain, g->piece_from, at, ACT_WAIT,
		                               RELEASED, g->waiting, g->n_barriers});
		sim_item(s, grain, IT_BARRIER, g->n_barriers, 0);
		g->is_done = true;
		g->end = at;
		g->waiting = 0;
		t->depth = 0;
		t->recorder_depth = 0;
		t->is_idle = true;
		if (t->now <= at)
			t->now = at + 1;
		t->late_at = random_one_in(&s->random, 2) ? t->now : 0;
	}
}

void
sim_late_events(struct sim *s, uint32_t thread)
{
	struct sim_thread *t = &s->threads[thread];
	if (!t->late_at)
		return;
	sim_event(s, thread, WN_EV_SYNC_END, t->late_at);
	sim_event(s, thread, WN_EV_IMPLICIT_END, t->late_at);
	t->late_at = 0;
}

void
simulate(struct sim *s, const struct program *p, uint64_t seed, const struct sim_mode *mode)
{
	memset(s, 0, sizeof *s);
	s->p = p;
	s->random.state = seed ^ 0x5151515151515151u;
	s->mode = *mode;
	s->n_threads = 1;
	/* never moved, so that pointers into them stay good */
	s->grains = malloc(GRAINS_MAX * sizeof *s->grains);
	s->teams = malloc(TEAMS_MAX * sizeof *s->teams);
	if (!s->grains || !s->teams)
		abort();
	uint32_t root = sim_grain_new(s, 0, WN_GRAIN_INITIAL, NONE);
	struct sim_grain *g = &s->grains[root];
	snprintf(g->lineage, sizeof g->lineage, "R");
	g->implicit = root;
	g->frames[0] = (struct frame){.body = p->main};
	g->n_frames = 1;
	s->threads[0].stack[0] = root;
	s->threads[0].depth = 1;
	s->threads[0].now = 1000;
	mark_context(s);
	for (uint32_t i = 1; i < THREADS_MAX; i++)
		s->threads[i].is_idle = true;
	for (uint32_t steps = 0;; steps++) {
		uint32_t next = NONE;
		for (uint32_t i = 0; i < s->n_threads; i++)
			if (!s->threads[i].is_idle &&
			    (next == NONE || s->threads[i].now < s->threads[next].now))
				next = i;
		s->is_stuck = steps > 200000;
		if (next == NONE || s->is_stuck || s->is_too_big)
			break;
		step(s, next);
	}
	for (uint32_t i = 0; i < s->n_threads; i++)
		sim_late_events(s, i);
}

void
sim_free(struct sim *s)
{
	for (size_t i = 0; i < s->n_grains; i++)
		free(s->grains[i].items);
	for (uint32_t i = 0; i < THREADS_MAX; i++)
		free(s->threads[i].events);
	free(s->grains);
	free(s->teams);
	free(s->loops);
	free(s->groups);
	free(s->intervals);
	free(s->ready);
	free(s->holds);
}
