/* SPDX-License-Identifier: MIT */
/*
 * tasks.c - creation of tasks, their queues, and what waiting threads take, as libgomp and libomp
 * do (doc/prediction.md, "The schedulers").
 *
 *   libgomp  one lock guards a queue of the team (first in, first out, for barriers) and a list of
 *            children of each task (newest first, for its taskwait, which takes nothing else). With
 *            more than 64 tasks per thread, tasks run in their creation. The end of a task and the
 *            next pick are one hold of the lock.
 *   libomp   a queue of 256 per thread with its own lock: the owner takes the newest, thieves the
 *            oldest. A wait in a task takes only descendants of that task.
 */
#include "simulate/engine.h"

#define GOMP_TASKS_PER_THREAD 64u
#define OMP_DEQUE             256u

/* ---- lists ---- */

enum list { LIST_TEAM, LIST_SIBLING, LIST_GROUP };

static struct link *
link_of(struct engine *e, uint32_t grain, enum list which)
{
	struct grain_state *s = &e->state[grain];
	return which == LIST_TEAM      ? &s->team
	       : which == LIST_SIBLING ? &s->sibling
	                               : &e->group_links[grain];
}

static void
list_push_front(struct engine *e, uint32_t *first, uint32_t grain, enum list which)
{
	*link_of(e, grain, which) = (struct link){*first, NONE};
	if (*first != NONE)
		link_of(e, *first, which)->prev = grain;
	*first = grain;
}

static void
list_remove(struct engine *e, uint32_t *first, uint32_t grain, enum list which)
{
	const struct link at = *link_of(e, grain, which);
	if (at.prev != NONE)
		link_of(e, at.prev, which)->next = at.next;
	else
		*first = at.next;
	if (at.next != NONE)
		link_of(e, at.next, which)->prev = at.prev;
}

static void
queue_push(struct engine *e, struct queue *q, uint32_t grain)
{
	*link_of(e, grain, LIST_TEAM) = (struct link){NONE, q->last};
	if (q->last != NONE)
		link_of(e, q->last, LIST_TEAM)->next = grain;
	else
		q->first = grain;
	q->last = grain;
	q->n++;
}

static void
queue_remove(struct engine *e, struct queue *q, uint32_t grain)
{
	const struct link at = *link_of(e, grain, LIST_TEAM);
	list_remove(e, &q->first, grain, LIST_TEAM);
	if (q->last == grain)
		q->last = at.prev;
	q->n--;
}

/* ---- creation ---- */

/* Whether the runtime runs the task in its creation, as far as is known before it allocates it. */
static bool
is_undeferred(const struct engine *e, const struct sim_thread *t, uint32_t grain)
{
	if (e->p->grains[grain].flags & SIM_UNDEFERRED || !t->is_in_region || t->n_nested > 0)
		return true;
	if (e->is_greedy)
		return false;
	if (e->is_omp)
		return e->team == 1;
	if (e->state[t->top].looped > 0)
		return e->state[t->top].is_looped_inline;
	return e->n_tasks > GOMP_TASKS_PER_THREAD * (uint64_t)e->team;
}

static void
run_inline(struct engine *e, struct sim_thread *t, uint64_t cost_ns)
{
	e->n_inline++;
	if (sim_has_unmet(e, t->target)) {
		t->ns[WN_SIM_CREATION] += cost_ns; /* hidden by the wait */
		sim_wait_find_task(e, t);
	} else {
		sim_schedule(e, t, cost_ns, PHASE_ENTER, WN_SIM_CREATION);
	}
}

void
sim_task_create(struct engine *e, struct sim_thread *t, uint32_t grain)
{
	struct grain_state *s = &e->state[grain];
	uint32_t fj = e->p->grains[grain].fj;
	t->target = grain;
	s->flags |= STATE_CREATED;
	if (fj != WN_NO_FJ)
		e->fj_open[fj]++;
	if (cutoffs_has(e->cutoffs.is_cut, grain)) {
		s->flags |= STATE_REMOVED;
		sim_schedule(e, t, 0, PHASE_ENTER, WN_SIM_WORK);
		return;
	}
	e->n_created++;
	if (is_undeferred(e, t, grain)) {
		if (e->state[t->top].looped > 0)
			e->state[t->top].looped--;
		run_inline(e, t, sim_cost_of(e, WN_COST_INLINE, 1));
		return;
	}
	sim_schedule(e, t,
	             sim_cost_of(e, WN_COST_CREATE, 1) +
	                 (e->is_omp ? 0 : sim_cold_ns(e, &e->has_created, 2)),
	             PHASE_CREATED, WN_SIM_CREATION);
}

