/* SPDX-License-Identifier: MIT */
/* loops.c - schedules of worksharing loops. The work of an iteration is that of its recorded chunk
 * by the number of iterations; chunks with tasks, mutexes or regions in them stay as recorded. */
#include "simulate/engine.h"

#include "base/order.h"

#include <math.h>

#define DISPATCHES_MAX (1u << 28) /* of a loop: half a minute */

/* Of the loop in this scenario. */
struct plan {
	uint8_t kind;
	uint64_t chunk;
};

static struct plan
plan_of(const struct wn_scenario *scenario, const struct sim_loop *loop)
{
	struct plan plan = {loop->kind, loop->chunk_size};
	for (size_t i = 0; i < scenario->n_changes; i++) {
		const struct wn_sim_change *c = &scenario->changes[i];
		if (!c->is_at || loop->site == WN_NO_SITE || !c->is_at[loop->site])
			continue;
		if (c->kind == WN_SIM_CHANGE_CHUNK && c->amount > 0)
			plan.chunk = c->amount;
		else if (c->kind == WN_SIM_CHANGE_SCHEDULE)
			plan = (struct plan){(uint8_t)c->amount, c->chunk};
	}
	return plan;
}

bool
simulation_has_endless_loop(const struct program *p, const struct wn_scenario *scenario)
{
	for (uint32_t i = 0; i < p->n_loops; i++) {
		const struct sim_loop *loop = &p->loops[i];
		struct plan plan = plan_of(scenario, loop);
		if (!loop->is_detailed &&
		    loop->trip_count / (plan.chunk ? plan.chunk : 1) > DISPATCHES_MAX &&
		    (plan.chunk || plan.kind == WN_WORK_LOOP_DYNAMIC))
			return true;
	}
	return false;
}

/* Whether a loop with chunks that take longer beside those of another thread is divided anew. */
static bool
is_divided_anew(const struct engine *e, const struct sim_loop *loop, const struct plan *plan,
                uint64_t n)
{
	bool is_same = plan->kind == loop->kind && plan->chunk == loop->chunk_size && n > 1;
	return loop->beside_ns > 0 && !is_same && !e->scenario->is_as_recorded;
}

/* What a chunk of such a loop takes longer now, on average. */
static double
beside_ns(const struct engine *e, const struct sim_loop *loop, const struct plan *plan, uint64_t n)
{
	double share = loop->beside_share;
	if (plan->kind == WN_WORK_LOOP_STATIC)
		share = plan->chunk > 0;
	return n > 1 ? share * e->cost_scale * loop->beside_ns : 0;
}

/* Work of the iterations before this one, as recorded with what recording added. */
static double
work_before(const struct engine *e, const struct sim_loop *loop, bool is_divided,
            uint64_t iteration)
{
	const struct sim_chunk *chunks = e->p->chunks + loop->first_chunk;
	WN_FIRST_NOT(low, loop->n_chunks, i, chunks[i].first <= iteration);
	if (low == 0)
		return 0;
	const struct sim_chunk *c = &chunks[low - 1];
	uint64_t done = iteration - c->first;
	if (done > c->iterations)
		done = c->iterations;
	double share = (double)done / (double)c->iterations;
	double ns = (double)c->before_ns + (double)c->work_ns * share;
	if (e->scenario->is_as_recorded)
		ns += (double)c->before_extra_ns + (double)c->extra_ns * share;
	if (is_divided) {
		uint32_t n_before = low > 1 ? c[-1].n_beside : 0;
		ns -=
		    e->cost_scale * loop->beside_ns * (n_before + (c->n_beside - n_before) * share);
	}
	return ns;
}

static uint64_t
work_of(const struct engine *e, const struct sim_loop *loop, const struct plan *plan, uint64_t n,
        uint64_t from, uint64_t to)
{
	bool is_divided = is_divided_anew(e, loop, plan, n);
	double ns = work_before(e, loop, is_divided, to) - work_before(e, loop, is_divided, from);
	if (is_divided)
		ns = fmax(0, ns) + beside_ns(e, loop, plan, n);
	double factor = sim_growth_of(e, loop->site);
	for (size_t i = 0; i < e->scenario->n_changes; i++) {
		const struct wn_sim_change *c = &e->scenario->changes[i];
		if (c->kind == WN_SIM_CHANGE_FASTER && loop->site != WN_NO_SITE &&
		    c->is_at[loop->site] && c->factor > 0)
			factor /= c->factor;
	}
	return (uint64_t)(ns * factor + 0.5);
}

