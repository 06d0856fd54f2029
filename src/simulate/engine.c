/* SPDX-License-Identifier: MIT */
/* engine.c - the loop over events, and the steps of grains. */
#include "simulate/engine.h"

#include "base/error.h"
#include "base/mem.h"

#include <string.h>

/* The heap is ordered by time, then thread: an order that does not depend on history. */
static bool
is_before(const struct event *a, const struct event *b)
{
	return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->thread < b->thread;
}

static void
heap_put(struct engine *e, uint32_t at, struct event event)
{
	e->heap[at] = event;
	e->heap_at[event.thread] = at;
}

/* Sets the time of a thread's next event. */
static void
heap_set(struct engine *e, uint32_t thread, uint64_t at_ns)
{
	const struct event event = {at_ns, thread};
	uint32_t at = e->heap_at[thread], n = e->n_threads;
	while (at > 0 && is_before(&event, &e->heap[(at - 1) / 2])) {
		heap_put(e, at, e->heap[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
	for (uint32_t child = 2 * at + 1; child < n; child = 2 * at + 1) {
		child += child + 1 < n && is_before(&e->heap[child + 1], &e->heap[child]);
		if (!is_before(&e->heap[child], &event))
			break;
		heap_put(e, at, e->heap[child]);
		at = child;
	}
	heap_put(e, at, event);
}

void
sim_schedule(struct engine *e, struct sim_thread *t, uint64_t after_ns, enum phase phase,
             enum wn_sim_time account)
{
	t->ns[account] += after_ns;
	t->phase = (uint8_t)phase;
	heap_set(e, sim_thread_index(e, t), e->now_ns + after_ns);
}

static uint64_t
ready_so_far(const struct engine *e)
{
	return e->ready_ns + (e->n_ready ? e->now_ns - e->ready_since_ns : 0);
}

void
sim_ready(struct engine *e, int change)
{
	e->ready_ns = ready_so_far(e);
	e->ready_since_ns = e->now_ns;
	e->n_ready += (uint32_t)change;
}

void
sim_block(struct engine *e, struct sim_thread *t, enum blocked why)
{
	t->blocked = (uint8_t)why;
	t->blocked_since_ns = e->now_ns;
	t->ready_mark_ns = ready_so_far(e);
	e->n_blocked[why]++;
	heap_set(e, sim_thread_index(e, t), NEVER);
}

uint64_t
sim_cost_computed(const struct engine *e, enum wn_cost which, uint32_t k)
{
	if (e->is_greedy)
		return 0;
	uint64_t ns = wn_cost_ns(e->c, which, k);
	if (e->cost_scale != 1)
		ns = (uint64_t)((double)ns * e->cost_scale + 0.5);
	return ns;
}

uint64_t
sim_unblock(struct engine *e, struct sim_thread *t)
{
	uint64_t waited_ns = e->now_ns - t->blocked_since_ns;
	if (t->blocked == BLOCKED_MUTEX) {
		t->ns[WN_SIM_MUTEX] += waited_ns;
	} else if (t->blocked == BLOCKED_DOCK) {
		t->ns[WN_SIM_SERIAL] += waited_ns;
	} else {
		uint64_t ready_ns = ready_so_far(e) - t->ready_mark_ns;
		t->ns[WN_SIM_IDLE_READY] += ready_ns;
		t->ns[WN_SIM_IDLE] += waited_ns - ready_ns;
	}
	e->n_blocked[t->blocked]--;
	t->blocked = BLOCKED_NOT;
	return waited_ns;
}

void
sim_wake(struct engine *e, struct sim_thread *t, enum phase phase)
{
	uint64_t waited_ns = sim_unblock(e, t);
	bool sleeps = !e->is_greedy && waited_ns >= e->spin_ns;
	sim_schedule(e, t, sim_cost_of(e, sleeps ? WN_COST_WAKE_SLEEP : WN_COST_WAKE_SPIN, 1),
	             phase, WN_SIM_SYNC);
}

/* The same if another thread used the resource last, and none competes. */
static uint64_t
far_cost(const struct engine *e, enum wn_cost which, enum phase phase)
{
	if (which != WN_COST_LOCK)
		return sim_cost_of(e, which, 2);
	return sim_cost_of(e, !e->is_omp && phase == PHASE_LOCKED ? WN_COST_FAR_PICK : WN_COST_FAR,
	                   1);
}

/* How long a hold takes that other threads have delayed varies: with a constant time, threads could
 * keep in step for a whole run, which depends on single nanoseconds. From half to one and a half
 * times the mean. */
static uint64_t
varied(struct engine *e, uint64_t ns)
{
	if (ns == 0 || ns >= NONE)
		return ns;
	return ns - ns / 2 + sim_random_below(e, (uint32_t)(ns / 2 * 2 + 1));
}

void
sim_serve(struct engine *e, struct sim_thread *t, struct resource *r, enum wn_cost which,
          enum phase phase, enum wn_sim_time account)
{
	uint32_t self = sim_thread_index(e, t);
	uint32_t k = ++r->n;
	uint64_t ns = sim_cost_of(e, which, k);
	if (k < 2 && r->last_thread != self &&
	    r->last_thread != NONE) /* cache lines of another CPU */
		ns = far_cost(e, which, phase);
	if (which == WN_COST_LOCK && !e->is_omp && r->last_thread != self &&
	    r->last_thread != NONE && t->lock_parent != NONE && r->last_parent == t->lock_parent)
		ns += sim_cost_of(e, WN_COST_MOVE, 1);
	if (k > 1 || (r->last_thread != self && r->last_thread != NONE))
		ns = varied(e, ns);
	r->last_parent = t->lock_parent;
	uint64_t start_ns = r->free_ns > e->now_ns ? r->free_ns : e->now_ns;
	r->free_ns = start_ns + ns;
	r->last_thread = self;
	sim_schedule(e, t, r->free_ns - e->now_ns, phase, account);
}

/* xorshift64*: short, and the same everywhere. */
uint32_t
sim_random_below(struct engine *e, uint32_t n)
{
	e->random ^= e->random >> 12;
	e->random ^= e->random << 25;
	e->random ^= e->random >> 27;
	return (uint32_t)((e->random * 0x2545f4914f6cdd1du >> 32) * n >> 32);
}

/* A thread beyond the recorded ones meets the team's loops and barriers, and does nothing else. */
static bool
is_skipped(const struct engine *e, const struct sim_thread *t, const struct step *s)
{
	if (t->top >= e->p->n_grains)
		return s->kind != STEP_LOOP && s->kind != STEP_BARRIER && s->kind != STEP_END;
	if (s->kind != STEP_LOOP || !t->is_in_region)
		return false;
	return t->n_nested > 0 ? e->state[t->top].flags & STATE_AFTER
	                       : t->implicit != t->first_implicit;
}

/* Before the first wait of the process, what is recorded of an implicit task between two events is
 * mostly the recorder's own first use: an unknown part of it. Whichever thread takes the first task
 * depends on it. */
#define COLD_WORK_NS 20000u

static bool
is_cold_start(const struct engine *e, const struct sim_grain *g, uint64_t work_ns)
{
	return !e->has_waited && g->kind == WN_GRAIN_IMPLICIT && work_ns < COLD_WORK_NS &&
	       !e->scenario->is_as_recorded && sim_cost_of(e, WN_COST_COLD, 1) > 0;
}

double
sim_growth_of(const struct engine *e, uint32_t site)
{
	const double *growth = e->scenario->growth;
	return growth ? growth[site == WN_NO_SITE ? e->p->n_sites : site] : 1;
}

static uint64_t
work_before(struct engine *e, struct sim_thread *t, const struct step *s)
{
	const struct sim_grain *g = sim_grain_of(e, t->top);
	uint64_t work_ns = s->work_ns;
	if (t->top >= e->p->n_grains)
		return 0;
	double factor =
	    e->factors[e->state[t->top].factor] * sim_growth_of(e, sim_site_of(e, t->top));
	if (t->holds_shorter)
		factor *= e->shorter;
	if (factor != 1)
		work_ns = (uint64_t)((double)work_ns * factor + 0.5);
	if (is_cold_start(e, g, work_ns)) {
		uint64_t most_ns = sim_cost_of(e, WN_COST_COLD, 1);
		work_ns =
		    sim_random_below(e, (uint32_t)(work_ns < most_ns ? work_ns : most_ns) + 1);
	}
	e->work_ns += work_ns;
	if (!e->scenario->is_as_recorded)
		return work_ns;
	/* what is known of the whole grain only goes to its end, or evenly */
	if (s->kind == STEP_END && t->top < e->p->n_nodes) {
		work_ns += e->p->off_cpu_ns ? e->p->off_cpu_ns[t->top] : 0;
		work_ns += e->p->recording_ns ? e->p->recording_ns[t->top] : 0;
	}
	return work_ns;
}

void
sim_start_step(struct engine *e, struct sim_thread *t)
{
	const struct step *s = sim_step_of(e, t);
	uint64_t work_ns = work_before(e, t, s);
	while (is_skipped(e, t, s)) {
		s = &e->p->steps[++e->state[t->top].step];
		work_ns += work_before(e, t, s);
	}
	sim_schedule(e, t, work_ns, PHASE_STEP, WN_SIM_WORK);
}

void
sim_next_step(struct engine *e, struct sim_thread *t)
{
	e->state[t->top].step++;
	sim_start_step(e, t);
}

/* Changes of work that apply to a grain. */
static uint8_t
factor_of(struct engine *e, uint32_t grain)
{
	uint32_t site = sim_site_of(e, grain);
	uint8_t mask = 0;
	if (e->state[grain].flags & STATE_REMOVED)
		mask = 1;
	for (size_t i = 0; i < e->scenario->n_changes; i++) {
		const struct wn_sim_change *c = &e->scenario->changes[i];
		if (c->kind == WN_SIM_CHANGE_FASTER && site != WN_NO_SITE && c->is_at[site])
			mask |= (uint8_t)(2 << i);
	}
	return mask;
}

void
sim_enter(struct engine *e, struct sim_thread *t, uint32_t grain)
{
	struct grain_state *s = &e->state[grain];
	s->first_child = NONE;
	s->looped = 0;
	s->below = t->top;
	s->step = sim_grain_of(e, grain)->first_step;
	s->thread = sim_thread_index(e, t);
	s->factor = factor_of(e, grain);
	t->top = grain;
	sim_start_step(e, t);
}

static void
meet_predecessor(struct engine *e, struct sim_thread *t, uint32_t node)
{
	if (node >= e->p->n_nodes) {
		if (--e->unmet[node] > 0)
			return;
		for (uint32_t i = e->p->first_successor[node]; i < e->p->first_successor[node + 1];
		     i++)
			meet_predecessor(e, t,
			                 e->p->successors[i]); /* a gate precedes tasks only */
		return;
	}
	if (--e->unmet[node] == 0)
		sim_task_ready(e, t, node);
}

void
sim_complete(struct engine *e, struct sim_thread *t, uint32_t grain)
{
	const struct sim_grain *g = &e->p->grains[grain];
	struct grain_state *s = &e->state[grain];
	s->flags |= STATE_DONE;
	if (s->flags & STATE_DEFERRED) {
		e->n_open--;
		e->n_tasks--;
	}
	if (e->p->n_predecessors && grain < e->p->n_nodes)
		for (uint32_t i = e->p->first_successor[grain];
		     i < e->p->first_successor[grain + 1]; i++)
			meet_predecessor(e, t, e->p->successors[i]);
	if (g->fj != WN_NO_FJ && --e->fj_open[g->fj] == 0) {
		struct grain_state *owner = &e->state[e->p->fj_owner[g->fj]];
		struct sim_thread *waiting =
		    owner->thread == NONE ? NULL : &e->threads[owner->thread];
		if (waiting && waiting->blocked == BLOCKED_WAIT &&
		    waiting->top == e->p->fj_owner[g->fj])
			sim_wake(e, waiting, PHASE_LOOK);
	}
	sim_barrier_check(e, t);
}

bool
sim_wait_is_over(const struct engine *e, const struct sim_thread *t)
{
	const struct step *s = sim_step_of(e, t);
	if (sim_is_at_barrier(e, t))
		return e->generation != t->generation;
	if (s->kind == STEP_WAIT || s->kind == STEP_GROUP)
		return e->fj_open[s->target] == 0;
	/* for dependences: of a waitpoint, or of an undeferred task */
	return !sim_has_unmet(e, s->target);
}

void
sim_wait_leave(struct engine *e, struct sim_thread *t)
{
	if (sim_is_at_barrier(e, t))
		sim_schedule(e, t, t->is_ended ? 0 : sim_cost_of(e, WN_COST_BARRIER, e->team),
		             PHASE_LEAVE, WN_SIM_SYNC);
	else if (sim_step_of(e, t)->kind == STEP_CREATE) {
		t->target = sim_step_of(e, t)->target;
		sim_schedule(e, t, 0, PHASE_ENTER, WN_SIM_CREATION);
	} else
		sim_next_step(e, t);
}

/* A grain has ended: pops it. */
static void
grain_end(struct engine *e, struct sim_thread *t)
{
	uint32_t grain = t->top;
	const struct sim_grain *g = sim_grain_of(e, grain);
	struct grain_state *s = &e->state[grain];
	switch (g->kind) {
	case WN_GRAIN_INITIAL:
		e->is_over = true;
		e->end_ns = e->now_ns;
		break;
	case WN_GRAIN_IMPLICIT:
		if (t->n_nested > 0) { /* of one thread: its tasks have run in their creation */
			s->flags |= STATE_DONE;
			sim_nested_next(e, t, grain);
		} else {
			sim_barrier_arrive(e, t, true);
		}
		break;
	case WN_GRAIN_CHUNK:
	case WN_GRAIN_SECTION:
		s->flags |= STATE_DONE;
		t->top = s->below;
		sim_loop_resume(e, t, grain);
		sim_loop_chunk_end(e, t);
		break;
	default:
		if (s->flags & STATE_DEFERRED) {
			sim_task_finished(e, t, grain);
		} else {
			t->top = s->below;
			sim_complete(e, t, grain);
			sim_next_step(e, t);
		}
	}
}

uint64_t
sim_cold_ns(struct engine *e, bool *is_done, uint32_t n_costs)
{
	uint64_t ns = n_costs * sim_cost_of(e, WN_COST_COLD, 1);
	bool is_first = !*is_done && !e->scenario->is_as_recorded && ns > 0;
	*is_done = true;
	return is_first ? sim_random_below(e, (uint32_t)ns) : 0;
}

static void
do_step(struct engine *e, struct sim_thread *t)
{
	const struct step *s = sim_step_of(e, t);
	switch (s->kind) {
	case STEP_END:
		grain_end(e, t);
		break;
	case STEP_CREATE:
		sim_task_create(e, t, s->target);
		break;
	case STEP_LOOPED: {
		struct grain_state *state = &e->state[t->top];
		state->looped = s->target;
		state->is_looped_inline =
		    !e->is_omp && e->n_tasks + s->target > 64 * (uint64_t)e->team;
		if (e->is_omp || e->is_greedy)
			state->looped = 0;
		t->lock_parent = t->top;
		if (state->looped && !state->is_looped_inline && t->is_in_region)
			sim_serve(e, t, &e->queue.lock, WN_COST_LOCK, PHASE_LOCKED, WN_SIM_RUNTIME);
		else
			sim_next_step(e, t);
		break;
	}
	case STEP_WORK:
		sim_next_step(e, t);
		break;
	case STEP_WAIT:
	case STEP_GROUP:
	case STEP_DEPENDS:
		if (e->state[t->top].flags & STATE_REMOVED)
			sim_next_step(e, t);
		else
			sim_schedule(e, t,
			             sim_cost_of(e, WN_COST_WAIT, 1) +
			                 sim_cold_ns(e, &e->has_waited, 1),
			             PHASE_LOOK, WN_SIM_SCHEDULE);
		break;
	case STEP_BARRIER:
		if (t->n_nested > 0 || !t->is_in_region)
			sim_next_step(e, t);
		else
			sim_barrier_arrive(e, t, false);
		break;
	case STEP_LOOP:
		sim_loop_enter(e, t, s->target);
		break;
	case STEP_REGION:
		sim_region_begin(e, t, s->target);
		break;
	case STEP_ACQUIRE:
	case STEP_ORDERED:
		sim_mutex_acquire(e, t, s);
		break;
	default:
		sim_mutex_release(e, t, s);
	}
}

static void
handle(struct engine *e, struct sim_thread *t)
{
	switch ((enum phase)t->phase) {
	case PHASE_STEP:
		do_step(e, t);
		break;
	case PHASE_CREATED:
		sim_task_created(e, t);
		break;
	case PHASE_QUEUED:
		sim_task_queued(e, t);
		break;
	case PHASE_GO_ON:
		sim_next_step(e, t);
		break;
	case PHASE_ENTER:
		sim_enter(e, t, t->target);
		break;
	case PHASE_LOOK:
		if (sim_wait_is_over(e, t))
			sim_wait_leave(e, t);
		else
			sim_wait_find_task(e, t);
		break;
	case PHASE_LOCKED:
		sim_wait_locked(e, t);
		break;
	case PHASE_CHUNK:
		sim_loop_dispatched(e, t);
		break;
	case PHASE_CHUNK_END:
		sim_loop_chunk_end(e, t);
		break;
	case PHASE_ACQUIRED:
		sim_mutex_acquired(e, t);
		break;
	case PHASE_LEAVE:
		sim_barrier_leave(e, t);
		break;
	case PHASE_JOIN:
		sim_region_join(e, t);
		break;
	case PHASE_BEGIN:
		sim_implicit_begin(e, t);
		break;
	}
}

static void
engine_fini(struct engine *e)
{
	WN_FREE_ALL(e->state, e->cutoffs.is_cut, e->fj_open, e->group_first, e->loops, e->mutexes,
	            e->group_links, e->unmet, e->threads, e->heap, e->heap_at);
}

static void
init_grains(struct engine *e)
{
	const struct program *p = e->p;
	for (uint32_t i = 0; i < p->n_grains; i++)
		e->state[i] = (struct grain_state){
		    .first_child = NONE,
		    .below = NONE,
		    .step = p->grains[i].first_step,
		    .thread = NONE,
		};
	if (e->unmet)
		memcpy(e->unmet, p->n_predecessors,
		       ((size_t)p->n_nodes + p->n_gates) * sizeof *e->unmet);
	for (uint32_t i = 0; i < p->n_loops; i++)
		e->loops[i].counter.last_thread = NONE;
	for (uint32_t i = 0; i < p->n_mutexes; i++)
		e->mutexes[i] = (struct sim_mutex){NONE, NONE, NONE, 0, NONE};
}

static void
init_threads(struct engine *e)
{
	e->queue = (struct queue){{0, 0, NONE, NONE}, NONE, NONE, 0};
	for (uint32_t i = 0; i < e->n_threads; i++) {
		e->threads[i] = (struct sim_thread){
		    .top = NONE,
		    .target = NONE,
		    .finished = NONE,
		    .locked = NONE,
		    .victim = NONE,
		    .loop = NONE,
		    .next_waiting = NONE,
		    .lock_parent = NONE,
		    .blocked = BLOCKED_DOCK,
		    .deque = {{0, 0, NONE, NONE}, NONE, NONE, 0},
		};
		heap_put(e, i, (struct event){NEVER, i});
	}
}

static void
init_factors(struct engine *e)
{
	const struct wn_scenario *s = e->scenario;
	e->shorter = 1;
	uint64_t waits = e->p->waits;
	for (size_t i = 0; i < s->n_changes; i++)
		if (s->changes[i].kind == WN_SIM_CHANGE_WAIT_POLICY)
			waits = s->changes[i].amount;
	e->spin_ns = waits == WN_WAIT_PASSIVE  ? 0
	             : waits == WN_WAIT_ACTIVE ? NEVER
	                                       : wn_cost_ns(e->c, WN_COST_SPIN, 1);
	for (unsigned mask = 0; mask < 2u << WN_SIM_CHANGES_MAX; mask++) {
		e->factors[mask] = mask & 1 ? e->cutoffs.share : 1;
		for (size_t i = 0; i < s->n_changes; i++) {
			const struct wn_sim_change *c = &s->changes[i];
			if (c->kind == WN_SIM_CHANGE_FASTER && mask & 2u << i && c->factor > 0)
				e->factors[mask] /= c->factor;
		}
	}
	for (size_t i = 0; i < s->n_changes; i++)
		if (s->changes[i].kind == WN_SIM_CHANGE_SHORTER_LOCK && s->changes[i].factor > 0)
			e->shorter /= s->changes[i].factor;
}

/* What ends after the last thread has, or never: threads that are still blocked. */
static void
sum_up(struct engine *e, struct wn_sim_result *out)
{
	memset(out, 0, sizeof *out);
	for (uint32_t i = 0; i < e->n_threads; i++) {
		struct sim_thread *t = &e->threads[i];
		if (t->blocked && t->blocked_since_ns < e->end_ns)
			t->ns[WN_SIM_SERIAL] += e->end_ns - t->blocked_since_ns;
		for (unsigned k = 0; k < WN_SIM_TIME_N; k++)
			out->ns[k] += t->ns[k];
	}
	out->elapsed_ns = e->end_ns;
	out->work_ns = e->work_ns;
	out->n_tasks = e->n_created;
	out->n_inline = e->n_inline;
	out->n_shared_chunks = e->n_shared_chunks;
	out->n_events = e->n_events;
}

/* Which caches and memory a grain uses is not recorded: bindings are known to change nothing where
 * each CPU has a thread, or one thread has all of them, beside one memory. */
static bool
has_unknown_binding(const struct program *p, const struct wn_scenario *scenario)
{
	uint32_t n_threads = scenario->n_threads ? scenario->n_threads : p->n_threads;
	for (size_t i = 0; i < scenario->n_changes; i++)
		if (scenario->changes[i].kind == WN_SIM_CHANGE_BINDING &&
		    (p->n_memories > 1 || (n_threads > 1 && n_threads != p->machine_cpus)))
			return true;
	return false;
}

const char *
simulation_refuses(const struct program *p, const struct wn_scenario *scenario)
{
	bool is_off = false;
	if (scenario->n_changes > WN_SIM_CHANGES_MAX)
		return "too many changes";
	for (size_t i = 0; i < scenario->n_changes; i++)
		is_off |= scenario->changes[i].kind == WN_SIM_CHANGE_NESTED_OFF;
	if (has_unknown_binding(p, scenario))
		return "which caches and memory threads share with a binding is not recorded, "
		       "unless each "
		       "CPU of one memory has a thread; 'winnow prove' measures it";
	if (simulation_has_endless_loop(p, scenario))
		return "a loop would have too many chunks";
	if (p->has_nested_teams && !is_off)
		return "nested regions with several threads are not modelled";
	return NULL;
}

static wn_status
engine_init(struct engine *e, wn_err *err)
{
	const struct program *p = e->p;
	wn_status st = cutoffs_mark(p, e->scenario, &e->cutoffs, err);
	if (st != WN_OK)
		return st;
	e->state = wn_calloc((size_t)p->n_grains + e->n_threads, sizeof *e->state);
	e->fj_open = wn_calloc((size_t)p->n_fjs + 1, sizeof *e->fj_open);
	if (p->group) {
		e->group_first = wn_calloc_none((size_t)p->n_fjs + 1);
		e->group_links = wn_calloc((size_t)p->n_grains + 1, sizeof *e->group_links);
	}
	if (p->n_predecessors)
		e->unmet = wn_calloc((size_t)p->n_nodes + p->n_gates + 1, sizeof *e->unmet);
	e->loops = wn_calloc((size_t)p->n_loops + 1, sizeof *e->loops);
	e->mutexes = wn_calloc((size_t)p->n_mutexes + 1, sizeof *e->mutexes);
	e->threads = wn_calloc(e->n_threads, sizeof *e->threads);
	e->heap = wn_calloc(e->n_threads, sizeof *e->heap);
	e->heap_at = wn_calloc(e->n_threads, sizeof *e->heap_at);
	bool has_lists = !p->group || (e->group_first && e->group_links);
	if (!e->state || !e->fj_open || !has_lists || !e->loops || !e->mutexes ||
	    (p->n_predecessors && !e->unmet) || !e->threads || !e->heap || !e->heap_at)
		return wn_no_memory(err);
	for (unsigned i = 0; i < WN_COST_N; i++)
		for (uint32_t k = 0; k < COSTS_KNOWN; k++)
			e->costs_ns[i][k] = sim_cost_computed(e, (enum wn_cost)i, k);
	init_grains(e);
	init_threads(e);
	init_factors(e);
	return WN_OK;
}

static wn_status
simulate_once(const struct wn_simulation *s, const struct program *p,
              const struct wn_scenario *scenario, struct wn_sim_result *out, wn_err *err)
{
	struct engine e = {
	    .p = p,
	    .c = scenario->is_as_recorded ? &s->recorded_costs : &s->costs,
	    .scenario = scenario,
	    .n_threads = scenario->n_threads ? scenario->n_threads : p->n_threads,
	    .cost_scale = scenario->cost_scale > 0 ? scenario->cost_scale : 1,
	    .is_omp = s->costs.runtime == WN_RUNTIME_LIBOMP && !scenario->is_greedy,
	    .is_greedy = scenario->is_greedy,
	    .random = (scenario->seed + 1) * 0x9e3779b97f4a7c15u | 1,
	    .region = NONE,
	    .team = 1,
	};
	wn_status st;
	WN_TRY(engine_init(&e, err));
	e.threads[0].blocked = BLOCKED_NOT;
	e.n_blocked[BLOCKED_DOCK] = e.n_threads - 1;
	sim_enter(&e, &e.threads[0], p->initial);
	while (!e.is_over) {
		struct sim_thread *t = &e.threads[e.heap[0].thread];
		if (e.heap[0].at_ns == NEVER)
			WN_TRY(wn_fail(err, WN_E_INVARIANT, WN_NO_OFFSET,
			               "the replay cannot go on: all threads wait after %.3f ms",
			               (double)e.now_ns / 1e6));
		e.now_ns = e.heap[0].at_ns;
		e.n_events++;
		handle(&e, t);
	}
	sum_up(&e, out);
out:
	engine_fini(&e);
	return st;
}

/* A task that is left to another thread may stop the replay: that thread can wait for a mutex that
 * the waiting one holds now. Then the race is open. */
wn_status
simulate_program(const struct wn_simulation *s, const struct program *p,
                 const struct wn_scenario *scenario, struct wn_sim_result *out, wn_err *err)
{
	wn_status st = simulate_once(s, p, scenario, out, err);
	if (st != WN_E_INVARIANT || !scenario->keeps_races)
		return st;
	struct wn_scenario open = *scenario;
	open.keeps_races = false;
	return simulate_once(s, p, &open, out, err);
}

wn_status
wn_simulate(const struct wn_simulation *s, const struct wn_scenario *scenario,
            struct wn_sim_result *out, wn_err *err)
{
	const char *why = simulation_refuses(&s->p, scenario);
	struct program edited;
	if (why)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "%s", why);
	if (!program_needs_edit(scenario))
		return simulate_program(s, &s->p, scenario, out, err);
	wn_status st = program_edit(&s->p, scenario, &edited, err);
	if (st != WN_OK)
		return st;
	st = simulate_program(s, &edited, scenario, out, err);
	program_fini(&edited);
	return st;
}
