/* SPDX-License-Identifier: MIT */
/*
 * test_simulate.c - the simulator on small programs whose times are computed by hand, on random
 * ones whose laws hold, and against an obvious list scheduler; and the compact form of a made-up
 * run.
 */
#include "base/mem.h"
#include "report/prediction.h"
#include "simulate/program.h"
#include "simulate/search.h"
#include "tests/report/fake_trace.h"
#include "tests/tap.h"
#include "trace/trace_calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GRAINS_MAX = 4096, INITIAL = 0, IMPLICIT = 1 };

static struct wn_simulation s;
static struct wn_sim_result r;
static wn_err err;

/* ---- programs ---- */

static void
fresh(enum wn_runtime_kind runtime)
{
	program_fini(&s.p);
	memset(&s, 0, sizeof s);
	s.costs.runtime = runtime;
	s.costs.spin_ns = UINT64_C(1) << 40;
	s.p.grains = wn_calloc(GRAINS_MAX, sizeof *s.p.grains);
	s.p.parent = s.p.own_parent = wn_calloc(GRAINS_MAX, sizeof *s.p.own_parent);
	s.p.site = s.p.own_site = wn_calloc(GRAINS_MAX, sizeof *s.p.own_site);
	s.p.fj_owner = wn_calloc(GRAINS_MAX, sizeof *s.p.fj_owner);
	s.p.loops = wn_calloc(4, sizeof *s.p.loops);
	s.p.chunks = wn_calloc(64, sizeof *s.p.chunks);
	s.p.regions = wn_calloc(1, sizeof *s.p.regions);
	s.p.implicit = wn_calloc(8, sizeof *s.p.implicit);
	s.p.n_regions = 1;
	s.p.n_threads = 1;
	s.p.n_sites = 4;
}

static void
add(uint8_t kind, uint64_t work_ns, uint32_t target)
{
	(void)program_add_step(&s.p, kind, work_ns, target, &err);
}

/* The next grain: its steps follow. */
static uint32_t
grain(uint8_t kind, uint32_t parent, uint32_t fj)
{
	uint32_t id = s.p.n_grains++;
	uint16_t level = parent == NONE ? 0 : s.p.grains[parent].level;
	s.p.own_parent[id] = parent;
	s.p.own_site[id] = id % 4;
	s.p.grains[id] = (struct sim_grain){.first_step = (uint32_t)s.p.n_steps,
	                                    .fj = fj,
	                                    .level = (uint16_t)(level + (kind == WN_GRAIN_TASK)),
	                                    .kind = kind};
	return id;
}

/* A program of one region with n implicit tasks; the steps of the first one follow. */
static void
region(uint32_t n_implicit)
{
	s.p.initial = grain(WN_GRAIN_INITIAL, NONE, WN_NO_FJ);
	add(STEP_REGION, 0, 0);
	add(STEP_END, 0, 0);
	s.p.regions[0] =
	    (struct sim_region){.n_implicit = n_implicit, .team_size = 1, .is_scaled = true};
	s.p.n_implicit = n_implicit;
	for (uint32_t i = 0; i < n_implicit; i++)
		s.p.implicit[i] = IMPLICIT + i;
	grain(WN_GRAIN_IMPLICIT, INITIAL, WN_NO_FJ);
}

static uint64_t
run(uint32_t n_threads, const struct wn_sim_change *change)
{
	struct wn_scenario scenario = {
	    .n_threads = n_threads, .changes = change, .n_changes = change != NULL};
	memset(&r, 0, sizeof r);
	return wn_simulate(&s, &scenario, &r, &err) == WN_OK ? r.elapsed_ns : 0;
}

/* On two threads. */
static double
mean_of_seeds(uint64_t *least_ns, uint64_t *most_ns)
{
	double sum_ns = 0;
	for (uint64_t seed = 0; seed < 100; seed++) {
		struct wn_scenario scenario = {.n_threads = 2, .seed = seed};
		if (wn_simulate(&s, &scenario, &r, &err) != WN_OK)
			return 0;
		sum_ns += (double)r.elapsed_ns;
		*least_ns = r.elapsed_ns < *least_ns ? r.elapsed_ns : *least_ns;
		*most_ns = r.elapsed_ns > *most_ns ? r.elapsed_ns : *most_ns;
	}
	return sum_ns / 100;
}

static void
cost(enum wn_cost which, uint32_t ns)
{
	for (unsigned k = 0; k < WN_COST_POINTS; k++)
		s.costs.ps[which][k] = ns * 1000;
}

/* An implicit task that creates n tasks of 100 ns and waits for them. */
static void
flat(enum wn_runtime_kind runtime, uint32_t n, uint8_t wait)
{
	fresh(runtime);
	region(1);
	s.p.n_fjs = 1;
	s.p.fj_owner[0] = IMPLICIT;
	for (uint32_t i = 0; i < n; i++)
		add(STEP_CREATE, 0, IMPLICIT + 1 + i);
	if (wait)
		add(wait, 0, 0);
	add(STEP_END, 0, 0);
	for (uint32_t i = 0; i < n; i++) {
		grain(WN_GRAIN_TASK, IMPLICIT, 0);
		add(STEP_END, 100, 0);
	}
}

/* ---- cases ---- */

static void
test_tasks(void)
{
	flat(WN_RUNTIME_LIBGOMP, 2, STEP_WAIT);
	ok(run(1, NULL) == 200, "two tasks of 100 ns take 200 ns on one thread");
	ok(run(2, NULL) == 100, "and 100 ns on two, one each");
	ok(run(3, NULL) == 100 && r.ns[WN_SIM_WORK] == 200, "a third thread finds no task");
	cost(WN_COST_CREATE, 10);
	ok(run(1, NULL) == 220 && r.ns[WN_SIM_CREATION] == 20, "creations take their time");
	flat(WN_RUNTIME_LIBOMP, 2, STEP_WAIT);
	ok(run(2, NULL) == 100, "libomp: the other thread takes the oldest task");
	ok(run(1, NULL) == 200 && r.n_inline == 2, "libomp: on one thread no task is queued");
}

/* A task that creates two and waits for them, while its creator waits for it. */
static void
test_taskwait(void)
{
	for (int runtime = WN_RUNTIME_LIBGOMP; runtime <= WN_RUNTIME_LIBOMP; runtime++) {
		fresh((enum wn_runtime_kind)runtime);
		region(1);
		s.p.n_fjs = 2;
		s.p.fj_owner[0] = IMPLICIT;
		s.p.fj_owner[1] = IMPLICIT + 1;
		add(STEP_CREATE, 0, IMPLICIT + 1);
		add(STEP_WAIT, 50, 0);
		add(STEP_END, 0, 0);
		grain(WN_GRAIN_TASK, IMPLICIT, 0);
		add(STEP_CREATE, 0, IMPLICIT + 2);
		add(STEP_CREATE, 0, IMPLICIT + 3);
		add(STEP_WAIT, 0, 1);
		add(STEP_END, 0, 0);
		for (uint32_t i = 0; i < 2; i++) {
			grain(WN_GRAIN_TASK, IMPLICIT + 1, 1);
			add(STEP_END, 100, 0);
		}
		uint64_t ns = run(2, NULL);
		if (runtime == WN_RUNTIME_LIBGOMP)
			ok(ns == 200 && r.ns[WN_SIM_IDLE_READY] == 50 && r.ns[WN_SIM_IDLE] == 100,
			   "libgomp: a taskwait takes no grandchild, though one is ready");
		else
			ok(ns == 150 && r.ns[WN_SIM_IDLE_READY] == 0,
			   "libomp: it takes descendants");
	}
}

/* A task that may only run after the one before. */
static void
test_chain(void)
{
	flat(WN_RUNTIME_LIBGOMP, 4, STEP_WAIT);
	s.p.n_nodes = s.p.n_grains;
	s.p.n_predecessors = wn_calloc(8, sizeof(uint32_t));
	s.p.first_successor = wn_calloc(9, sizeof(uint32_t));
	s.p.successors = wn_calloc(8, sizeof(uint32_t));
	for (uint32_t i = 0; i < 3; i++) {
		s.p.successors[i] = IMPLICIT + 2 + i;
		s.p.n_predecessors[IMPLICIT + 2 + i] = 1;
	}
	for (uint32_t i = 0; i < 9; i++)
		s.p.first_successor[i] = i <= IMPLICIT + 1      ? 0
		                         : i - IMPLICIT - 1 < 3 ? i - IMPLICIT - 1
		                                                : 3;
	ok(run(1, NULL) == 400 && run(4, NULL) == 400, "a chain of dependences takes the sum");
	s.costs.runtime = WN_RUNTIME_LIBOMP;
	ok(run(4, NULL) == 400, "also with libomp");
}

static void
test_limits(void)
{
	flat(WN_RUNTIME_LIBGOMP, 100, STEP_WAIT);
	run(1, NULL);
	ok(r.n_tasks == 100 && r.n_inline == 35,
	   "libgomp: 65 tasks are queued on one thread, 35 run in their creation");
	fresh(WN_RUNTIME_LIBGOMP);
	for (uint32_t n = 128; n <= 129; n++) {
		fresh(WN_RUNTIME_LIBGOMP);
		region(1);
		s.p.n_fjs = 1;
		s.p.fj_owner[0] = IMPLICIT;
		add(STEP_LOOPED, 0, n);
		for (uint32_t i = 0; i < n; i++)
			add(STEP_CREATE, 0, IMPLICIT + 1 + i);
		add(STEP_WAIT, 0, 0);
		add(STEP_END, 0, 0);
		for (uint32_t i = 0; i < n; i++) {
			grain(WN_GRAIN_TASKLOOP, IMPLICIT, 0);
			add(STEP_END, 100, 0);
		}
		uint64_t ns = run(2, NULL);
		if (n == 128)
			ok(r.n_inline == 0 && ns == 6400,
			   "libgomp: 128 tasks of a taskloop are shared");
		else
			ok(r.n_inline == 129 && ns == 12900,
			   "libgomp: of 129, all run in the call");
	}
	/* the other thread works for longer than the tasks take */
	fresh(WN_RUNTIME_LIBOMP);
	region(2);
	s.p.n_fjs = 1;
	s.p.fj_owner[0] = IMPLICIT;
	for (uint32_t i = 0; i < 300; i++)
		add(STEP_CREATE, 0, IMPLICIT + 2 + i);
	add(STEP_WAIT, 0, 0);
	add(STEP_END, 0, 0);
	grain(WN_GRAIN_IMPLICIT, INITIAL, WN_NO_FJ);
	add(STEP_END, 1000000, 0);
	for (uint32_t i = 0; i < 300; i++) {
		grain(WN_GRAIN_TASK, IMPLICIT, 0);
		add(STEP_END, 100, 0);
	}
	ok(run(2, NULL) == 1000000 && r.n_inline == 44,
	   "libomp: a queue has 256 tasks, the other 44 run in their creation");
}