static uint32_t
team_of(const struct engine *e, const struct sim_thread *t)
{
	return t->n_nested > 0 || !t->is_in_region ? 1 : e->team;
}

/* A static loop's share of a thread: [from, to). */
static void
static_share(uint64_t trip, uint64_t n, uint64_t i, uint64_t *from, uint64_t *to)
{
	uint64_t each = trip / n, more = trip % n;
	*from = i * each + (i < more ? i : more);
	*to = *from + each + (i < more);
}

static uint64_t
static_owner(uint64_t trip, uint64_t n, uint64_t chunk, uint64_t iteration)
{
	if (chunk > 0)
		return iteration / chunk % n;
	uint64_t each = trip / n, more = trip % n;
	if (iteration < (each + 1) * more)
		return iteration / (each + 1);
	return each ? more + (iteration - (each + 1) * more) / each : n - 1;
}

static bool
is_static(const struct engine *e, const struct sim_thread *t, const struct plan *plan)
{
	/* libomp gives a team of one the whole loop at once */
	if (e->is_omp && team_of(e, t) == 1 && plan->kind != WN_WORK_SECTIONS)
		return true;
	return plan->kind == WN_WORK_LOOP_STATIC || plan->kind == WN_WORK_DISTRIBUTE ||
	       (plan->kind == WN_WORK_LOOP_OTHER && !e->is_omp);
}

/* clang's default for dynamic loops: ranges of chunks per thread, and stealing. */
static bool
is_stealing(const struct engine *e, const struct sim_thread *t, const struct sim_loop *loop,
            const struct plan *plan)
{
	uint64_t chunk = plan->chunk ? plan->chunk : 1, n = team_of(e, t);
	return e->is_omp && plan->kind == WN_WORK_LOOP_DYNAMIC && !loop->is_ordered &&
	       !loop->is_detailed && n > 1 && (loop->trip_count + chunk - 1) / chunk >= n;
}

static void
request(struct engine *e, struct sim_thread *t)
{
	const struct sim_loop *loop = &e->p->loops[t->loop];
	struct plan plan = plan_of(e->scenario, loop);
	t->is_counter = false;
	if (is_static(e, t, &plan)) {
		sim_schedule(e, t, 0, PHASE_CHUNK, WN_SIM_SCHEDULE);
	} else if (is_stealing(e, t, loop, &plan)) {
		sim_schedule(e, t, sim_cost_of(e, WN_COST_OWN_CHUNK, team_of(e, t)), PHASE_CHUNK,
		             WN_SIM_SCHEDULE);
	} else {
		t->is_counter = true;
		sim_serve(e, t, &e->loops[t->loop].counter, WN_COST_CHUNK, PHASE_CHUNK,
		          WN_SIM_SCHEDULE);
	}
}

void
sim_loop_enter(struct engine *e, struct sim_thread *t, uint32_t loop)
{
	const struct sim_loop *l = &e->p->loops[loop];
	struct plan plan = plan_of(e->scenario, l);
	uint64_t chunk = plan.chunk ? plan.chunk : 1;
	t->loop = loop;
	t->share = t->share_end = 0;
	if (is_stealing(e, t, l, &plan))
		static_share((l->trip_count + chunk - 1) / chunk, e->team, sim_thread_index(e, t),
		             &t->share, &t->share_end);
	request(e, t);
}

/* libgomp: the rest by threads; libomp: half of that, or plain dynamic. At least a chunk. */
static uint64_t
guided_size(const struct engine *e, uint64_t trip, uint64_t rest, uint64_t chunk, uint64_t n)
{
	uint64_t size;
	if (!e->is_omp)
		size = (rest + n - 1) / n;
	else if ((2 * chunk + 1) * n >= trip || rest < 2 * n * (chunk + 1))
		size = chunk;
	else
		size = (uint64_t)((double)rest * 0.5 / (double)n);
	return size > chunk ? size : chunk;
}

/* Takes chunks from the head of its own range, then from the tails of others'. */
static bool
take_stealing(struct engine *e, struct sim_thread *t)
{
	uint32_t self = sim_thread_index(e, t);
	for (uint32_t i = 1; t->share >= t->share_end && i < e->team; i++) {
		struct sim_thread *victim = &e->threads[(self + i) % e->team];
		if (victim->loop != t->loop || victim->share >= victim->share_end)
			continue;
		uint64_t rest = victim->share_end - victim->share;
		uint64_t n = rest > 7 ? rest / 4 : 1;
		victim->share_end -= n;
		t->share = victim->share_end;
		t->share_end = t->share + n;
	}
	if (t->share >= t->share_end)
		return false;
	t->chunk = t->share++;
	return true;
}