void
sim_task_created(struct engine *e, struct sim_thread *t)
{
	struct grain_state *parent = &e->state[t->top];
	if (e->is_omp) {
		if (t->deque.n >= OMP_DEQUE) {
			run_inline(e, t, 0);
			return;
		}
		t->locked = sim_thread_index(e, t);
		sim_serve(e, t, &t->deque.lock, WN_COST_LOCK, PHASE_QUEUED, WN_SIM_RUNTIME);
		return;
	}
	if (parent->looped > 0) {
		parent->looped--;
		t->locked = NONE;
		sim_task_queued(e, t);
		return;
	}
	t->locked = 0;
	t->lock_parent = t->top;
	sim_serve(e, t, &e->queue.lock, WN_COST_LOCK, PHASE_QUEUED, WN_SIM_RUNTIME);
}

/* Offers a ready task: to its parent, its taskgroup, and the team. */
static void
offer(struct engine *e, struct queue *q, uint32_t grain)
{
	uint32_t parent = e->p->parent[grain], group = group_of(e->p, grain);
	struct grain_state *s = &e->state[grain];
	s->flags |= STATE_QUEUED;
	e->n_tasks++;
	sim_ready(e, 1);
	queue_push(e, q, grain);
	if (parent < e->p->n_grains)
		list_push_front(e, &e->state[parent].first_child, grain, LIST_SIBLING);
	if (group != NONE)
		list_push_front(e, &e->group_first[group], grain, LIST_GROUP);
}

static void
unoffer(struct engine *e, struct queue *q, uint32_t grain)
{
	uint32_t parent = e->p->parent[grain], group = group_of(e->p, grain);
	e->state[grain].flags &= (uint8_t)~STATE_QUEUED;
	sim_ready(e, -1);
	queue_remove(e, q, grain);
	if (parent < e->p->n_grains)
		list_remove(e, &e->state[parent].first_child, grain, LIST_SIBLING);
	if (group != NONE)
		list_remove(e, &e->group_first[group], grain, LIST_GROUP);
}

/* Threads that wait and may take the new task. libgomp: those at barriers; all that spin see it,
 * and one that sleeps is woken. */
static void
notify(struct engine *e)
{
	bool has_woken = false, waits_take = e->is_omp || e->is_greedy;
	uint32_t n_left = e->n_blocked[BLOCKED_BARRIER];
	n_left += waits_take ? e->n_blocked[BLOCKED_WAIT] : 0;
	for (uint32_t i = 0; n_left > 0 && i < e->team; i++) {
		struct sim_thread *t = &e->threads[i];
		bool may_take =
		    t->blocked == BLOCKED_BARRIER || (t->blocked == BLOCKED_WAIT && waits_take);
		if (!may_take)
			continue;
		n_left--;
		bool sleeps =
		    !e->is_omp && !e->is_greedy && e->now_ns - t->blocked_since_ns >= e->spin_ns;
		if (sleeps && has_woken)
			continue;
		has_woken |= sleeps;
		sim_wake(e, t, PHASE_LOOK);
	}
}

/* libgomp calls the kernel after an insertion if there are fewer tasks that barriers run than
 * threads; a creator that is not below such a task counts as one. */
static uint64_t
wake_call(const struct engine *e, const struct sim_thread *t)
{
	if (e->is_omp || e->is_greedy)
		return 0;
	return e->n_running + !t->at_barrier < e->team ? sim_cost_of(e, WN_COST_WAKE_CALL, 1) : 0;
}

