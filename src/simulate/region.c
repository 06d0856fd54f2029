/* SPDX-License-Identifier: MIT */
/* region.c - regions and barriers. Thread i of a team executes the recorded implicit task of thread
 * i. With fewer threads than recorded it also carries those of i + n, i + 2n ...: from barrier to
 * barrier, one after another, without their loops, which the team shares. Threads beyond the
 * recorded ones only take part in loops, tasks and barriers. */
#include "simulate/engine.h"

static const struct sim_region *
region_of(const struct engine *e)
{
	return &e->p->regions[e->region];
}

static uint32_t
implicit_of(const struct engine *e, uint32_t index)
{
	return e->p->implicit[region_of(e)->first_implicit + index];
}

/* A region inside another one has one thread, which runs all of its tasks in their creation, and
 * all of its implicit tasks, one after another. */
static void
begin_nested(struct engine *e, struct sim_thread *t, const struct sim_region *r)
{
	if (r->n_implicit == 0) {
		sim_next_step(e, t);
		return;
	}
	t->n_nested++;
	t->target = e->p->implicit[r->first_implicit];
	sim_schedule(e, t, sim_cost_of(e, WN_COST_FORK, 1), PHASE_ENTER, WN_SIM_SYNC);
}

void
sim_nested_next(struct engine *e, struct sim_thread *t, uint32_t grain)
{
	uint32_t below = e->state[grain].below, next = 0;
	t->n_nested--;
	t->top = below;
	const struct sim_region *r = &e->p->regions[sim_step_of(e, t)->target];
	while (next < r->n_implicit && e->p->implicit[r->first_implicit + next] != grain)
		next++;
	if (next + 1 >= r->n_implicit) {
		sim_next_step(e, t);
		return;
	}
	t->n_nested++;
	t->target = e->p->implicit[r->first_implicit + next + 1];
	e->state[t->target].flags |= STATE_AFTER;
	sim_schedule(e, t, 0, PHASE_ENTER, WN_SIM_SYNC);
}

/* Prepares the runtime, and creates the threads that no earlier region had. */
static uint64_t
spawn(const struct engine *e)
{
	uint64_t n = 0;
	for (uint32_t i = 1; i < e->team; i++)
		n += !e->threads[i].is_spawned;
	uint64_t ns = n * sim_cost_of(e, WN_COST_SPAWN, 1);
	if (!e->threads[0].is_spawned && !e->scenario->is_as_recorded)
		ns += sim_cost_of(e, WN_COST_INIT,
		                  1); /* the recorder has it before the first event */
	return ns;
}

/* A new thread runs after up to four times the measured time, as it varies so much. */
static uint64_t
start_delay(struct engine *e)
{
	uint64_t ns = sim_cost_of(e, WN_COST_START, 1);
	return ns && !e->scenario->is_as_recorded
	           ? sim_random_below(e, (uint32_t)(4 * ns < NONE ? 4 * ns : NONE))
	           : ns;
}

/* Threads of libgomp that are new, and those that are there, wait for each other before they begin.
 * The first one, which has created them, arrives last and goes on at once; the others notice that.
 */
static bool
meets_new_threads(const struct engine *e)
{
	bool is_new = false;
	for (uint32_t i = 1; i < e->team; i++)
		is_new |= !e->threads[i].is_spawned;
	return is_new && !e->is_omp && !e->is_greedy && !e->scenario->is_as_recorded;
}

static void
begin_together(struct engine *e, uint64_t fork_ns)
{
	sim_schedule(e, &e->threads[0], fork_ns, PHASE_BEGIN, WN_SIM_SYNC);
	for (uint32_t i = 1; i < e->team; i++) {
		struct sim_thread *t = &e->threads[i];
		uint64_t waited_ns = sim_unblock(e, t), delay_ns;
		enum wn_cost wake =
		    waited_ns >= e->spin_ns ? WN_COST_WAKE_SLEEP : WN_COST_WAKE_SPIN;
		delay_ns = t->is_spawned ? sim_cost_of(e, wake, 1) : start_delay(e);
		t->is_spawned = true;
		sim_schedule(e, t, fork_ns + delay_ns, PHASE_BEGIN, WN_SIM_SYNC);
	}
}

