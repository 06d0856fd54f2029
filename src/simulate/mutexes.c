/* SPDX-License-Identifier: MIT */
/* mutexes.c - the program's mutexes: handed over in the order of requests by libomp, to any waiting
 * thread by libgomp. `ordered`: to the thread whose chunk is next. */
#include "simulate/engine.h"

/* Index of the current chunk in its loop. */
static bool
is_turn(const struct engine *e, const struct sim_thread *t)
{
	const struct sim_loop *loop = &e->p->loops[t->loop];
	return t->loop == NONE || !loop->is_detailed || !loop->is_ordered ||
	       e->loops[t->loop].turn == t->chunk;
}

static struct sim_mutex *
mutex_of(const struct engine *e, const struct step *s)
{
	return &e->mutexes[s->target];
}

static void
acquire(struct engine *e, struct sim_thread *t, struct sim_mutex *m)
{
	uint32_t self = sim_thread_index(e, t);
	bool is_far = m->last_thread != NONE && m->last_thread != self;
	m->holder = m->last_thread = self;
	sim_schedule(e, t, sim_cost_of(e, WN_COST_MUTEX, is_far ? m->n_waiting + 2 : 1),
	             PHASE_ACQUIRED, WN_SIM_MUTEX);
}

void
sim_mutex_acquire(struct engine *e, struct sim_thread *t, const struct step *s)
{
	struct sim_mutex *m = mutex_of(e, s);
	if (m->holder == sim_thread_index(e, t)) { /* its release was not recorded */
		sim_next_step(e, t);
		return;
	}
	if (m->holder == NONE && (s->kind != STEP_ORDERED || is_turn(e, t))) {
		acquire(e, t, m);
		return;
	}
	if (m->last_waiting != NONE)
		e->threads[m->last_waiting].next_waiting = sim_thread_index(e, t);
	else
		m->first_waiting = sim_thread_index(e, t);
	m->last_waiting = sim_thread_index(e, t);
	t->next_waiting = NONE;
	m->n_waiting++;
	sim_block(e, t, BLOCKED_MUTEX);
}

/* Does the change of a shorter lock apply to what this grain does with the mutex? */
static bool
is_shorter(const struct engine *e, const struct sim_thread *t)
{
	uint32_t site = sim_site_of(e, t->top);
	for (size_t i = 0; i < e->scenario->n_changes; i++) {
		const struct wn_sim_change *c = &e->scenario->changes[i];
		if (c->kind == WN_SIM_CHANGE_SHORTER_LOCK && site != WN_NO_SITE && c->is_at[site])
			return true;
	}
	return false;
}

void
sim_mutex_acquired(struct engine *e, struct sim_thread *t)
{
	t->holds_shorter = is_shorter(e, t);
	sim_next_step(e, t);
}

/* Removes a waiting thread from the list; `before` precedes it. */
static void
hand_over(struct engine *e, struct sim_mutex *m, uint32_t before, uint32_t thread)
{
	struct sim_thread *t = &e->threads[thread];
	if (before == NONE)
		m->first_waiting = t->next_waiting;
	else
		e->threads[before].next_waiting = t->next_waiting;
	if (m->last_waiting == thread)
		m->last_waiting = before;
	m->n_waiting--;
	sim_unblock(e, t);
	acquire(e, t, m);
}

static void
pass_on(struct engine *e, struct sim_mutex *m)
{
	uint32_t before = NONE, thread = m->first_waiting;
	if (m->n_waiting == 0 || m->holder != NONE)
		return;
	if (sim_step_of(e, &e->threads[thread])->kind == STEP_ORDERED) {
		while (thread != NONE && !is_turn(e, &e->threads[thread])) {
			before = thread;
			thread = e->threads[thread].next_waiting;
		}
		if (thread == NONE)
			return;
	} else if (!e->is_omp) {
		for (uint32_t skip = sim_random_below(e, m->n_waiting); skip > 0; skip--) {
			before = thread;
			thread = e->threads[thread].next_waiting;
		}
	}
	hand_over(e, m, before, thread);
}

void
sim_mutex_release(struct engine *e, struct sim_thread *t, const struct step *s)
{
	struct sim_mutex *m = mutex_of(e, s);
	t->holds_shorter = false;
	if (m->holder == sim_thread_index(e, t)) {
		m->holder = NONE;
		pass_on(e, m);
	}
	sim_next_step(e, t);
}

void
sim_ordered_next(struct engine *e, uint32_t loop)
{
	const struct sim_loop *l = &e->p->loops[loop];
	const struct sim_chunk *chunks = e->p->chunks + l->first_chunk;
	struct loop_state *state = &e->loops[loop];
	while (state->turn < l->n_chunks && e->state[chunks[state->turn].grain].flags & STATE_DONE)
		state->turn++;
	for (uint32_t i = 0; i < e->p->n_mutexes; i++)
		if (e->mutexes[i].n_waiting > 0 && e->mutexes[i].holder == NONE)
			pass_on(e, &e->mutexes[i]);
}