static void
test_lock(void)
{
	flat(WN_RUNTIME_LIBGOMP, 10, STEP_WAIT);
	cost(WN_COST_LOCK, 10);
	cost(WN_COST_FAR, 10);
	/* a hold for each insertion, for the first look, and for each end with the next look */
	ok(run(1, NULL) == 1000 + 10 * (10 + 1 + 10) && r.ns[WN_SIM_RUNTIME] == 210,
	   "the lock of the queue is held once per insertion and once per end");
	/* two threads that do nothing but use the lock */
	fresh(WN_RUNTIME_LIBGOMP);
	region(2);
	s.p.n_fjs = 2;
	for (uint32_t t = 0; t < 2; t++) {
		s.p.fj_owner[t] = IMPLICIT + t;
		if (t > 0)
			grain(WN_GRAIN_IMPLICIT, INITIAL, WN_NO_FJ);
		for (uint32_t i = 0; i < 10; i++)
			add(STEP_CREATE, 0, IMPLICIT + 2 + 10 * t + i);
		add(STEP_WAIT, 0, t);
		add(STEP_END, 0, 0);
	}
	for (uint32_t i = 0; i < 20; i++) {
		grain(WN_GRAIN_TASK, IMPLICIT + i / 10, i / 10);
		add(STEP_END, 0, 0);
	}
	cost(WN_COST_LOCK, 10);
	cost(WN_COST_FAR, 10);
	uint64_t least_ns = UINT64_MAX, most_ns = 0;
	ok(fabs(mean_of_seeds(&least_ns, &most_ns) - 420) < 10,
	   "two threads wait for the lock: 42 holds one after another");
	ok(least_ns < most_ns && least_ns > 320 && most_ns < 520,
	   "whose times vary: threads do not keep in step for a whole run");
	/* by turns: each inserts a task, and later takes it and ends it */
	fresh(WN_RUNTIME_LIBGOMP);
	region(2);
	s.p.n_fjs = 2;
	for (uint32_t t = 0; t < 2; t++) {
		s.p.fj_owner[t] = IMPLICIT + t;
		if (t > 0)
			grain(WN_GRAIN_IMPLICIT, INITIAL, WN_NO_FJ);
		add(STEP_CREATE, 500 * t, IMPLICIT + 2 + t);
		add(STEP_WAIT, 1000, t);
		add(STEP_END, 5000, 0);
	}
	for (uint32_t t = 0; t < 2; t++) {
		grain(WN_GRAIN_TASK, IMPLICIT + t, t);
		add(STEP_END, 0, 0);
	}
	cost(WN_COST_LOCK, 10);
	cost(WN_COST_FAR, 20);
	cost(WN_COST_FAR_PICK, 50);
	ok(fabs(mean_of_seeds(&least_ns, &most_ns) - (500 + 20 + 1000 + 50 + 10 + 5000)) < 5,
	   "a lock that another thread held is farther, most if a task is taken");
}

/* A task that creates two of 1 us and waits for them, as the only one of an implicit task that
 * waits for it, beside a thread in the barrier. */
static void
make_race(uint8_t flags)
{
	fresh(WN_RUNTIME_LIBGOMP);
	region(2);
	s.p.n_fjs = 2;
	s.p.fj_owner[0] = IMPLICIT;
	s.p.fj_owner[1] = IMPLICIT + 2;
	add(STEP_CREATE, 0, IMPLICIT + 2);
	add(STEP_WAIT, 0, 0);
	add(STEP_END, 0, 0);
	grain(WN_GRAIN_IMPLICIT, INITIAL, WN_NO_FJ);
	add(STEP_END, 0, 0);
	s.p.grains[grain(WN_GRAIN_TASK, IMPLICIT, 0)].flags = flags;
	add(STEP_CREATE, 0, IMPLICIT + 3);
	add(STEP_CREATE, 0, IMPLICIT + 4);
	add(STEP_WAIT, 0, 1);
	add(STEP_END, 0, 0);
	for (uint32_t i = 0; i < 2; i++) {
		grain(WN_GRAIN_TASK, IMPLICIT + 2, 1);
		add(STEP_END, 1000, 0);
	}
}

static uint64_t
race(uint8_t flags, struct wn_scenario scenario)
{
	make_race(flags);
	scenario.n_threads = 2;
	return wn_simulate(&s, &scenario, &r, &err) == WN_OK ? r.elapsed_ns : 0;
}

/* In how many of 32 simulations the new thread takes the only task. */
static unsigned
n_taken(uint32_t start_ns)
{
	unsigned n = 0;
	make_race(0);
	cost(WN_COST_START, start_ns);
	cost(WN_COST_LOCK, 10);
	cost(WN_COST_WAKE_CALL, 40);
	for (uint64_t seed = 0; seed < 32; seed++) {
		const struct wn_scenario at = {.n_threads = 2, .seed = seed};
		n += wn_simulate(&s, &at, &r, &err) == WN_OK && r.elapsed_ns >= 2000;
	}
	return n;
}

static void
test_race(void)
{
	const struct wn_scenario recorded = {.is_as_recorded = true}, kept = {.keeps_races = true};
	const struct wn_scenario open = {.seed = 0};
	ok(race(SIM_KEPT, recorded) == 1000 && race(SIM_KEPT, kept) == 1000,
	   "the replay of a run: the thread that began its task has the other one's help");
	ok(race(SIM_TAKEN, recorded) == 2000 && race(SIM_TAKEN, kept) == 2000,
	   "or waits for it, and takes no other task");
	ok(race(SIM_KEPT, open) > 0 && race(SIM_KEPT, open) == race(SIM_TAKEN, open),
	   "in predictions it is open");
	ok(n_taken(1) == 32, "libgomp: a new thread that begins with the others takes the task");
	unsigned n = n_taken(50);
	ok(n > 4 && n < 28, "it may not, if it begins later: %u of 32", n);
	struct wn_prediction p;
	const struct wn_scenario two = {.n_threads = 2};
	ok(wn_predict(&s, NULL, &two, &p, &err) == WN_OK && p.is_race && p.open &&
	       p.fast_ns < 1500 && p.slow_ns >= 2000 && p.low_ns <= p.fast_ns &&
	       p.slow_ns <= p.high_ns,
	   "then both outcomes are predicted, and no single time");
	n_taken(1);
	ok(wn_predict(&s, NULL, &two, &p, &err) == WN_OK && !p.is_race && !p.open && p.ns >= 2000,
	   "a thread that always takes it makes no race");
	cost(WN_COST_COLD, 5000);
	ok(wn_predict(&s, NULL, &two, &p, &err) == WN_OK && p.low_ns < 2000 + 5000 &&
	       p.high_ns > 2000 + 5000,
	   "the first creation and wait take longer");
}

static void
test_barrier(void)
{
	fresh(WN_RUNTIME_LIBGOMP);
	region(2);
	add(STEP_BARRIER, 100, 0);
	add(STEP_END, 50, 0);
	grain(WN_GRAIN_IMPLICIT, INITIAL, WN_NO_FJ);
	add(STEP_BARRIER, 50, 0);
	add(STEP_END, 100, 0);
	cost(WN_COST_BARRIER, 7);
	cost(WN_COST_JOIN, 5);
	ok(run(2, NULL) == 100 + 7 + 100 + 5, "a barrier waits for the last thread");
	ok(r.ns[WN_SIM_IDLE] == 100, "and the other one is idle");
	/* one thread executes both implicit tasks, from barrier to barrier */
	ok(run(1, NULL) == 300 + 7 + 5, "fewer threads carry the implicit tasks of the others");
	ok(run(3, NULL) == 100 + 7 + 100 + 5, "more threads only take part in barriers");
}

static void
loop(enum wn_runtime_kind runtime, uint8_t kind, uint32_t n_chunks, uint64_t work_ns,
     uint64_t chunk)
{
	fresh(runtime);
	region(1);
	s.p.n_loops = 1;
	add(STEP_LOOP, 0, 0);
	add(STEP_END, 0, 0);
	s.p.loops[0] = (struct sim_loop){.n_chunks = n_chunks,
	                                 .site = 1,
	                                 .kind = kind,
	                                 .trip_count = 10 * (uint64_t)n_chunks,
	                                 .chunk_size = chunk};
	for (uint32_t i = 0; i < n_chunks; i++) {
		s.p.chunks[i] = (struct sim_chunk){.first = 10 * (uint64_t)i,
		                                   .iterations = 10,
		                                   .work_ns = work_ns,
		                                   .before_ns = i * work_ns};
		s.p.chunks[i].grain = grain(WN_GRAIN_CHUNK, IMPLICIT, WN_NO_FJ);
		add(STEP_END, work_ns, 0);
	}
	s.p.n_chunks = n_chunks;
}