void
sim_task_queued(struct engine *e, struct sim_thread *t)
{
	struct grain_state *s = &e->state[t->target];
	struct queue *q = e->is_omp ? &t->deque : &e->queue;
	if (t->locked != NONE)
		q->lock.n--;
	t->locked = NONE;
	s->thread = sim_thread_index(e, t);
	s->flags |= STATE_DEFERRED;
	e->n_open++;
	if (!sim_has_unmet(e, t->target)) {
		uint64_t call_ns = e->state[t->top].looped > 0 ? 0 : wake_call(e, t);
		offer(e, q, t->target);
		notify(e);
		sim_schedule(e, t, call_ns, PHASE_GO_ON, WN_SIM_CREATION);
	} else {
		sim_schedule(e, t, 0, PHASE_GO_ON, WN_SIM_CREATION);
	}
}

/* Wakes a grain's thread if the grain is what waits there. */
static void
wake_grain(struct engine *e, uint32_t grain)
{
	if (grain >= e->p->n_grains || e->state[grain].thread == NONE)
		return;
	struct sim_thread *t = &e->threads[e->state[grain].thread];
	if (t->blocked == BLOCKED_WAIT && t->top == grain)
		sim_wake(e, t, PHASE_LOOK);
}

void
sim_task_ready(struct engine *e, struct sim_thread *t, uint32_t grain)
{
	struct grain_state *s = &e->state[grain];
	if (s->flags & STATE_DEFERRED && !(s->flags & (STATE_QUEUED | STATE_DONE))) {
		offer(e, e->is_omp ? &t->deque : &e->queue, grain);
		notify(e);
	}
	wake_grain(e, e->p->parent[grain]);
}

/* ---- waits ---- */

/* libomp: descends from the task that waits. */
static bool
is_allowed(const struct engine *e, const struct sim_thread *t, uint32_t task)
{
	uint32_t top = t->top, up = task;
	if (sim_is_at_barrier(e, t))
		return true;
	while (up < e->p->n_grains && up != top &&
	       e->p->grains[up].level >= sim_grain_of(e, top)->level &&
	       e->p->grains[up].kind != WN_GRAIN_IMPLICIT)
		up = e->p->parent[up];
	return up == top;
}

/* Looks for a queue with a task to take: its own first, then from a random one on. NONE: none. */
static uint32_t
find_deque(struct engine *e, const struct sim_thread *t)
{
	uint32_t self = sim_thread_index(e, t);
	if (t->deque.n > 0 && is_allowed(e, t, t->deque.last))
		return self;
	uint32_t from = e->team > 2 ? sim_random_below(e, e->team) : 0;
	if (t->victim != NONE && t->victim < e->team)
		from = t->victim;
	for (uint32_t i = 0; i < e->team; i++) {
		uint32_t victim = (from + i) % e->team;
		const struct queue *q = &e->threads[victim].deque;
		if (victim != self && q->n > 0 && is_allowed(e, t, q->first))
			return victim;
	}
	return NONE;
}

static void
wait_block(struct engine *e, struct sim_thread *t)
{
	sim_block(e, t, sim_is_at_barrier(e, t) ? BLOCKED_BARRIER : BLOCKED_WAIT);
}

void
sim_wait_find_task(struct engine *e, struct sim_thread *t)
{
	if (e->is_omp) {
		t->locked = find_deque(e, t);
		if (t->locked == NONE) {
			t->victim = NONE;
			wait_block(e, t);
			return;
		}
		sim_serve(e, t, &e->threads[t->locked].deque.lock, WN_COST_LOCK, PHASE_LOCKED,
		          WN_SIM_RUNTIME);
	} else if (sim_is_at_barrier(e, t) && e->queue.n == 0) {
		wait_block(e, t);
	} else {
		t->lock_parent = !sim_is_at_barrier(e, t) ? t->top : e->p->parent[e->queue.first];
		sim_serve(e, t, &e->queue.lock, WN_COST_LOCK, PHASE_LOCKED, WN_SIM_RUNTIME);
	}
}