/* The next chunk of a loop whose chunks stay as recorded: an index in t->chunk. */
static bool
take_detailed(struct engine *e, struct sim_thread *t, const struct sim_loop *loop,
              const struct plan *plan)
{
	const struct sim_chunk *chunks = e->p->chunks + loop->first_chunk;
	uint64_t n = team_of(e, t), self = n > 1 ? sim_thread_index(e, t) : 0;
	if (!is_static(e, t, plan)) {
		t->chunk = e->loops[t->loop].next++;
		return t->chunk < loop->n_chunks;
	}
	while (t->share < loop->n_chunks &&
	       static_owner(loop->trip_count, n, plan->chunk, chunks[t->share].first) != self)
		t->share++;
	t->chunk = t->share++;
	return t->chunk < loop->n_chunks;
}

/* Work of all chunks of a static loop's share. */
static uint64_t
static_work(struct engine *e, struct sim_thread *t, const struct sim_loop *loop,
            const struct plan *plan)
{
	uint64_t n = team_of(e, t), self = n > 1 ? sim_thread_index(e, t) : 0, sum_ns = 0;
	if (plan->chunk == 0 || n == 1) {
		uint64_t from, to;
		static_share(loop->trip_count, n, self, &from, &to);
		return work_of(e, loop, plan, n, from, to);
	}
	for (uint64_t from = self * plan->chunk; from < loop->trip_count; from += n * plan->chunk)
		sum_ns += work_of(e, loop, plan, n, from, from + plan->chunk);
	return sum_ns;
}

/* Takes the next chunk: its work. False: there is none. */
static bool
take(struct engine *e, struct sim_thread *t, const struct sim_loop *loop, const struct plan *plan,
     uint64_t *work_ns)
{
	struct loop_state *state = &e->loops[t->loop];
	uint64_t chunk = plan->chunk ? plan->chunk : 1, n = team_of(e, t);
	if (is_static(e, t, plan)) {
		if (t->share++ > 0)
			return false;
		*work_ns = static_work(e, t, loop, plan);
		return true;
	}
	if (is_stealing(e, t, loop, plan)) {
		if (!take_stealing(e, t))
			return false;
		*work_ns = work_of(e, loop, plan, n, t->chunk * chunk, (t->chunk + 1) * chunk);
		return true;
	}
	if (state->next >= loop->trip_count)
		return false;
	uint64_t size = chunk, rest = loop->trip_count - state->next;
	if (plan->kind == WN_WORK_LOOP_GUIDED || plan->kind == WN_WORK_LOOP_OTHER)
		size = guided_size(e, loop->trip_count, rest, chunk, n);
	if (size > rest)
		size = rest;
	*work_ns = work_of(e, loop, plan, n, state->next, state->next + size);
	state->next += size;
	return true;
}

/* The loop is the last one whose chunks begin at this one or before. */
void
sim_loop_resume(const struct engine *e, struct sim_thread *t, uint32_t chunk)
{
	uint32_t index = e->p->grains[chunk].fj;
	WN_FIRST_NOT(after, e->p->n_loops, i, e->p->loops[i].first_chunk <= index);
	t->loop = after > 0 ? (uint32_t)after - 1 : 0;
	t->chunk = index - e->p->loops[t->loop].first_chunk;
	t->share = t->chunk + 1; /* of a static loop: the next one to be looked at */
}

void
sim_loop_dispatched(struct engine *e, struct sim_thread *t)
{
	const struct sim_loop *loop = &e->p->loops[t->loop];
	struct plan plan = plan_of(e->scenario, loop);
	uint64_t work_ns = 0;
	if (t->is_counter)
		e->loops[t->loop].counter.n--;
	if (loop->is_detailed) {
		if (take_detailed(e, t, loop, &plan))
			sim_enter(e, t, e->p->chunks[loop->first_chunk + t->chunk].grain);
		else
			sim_next_step(e, t);
	} else if (take(e, t, loop, &plan, &work_ns)) {
		e->n_shared_chunks += t->is_counter && team_of(e, t) > 1;
		e->work_ns += work_ns;
		sim_schedule(e, t, work_ns, PHASE_CHUNK_END, WN_SIM_WORK);
	} else {
		sim_next_step(e, t);
	}
}

void
sim_loop_chunk_end(struct engine *e, struct sim_thread *t)
{
	if (e->p->loops[t->loop].is_ordered)
		sim_ordered_next(e, t->loop);
	request(e, t);
}