static void
test_loops(void)
{
	loop(WN_RUNTIME_LIBGOMP, WN_WORK_LOOP_DYNAMIC, 5, 100, 10);
	ok(run(1, NULL) == 500 && run(2, NULL) == 300 && run(5, NULL) == 100,
	   "five chunks on one, two and five threads");
	cost(WN_COST_CHUNK, 10);
	ok(run(1, NULL) == 560, "each request takes its time, also the last one");
	loop(WN_RUNTIME_LIBGOMP, WN_WORK_LOOP_STATIC, 5, 100, 0);
	ok(run(2, NULL) == 250, "a static loop is divided by iterations, not recorded chunks");
	loop(WN_RUNTIME_LIBGOMP, WN_WORK_LOOP_STATIC, 5, 100, 20);
	ok(run(2, NULL) == 300, "static,20: three of five");
	loop(WN_RUNTIME_LIBGOMP, WN_WORK_LOOP_GUIDED, 10, 100, 1);
	/* 50, then 25, 13, 6, 3, 2, 1 of 100 iterations of 10 ns */
	ok(run(2, NULL) == 500, "guided: half, and the rest in ever smaller chunks");
	loop(WN_RUNTIME_LIBOMP, WN_WORK_LOOP_DYNAMIC, 8, 100, 10);
	ok(run(2, NULL) == 400 && run(8, NULL) == 100, "libomp: chunks are stolen");
	uint8_t is_at[4] = {0, 1, 0, 0};
	struct wn_sim_change coarse = {
	    .kind = WN_SIM_CHANGE_CHUNK, .is_at = is_at, .amount = 80, .factor = 1};
	ok(run(2, &coarse) == 800, "with one chunk for all iterations, one thread works");
	struct wn_sim_change static_loop = {.kind = WN_SIM_CHANGE_SCHEDULE,
	                                    .is_at = is_at,
	                                    .amount = WN_WORK_LOOP_STATIC,
	                                    .factor = 1};
	ok(run(2, &static_loop) == 400, "with another schedule");
	/* steps of its own: a chunk with a mutex */
	loop(WN_RUNTIME_LIBGOMP, WN_WORK_LOOP_DYNAMIC, 4, 100, 10);
	s.p.loops[0].is_detailed = true;
	ok(run(2, NULL) == 200 && run(3, NULL) == 200, "chunks that stay whole");
	const struct wn_scenario two = {.n_threads = 2};
	ok(simulation_refuses(&s.p, &two) == NULL, "they may be of any number of iterations");
	s.p.loops[0].trip_count = UINT64_C(1) << 62;
	ok(simulation_refuses(&s.p, &two) == NULL, "also of one that would have too many chunks");
	s.p.loops[0].is_detailed = false;
	ok(simulation_refuses(&s.p, &two) != NULL,
	   "a loop of more chunks than can be simulated is refused");
}

/* What a finding of an uneven static loop asks: dynamic, with the best size of chunks. */
static void
test_search_of_chunks(void)
{
	static const uint8_t is_at[4] = {0, 1, 0, 0};
	static struct wn_search found;
	const struct wn_sim_change changes[] = {
	    {.kind = WN_SIM_CHANGE_SCHEDULE,
	     .is_at = is_at,
	     .amount = WN_WORK_LOOP_DYNAMIC,
	     .factor = 1},
	    {.kind = WN_SIM_CHANGE_CHUNK, .is_at = is_at, .factor = 1}};
	const struct wn_scenario scenario = {.n_threads = 2, .changes = changes, .n_changes = 2};
	loop(WN_RUNTIME_LIBGOMP, WN_WORK_LOOP_STATIC, 5, 100, 20);
	cost(WN_COST_CHUNK, 100);
	ok(wn_search_brief(&s, &scenario, &found, &err) == WN_OK && found.n == 5 &&
	       found.values[0].value == 1 && found.values[4].value == 16,
	   "chunks of 1 to 16 of 50 iterations");
	ok(found.without.ns == run(2, NULL) && found.values[0].ns > 2500,
	   "the run without changes is that of the static loop, not of dynamic chunks of one");
	const uint64_t many = UINT64_C(1) << 28;
	for (unsigned i = 0; i < 5; i++) {
		s.p.chunks[i].first = i * many;
		s.p.chunks[i].iterations = many;
	}
	s.p.loops[0].trip_count = 5 * many;
	ok(wn_search_brief(&s, &scenario, &found, &err) == WN_OK && found.n > 5 &&
	       5 * many / found.values[0].value <= 1u << 19 &&
	       5 * many / found.values[0].value > 1u << 18,
	   "of a loop of a billion iterations, only chunks that are not too many are simulated");
	ok(wn_search(&s, NULL, &scenario, &found, &err) == WN_E_ARG,
	   "and a run with too many chunks without the searched change is refused");
}

/* Threads take turns after two chunks; those after one of the other thread take longer. */
static void
neighbours(uint64_t more_ns, uint64_t spread_ns, uint32_t thread[GRAINS_MAX])
{
	uint64_t before_ns = 0, state = 1;
	loop(WN_RUNTIME_LIBGOMP, WN_WORK_LOOP_DYNAMIC, 64, 100, 10);
	for (uint32_t i = 0; i < 64; i++) {
		struct sim_chunk *c = &s.p.chunks[i];
		state = state * 6364136223846793005u + 1442695040888963407u;
		thread[c->grain] = i / 2 % 2;
		c->work_ns += (i % 2 == 0 && i > 0 ? more_ns : 0);
		c->work_ns += spread_ns ? (state >> 33) % spread_ns : 0;
		c->before_ns = before_ns;
		before_ns += c->work_ns;
	}
	s.p.n_threads = 2;
}

static void
test_neighbours(void)
{
	static uint32_t thread[GRAINS_MAX];
	uint8_t is_at[4] = {0, 1, 0, 0};
	struct wn_sim_change coarse = {
	    .kind = WN_SIM_CHANGE_CHUNK, .is_at = is_at, .amount = 320, .factor = 1};
	neighbours(60, 0, thread);
	uint64_t alike_ns = run(2, NULL);
	ok(program_compare_neighbours(&s.p, thread, &err) == WN_OK &&
	       fabs(s.p.loops[0].beside_ns - 60) < 1e-6,
	   "chunks take 60 ns longer after one of another thread");
	ok(s.p.chunks[63].n_beside == 31, "which half of them are");
	ok(run(2, NULL) == alike_ns, "the loop as it is takes as long as recorded");
	/* 32 chunks of 100 each, and one in two of these larger ones beside the other thread */
	uint64_t coarse_ns = run(2, &coarse);
	ok(coarse_ns >= 3200 && coarse_ns <= 3200 + 60, "larger chunks have fewer neighbours");
	ok(run(1, NULL) == 6400, "one thread has none");
	struct wn_sim_change by_turns = {.kind = WN_SIM_CHANGE_SCHEDULE,
	                                 .is_at = is_at,
	                                 .amount = WN_WORK_LOOP_STATIC,
	                                 .chunk = 10,
	                                 .factor = 1};
	uint64_t turns_ns = run(2, &by_turns);
	ok(turns_ns == 32 * 160, "where threads take turns, all chunks have");
	struct wn_scenario two = {.n_threads = 2};
	struct wn_prediction near = {.ns = 0}, far = {.ns = 0};
	s.p.n_threads = 1;
	ok(wn_predict(&s, NULL, &two, &near, &err) == WN_OK, "a prediction from one thread");
	cost(WN_COST_FAR, 50);
	ok(wn_predict(&s, NULL, &two, &far, &err) == WN_OK &&
	       far.high_ns >= near.high_ns + s.p.loops[0].n_chunks * 50,
	   "what chunks share, which one thread does not show, is in the range");
	cost(WN_COST_FAR, 0);
	s.p.n_threads = 2;
	neighbours(0, 200, thread);
	ok(program_compare_neighbours(&s.p, thread, &err) == WN_OK && s.p.loops[0].beside_ns == 0,
	   "differences that chance may make are none");
	neighbours(60, 0, thread);
	s.p.loops[0].is_detailed = true;
	ok(program_compare_neighbours(&s.p, thread, &err) == WN_OK && s.p.loops[0].beside_ns == 0,
	   "nor are those of chunks with steps");
}

static void
test_mutex(void)
{
	uint8_t is_at[4] = {1, 1, 1, 1};
	struct wn_sim_change half = {
	    .kind = WN_SIM_CHANGE_SHORTER_LOCK, .is_at = is_at, .factor = 2};
	fresh(WN_RUNTIME_LIBGOMP);
	region(2);
	for (uint32_t t = 0; t < 2; t++) {
		if (t > 0)
			grain(WN_GRAIN_IMPLICIT, INITIAL, WN_NO_FJ);
		add(STEP_ACQUIRE, 10, 0);
		add(STEP_RELEASE, 100, 0);
		add(STEP_END, 10, 0);
	}
	s.p.n_mutexes = 1;
	ok(run(2, NULL) == 220 && r.ns[WN_SIM_MUTEX] == 100, "a mutex lets one thread through");
	ok(run(2, &half) == 120, "held half as long");
	s.costs.runtime = WN_RUNTIME_LIBOMP;
	ok(run(2, NULL) == 220, "libomp, too");
}

static void
test_changes(void)
{
	uint8_t is_at[4] = {1, 1, 1, 1};
	struct wn_sim_change all = {
	    .kind = WN_SIM_CHANGE_CUTOFF, .is_at = is_at, .amount = 0, .factor = 1};
	struct wn_sim_change faster = {.kind = WN_SIM_CHANGE_FASTER, .is_at = is_at, .factor = 4};
	flat(WN_RUNTIME_LIBGOMP, 10, STEP_WAIT);
	cost(WN_COST_CREATE, 50);
	cost(WN_COST_LOCK, 10);
	ok(run(2, &all) == 1000 && r.n_tasks == 0, "without tasks their work is their parent's");
	all.amount = 1;
	run(2, &all);
	ok(r.n_tasks == 10, "tasks above the cut-off stay");
	cost(WN_COST_CREATE, 0);
	cost(WN_COST_LOCK, 0);
	ok(run(1, &faster) == 250, "work of a place takes a quarter of its time");
	struct wn_sim_change several[WN_SIM_CHANGES_MAX + 1] = {
	    [WN_SIM_CHANGES_MAX - 1] = faster, [WN_SIM_CHANGES_MAX] = faster};
	struct wn_scenario many = {
	    .n_threads = 1, .changes = several, .n_changes = WN_SIM_CHANGES_MAX};
	ok(wn_simulate(&s, &many, &r, &err) == WN_OK && r.elapsed_ns == 250,
	   "also as the last of as many as are possible");
	many.n_changes++;
	ok(wn_simulate(&s, &many, &r, &err) == WN_E_ARG, "more are refused");
}