void
sim_region_begin(struct engine *e, struct sim_thread *t, uint32_t region)
{
	const struct sim_region *r = &e->p->regions[region];
	if (r->is_nested || e->region != NONE) {
		begin_nested(e, t, r);
		return;
	}
	e->region = region;
	e->team = r->is_scaled || r->team_size > e->n_threads ? e->n_threads : r->team_size;
	e->n_arrived = e->n_ended = 0;
	e->skeleton = (struct sim_grain){
	    .first_step = r->n_implicit ? e->p->grains[implicit_of(e, 0)].first_step : 0,
	    .fj = WN_NO_FJ,
	    .kind = WN_GRAIN_IMPLICIT,
	};
	uint64_t fork_ns = sim_cost_of(e, WN_COST_FORK, e->team) + spawn(e);
	t->is_spawned = true;
	if (meets_new_threads(e)) {
		begin_together(e, fork_ns);
		return;
	}
	for (uint32_t i = 0; i < e->team; i++) {
		struct sim_thread *other = &e->threads[i];
		uint64_t more_ns = 0;
		if (other != t) {
			uint64_t waited_ns = sim_unblock(e, other);
			if (!other->is_spawned)
				more_ns = start_delay(e);
			else if (waited_ns >= e->spin_ns)
				more_ns = sim_cost_of(e, WN_COST_WAKE_SLEEP, 1);
			other->is_spawned = true;
		}
		sim_schedule(e, other, fork_ns + more_ns, PHASE_BEGIN, WN_SIM_SYNC);
	}
}

void
sim_implicit_begin(struct engine *e, struct sim_thread *t)
{
	uint32_t self = sim_thread_index(e, t);
	t->is_in_region = true;
	t->at_barrier = t->has_barrier = t->is_ended = false;
	t->implicit = t->first_implicit = self;
	t->is_skeleton = self >= region_of(e)->n_implicit;
	t->generation = e->generation;
	sim_enter(e, t, t->is_skeleton ? e->p->n_grains + self : implicit_of(e, self));
}

/* Goes on with the next implicit task that the thread carries, from `index` on. False: none. */
static bool
carry(struct engine *e, struct sim_thread *t, uint32_t index)
{
	uint32_t below = e->state[t->top].below;
	for (; index < region_of(e)->n_implicit; index += e->team) {
		uint32_t grain = implicit_of(e, index);
		struct grain_state *s = &e->state[grain];
		if (s->flags & STATE_DONE)
			continue;
		t->implicit = index;
		t->top = grain;
		s->below = below;
		s->thread = sim_thread_index(e, t);
		sim_start_step(e, t);
		return true;
	}
	return false;
}

void
sim_barrier_arrive(struct engine *e, struct sim_thread *t, bool is_end)
{
	if (is_end) {
		e->state[t->top].flags |= STATE_DONE;
	} else {
		e->state[t->top].step++;
		t->has_barrier = true;
	}
	if (!t->is_skeleton && carry(e, t, t->implicit + e->team))
		return;
	t->at_barrier = true;
	t->is_ended = !t->has_barrier;
	t->generation = e->generation;
	if (t->is_ended)
		e->n_ended++;
	else
		e->n_arrived++;
	sim_barrier_check(e, t);
	if (sim_wait_is_over(e, t))
		sim_wait_leave(e, t);
	else
		sim_wait_find_task(e, t);
}

/* Releases the barrier if all have arrived and no task is left. The thread of the event itself
 * looks afterwards. */
void
sim_barrier_check(struct engine *e, struct sim_thread *t)
{
	if (e->region == NONE || e->n_open > 0 || e->n_arrived + e->n_ended < e->team)
		return;
	bool is_end = e->n_arrived == 0;
	e->generation++;
	e->n_arrived = 0;
	for (uint32_t i = 0; i < e->team; i++) {
		struct sim_thread *other = &e->threads[i];
		if (other->is_ended && !is_end) {
			other->generation = e->generation; /* it waits for the end */
			continue;
		}
		if (other == t || other->blocked != BLOCKED_BARRIER)
			continue;
		bool sleeps = sim_unblock(e, other) >= e->spin_ns;
		sim_schedule(e, other,
		             (is_end ? 0 : sim_cost_of(e, WN_COST_BARRIER, e->team)) +
		                 (sleeps ? sim_cost_of(e, WN_COST_WAKE_SLEEP, 1) : 0),
		             PHASE_LEAVE, WN_SIM_SYNC);
	}
}

void
sim_barrier_leave(struct engine *e, struct sim_thread *t)
{
	t->at_barrier = t->has_barrier = false;
	if (!t->is_ended) {
		if (t->is_skeleton)
			sim_start_step(e, t);
		else if (!carry(e, t, t->first_implicit))
			sim_barrier_arrive(e, t, true);
		return;
	}
	t->is_in_region = false;
	if (t == &e->threads[0]) {
		t->top = e->state[t->top].below;
		sim_schedule(e, t, sim_cost_of(e, WN_COST_JOIN, e->team), PHASE_JOIN, WN_SIM_SYNC);
	} else {
		t->top = NONE;
		sim_block(e, t, BLOCKED_DOCK);
	}
}

void
sim_region_join(struct engine *e, struct sim_thread *t)
{
	e->region = NONE;
	e->team = 1;
	sim_next_step(e, t);
}