static void
start_task(struct engine *e, struct sim_thread *t, uint32_t grain)
{
	bool is_moved = e->is_omp && e->state[grain].thread != sim_thread_index(e, t);
	t->target = grain;
	e->n_running += sim_is_at_barrier(e, t);
	sim_schedule(e, t,
	             sim_cost_of(e, WN_COST_FINISH, 1) +
	                 (is_moved ? sim_cost_of(e, WN_COST_MOVE, 1) : 0),
	             PHASE_ENTER, WN_SIM_SCHEDULE);
}

static void
omp_locked(struct engine *e, struct sim_thread *t)
{
	struct sim_thread *owner = &e->threads[t->locked];
	struct queue *q = &owner->deque;
	uint32_t task = owner == t ? q->last : q->first;
	q->lock.n--;
	if (q->n > 0 && is_allowed(e, t, task)) {
		unoffer(e, q, task);
		t->victim = owner == t ? t->victim : t->locked;
		if (owner != t && q->n > 0)
			notify(e); /* another task is first now: others may take it */
		start_task(e, t, task);
	} else if (sim_wait_is_over(e, t)) {
		sim_wait_leave(e, t);
	} else {
		t->victim = NONE;
		sim_wait_find_task(e, t);
	}
}

/* Whether a replay that keeps races leaves the task to another thread, which has begun it. */
static bool
is_of_another(const struct engine *e, const struct sim_thread *t, uint32_t task)
{
	bool is_kept = e->scenario->is_as_recorded || e->scenario->keeps_races;
	if (!is_kept || task == NONE || e->team < 2)
		return false;
	uint8_t flags = e->p->grains[task].flags;
	return sim_is_at_barrier(e, t)
	           ? flags & SIM_KEPT && e->state[task].thread != sim_thread_index(e, t)
	           : flags & SIM_TAKEN;
}

/* libgomp: at barriers the oldest task; else a child, the newest one; a taskgroup's newest before.
 */
static uint32_t
gomp_pick(const struct engine *e, const struct sim_thread *t)
{
	const struct step *s = sim_step_of(e, t);
	if (sim_is_at_barrier(e, t)) {
		uint32_t task = e->queue.first;
		while (is_of_another(e, t, task))
			task = e->state[task].team.next;
		return task;
	}
	if (is_of_another(e, t, e->state[t->top].first_child))
		return NONE;
	if (s->kind == STEP_GROUP && e->group_first && e->group_first[s->target] != NONE)
		return e->group_first[s->target];
	if (e->state[t->top].first_child != NONE || !e->is_greedy)
		return e->state[t->top].first_child;
	return e->queue.last;
}

static void
gomp_locked(struct engine *e, struct sim_thread *t)
{
	e->queue.lock.n--;
	if (t->finished != NONE) {
		uint32_t finished = t->finished;
		t->finished = NONE;
		e->n_running -= sim_is_at_barrier(e, t);
		sim_complete(e, t, finished);
	}
	if (sim_wait_is_over(e, t)) {
		sim_wait_leave(e, t);
		return;
	}
	uint32_t task = gomp_pick(e, t);
	if (task == NONE) {
		wait_block(e, t);
		return;
	}
	unoffer(e, &e->queue, task);
	start_task(e, t, task);
}

void
sim_wait_locked(struct engine *e, struct sim_thread *t)
{
	if (!sim_is_at_barrier(e, t) && sim_step_of(e, t)->kind == STEP_LOOPED) {
		e->queue.lock.n--;
		sim_next_step(e, t);
	} else if (e->is_omp) {
		omp_locked(e, t);
	} else {
		gomp_locked(e, t);
	}
}

void
sim_task_finished(struct engine *e, struct sim_thread *t, uint32_t grain)
{
	t->top = e->state[grain].below;
	if (e->is_omp) {
		e->n_running -= sim_is_at_barrier(e, t);
		sim_complete(e, t, grain);
		sim_schedule(e, t, sim_wait_is_over(e, t) ? 0 : sim_cost_of(e, WN_COST_YIELD, 1),
		             PHASE_LOOK, WN_SIM_SCHEDULE);
	} else {
		t->finished = grain;
		t->lock_parent = e->p->parent[grain];
		sim_serve(e, t, &e->queue.lock, WN_COST_LOCK, PHASE_LOCKED, WN_SIM_RUNTIME);
	}
}