/* Takes a change at all places. */
static uint64_t
run_with(uint32_t n_threads, enum wn_sim_change_kind kind, uint64_t amount)
{
	static const uint8_t is_at[4] = {1, 1, 1, 1};
	struct wn_sim_change c = {.kind = kind, .is_at = is_at, .amount = amount, .factor = 1};
	return run(n_threads, &c);
}

static uint64_t
run_cut(enum wn_sim_cutoff measure, uint64_t limit, double entry_ns)
{
	static const uint8_t is_at[4] = {1, 1, 1, 1};
	struct wn_sim_change c = {.kind = WN_SIM_CHANGE_CUTOFF,
	                          .measure = measure,
	                          .is_at = is_at,
	                          .amount = limit,
	                          .factor = 1,
	                          .entry_ns = entry_ns};
	return run(1, &c);
}

/* What a cut-off of tasks without children takes for their entry, if all do so much work. */
static double
entry_of(uint64_t work_ns)
{
	static const uint8_t is_at[4] = {1, 1, 1, 1};
	struct wn_sim_change c = {.kind = WN_SIM_CHANGE_CUTOFF, .is_at = is_at};
	fresh(WN_RUNTIME_LIBGOMP);
	s.known_entry_ns = NAN;
	for (uint32_t i = 0; i < 4; i++) {
		grain(WN_GRAIN_TASK, NONE, WN_NO_FJ);
		add(STEP_END, work_ns, 0);
	}
	wn_simulation_learn(&s, &c);
	return c.entry_ns;
}

static void
test_entries(void)
{
	ok(entry_of(5) == 5 && entry_of(8) == 8, "all work of some nanoseconds may be the entry");
	ok(entry_of(16) == 4 && entry_of(40) == 1.6 && entry_of(200) == 1,
	   "the more there is beyond, the less is known of an entry");
}

static void
test_cutoffs(void)
{
	/* a task of 100 ns that creates one of 40 ns */
	fresh(WN_RUNTIME_LIBGOMP);
	region(1);
	s.p.n_fjs = 2;
	s.p.fj_owner[0] = IMPLICIT;
	s.p.fj_owner[1] = IMPLICIT + 1;
	add(STEP_CREATE, 0, IMPLICIT + 1);
	add(STEP_WAIT, 0, 0);
	add(STEP_END, 0, 0);
	grain(WN_GRAIN_TASK, IMPLICIT, 0);
	add(STEP_CREATE, 60, IMPLICIT + 2);
	add(STEP_WAIT, 0, 1);
	add(STEP_END, 40, 0);
	grain(WN_GRAIN_TASK, IMPLICIT + 1, 1);
	add(STEP_END, 40, 0);
	run_cut(WN_SIM_CUTOFF_WORK, 41, 0);
	ok(r.n_tasks == 1, "a cut-off by work removes the task with less");
	run_cut(WN_SIM_CUTOFF_WORK, 140, 0);
	ok(r.n_tasks == 1, "the work of descendants counts");
	run_cut(WN_SIM_CUTOFF_WORK, 141, 0);
	ok(r.n_tasks == 0, "a task below a removed one is removed");
	run_cut(WN_SIM_CUTOFF_DESCENDANTS, 1, 0);
	ok(r.n_tasks == 1, "a cut-off by descendants removes the task that has none");
	run_cut(WN_SIM_CUTOFF_DESCENDANTS, 2, 0);
	ok(r.n_tasks == 0, "and with a higher limit both");
	run_cut(WN_SIM_CUTOFF_DEPTH, 1, 0);
	ok(r.n_tasks == 1 && r.elapsed_ns == 140, "a cut-off by depth leaves what is above it");
	uint64_t ns = run_cut(WN_SIM_CUTOFF_DEPTH, 0, 15);
	ok(ns >= 109 && ns <= 111, "entries of removed tasks vanish");
	ok(run_cut(WN_SIM_CUTOFF_DEPTH, 0, 500) == 0, "no more than the work does");
}

/* A grain that creates two tasks, waits, and creates two more. */
static void
two_phases(void)
{
	static const uint64_t work_ns[4] = {100, 300, 300, 100};
	fresh(WN_RUNTIME_LIBOMP);
	region(1);
	s.p.n_fjs = 2;
	s.p.fj_owner[0] = s.p.fj_owner[1] = IMPLICIT;
	for (uint32_t i = 0; i < 4; i++) {
		add(STEP_CREATE, 0, IMPLICIT + 1 + i);
		if (i == 1 || i == 3)
			add(STEP_WAIT, 0, i / 2);
	}
	add(STEP_END, 0, 0);
	for (uint32_t i = 0; i < 4; i++) {
		grain(WN_GRAIN_TASK, IMPLICIT, i / 2);
		add(STEP_END, work_ns[i], 0);
	}
	s.p.n_nodes = s.p.n_grains;
}

static void
test_waits_removed(void)
{
	two_phases();
	ok(run(2, NULL) == 600, "phases that end in waits follow one another");
	ok(run_with(2, WN_SIM_CHANGE_RELAX, 0) == 400, "with dependences instead each goes on");
	ok(run_with(2, WN_SIM_CHANGE_RELAX, 1) == 600, "not on all tasks before");
	ok(run_with(4, WN_SIM_CHANGE_NO_WAIT, 0) == 300, "without waits all run at once");
	ok(run(2, NULL) == 600, "a change does not change the run itself");
}

static void
test_split(void)
{
	flat(WN_RUNTIME_LIBGOMP, 1, STEP_WAIT);
	ok(run_with(2, WN_SIM_CHANGE_SPLIT, 2) == 50 && r.n_tasks == 3, "a task becomes two");
	fresh(WN_RUNTIME_LIBGOMP);
	region(1);
	add(STEP_END, 0, 0);
	s.p.steps[0].work_ns = 900;
	struct wn_sim_change serial = {.kind = WN_SIM_CHANGE_SPLIT, .amount = 3, .factor = 1};
	ok(run(3, &serial) == 300 && r.work_ns == 900, "serial code becomes a region");
	ok(run(2, &serial) == 600, "whose threads may have several parts");
}

/* Two regions of 100 ns each, with 5 ns between. */
static void
test_merge(void)
{
	fresh(WN_RUNTIME_LIBGOMP);
	s.p.regions = wn_realloc(s.p.regions, 2, sizeof *s.p.regions);
	s.p.initial = grain(WN_GRAIN_INITIAL, NONE, WN_NO_FJ);
	add(STEP_REGION, 0, 0);
	add(STEP_REGION, 5, 1);
	add(STEP_END, 0, 0);
	for (uint32_t i = 0; i < 4; i++) {
		s.p.implicit[i] = grain(WN_GRAIN_IMPLICIT, INITIAL, WN_NO_FJ);
		add(STEP_END, 100, 0);
	}
	for (uint32_t i = 0; i < 2; i++)
		s.p.regions[i] = (struct sim_region){.first_implicit = 2 * i,
		                                     .n_implicit = 2,
		                                     .team_size = 2,
		                                     .work_ns = 200,
		                                     .is_scaled = true};
	s.p.n_regions = 2;
	s.p.n_implicit = 4;
	cost(WN_COST_FORK, 40);
	cost(WN_COST_JOIN, 20);
	cost(WN_COST_BARRIER, 7);
	ok(run(2, NULL) == 325, "each region has a fork and a join");
	ok(run_with(2, WN_SIM_CHANGE_MERGE, 0) == 272, "merged they have one, and a barrier");
	s.p.steps[1].work_ns = 50;
	ok(run_with(2, WN_SIM_CHANGE_MERGE, 0) == 370, "not if much serial code is between them");
}

/* Two implicit tasks of which each holds the same mutex. */
static void
test_reduction(void)
{
	fresh(WN_RUNTIME_LIBGOMP);
	region(2);
	s.p.n_mutexes = 1;
	for (uint32_t i = 0; i < 2; i++) {
		if (i == 1)
			grain(WN_GRAIN_IMPLICIT, INITIAL, WN_NO_FJ);
		add(STEP_ACQUIRE, 0, 0);
		add(STEP_RELEASE, 100, 0);
		add(STEP_END, 0, 0);
	}
	s.p.regions[0].team_size = 2;
	ok(run(2, NULL) == 200, "threads hold a mutex one after another");
	ok(run_with(2, WN_SIM_CHANGE_REDUCTION, 0) == 100, "with a reduction at once");
	cost(WN_COST_MUTEX, 10);
	ok(run_with(2, WN_SIM_CHANGE_REDUCTION, 0) == 120, "and add their results in turn");
	/* a change of the mutexes acquired at site 2, in grains of any site */
	static const uint8_t is_mutex_at[] = {0, 0, 1, 0}, is_other[] = {0, 1, 0, 0};
	struct wn_sim_change change = {.kind = WN_SIM_CHANGE_REDUCTION, .is_mutex_at = is_mutex_at};
	cost(WN_COST_MUTEX, 0);
	s.p.mutex_site = wn_calloc(1, sizeof *s.p.mutex_site);
	s.p.mutex_site[0] = 2;
	ok(run(2, &change) == 100, "a mutex is named by where it is acquired");
	change.is_mutex_at = is_other;
	ok(run(2, &change) == 200, "others stay");
	/* a release that is not recorded */
	s.p.steps[s.p.grains[IMPLICIT].first_step + 1].kind = STEP_ACQUIRE;
	ok(run(2, NULL) == 0 || r.elapsed_ns >= 200, "a thread does not wait for itself");
}

/* Two implicit tasks of 100 us and 300 us, and after a barrier of 20 us each; the latter once more
 * with tasks between. */
static void
test_static_loops(void)
{
	static const uint64_t first_ns[] = {100000, 300000};
	struct program edited;
	const struct wn_scenario none = {.n_threads = 2};
	fresh(WN_RUNTIME_LIBGOMP);
	region(2);
	s.p.n_threads = 2;
	for (uint32_t i = 0; i < 2; i++) {
		if (i == 1)
			grain(WN_GRAIN_IMPLICIT, INITIAL, WN_NO_FJ);
		add(STEP_BARRIER, first_ns[i], 0);
		add(STEP_END, 20000, 0);
	}
	s.p.regions[0].team_size = 2;
	s.p.regions[0].hidden_ns = s.p.divided_ns = 440000;
	ok(run(2, NULL) == 320000 && run(1, NULL) == 440000, "as recorded, and on one thread");
	ok(program_edit(&s.p, &none, &edited, &err) == WN_OK &&
	       program_divide(&edited, &err) == WN_OK && edited.divided_ns == 0 &&
	       edited.hidden_most_ns == 320000 && edited.hidden_rest_ns == 120000,
	   "stretches between barriers become loops");
	static const struct {
		uint32_t n_threads;
		uint64_t ns;
	} expected[] = {{1, 440000}, {2, 320000}, {4, 160000}, {8, 80000}};
	bool is_right = true;
	for (size_t i = 0; i < 4; i++) {
		const struct wn_scenario at = {.n_threads = expected[i].n_threads};
		is_right &= simulate_program(&s, &edited, &at, &r, &err) == WN_OK &&
		            r.elapsed_ns == expected[i].ns;
	}
	ok(is_right, "each number of threads divides them by the recorded times");
	program_fini(&edited);
	/* implicit tasks that do not do the same: they stay */
	s.p.steps[s.p.grains[IMPLICIT].first_step].kind = STEP_WORK;
	ok(program_edit(&s.p, &none, &edited, &err) == WN_OK &&
	       program_divide(&edited, &err) == WN_OK && edited.divided_ns == 440000 &&
	       edited.n_loops == 0,
	   "not where implicit tasks take different steps");
	program_fini(&edited);
}

/* A binding is known where it leaves no choice. */
static void
test_binding(void)
{
	const struct wn_sim_change binding = {.kind = WN_SIM_CHANGE_BINDING};
	flat(WN_RUNTIME_LIBGOMP, 2, STEP_WAIT);
	s.p.machine_cpus = 2;
	ok(run(1, &binding) == 200 && run(2, &binding) == 100, "it changes nothing on each CPU");
	s.p.machine_cpus = 4;
	ok(run(2, &binding) == 0 && strstr(err.msg, "binding"), "it is refused on some CPUs");
	s.p.n_memories = 2;
	ok(run(4, &binding) == 0, "and with several memories");
}

static void
test_policies(void)
{
	struct wn_sim_change passive = {.kind = WN_SIM_CHANGE_WAIT_POLICY,
	                                .amount = WN_WAIT_PASSIVE};
	struct wn_sim_change active = {.kind = WN_SIM_CHANGE_WAIT_POLICY, .amount = WN_WAIT_ACTIVE};
	flat(WN_RUNTIME_LIBOMP, 2, 0);
	s.p.steps[s.p.grains[IMPLICIT].first_step].work_ns = 1000;
	cost(WN_COST_WAKE_SLEEP, 70);
	cost(WN_COST_WAKE_SPIN, 2);
	s.costs.spin_ns = 500;
	ok(run(2, &passive) == 1240, "a passive thread sleeps in each wait");
	ok(run(2, NULL) == 1170, "another one after its time of spinning");
	ok(run(2, &active) == 1102, "an active one never");
	s.costs.spin_ns = 5000;
	ok(run(2, NULL) == run(2, &active), "nor before");
}

/* A region inside another one, of two implicit tasks that share a loop. */
static void
test_nested_off(void)
{
	struct wn_sim_change off = {.kind = WN_SIM_CHANGE_NESTED_OFF};
	fresh(WN_RUNTIME_LIBGOMP);
	s.p.regions = wn_realloc(s.p.regions, 2, sizeof *s.p.regions);
	region(1);
	add(STEP_REGION, 0, 1);
	add(STEP_END, 0, 0);
	for (uint32_t i = 0; i < 2; i++) {
		s.p.implicit[1 + i] = grain(WN_GRAIN_IMPLICIT, IMPLICIT, WN_NO_FJ);
		add(STEP_LOOP, 30, 0);
		add(STEP_END, 0, 0);
	}
	s.p.regions[1] = (struct sim_region){
	    .first_implicit = 1, .n_implicit = 2, .team_size = 2, .is_nested = true};
	s.p.n_regions = 2;
	s.p.has_nested_teams = true;
	s.p.n_loops = 1;
	s.p.chunks[0] = (struct sim_chunk){.iterations = 10, .work_ns = 500};
	s.p.loops[0] = (struct sim_loop){
	    .n_chunks = 1, .site = WN_NO_SITE, .kind = WN_WORK_LOOP_STATIC, .trip_count = 10};
	struct wn_scenario as_recorded = {.n_threads = 1};
	ok(wn_simulate(&s, &as_recorded, &r, &err) == WN_E_ARG, "nested teams are not modelled");
	ok(run(2, &off) == 560, "without nesting one thread does all of it, the loop once");
}

static uint64_t
span(uint64_t burden_ns, const struct wn_sim_change *change)
{
	struct wn_scenario scenario = {.changes = change, .n_changes = change != NULL};
	struct program edited;
	uint64_t ns = 0;
	if (program_edit(&s.p, &scenario, &edited, &err) != WN_OK)
		return 0;
	if (program_span(&edited, &scenario, burden_ns, &ns, &err) != WN_OK)
		ns = 0;
	program_fini(&edited);
	return ns;
}

static void
test_span(void)
{
	static const uint8_t is_at[4] = {1, 1, 1, 1};
	struct wn_sim_change no_wait = {.kind = WN_SIM_CHANGE_NO_WAIT, .is_at = is_at};
	struct wn_sim_change relax = {.kind = WN_SIM_CHANGE_RELAX, .is_at = is_at};
	struct wn_sim_change cut = {
	    .kind = WN_SIM_CHANGE_CUTOFF, .is_at = is_at, .factor = 1, .entry_ns = 20};
	flat(WN_RUNTIME_LIBGOMP, 3, STEP_WAIT);
	ok(span(0, NULL) == 100, "the span is the longest of tasks that are independent");
	ok(span(10, NULL) == 160, "a burden at the fork, three creations, the wait and the join");
	ok(span(0, &cut) == 240, "removed tasks follow one another, without their entries");
	two_phases();
	ok(span(0, NULL) == 600 && span(0, &no_wait) == 300 && span(0, &relax) == 400,
	   "waits and dependences make it longer");
	test_chain();
	ok(span(0, NULL) == 400, "so does a chain of dependences");
}

static uint64_t
predicted(uint32_t n_threads)
{
	struct wn_scenario scenario = {.n_threads = n_threads};
	struct wn_prediction p = {.ns = 0};
	return wn_predict(&s, NULL, &scenario, &p, &err) == WN_OK ? p.ns : 0;
}

static void
test_growth(void)
{
	const double two[5] = {1.5, 1.5, 1.5, 1.5, 1.5}, four[5] = {2.5, 2.5, 2.5, 2.5, 2.5};
	flat(WN_RUNTIME_LIBOMP, 12, STEP_WAIT);
	ok(predicted(2) == 600 && predicted(3) == 400, "work does not grow by itself");
	ok(wn_simulation_add_growth(&s, 4, four, &err) == WN_OK &&
	       wn_simulation_add_growth(&s, 2, two, &err) == WN_OK,
	   "two other recordings show how it grows");
	ok(predicted(2) == 900, "as measured");
	ok(predicted(3) == 800, "between two recordings in between");
	ok(predicted(6) == 700, "beyond them as a line");
	ok(predicted(1) == 1200, "not on as many threads as recorded");
	ok(wn_simulation_add_growth(&s, 2, two, &err) == WN_E_ARG &&
	       wn_simulation_add_growth(&s, 1, two, &err) == WN_E_ARG,
	   "each number of threads once");
	while (s.n_growth > 0)
		wn_free(s.growth[--s.n_growth].ratio);
	for (unsigned i = 0; i < WN_COST_POINTS; i++)
		s.costs.memory_ps[i] = i == 0 ? 128000 : 256000; /* 8 and 4 bytes in a ns */
	ok(wn_simulation_growth(&s, 2) == WN_GROWTH_MEMORY && predicted(2) == 600,
	   "how much it could grow is not how much it does");
	s.bytes_per_ns = 6;
	ok(wn_simulation_growth(&s, 2) == WN_GROWTH_COUNTERS && predicted(2) == 900,
	   "counted cache misses show it");
	s.bytes_per_ns = 3;
	ok(predicted(2) == 600, "and that there is none");
}

/* ---- laws ---- */

static uint64_t seed;

static uint32_t
random_below(uint32_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((seed >> 33) % n);
}

/* A random tree of tasks, each of which creates children and waits for them or not. */
static uint64_t
random_tree(enum wn_runtime_kind runtime, bool waits, uint64_t *work_ns)
{
	uint32_t n_children[GRAINS_MAX] = {0}, first_child[GRAINS_MAX] = {0};
	uint32_t n = 1, n_grains;
	uint64_t depth_ns[GRAINS_MAX] = {0}, span_ns = 0, sum_ns = 0;
	for (uint32_t i = 0; i < n && n < 300; i++) {
		n_children[i] = i == 0 ? 3 + random_below(6) : random_below(4);
		first_child[i] = n;
		n += n_children[i];
	}
	n_grains = n;
	fresh(runtime);
	region(1);
	s.p.n_fjs = n_grains;
	for (uint32_t i = 0; i < n_grains; i++) {
		uint32_t parent = 0;
		while (i > 0 &&
		       !(first_child[parent] <= i && i < first_child[parent] + n_children[parent]))
			parent++;
		s.p.fj_owner[i] = IMPLICIT + i;
		if (i > 0)
			grain(WN_GRAIN_TASK, IMPLICIT + parent, parent);
		for (uint32_t c = 0; c < n_children[i]; c++) {
			uint64_t ns = random_below(200);
			add(STEP_CREATE, ns, IMPLICIT + first_child[i] + c);
			sum_ns += ns;
			depth_ns[i] += ns;
			depth_ns[first_child[i] + c] = depth_ns[i];
		}
		if (waits && n_children[i])
			add(STEP_WAIT, 0, i);
		uint64_t ns = random_below(200);
		add(STEP_END, ns, 0);
		sum_ns += ns;
		depth_ns[i] += ns;
		/* without waits the span is the longest way down; with waits it is more */
		span_ns = depth_ns[i] > span_ns ? depth_ns[i] : span_ns;
	}
	*work_ns = sum_ns;
	return span_ns;
}

static void
test_laws(void)
{
	unsigned n_short = 0, n_sum = 0, n_long = 0, n_other = 0, n_idle = 0;
	for (uint32_t i = 0; i < 400; i++) {
		uint64_t work_ns, again;
		uint32_t n_threads = 1 + random_below(7);
		seed = i * 7919 + 1;
		bool waits = i & 1;
		uint64_t span_ns =
		    random_tree(i & 2 ? WN_RUNTIME_LIBOMP : WN_RUNTIME_LIBGOMP, waits, &work_ns);
		if (run(1, NULL) != work_ns)
			n_sum++;
		uint64_t ns = run(n_threads, NULL);
		if (ns * n_threads < work_ns || ns < span_ns)
			n_short++;
		if (ns > work_ns)
			n_long++;
		again = run(n_threads, NULL);
		n_other += again != ns;
		uint64_t all_ns = 0;
		for (unsigned k = 0; k < WN_SIM_TIME_N; k++)
			all_ns += r.ns[k];
		n_idle += all_ns != n_threads * r.elapsed_ns || r.ns[WN_SIM_WORK] != work_ns;
	}
	ok(n_sum == 0, "on one thread without costs a run takes its work (%u)", n_sum);
	ok(n_short == 0, "no run is shorter than work by threads, or the span (%u)", n_short);
	ok(n_long == 0, "nor longer than its work (%u)", n_long);
	ok(n_other == 0, "a scenario has one result (%u)", n_other);
	ok(n_idle == 0, "the threads' time adds up to threads x elapsed (%u)", n_idle);
}

/* The oldest task goes to the thread that is free first. */
static uint64_t
list_schedule(const uint64_t *task_ns, uint32_t n, uint32_t n_threads)
{
	uint64_t free_ns[8] = {0}, end_ns = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t first = 0;
		for (uint32_t t = 1; t < n_threads; t++)
			first = free_ns[t] < free_ns[first] ? t : first;
		free_ns[first] += task_ns[i];
		end_ns = free_ns[first] > end_ns ? free_ns[first] : end_ns;
	}
	return end_ns;
}

static void
test_oracle(void)
{
	unsigned n_wrong = 0, n_slower = 0;
	for (uint32_t i = 0; i < 200; i++) {
		uint64_t task_ns[60];
		uint32_t n = 1 + random_below(60), n_threads = 1 + random_below(7);
		flat(WN_RUNTIME_LIBGOMP, n, 0); /* taken at the end of the region */
		for (uint32_t k = 0; k < n; k++) {
			task_ns[k] = 1 + random_below(1000);
			s.p.steps[s.p.grains[IMPLICIT + 1 + k].first_step].work_ns =
			    task_ns[k] & STEP_WORK_MAX;
		}
		uint64_t ns = run(n_threads, NULL);
		n_wrong += ns != list_schedule(task_ns, n, n_threads);
		flat(WN_RUNTIME_LIBGOMP, n, 0);
		uint64_t equal_ns = run(n_threads, NULL);
		n_slower += run(n_threads + 1, NULL) > equal_ns;
	}
	ok(n_wrong == 0, "independent tasks take as long as with a list scheduler (%u)", n_wrong);
	ok(n_slower == 0, "equal independent tasks are not slower on more threads (%u)", n_slower);
}

/* ---- the compact form ---- */

/* Two tasks of 10 us, and 3.69 us of the implicit task, 100 ns of it with a mutex. */
static void
make(struct fake *f)
{
	fake_init(f);
	fake_header(f)->sources = WN_SOURCE_LIBGOMP;
	FAKE(f, 0, REGION_BEGIN, 1000, 0x1000, 0, 1);
	FAKE(f, 0, IMPLICIT_BEGIN, 1000, 0, 0, 0, 1, 1, 0);
	for (uint64_t i = 0; i < 2; i++) {
		FAKE(f, 0, TASK_CREATE, 2000 + 1000 * i, 0x2000, 0);
		FAKE(f, 0, CREATE_END, 2100 + 1000 * i, 0, 0);
	}
	FAKE(f, 0, MUTEX_WAIT, 3200, 0x3000, WN_MUTEX_CRITICAL, 5);
	FAKE(f, 0, MUTEX_ACQUIRED, 3210, 0, 0);
	FAKE(f, 0, MUTEX_RELEASED, 3310, 0x3000, WN_MUTEX_CRITICAL, 5);
	FAKE(f, 0, SYNC_BEGIN, 4000, 0x1000, WN_SYNC_TASKWAIT);
	for (uint64_t i = 0; i < 2; i++) {
		FAKE(f, 0, TASK_BEGIN, 4000 + 10000 * i, 0, 0, 0, 3 - i);
		FAKE(f, 0, TASK_END, 14000 + 10000 * i, 0, 0);
	}
	FAKE(f, 0, SYNC_END, 24000, 0, 0);
	FAKE(f, 0, IMPLICIT_END, 25000, 0, 0);
	FAKE(f, 0, REGION_END, 25000, 0, 0);
	fake_seal(f);
}

static bool
has_steps(const struct program *p, uint32_t grain, const struct step *steps, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct step *have = &p->steps[p->grains[grain].first_step + i];
		if (have->kind != steps[i].kind || have->work_ns != steps[i].work_ns) {
			note("step %u: kind %u, %llu ns", i, have->kind,
			     (unsigned long long)have->work_ns);
			return false;
		}
	}
	return true;
}

/* Two threads hold a mutex in turn; the first one's release is recorded after the second one's
 * acquisition. */
static void
test_late_release(void)
{
	static struct fake f;
	static const uint64_t acquired_ns[] = {1100, 2000}, released_ns[] = {2050, 3000};
	struct wn_trace *trace = NULL;
	struct wn_graph *g = NULL;
	unsigned n_of[2][2] = {{0}};
	fake_init(&f);
	fake_header(&f)->sources = WN_SOURCE_LIBGOMP;
	FAKE(&f, 0, REGION_BEGIN, 1000, 0x1000, 0, 0);
	for (uint32_t i = 0; i < 2; i++) {
		FAKE(&f, i, IMPLICIT_BEGIN, 1000, 0, 0, 0, 1, 2, i);
		FAKE(&f, i, MUTEX_WAIT, 1100, 0x3000, WN_MUTEX_LOCK, 5);
		FAKE(&f, i, MUTEX_ACQUIRED, acquired_ns[i], 0, 0);
		FAKE(&f, i, MUTEX_RELEASED, released_ns[i], 0x3000, WN_MUTEX_LOCK, 5);
		FAKE(&f, i, SYNC_BEGIN, 4000, 0x1000, WN_SYNC_BARRIER_REGION);
		FAKE(&f, i, SYNC_END, 4010, 0, 0);
		FAKE(&f, i, IMPLICIT_END, 4010, 0, 0);
	}
	FAKE(&f, 0, REGION_END, 4010, 0, 0);
	fake_seal(&f);
	if (!ok(wn_trace_open_bytes(f.bytes, sizeof f.bytes, &trace, &err) == WN_OK &&
	            wn_graph_build(trace, &g, &err) == WN_OK && g->n_mutex_uses == 4,
	        "each acquisition has a release, also where it is recorded late"))
		note("%s", err.msg);
	for (size_t i = 0; g && i < g->n_mutex_uses; i++)
		n_of[g->mutex_uses[i].grain == g->mutex_uses[0].grain]
		    [g->mutex_uses[i].is_release]++;
	ok(n_of[0][0] == 1 && n_of[0][1] == 1 && n_of[1][0] == 1 && n_of[1][1] == 1,
	   "in the grain that acquired it");
	ok(g && g->n_mutexes == 1 && g->mutexes[0].held_ns == 900 + 1000,
	   "and no time is held twice");
	wn_graph_free(g);
	wn_trace_close(trace);
}

/* A simulation with all that it needs; release it even if it could not be built. */
struct built {
	struct wn_trace *trace;
	struct wn_graph *g;
	struct wn_metrics *m;
	struct wn_model model;
	struct wn_simulation *s;
};

static wn_status
build(struct fake *f, struct built *b)
{
	*b = (struct built){.trace = NULL};
	wn_status st = wn_trace_open_bytes(f->bytes, sizeof f->bytes, &b->trace, &err);
	if (st == WN_OK)
		st = wn_graph_build(b->trace, &b->g, &err);
	if (st == WN_OK)
		st = wn_metrics_build(b->g, NULL, &b->m, &err);
	if (st == WN_OK)
		st = wn_model_build(b->m, &b->model, &err);
	if (st == WN_OK)
		st = wn_simulation_build(&b->model, NULL, &b->s, &err);
	if (st != WN_OK)
		note("%s", err.msg);
	return st;
}

static void
built_fini(struct built *b)
{
	wn_simulation_free(b->s);
	wn_metrics_free(b->m);
	wn_graph_free(b->g);
	wn_trace_close(b->trace);
}

static void
test_build(void)
{
	static struct fake f;
	static const struct step steps[] = {
	    {.kind = STEP_CREATE, .work_ns = 1000}, {.kind = STEP_CREATE, .work_ns = 900},
	    {.kind = STEP_ACQUIRE, .work_ns = 100}, {.kind = STEP_RELEASE, .work_ns = 100},
	    {.kind = STEP_WAIT, .work_ns = 690},    {.kind = STEP_END, .work_ns = 1000},
	};
	struct built b;
	struct wn_self_check check = {.recorded_ns = 0};
	struct wn_prediction p = {.n_threads = 0};
	struct wn_scenario two = {.n_threads = 2};
	struct wn_simulation *none = NULL;
	make(&f);
	if (ok(build(&f, &b) == WN_OK, "a recorded run becomes a simulation")) {
		ok(has_steps(&b.s->p, b.g->first_id[0] + 1, steps, 6),
		   "creations, mutexes and waits are in program order, with the work between");
		ok(wn_predict_check(b.s, &check, &err) == WN_OK && check.simulated_ns == 24000 &&
		       check.recorded_ns == 24000,
		   "the replay takes the recorded time");
		ok(wn_predict(b.s, &check, &two, &p, &err) == WN_OK && p.ns >= 11895 &&
		       p.low_ns <= p.ns && p.ns <= p.high_ns && p.bound_work_ns == 11895,
		   "the prediction for two threads is above its bounds, and in its range");
		b.g->detail = WN_DETAIL_REPORT;
		ok(wn_simulation_build(&b.model, NULL, &none, &err) == WN_E_ARG && !none,
		   "a lean graph is refused");
		b.g->detail = WN_DETAIL_WHOLE;
		b.g->flags[b.g->first_id[0] + 2] |= WN_GF_CANCELLED;
		ok(wn_simulation_build(&b.model, NULL, &none, &err) == WN_E_ARG && !none,
		   "and cancelled tasks");
	}
	built_fini(&b);
}

/* Creations of n tasks by the grain on top, and their bodies in a taskwait; the first ids of a
 * thread are those of its context and implicit task. Every tenth creation takes 1 us longer. */
static uint64_t
create_tasks(struct fake *f, uint32_t thread, uint64_t ns, uint64_t n, uint64_t each_ns)
{
	for (uint64_t i = 0; i < n; i++) {
		FAKE(f, thread, TASK_CREATE, ns, 0x2000, 0);
		ns += each_ns + (i % 10 == 9 ? 1000 : 0);
		FAKE(f, thread, CREATE_END, ns, 0, 0);
	}
	FAKE(f, thread, SYNC_BEGIN, ns, 0x2000, WN_SYNC_TASKWAIT);
	for (uint64_t i = 0; i < n; i++) {
		FAKE(f, thread, TASK_BEGIN_OWN, ns, 0, 0, i);
		ns += 100;
		FAKE(f, thread, TASK_END, ns, 0, 0);
	}
	FAKE(f, thread, SYNC_END, ns, 0, 0);
	return ns;
}

static void
begin_region(struct fake *f, uint32_t n_threads)
{
	fake_init(f);
	fake_header(f)->sources = WN_SOURCE_LIBGOMP;
	for (uint32_t i = 0; i < n_threads; i++)
		FAKE(f, i, THREAD, 0, 0, 0, 1000 + i, 0);
	FAKE(f, 0, REGION_BEGIN, 1000, 0x1000, 0, n_threads);
	for (uint32_t i = 0; i < n_threads; i++)
		FAKE(f, i, IMPLICIT_BEGIN, 1050, 0, 0, 0, 1, n_threads, i);
}

/* The other threads are in its barrier. */
static void
end_region(struct fake *f, uint32_t n_threads, uint32_t n_arriving, uint64_t ns)
{
	for (uint32_t i = 0; i < n_threads; i++) {
		if (i < n_arriving)
			FAKE(f, i, SYNC_BEGIN, ns, 0x1000, WN_SYNC_BARRIER_REGION);
		FAKE(f, i, SYNC_END, ns + 10, 0, 0);
		FAKE(f, i, IMPLICIT_END, ns + 10, 0, 0);
	}
	FAKE(f, 0, REGION_END, ns + 20, 0, 0);
	fake_seal(f);
}

static uint32_t
cost_of(const struct wn_costs *c, enum wn_cost which, unsigned point)
{
	return c->ps[which][point] / 1000;
}

/* Within 5 %. */
static bool
is_close(double a, double b)
{
	return fabs(a - b) <= 0.05 * fabs(b);
}

/* A run of one thread: 20 tasks, each created in 3 ns and begun 70 ns after the one before. */
static void
run_alone(struct fake *f, bool is_gomp)
{
	uint64_t ns = 2000;
	begin_region(f, 1);
	fake_header(f)->sources = is_gomp ? WN_SOURCE_LIBGOMP : WN_SOURCE_OMPT;
	for (uint32_t i = 0; i < 20; i++, ns += 3) {
		FAKE(f, 0, TASK_CREATE, ns, 0x2000, 0);
		FAKE(f, 0, CREATE_END, ns + 3, 0, 0);
	}
	FAKE(f, 0, SYNC_BEGIN, ns, 0x2000, WN_SYNC_TASKWAIT);
	for (uint64_t i = 0; i < 20; i++, ns += 170) {
		FAKE(f, 0, TASK_BEGIN_OWN, ns + 70, 0, 0, i);
		FAKE(f, 0, TASK_END, ns + 170, 0, 0);
	}
	FAKE(f, 0, SYNC_END, ns, 0, 0);
	end_region(f, 1, 1, ns);
}

static void
test_alone(void)
{
	static struct fake f;
	for (int is_gomp = 0; is_gomp < 2; is_gomp++) {
		struct built b;
		struct wn_simulation *other = NULL;
		struct wn_costs costs =
		    wn_costs_of(is_gomp ? WN_RUNTIME_LIBGOMP : WN_RUNTIME_LIBOMP, NULL);
		costs.is_calibrated = true;
		run_alone(&f, is_gomp);
		if (!ok(build(&f, &b) == WN_OK &&
		            wn_simulation_build(&b.model, &costs, &other, &err) == WN_OK,
		        "a run of one thread, with a calibration"))
			note("%s", err.msg);
		else if (is_gomp)
			ok(cost_of(&other->costs, WN_COST_FINISH, 0) > 50 &&
			       cost_of(&other->costs, WN_COST_FINISH, 0) < 70,
			   "tasks start and end as they did in it, not as in the calibration");
		else
			ok(cost_of(&other->costs, WN_COST_INLINE, 0) == 40,
			   "no creation is shorter than in the calibration");
		wn_simulation_free(other);
		built_fini(&b);
	}
}

static void
test_creations(void)
{
	const struct wn_scenario as_recorded = {.is_as_recorded = true};
	static struct fake f;
	struct built b;
	begin_region(&f, 1);
	end_region(&f, 1, 1, create_tasks(&f, 0, 2000, 20, 58));
	if (ok(build(&f, &b) == WN_OK, "creations on one thread"))
		ok(cost_of(&b.s->costs, WN_COST_CREATE, 0) == 58 &&
		       cost_of(&b.s->recorded_costs, WN_COST_CREATE, 0) == 158 &&
		       cost_of(&b.s->recorded_costs, WN_COST_INLINE, 0) == 158,
		   "take what most of them take, and as recorded what all take on average");
	built_fini(&b);
	for (uint32_t case_of = 0; case_of < 2; case_of++) {
		/* the other thread runs the only task, which creates all others; in the second case
		 * the first thread has three of them to create that call no kernel */
		begin_region(&f, 2);
		FAKE(&f, 0, TASK_CREATE, 1100, 0x3000, 0);
		FAKE(&f, 0, CREATE_END, 1300, 0, 0);
		if (case_of == 1)
			(void)create_tasks(&f, 0, 1400, 3, 58);
		FAKE(&f, 0, SYNC_BEGIN, 5000, 0x1000, WN_SYNC_TASKWAIT);
		FAKE(&f, 1, SYNC_BEGIN, 1100, 0x1000, WN_SYNC_BARRIER_REGION);
		FAKE(&f, 1, TASK_BEGIN, 1400, 0, 0, 0, 2);
		uint64_t ns = create_tasks(&f, 1, 1500, 20, 188);
		FAKE(&f, 1, TASK_END, ns, 0, 0);
		FAKE(&f, 0, SYNC_END, ns, 0, 0);
		end_region(&f, 2, 1, ns);
		if (!ok(build(&f, &b) == WN_OK, "creations on two threads")) {
			note("%s", err.msg);
			built_fini(&b);
			continue;
		}
		/* of the 150 ns that a call takes by default */
		double fit = cost_of(&b.s->costs, WN_COST_WAKE_CALL, 0) / 150.0;
		const struct wn_totals *t = &b.m->totals;
		ok(wn_simulate(b.s, &as_recorded, &r, &err) == WN_OK && fit > 1.1 &&
		       is_close((double)(r.ns[WN_SIM_CREATION] + r.ns[WN_SIM_RUNTIME] +
		                         r.ns[WN_SIM_SCHEDULE]),
		                (double)(t->creation_ns + t->scheduling_ns)),
		   "the runtime takes as long in the replay as in the run");
		if (case_of == 0)
			ok(b.s->p.has_one_worker &&
			       b.s->p.grains[b.g->first_id[0] + 2].flags & SIM_TAKEN &&
			       is_close(cost_of(&b.s->costs, WN_COST_CREATE, 0),
			                (188 - 8 - 150) * fit),
			   "of one thread that runs all tasks each creation calls the kernel");
		else
			ok(!b.s->p.has_one_worker &&
			       is_close(cost_of(&b.s->costs, WN_COST_CREATE, 0), 50 * fit),
			   "else the thread counts whose creations are the shortest");
		built_fini(&b);
	}
}

/* Chunks of 100 ns on two threads, 200 ns from one to the next. */
static void
test_dispatch(void)
{
	static struct fake f;
	struct built b;
	uint64_t ns = 2000;
	begin_region(&f, 2);
	for (uint32_t thread = 0; thread < 2; thread++) {
		ns = 2000;
		FAKE(&f, thread, LOOP_BEGIN, ns, 0x4000, WN_WORK_LOOP_DYNAMIC, 80, 0, 2, 1);
		for (uint64_t i = 0; i < 40; i++) {
			ns += 200;
			FAKE(&f, thread, CHUNK_BEGIN, ns, 0, 0, fake_zigzag(i || thread), 1);
			ns += 100;
			FAKE(&f, thread, CHUNK_END, ns, 0, 0);
		}
		FAKE(&f, thread, WORK_END, ns, 0, 0);
	}
	end_region(&f, 2, 2, ns);
	if (ok(build(&f, &b) == WN_OK, "a loop on two threads")) {
		uint32_t recorded_ns = cost_of(&b.s->recorded_costs, WN_COST_CHUNK, 1);
		uint32_t plain_ns = cost_of(&b.s->costs, WN_COST_CHUNK, 1);

		ok(recorded_ns >= 140 && recorded_ns <= 150 && plain_ns < recorded_ns &&
		       plain_ns > 11 && cost_of(&b.s->costs, WN_COST_CHUNK, 0) == 6,
		   "dispatches take as long as in the run, at most one after another");
	}
	built_fini(&b);
}

/* ---- requests ---- */

/* A request of random pieces: some are right, most are not. */
static void
random_request(const char *place, char *out, size_t n_bytes)
{
	static const char *const pieces[] = {
	    "fib.c:1",
	    "=",
	    "depth:",
	    "work:",
	    "descendants:",
	    "faster:",
	    "lock:",
	    "chunk:",
	    "split:",
	    "relax:",
	    "schedule:",
	    "guided",
	    ",",
	    "reduction",
	    "nowait",
	    "merge",
	    "serial",
	    "nested",
	    "off",
	    "binding=",
	    "close",
	    "wait-policy=",
	    "passive",
	    "active",
	    "0",
	    "1",
	    "7",
	    "us",
	    "99999999999999999999",
	    "-1",
	    "1e300",
	    "nan",
	    "\n",
	    "\xff",
	    "%s%n",
	    ":",
	};
	size_t used = 0;
	out[0] = '\0';
	if (random_below(2))
		used += (size_t)snprintf(out, n_bytes, "%s=", place);
	for (uint32_t n = 1 + random_below(5); n > 0 && used < n_bytes; n--)
		used += (size_t)snprintf(out + used, n_bytes - used, "%s",
		                         pieces[random_below(sizeof pieces / sizeof *pieces)]);
}

static void
test_requests(void)
{
	static struct fake f;
	static const uint32_t threads[] = {1, 2};
	struct wn_trace *trace = NULL;
	unsigned n_predicted = 0, n_refused = 0, n_silent = 0;
	make(&f);
	if (wn_trace_open_bytes(f.bytes, sizeof f.bytes, &trace, &err) != WN_OK)
		return;
	char place[64] = "";
	struct wn_report_prediction *whole = NULL;
	if (wn_report_prediction_build(trace, threads, 2, NULL, 0, &whole, &err) == WN_OK)
		snprintf(place, sizeof place, "%s", whole->places.items[0].label);
	wn_report_prediction_free(whole);
	for (unsigned i = 0; i < 2000; i++) {
		char text[WN_PREDICT_CHANGES_MAX + 1][128];
		const char *changes[WN_PREDICT_CHANGES_MAX + 1];
		size_t n = 1 + random_below(i % 10 ? 1 : WN_PREDICT_CHANGES_MAX);
		struct wn_report_prediction *made = NULL;
		for (size_t k = 0; k < n; k++) {
			random_request(place, text[k], sizeof text[k]);
			changes[k] = text[k];
		}
		err.msg[0] = '\0';
		wn_status st =
		    wn_report_prediction_build(trace, threads, 2, changes, n, &made, &err);
		n_predicted += st == WN_OK;
		n_refused += st == WN_E_ARG;
		n_silent += st != WN_OK && err.msg[0] == '\0';
		wn_report_prediction_free(made);
	}
	note("%u predicted, %u refused", n_predicted, n_refused);
	ok(n_predicted + n_refused == 2000 && n_silent == 0 && n_refused > 0 && n_predicted > 0,
	   "random requests are predicted, or refused with a reason");
	wn_trace_close(trace);
}

/* ---- costs ---- */

static struct wn_calibrate_services samples;

static void
sample(const char *name, uint32_t n_threads, uint64_t ns)
{
	struct wn_calibrate_service *at = &samples.samples[samples.n++];
	*at = (struct wn_calibrate_service){.n_threads = n_threads, .ps = ns * 1000};
	strncpy(at->name, name, sizeof at->name - 1);
}

static uint32_t
fitted(const struct wn_calibration *c, const char *name, uint32_t n_threads)
{
	for (uint32_t i = 0; i < c->n_services; i++)
		if (strcmp(c->services[i].name, name) == 0 && c->services[i].n_threads == n_threads)
			return c->services[i].cost.ps / 1000;
	return UINT32_MAX;
}

/* A runtime whose parts are known: creation 20, lock 5, start and end 10, call of a taskwait 2. */
static void
test_calibration(void)
{
	static struct wn_calibration c;
	static char text[WN_CALIBRATION_TEXT_MAX];
	samples.n = 0;
	for (uint32_t k = 1; k <= 2; k++) {
		sample("alone_create", k, k == 1 ? 25 : 175);
		sample("alone_wait", k, 15);
		sample("single", k, 20 + 5 + 2 + 5 + 10 + 5);
		sample("taskwait", k, 2);
		sample("tree", k, 20 + 5 + 10 + 5 + 3 + 1);
		sample("together", k, k == 1 ? 40 : 400);
		sample("turn_create", k, k == 1 ? 45 : 45 + 80);
		sample("turn_wait", k, k == 1 ? 40 : 40 + 170);
		sample("barrier", k, 100 * k);
		sample("inline", k, 7);
	}
	sample("wake", 2, 1000);
	sample("handed_over", 2, 300);
	sample("init", 1, 3500000);
	sample("spawn", 2, 40000);
	for (uint32_t i = 0; i < 2; i++) /* the median of three rounds is not theirs */
		sample("barrier", 1, i ? 1 : 100000);
	wn_calibrate_services_fit(&samples, false, &c);
	ok(fitted(&c, "lock", 1) == 5 && fitted(&c, "create", 1) == 20 &&
	       fitted(&c, "finish", 1) == 10 && fitted(&c, "wait", 1) == 2 &&
	       fitted(&c, "inline", 1) == 7 && fitted(&c, "barrier", 1) == 100,
	   "the parts of a task on one thread");
	ok(fitted(&c, "wake_call", 1) == 150 && fitted(&c, "far", 1) == 85 &&
	       fitted(&c, "far_pick", 1) == 175,
	   "with other threads a system call and a farther lock, farther for what takes a task");
	ok(fitted(&c, "lock", 2) == 100,
	   "a lock that is always in use: two holds per task and thread");
	c.n_rounds = 3;
	c.spread = 1480;
	size_t n_bytes = wn_calibration_write(&c, text, sizeof text);
	static struct wn_calibration read;
	ok(n_bytes > 0 && wn_calibration_read(text, n_bytes, &read, &err) == WN_OK &&
	       read.n_services == c.n_services && fitted(&read, "lock", 2) == 100 &&
	       read.spread == 1480,
	   "the text of a calibration has them");
	struct wn_costs costs = wn_costs_of(WN_RUNTIME_LIBGOMP, &read);
	ok(costs.is_calibrated && costs.n_measured == 2 &&
	       wn_cost_ns(&costs, WN_COST_LOCK, 1) == 5 &&
	       wn_cost_ns(&costs, WN_COST_LOCK, 2) == 100 &&
	       wn_cost_ns(&costs, WN_COST_LOCK, 4) == 195 &&
	       wn_cost_ns(&costs, WN_COST_LOCK, 3) == 148 && costs.handed_over_ps == 300000,
	   "costs between measured numbers of threads, and beyond");
	ok(wn_cost_ns(&costs, WN_COST_INIT, 1) == 3500000 &&
	       wn_cost_ns(&costs, WN_COST_SPAWN, 1) == 40000,
	   "the runtime's preparation may take milliseconds");
	costs.handed_over_ps = 300000;
	uint64_t move_ns =
	    costs_fit(&costs, &err) == WN_OK ? wn_cost_ns(&costs, WN_COST_MOVE, 2) : 0;
	note("%u ns", (unsigned)move_ns);
	ok(move_ns > 0 && move_ns < 1000,
	   "what a task of another thread costs is what the simulation of a measurement lacks");
	costs.handed_over_ps = 0;
	ok(costs_fit(&costs, &err) == WN_OK && wn_cost_ns(&costs, WN_COST_MOVE, 2) == move_ns,
	   "and stays as it is without one");
	char missing[WN_COSTS_TEXT_BYTES];
	const char *names = wn_costs_missing(&costs, missing);
	ok(names && strstr(names, "wake_sleep") && strstr(names, "mutex") &&
	       !strstr(names, "lock") && costs.relative_sigma > 0,
	   "costs that the calibration lacks are named, and count as uncertain");
	c.n_services = 0;
	costs = wn_costs_of(WN_RUNTIME_LIBOMP, &c);
	ok(!costs.is_calibrated && costs.n_measured == 0 && !wn_costs_missing(&costs, missing) &&
	       wn_cost_ns(&costs, WN_COST_LOCK, 2) > 0,
	   "defaults, without a calibration");
}

int
main(void)
{
	test_tasks();
	test_taskwait();
	test_chain();
	test_limits();
	test_lock();
	test_race();
	test_barrier();
	test_loops();
	test_search_of_chunks();
	test_neighbours();
	test_mutex();
	test_changes();
	test_entries();
	test_cutoffs();
	test_waits_removed();
	test_split();
	test_merge();
	test_reduction();
	test_policies();
	test_static_loops();
	test_binding();
	test_nested_off();
	test_span();
	test_growth();
	test_laws();
	test_oracle();
	test_build();
	test_creations();
	test_alone();
	test_dispatch();
	test_late_release();
	test_requests();
	test_calibration();
	program_fini(&s.p);
	return done();
}
