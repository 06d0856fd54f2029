/* SPDX-License-Identifier: MIT */
#include "runs_advice.h"

#include "trace/trace_calibration.h"

/* A region that thread 0 meets: the half of its forking before, the half of it after what the team
 * does, which is work until everybody is at the barrier. */
struct region {
	uint64_t addr;
	uint32_t number; /* from 1 */
	uint32_t team, requested;
	uint64_t forking_ns, work_ns, leaving_ns;
};

/* From `at` on; when it is over. */
static uint64_t
add_region(struct fake *f, const struct region *r, uint64_t at)
{
	uint64_t from = at + r->forking_ns / 2, to = from + r->work_ns;
	FAKE(f, 0, REGION_BEGIN, at, r->addr, 0, r->requested);
	for (uint32_t i = 0; i < r->team; i++) {
		FAKE(f, i, IMPLICIT_BEGIN, from, 0, 0, 0, r->number, r->team, i);
		FAKE(f, i, SYNC_BEGIN, to, r->addr, WN_SYNC_BARRIER_REGION);
		FAKE(f, i, SYNC_END, to + r->leaving_ns, 0, 0);
		FAKE(f, i, IMPLICIT_END, to + r->leaving_ns, 0, 0);
	}
	at = to + r->leaving_ns + r->forking_ns / 2;
	FAKE(f, 0, REGION_END, at, 0, 0);
	return at;
}

/* 60 regions of three threads that take 8 of 10 us to start and end; 60 of two that take 1 of 3.5
 * us for that and 0.5 us to leave the barrier; and one that takes long, since it is the first. */
void
make_regions(struct fake *f)
{
	uint64_t at = 10000;
	uint32_t number = 0;
	struct region first = {.addr = WIDE + 0x800, .team = 3, .forking_ns = 90000, .work_ns = 10};
	struct region wide = {.addr = WIDE, .team = 3, .forking_ns = 8000, .work_ns = 2000};
	struct region narrow = {
	    .addr = NARROW, .team = 2, .forking_ns = 1000, .work_ns = 2000, .leaving_ns = 500};
	fake_init(f);
	first.number = ++number;
	at = add_region(f, &first, at);
	for (unsigned i = 0; i < 60; i++) {
		wide.number = ++number;
		at = add_region(f, &wide, at);
		narrow.number = ++number;
		at = add_region(f, &narrow, at);
	}
	fake_seal(f);
}

/* Four cores. Three regions of one thread for 100 us each; then a team of two, of which one works
 * 10 us and the other meets a region of one thread for 60 us; it arrives 80 us later. */
static void
add_lone(struct fake *f)
{
	uint64_t at = 10000;
	struct region lone = {.addr = LONE, .team = 1, .requested = 1, .work_ns = 100000};
	fake_header(f)->n_cpus = 4;
	for (uint32_t i = 1; i <= 3; i++) {
		lone.number = i;
		at = add_region(f, &lone, at);
	}
	FAKE(f, 0, REGION_BEGIN, at, WIDE, 0, 0);
	for (uint32_t i = 0; i < 2; i++)
		FAKE(f, i, IMPLICIT_BEGIN, at, 0, 0, 0, 4, 2, i);
	FAKE(f, 1, SYNC_BEGIN, at + 10000, WIDE, WN_SYNC_BARRIER_REGION);
	struct region inner = {.addr = INNER, .number = 5, .team = 1, .work_ns = 60000};
	add_region(f, &inner, at + 20000);
	FAKE(f, 0, SYNC_BEGIN, at + 90000, WIDE, WN_SYNC_BARRIER_REGION);
	for (uint32_t i = 0; i < 2; i++) {
		FAKE(f, i, SYNC_END, at + 90000, 0, 0);
		FAKE(f, i, IMPLICIT_END, at + 90000, 0, 0);
	}
	FAKE(f, 0, REGION_END, at + 90000, 0, 0);
	fake_seal(f);
}

void
make_lone(struct fake *f)
{
	fake_init(f);
	add_lone(f);
}

/* The user lets it have two threads. */
void
make_lone_limited(struct fake *f)
{
	static const char env[] = "OMP_NUM_THREADS=2,1";
	fake_init(f);
	fake_fact(f, WN_PROCESS_ENV, env, sizeof env - 1);
	add_lone(f);
}

/* The user wants one. */
void
make_lone_requested(struct fake *f)
{
	static const char env[] = "OMP_NUM_THREADS=1";
	fake_init(f);
	fake_fact(f, WN_PROCESS_ENV, env, sizeof env - 1);
	add_lone(f);
}

/* A region in which thread `producer` of two makes n tasks, three of four of them at MANY. Each
 * takes 2 us to make, starts 100 ns later on the other thread, and works for 200 ns; own_ns of the
 * producer's own work lie between two. From `at` on; when it is over. */
static uint64_t
add_producer(struct fake *f, uint32_t number, uint32_t producer, uint32_t n, uint64_t own_ns,
             uint64_t at)
{
	static uint64_t n_ids[2];
	uint32_t other = 1 - producer;
	if (number == 1)
		n_ids[0] = n_ids[1] = 0;
	FAKE(f, 0, REGION_BEGIN, at, WIDE, 0, 0);
	for (uint32_t i = 0; i < 2; i++, n_ids[i - 1]++)
		FAKE(f, i, IMPLICIT_BEGIN, at, 0, 0, 0, number, 2, i);
	FAKE(f, other, SYNC_BEGIN, at, WIDE, WN_SYNC_BARRIER_REGION);
	for (uint32_t i = 0; i < n; i++) {
		at += i ? own_ns : 0;
		FAKE(f, producer, TASK_CREATE, at, i % 4 ? MANY : FEW, 0);
		FAKE(f, producer, CREATE_END, at += 2000, 0, 0);
		FAKE(f, other, TASK_BEGIN, at + 100, 0, 0, producer, ++n_ids[producer]);
		FAKE(f, other, TASK_END, at + 300, 0, 0);
	}
	at += 300;
	FAKE(f, producer, SYNC_BEGIN, at, WIDE, WN_SYNC_BARRIER_REGION);
	for (uint32_t i = 0; i < 2; i++) {
		FAKE(f, i, SYNC_END, at, 0, 0);
		FAKE(f, i, IMPLICIT_END, at, 0, 0);
	}
	FAKE(f, 0, REGION_END, at, 0, 0);
	return at;
}

/* The other thread waits 2 us for the first task, and 1.7 us after the end of each one but the
 * last. */
void
make_producer(struct fake *f)
{
	fake_init(f);
	add_producer(f, 1, 0, 120, 0, 10000);
	fake_seal(f);
}

/* The same with 8 us of its own work between two tasks. */
void
make_feeder(struct fake *f)
{
	fake_init(f);
	add_producer(f, 1, 0, 120, 8000, 10000);
	fake_seal(f);
}

/* In each of six regions, in turn by each of the two. */
void
make_producer_again(struct fake *f)
{
	uint64_t at = 10000;
	fake_init(f);
	for (uint32_t i = 0; i < 6; i++)
		at = add_producer(f, i + 1, i % 2, 20, 0, at);
	fake_seal(f);
}

/* Serial code: 10 us, then a region that meets another one, 50 us, a region, 20 us. */
static uint64_t
add_serial(struct fake *f)
{
	uint64_t at = 20000;
	struct region first = {
	    .addr = LONE, .number = 1, .team = 2, .forking_ns = 200, .work_ns = 1000};
	struct region inner = {.addr = INNER, .number = 3, .team = 1, .work_ns = 1000};
	struct region last = {
	    .addr = NARROW, .number = 4, .team = 2, .forking_ns = 200, .work_ns = 1000};
	FAKE(f, 0, SYNC_BEGIN, 10000, LONE, WN_SYNC_TASKWAIT);
	FAKE(f, 0, SYNC_END, 10000, 0, 0);
	at = add_region(f, &first, at) + 10000;
	FAKE(f, 0, REGION_BEGIN, at, WIDE, 0, 0);
	for (uint32_t i = 0; i < 2; i++)
		FAKE(f, i, IMPLICIT_BEGIN, at, 0, 0, 0, 2, 2, i);
	FAKE(f, 1, SYNC_BEGIN, at, WIDE, WN_SYNC_BARRIER_REGION);
	at = add_region(f, &inner, at);
	FAKE(f, 0, SYNC_BEGIN, at, WIDE, WN_SYNC_BARRIER_REGION);
	for (uint32_t i = 0; i < 2; i++) {
		FAKE(f, i, SYNC_END, at, 0, 0);
		FAKE(f, i, IMPLICIT_END, at, 0, 0);
	}
	FAKE(f, 0, REGION_END, at += 100, 0, 0);
	at = add_region(f, &last, at + 50000) + 20000;
	FAKE(f, 0, SYNC_BEGIN, at, LONE, WN_SYNC_TASKWAIT);
	FAKE(f, 0, SYNC_END, at, 0, 0);
	return at;
}

void
make_serial(struct fake *f)
{
	fake_init(f);
	add_serial(f);
	fake_seal(f);
}

/* And a task outside all regions. */
void
make_serial_tasks(struct fake *f)
{
	fake_init(f);
	uint64_t at = add_serial(f);
	FAKE(f, 0, TASK_CREATE, at, MANY, WN_TASK_UNDEFERRED);
	FAKE(f, 0, CREATE_END, at, 0, 0);
	FAKE(f, 0, TASK_BEGIN, at, 0, 0, 0, 6);
	FAKE(f, 0, TASK_END, at, 0, 0);
	fake_seal(f);
}

/* Both threads pass a critical section three times, each for 10 us; thread 1 asks 4 us after thread
 * 0 every time, and waits 6 us, for the mutex `name` at the place `second`. What they do is called
 * "step". */
static void
add_mutex(struct fake *f, uint64_t us, uint64_t second, uint64_t name)
{
	uint64_t to = 10000 + 90 * us;
	fake_init(f);
	FAKE(f, 0, NAME, 0, 0, 0, 1, 0x70657473 /* "step" */, 0, 0, 0);
	FAKE(f, 0, REGION_BEGIN, 10000, WIDE, 0, 0);
	for (uint32_t i = 0; i < 2; i++) {
		uint64_t at = 10000 + i * 4 * us;
		FAKE(f, i, IMPLICIT_BEGIN, 10000, 0, 0, 0, 1, 2, i);
		FAKE(f, i, MARK_BEGIN, 10000, MANY, 0, 1);
		for (unsigned k = 0; k < 3; k++, at += 30 * us) {
			FAKE(f, i, MUTEX_WAIT, at, i ? second : MUTEX, WN_MUTEX_CRITICAL,
			     i ? name : 7);
			FAKE(f, i, MUTEX_ACQUIRED, at + i * 6 * us, 0, 0);
			FAKE(f, i, MUTEX_RELEASED, at + i * 6 * us + 10 * us, MUTEX,
			     WN_MUTEX_CRITICAL, i ? name : 7);
		}
		FAKE(f, i, MARK_END, to, 0, 0);
		FAKE(f, i, SYNC_BEGIN, to, WIDE, WN_SYNC_BARRIER_REGION);
		FAKE(f, i, SYNC_END, to + 10, 0, 0);
		FAKE(f, i, IMPLICIT_END, to + 10, 0, 0);
	}
	FAKE(f, 0, REGION_END, to + 20, 0, 0);
	fake_seal(f);
}

void
make_mutex(struct fake *f)
{
	add_mutex(f, 1000, MUTEX, 7);
}

/* The same one, requested at two places. */
void
make_mutex_twice(struct fake *f)
{
	add_mutex(f, 1000, INNER, 7);
}

/* Two, each at a place of its own; nothing tells why the second has to be waited for. */
void
make_mutex_apart(struct fake *f)
{
	add_mutex(f, 1000, INNER, 8);
}

/* Each thread works 40 us: 30 us before a barrier and 10 us after it, or the other way round. */
void
make_alternate(struct fake *f)
{
	fake_init(f);
	FAKE(f, 0, REGION_BEGIN, 10000, WIDE, 0, 0);
	for (uint32_t i = 0; i < 2; i++) {
		FAKE(f, i, IMPLICIT_BEGIN, 10000, 0, 0, 0, 1, 2, i);
		FAKE(f, i, SYNC_BEGIN, i ? 20000 : 40000, WIDE, WN_SYNC_BARRIER_IMPLICIT);
		FAKE(f, i, SYNC_END, 40000, 0, 0);
		FAKE(f, i, SYNC_BEGIN, i ? 70000 : 50000, WIDE, WN_SYNC_BARRIER_REGION);
		FAKE(f, i, SYNC_END, 70000, 0, 0);
		FAKE(f, i, IMPLICIT_END, 70000, 0, 0);
	}
	FAKE(f, 0, REGION_END, 70000, 0, 0);
	fake_seal(f);
}

/* n parts of a region, in each of which one thread works 100 us and the other 100 + gap us: thread
 * 1 where the bit of `later` is set. */
static void
add_parts(struct fake *f, unsigned n, uint32_t later, uint64_t gap_ns)
{
	uint64_t at = 10000;
	FAKE(f, 0, REGION_BEGIN, at, WIDE, 0, 0);
	for (uint32_t i = 0; i < 2; i++)
		FAKE(f, i, IMPLICIT_BEGIN, at, 0, 0, 0, 1, 2, i);
	for (unsigned k = 0; k < n; k++, at += 100000 + gap_ns)
		for (uint32_t i = 0; i < 2; i++) {
			uint64_t more_ns = (later >> k & 1) == i ? gap_ns : 0;
			FAKE(f, i, SYNC_BEGIN, at + 100000 + more_ns, WIDE,
			     WN_SYNC_BARRIER_IMPLICIT);
			FAKE(f, i, SYNC_END, at + 100000 + gap_ns, 0, 0);
		}
	at += 10;
	for (uint32_t i = 0; i < 2; i++) {
		FAKE(f, i, SYNC_BEGIN, at, WIDE, WN_SYNC_BARRIER_REGION);
		FAKE(f, i, SYNC_END, at, 0, 0);
		FAKE(f, i, IMPLICIT_END, at, 0, 0);
	}
	FAKE(f, 0, REGION_END, at, 0, 0);
}

/* Barriers at several places in turn, each after 1 us of work of each thread, which needs 500 ns to
 * leave it. */
static void
add_barriers(struct fake *f, uint32_t n_threads, unsigned n, unsigned n_places)
{
	static const uint64_t addrs[] = {INNER, MANY, FEW};
	uint64_t at = 10000;
	fake_init(f);
	FAKE(f, 0, REGION_BEGIN, at, WIDE, 0, 0);
	for (uint32_t i = 0; i < n_threads; i++)
		FAKE(f, i, IMPLICIT_BEGIN, at, 0, 0, 0, 1, n_threads, i);
	for (unsigned k = 0; k < n; k++, at += 1500)
		for (uint32_t i = 0; i < n_threads; i++) {
			FAKE(f, i, SYNC_BEGIN, at + 1000, addrs[k % n_places],
			     WN_SYNC_BARRIER_EXPLICIT);
			FAKE(f, i, SYNC_END, at + 1500, 0, 0);
		}
	for (uint32_t i = 0; i < n_threads; i++) {
		FAKE(f, i, SYNC_BEGIN, at, WIDE, WN_SYNC_BARRIER_REGION);
		FAKE(f, i, SYNC_END, at, 0, 0);
		FAKE(f, i, IMPLICIT_END, at, 0, 0);
	}
	FAKE(f, 0, REGION_END, at, 0, 0);
	fake_seal(f);
}

/* Two threads that work 10 ms each, of which one begins when the other one has ended. */
void
make_late_thread(struct fake *f)
{
	const uint64_t begin = 10000, ns = 10000000, end = begin + 2 * ns + 1000;
	fake_init(f);
	FAKE(f, 0, REGION_BEGIN, begin, WIDE, 0, 0);
	for (uint32_t i = 0; i < 2; i++) {
		uint64_t at = begin + i * ns;
		FAKE(f, i, IMPLICIT_BEGIN, at, 0, 0, 0, 1, 2, i);
		FAKE(f, i, LOOP_BEGIN, at, MANY, WN_WORK_LOOP_DYNAMIC | WN_LOOP_BOUNDS, 2, 0,
		     fake_zigzag(1), 1);
		FAKE(f, i, CHUNK_BEGIN, at, 0, 0, fake_zigzag(1), 1);
		at += ns;
		FAKE(f, i, CHUNK_END, at, 0, 0);
		FAKE(f, i, WORK_END, at, 0, 0);
		FAKE(f, i, SYNC_BEGIN, at, WIDE, WN_SYNC_BARRIER_REGION);
		FAKE(f, i, SYNC_END, end, 0, 0);
		FAKE(f, i, IMPLICIT_END, end, 0, 0);
	}
	FAKE(f, 0, REGION_END, end, 0, 0);
	fake_seal(f);
}

void
make_barriers(struct fake *f)
{
	add_barriers(f, 2, 200, 1);
}

void
make_barriers_apart(struct fake *f)
{
	add_barriers(f, 2, 300, 3);
}

void
make_barriers_alone(struct fake *f)
{
	add_barriers(f, 1, 200, 1);
}

/* Too few, and too short, for a finding. */
void
make_few_barriers_alone(struct fake *f)
{
	add_barriers(f, 1, 90, 1);
}

/* One thread and static loops of 1 us, which take 1 us to be entered: n regions of n_loops each. */
static void
add_slow_entries(struct fake *f, unsigned n, unsigned n_loops)
{
	uint64_t at = 10000;
	fake_init(f);
	for (unsigned region = 1; region <= n; region++, at += 100) {
		FAKE(f, 0, REGION_BEGIN, at, WIDE, 0, 0);
		FAKE(f, 0, IMPLICIT_BEGIN, at, 0, 0, 0, region, 1, 0);
		for (unsigned k = 0; k < n_loops; k++, at += 2000) {
			FAKE(f, 0, LOOP_BEGIN, at, MANY,
			     WN_WORK_LOOP_STATIC | WN_LOOP_INLINE | WN_LOOP_BOUNDS, 10, 0,
			     fake_zigzag(1), 0);
			FAKE(f, 0, STATIC_BEGIN, at + 1000, 0, 0, 0, 1, 10, 10, 10);
			FAKE(f, 0, CHUNK_END, at + 2000, 0, 0);
			FAKE(f, 0, WORK_END, at + 2000, 0, 0);
			FAKE(f, 0, SYNC_BEGIN, at + 2000, MANY, WN_SYNC_BARRIER_IMPLICIT);
			FAKE(f, 0, SYNC_END, at + 2000, 0, 0);
		}
		FAKE(f, 0, IMPLICIT_END, at, 0, 0);
		FAKE(f, 0, REGION_END, at, 0, 0);
	}
	fake_seal(f);
}

void
make_slow_loops(struct fake *f)
{
	add_slow_entries(f, 1, 200);
}

void
make_slow_regions(struct fake *f)
{
	add_slow_entries(f, 120, 1);
}

/* The same, but the threads leave the barriers by turns: the other one waits at the next. */
static void
add_barriers_by_turns(struct fake *f)
{
	const unsigned n = 200;
	uint64_t at = 10000, left[2] = {at, at};
	FAKE(f, 0, REGION_BEGIN, at, WIDE, 0, 0);
	for (uint32_t i = 0; i < 2; i++)
		FAKE(f, i, IMPLICIT_BEGIN, at, 0, 0, 0, 1, 2, i);
	at += 1000;
	for (unsigned k = 0; k < n; k++, at += 1500)
		for (uint32_t i = 0; i < 2; i++) {
			bool is_early = k + 1 < n && k % 2 == i;
			FAKE(f, i, SYNC_BEGIN, left[i] + 1000, INNER, WN_SYNC_BARRIER_EXPLICIT);
			left[i] = at + (is_early ? 100 : 500);
			FAKE(f, i, SYNC_END, left[i], 0, 0);
		}
	for (uint32_t i = 0; i < 2; i++) {
		FAKE(f, i, SYNC_BEGIN, left[i], WIDE, WN_SYNC_BARRIER_REGION);
		FAKE(f, i, SYNC_END, left[i], 0, 0);
		FAKE(f, i, IMPLICIT_END, left[i], 0, 0);
	}
	FAKE(f, 0, REGION_END, left[0], 0, 0);
	fake_seal(f);
}

void
make_barriers_by_turns(struct fake *f)
{
	fake_init(f);
	add_barriers_by_turns(f);
}

/* The threads are late since they sleep in waits. */
void
make_barriers_asleep(struct fake *f)
{
	static const char env[] = "GOMP_SPINCOUNT=0";
	fake_init(f);
	fake_fact(f, WN_PROCESS_ENV, env, sizeof env - 1);
	add_barriers_by_turns(f);
}

/* Twenty times 10 us of both threads, then 50 us of one of them, in turn, in a single construct,
 * for which the other one waits. */
void
make_singles(struct fake *f)
{
	uint64_t at = 10000;
	fake_init(f);
	FAKE(f, 0, REGION_BEGIN, at, WIDE, 0, 0);
	for (uint32_t i = 0; i < 2; i++)
		FAKE(f, i, IMPLICIT_BEGIN, at, 0, 0, 0, 1, 2, i);
	for (unsigned k = 0; k < 20; k++, at += 60000)
		for (uint32_t i = 0; i < 2; i++) {
			FAKE(f, i, SYNC_BEGIN, at + 10000, INNER, WN_SYNC_BARRIER_EXPLICIT);
			FAKE(f, i, SYNC_END, at + 10000, 0, 0);
			uint64_t end = at + (i == k % 2 ? 60000 : 10000);
			FAKE(f, i, WORK_BEGIN, at + 10000, MANY,
			     i == k % 2 ? WN_WORK_SINGLE_EXECUTOR : WN_WORK_SINGLE_OTHER, 1);
			FAKE(f, i, WORK_END, end, 0, 0);
			FAKE(f, i, SYNC_BEGIN, end, FEW, WN_SYNC_BARRIER_IMPLICIT);
			FAKE(f, i, SYNC_END, at + 60000, 0, 0);
		}
	for (uint32_t i = 0; i < 2; i++) {
		FAKE(f, i, SYNC_BEGIN, at, WIDE, WN_SYNC_BARRIER_REGION);
		FAKE(f, i, SYNC_END, at, 0, 0);
		FAKE(f, i, IMPLICIT_END, at, 0, 0);
	}
	FAKE(f, 0, REGION_END, at, 0, 0);
	fake_seal(f);
}

/* n times a task of 10 us, of two places in turn, which is waited for, and 10 us of the creator's
 * own work. */
static void
add_lonely_tasks(struct fake *f, unsigned n, uint64_t first, uint64_t second)
{
	uint64_t at = 10000;
	fake_init(f);
	FAKE(f, 0, REGION_BEGIN, at, WIDE, 0, 0);
	for (uint32_t i = 0; i < 2; i++)
		FAKE(f, i, IMPLICIT_BEGIN, at, 0, 0, 0, 1, 2, i);
	FAKE(f, 1, SYNC_BEGIN, at, WIDE, WN_SYNC_BARRIER_REGION);
	for (unsigned k = 0; k < n; k++) {
		FAKE(f, 0, TASK_CREATE, at, k % 2 ? second : first, 0);
		FAKE(f, 0, CREATE_END, at, 0, 0);
		FAKE(f, 0, SYNC_BEGIN, at, FEW, WN_SYNC_TASKWAIT);
		FAKE(f, 0, TASK_BEGIN_OWN, at, 0, 0, 0);
		FAKE(f, 0, TASK_END, at += 10000, 0, 0);
		FAKE(f, 0, SYNC_END, at, 0, 0);
		at += 10000;
	}
	FAKE(f, 0, SYNC_BEGIN, at, WIDE, WN_SYNC_BARRIER_REGION);
	for (uint32_t i = 0; i < 2; i++) {
		FAKE(f, i, SYNC_END, at, 0, 0);
		FAKE(f, i, IMPLICIT_END, at, 0, 0);
	}
	FAKE(f, 0, REGION_END, at, 0, 0);
	fake_seal(f);
}

void
make_lonely(struct fake *f)
{
	add_lonely_tasks(f, 3, MANY, MANY);
}

void
make_lonely_halves(struct fake *f)
{
	add_lonely_tasks(f, 4, MANY, INNER);
}

void
make_gaps_random(struct fake *f)
{
	fake_init(f);
	add_parts(f, 16, 0x9a5c, 20000);
	fake_seal(f);
}

void
make_gaps_steady(struct fake *f)
{
	fake_init(f);
	add_parts(f, 16, 0xffff, 20000);
	fake_seal(f);
}

/* The hypervisor took 550 us in the run. */
void
make_gaps_stolen(struct fake *f)
{
	fake_init(f);
	add_parts(f, 16, 0x9a5c, 60000);
	fake_number(f, WN_FACT_STEAL_NS, 550000);
	fake_seal(f);
}

void
make_gap_stolen(struct fake *f)
{
	fake_init(f);
	add_parts(f, 1, 1, 60000);
	fake_number(f, WN_FACT_STEAL_NS, 550000);
	fake_seal(f);
}

/* On a machine whose CPUs differ in speed at times. */
void
make_gaps_by_spread(struct fake *f)
{
	static const char text[] = WN_CALIBRATION_HEAD "\nspread 1250\nend\n";
	fake_init(f);
	add_parts(f, 16, 0xffff, 20000);
	fake_fact(f, WN_PROCESS_CALIBRATION, text, sizeof text - 1);
	fake_seal(f);
}

/* Thread 1, which works longer, is on CPU 1. */
static void
add_parts_on(struct fake *f, uint32_t speed_0, uint32_t speed_1, uint64_t gap_ns)
{
	const struct wn_cpu_speed_record speeds[] = {{0, speed_0}, {1, speed_1}};
	fake_init(f);
	FAKE(f, 0, CPU, 0, 0, 0, 0);
	FAKE(f, 1, CPU, 0, 0, 0, 1);
	add_parts(f, 16, 0xffff, gap_ns);
	fake_fact(f, WN_PROCESS_CPU_SPEEDS, speeds, sizeof speeds);
	fake_seal(f);
}

void
make_gaps_by_speed(struct fake *f)
{
	add_parts_on(f, 1000, 850, 20000);
}

void
make_gaps_against_speed(struct fake *f)
{
	add_parts_on(f, 850, 1000, 60000);
}

/* In one part of 16 another thread is the slower one. */
void
make_gaps_nearly(struct fake *f)
{
	fake_init(f);
	add_parts(f, 16, 0xffdf, 20000);
	fake_seal(f);
}

void
make_gap_once(struct fake *f)
{
	fake_init(f);
	add_parts(f, 1, 1, 20000);
	fake_seal(f);
}

void
make_gap_wide(struct fake *f)
{
	fake_init(f);
	add_parts(f, 1, 1, 60000);
	fake_seal(f);
}

/* A region in which the threads work unlike. */
static void
add_gap(struct fake *f, uint32_t number, uint64_t site, uint64_t at, const uint64_t *work_ns)
{
	uint64_t until = at + (work_ns[0] > work_ns[1] ? work_ns[0] : work_ns[1]);
	FAKE(f, 0, REGION_BEGIN, at, site, 0, 0);
	for (uint32_t i = 0; i < 2; i++) {
		FAKE(f, i, IMPLICIT_BEGIN, at, 0, 0, 0, number, 2, i);
		FAKE(f, i, SYNC_BEGIN, at + work_ns[i], site, WN_SYNC_BARRIER_REGION);
		FAKE(f, i, SYNC_END, until, 0, 0);
		FAKE(f, i, IMPLICIT_END, until, 0, 0);
	}
	FAKE(f, 0, REGION_END, until, 0, 0);
}

/* Most of the path is in an even region; each of the other two loses half of what is lost. */
void
make_uneven_twice(struct fake *f)
{
	fake_init(f);
	add_gap(f, 1, WIDE, 10000, (const uint64_t[]){100000, 0});
	add_gap(f, 2, LONE, 110000, (const uint64_t[]){400000, 400000});
	add_gap(f, 3, NARROW, 510000, (const uint64_t[]){0, 100000});
	fake_seal(f);
}

/* Two threads share three tasks of 100 us: one is idle beside the last of them. */
void
make_last_alone(struct fake *f)
{
	fake_init(f);
	FAKE(f, 0, REGION_BEGIN, 10000, WIDE, 0, 0);
	for (uint32_t i = 0; i < 2; i++)
		FAKE(f, i, IMPLICIT_BEGIN, 10000, 0, 0, 0, 1, 2, i);
	for (uint64_t k = 1; k <= 3; k++) {
		FAKE(f, 0, TASK_CREATE, 10000 + 10 * k, MANY, 0, 0);
		FAKE(f, 0, CREATE_END, 10005 + 10 * k, 0, 0);
	}
	for (uint32_t i = 0; i < 2; i++)
		FAKE(f, i, SYNC_BEGIN, 10040, WIDE, WN_SYNC_BARRIER_REGION);
	for (uint32_t i = 0; i < 3; i++) {
		uint64_t at = 10040 + i / 2 * 100000;
		FAKE(f, i % 2, TASK_BEGIN, at, 0, 0, 0, i + 2);
		FAKE(f, i % 2, TASK_END, at + 100000, 0, 0);
	}
	for (uint32_t i = 0; i < 2; i++) {
		FAKE(f, i, SYNC_END, 210040, 0, 0);
		FAKE(f, i, IMPLICIT_END, 210040, 0, 0);
	}
	FAKE(f, 0, REGION_END, 210050, 0, 0);
	fake_seal(f);
}

/* Each thread holds it once, for 30 us, and does nothing else: thread 0 waits at the end. */
void
make_mutex_held(struct fake *f)
{
	fake_init(f);
	FAKE(f, 0, REGION_BEGIN, 10000, WIDE, 0, 0);
	for (uint32_t i = 0; i < 2; i++) {
		uint64_t at = 10000 + i * 30000;
		FAKE(f, i, IMPLICIT_BEGIN, 10000, 0, 0, 0, 1, 2, i);
		FAKE(f, i, MUTEX_WAIT, 10000, MUTEX, WN_MUTEX_CRITICAL, 7);
		FAKE(f, i, MUTEX_ACQUIRED, at, 0, 0);
		FAKE(f, i, MUTEX_RELEASED, at + 30000, MUTEX, WN_MUTEX_CRITICAL, 7);
		FAKE(f, i, SYNC_BEGIN, at + 30000, WIDE, WN_SYNC_BARRIER_REGION);
		FAKE(f, i, SYNC_END, 70010, 0, 0);
		FAKE(f, i, IMPLICIT_END, 70010, 0, 0);
	}
	FAKE(f, 0, REGION_END, 70010, 0, 0);
	fake_seal(f);
}

/* The same in nanoseconds, which recording lengthens. */
void
make_mutex_short(struct fake *f)
{
	add_mutex(f, 1, MUTEX, 7);
}

/* A thread takes a lock twice; once the runtime does not tell where. */
void
make_lock_unplaced(struct fake *f)
{
	fake_init(f);
	FAKE(f, 0, REGION_BEGIN, 10000, WIDE, 0, 0);
	FAKE(f, 0, IMPLICIT_BEGIN, 10000, 0, 0, 0, 1, 1, 0);
	for (unsigned k = 0; k < 2; k++) {
		uint64_t at = 20000 + k * 10000;
		FAKE(f, 0, MUTEX_WAIT, at, k ? MUTEX : 0, WN_MUTEX_LOCK, 7);
		FAKE(f, 0, MUTEX_ACQUIRED, at + 10, 0, 0);
		FAKE(f, 0, MUTEX_RELEASED, at + 5000, MUTEX, WN_MUTEX_LOCK, 7);
	}
	FAKE(f, 0, IMPLICIT_END, 50000, 0, 0);
	FAKE(f, 0, REGION_END, 50010, 0, 0);
	fake_seal(f);
}

/* The process starts before_ns before its one region, which takes 2 ms, and ends after_ns after it;
 * the recording begins first_ns before the region, and the recorder is loaded loaded_ns before
 * that, 0: unknown; for off_ns of that it has no CPU. */
static void
add_start_off(struct fake *f, uint64_t before_ns, uint64_t loaded_ns, uint64_t first_ns,
              uint64_t after_ns, uint64_t off_ns)
{
	struct region region = {.addr = WIDE, .number = 1, .team = 2, .work_ns = 2000000};
	fake_init(f);
	uint64_t at = add_region(f, &region, first_ns);
	fake_header(f)->finished = 1;
	fake_header(f)->start_mono_ns = 1000000000;
	fake_header(f)->last_mono_ns = 1000000000 + at + after_ns;
	fake_header(f)->wall_ns = before_ns + at - first_ns + after_ns;
	if (loaded_ns > 0)
		fake_number(f, WN_FACT_LOADED_NS, loaded_ns);
	if (off_ns > 0)
		fake_number(f, WN_FACT_OFF_BEFORE_NS, off_ns);
	fake_seal(f);
}

static void
add_start(struct fake *f, uint64_t before_ns, uint64_t loaded_ns, uint64_t first_ns,
          uint64_t after_ns)
{
	add_start_off(f, before_ns, loaded_ns, first_ns, after_ns, 0);
}

void
make_start(struct fake *f)
{
	add_start(f, 60000000, 0, 10000, 1000000);
}

void
make_start_loaded(struct fake *f)
{
	add_start(f, 60000000, 49990000, 10000, 1000000);
}

/* Most of it waits for a CPU. */
void
make_start_off(struct fake *f)
{
	add_start_off(f, 60000000, 49990000, 10000, 1000000, 45000000);
}

/* Most of it is the loading of the program. */
void
make_start_loading(struct fake *f)
{
	add_start(f, 60000000, 10000000, 10000, 1000000);
}

/* The runtime starts, and the recording with it, as soon as the program is loaded. */
void
make_start_early(struct fake *f)
{
	add_start(f, 60000000, 1000000, 49000000, 1000000);
}

void
make_start_short(struct fake *f)
{
	add_start(f, 19000000, 0, 10000, 1000000);
}

void
make_ends(struct fake *f)
{
	add_start(f, 60000000, 17990000, 10000, 20000000);
}

/* Two regions of 5 ms, and 60 us of serial code on each of two threads between them: of 120 us the
 * half could be won, which is less than a hundredth of the run. */
void
make_near(struct fake *f)
{
	struct region region = {
	    .addr = WIDE, .number = 1, .team = 2, .forking_ns = 200, .work_ns = 5000000};
	fake_init(f);
	uint64_t at = add_region(f, &region, 10000);
	region.number = 2;
	region.addr = NARROW;
	add_region(f, &region, at + 60000);
	fake_seal(f);
}

/* A dynamic loop of six chunks on so many threads, in turn, which take that long, and each 1 us
 * more than the one before. */
static void
make_chunks(struct fake *f, uint32_t team, uint64_t chunk_ns)
{
	fake_init(f);
	FAKE(f, 0, REGION_BEGIN, 10000, WIDE, 0, team);
	for (uint32_t i = 0; i < team; i++) {
		uint64_t at = 20000;
		FAKE(f, i, IMPLICIT_BEGIN, at, 0, 0, 0, 1, team, i);
		FAKE(f, i, LOOP_BEGIN, at, MANY, WN_WORK_LOOP_DYNAMIC | WN_LOOP_BOUNDS, 12, 0,
		     fake_zigzag(1), 2);
		for (uint32_t k = i; k < 6; k += team) {
			int64_t step = (int64_t)(k == i ? 2 * k : 2 * team);
			FAKE(f, i, CHUNK_BEGIN, at, 0, 0, fake_zigzag(step), 2);
			at += chunk_ns + 1000 * k;
			FAKE(f, i, CHUNK_END, at, 0, 0);
		}
		FAKE(f, i, WORK_END, at, 0, 0);
		FAKE(f, i, SYNC_BEGIN, at, WIDE, WN_SYNC_BARRIER_REGION);
		FAKE(f, i, SYNC_END, 20000 + 6 * (chunk_ns + 6000) / team, 0, 0);
		FAKE(f, i, IMPLICIT_END, 20000 + 6 * (chunk_ns + 6000) / team, 0, 0);
	}
	FAKE(f, 0, REGION_END, 30000 + 6 * (chunk_ns + 6000) / team, 0, 0);
	fake_seal(f);
}

/* Sections on two threads: one works 100 us, n of the other thread as long as that says. */
static void
add_sections(struct fake *f, uint32_t n, uint64_t each_ns)
{
	FAKE(f, 0, REGION_BEGIN, 10000, WIDE, 0, 2);
	for (uint32_t i = 0; i < 2; i++) {
		uint64_t at = 20000;
		FAKE(f, i, IMPLICIT_BEGIN, at, 0, 0, 0, 1, 2, i);
		FAKE(f, i, LOOP_BEGIN, at, MANY, WN_WORK_SECTIONS | WN_LOOP_BOUNDS, 1 + n, 0,
		     fake_zigzag(1), 1);
		for (uint32_t k = 0; k < (i == 0 ? 1 : n); k++) {
			FAKE(f, i, CHUNK_BEGIN, at, 0, 0, fake_zigzag(1), 1);
			at += i == 0 ? 100000 : each_ns;
			FAKE(f, i, CHUNK_END, at, 0, 0);
		}
		FAKE(f, i, WORK_END, at, 0, 0);
		FAKE(f, i, SYNC_BEGIN, at, WIDE, WN_SYNC_BARRIER_REGION);
		FAKE(f, i, SYNC_END, 120000, 0, 0);
		FAKE(f, i, IMPLICIT_END, 120000, 0, 0);
	}
	FAKE(f, 0, REGION_END, 130000, 0, 0);
}

void
make_sections(struct fake *f)
{
	fake_init(f);
	add_sections(f, 2, 20000);
	fake_seal(f);
}

/* Equal ones, of which the longer is on a CPU of 0.7 of the other one's speed. */
void
make_sections_by_speed(struct fake *f)
{
	const struct wn_cpu_speed_record speeds[] = {{0, 700}, {1, 1000}};
	fake_init(f);
	FAKE(f, 0, CPU, 0, 0, 0, 0);
	FAKE(f, 1, CPU, 0, 0, 0, 1);
	add_sections(f, 1, 70000);
	fake_fact(f, WN_PROCESS_CPU_SPEEDS, speeds, sizeof speeds);
	fake_seal(f);
}

void
make_alone(struct fake *f)
{
	make_chunks(f, 1, 100000);
	fake_seal(f);
}

void
make_inflated(struct fake *f)
{
	make_chunks(f, 2, 180000);
}

/* A taskloop on libgomp whose tasks of 5 us thread 0 runs in the call, or after it, while thread 1
 * waits. */
static void
add_taskloop(struct fake *f, unsigned n, uint64_t creation_ns, bool is_inline)
{
	uint64_t at = 10000;
	fake_header(f)->sources = WN_SOURCE_LIBGOMP;
	FAKE(f, 0, REGION_BEGIN, at, WIDE, 0, 0);
	for (uint32_t i = 0; i < 2; i++)
		FAKE(f, i, IMPLICIT_BEGIN, at, 0, 0, 0, 1, 2, i);
	FAKE(f, 1, SYNC_BEGIN, at, WIDE, WN_SYNC_BARRIER_REGION);
	FAKE(f, 0, TASKLOOP_BEGIN, at, MANY, WN_TASK_TASKLOOP, n, n);
	for (unsigned i = 0; i < n; i++) {
		FAKE(f, 0, TASK_CREATE, at, MANY, WN_TASK_TASKLOOP);
		FAKE(f, 0, CREATE_END, at += creation_ns, 0, 0);
	}
	if (!is_inline) {
		FAKE(f, 0, TASKLOOP_END, at, 0, 0);
		FAKE(f, 0, SYNC_BEGIN, at, WIDE, WN_SYNC_BARRIER_REGION);
	}
	for (unsigned i = 0; i < n; i++) {
		FAKE(f, 0, TASK_BEGIN_OWN, at, 0, 0, n - 1 - i);
		FAKE(f, 0, TASK_END, at += 5000, 0, 0);
	}
	if (is_inline) {
		FAKE(f, 0, TASKLOOP_END, at, 0, 0);
		FAKE(f, 0, SYNC_BEGIN, at, WIDE, WN_SYNC_BARRIER_REGION);
	}
	for (uint32_t i = 0; i < 2; i++) {
		FAKE(f, i, SYNC_END, at, 0, 0);
		FAKE(f, i, IMPLICIT_END, at, 0, 0);
	}
	FAKE(f, 0, REGION_END, at, 0, 0);
	fake_seal(f);
}

void
make_inline(struct fake *f)
{
	fake_init(f);
	add_taskloop(f, 4, 0, true);
}

void
make_inline_many(struct fake *f)
{
	fake_init(f);
	add_taskloop(f, 120, 2000, true);
}

void
make_queued(struct fake *f)
{
	fake_init(f);
	add_taskloop(f, 4, 0, false);
}

/* 60 tasks on two threads, each made by the one before, in turn at MANY and at FEW: 2 us to make,
 * 100 ns of work; and after them ten at LONE, which make none. */
void
make_recursion(struct fake *f)
{
	uint64_t at = 10000;
	fake_init(f);
	FAKE(f, 0, REGION_BEGIN, at, WIDE, 0, 0);
	for (uint32_t i = 0; i < 2; i++)
		FAKE(f, i, IMPLICIT_BEGIN, at, 0, 0, 0, 1, 2, i);
	for (unsigned i = 0; i < 70; i++) {
		FAKE(f, 0, TASK_CREATE, at, i >= 60 ? LONE : i % 3 ? MANY : FEW, 0);
		FAKE(f, 0, CREATE_END, at += 2000, 0, 0);
		FAKE(f, 0, TASK_BEGIN_OWN, at, 0, 0, 0);
		at += 100;
		for (unsigned k = 0; k < 60 && i == 59; k++)
			FAKE(f, 0, TASK_END, at, 0, 0);
		if (i >= 60)
			FAKE(f, 0, TASK_END, at, 0, 0);
	}
	for (uint32_t i = 0; i < 2; i++) {
		FAKE(f, i, SYNC_BEGIN, at, WIDE, WN_SYNC_BARRIER_REGION);
		FAKE(f, i, SYNC_END, at, 0, 0);
		FAKE(f, i, IMPLICIT_END, at, 0, 0);
	}
	FAKE(f, 0, REGION_END, at, 0, 0);
	fake_seal(f);
}

/* Two threads, of which one works 40 us and the other 10 us. */
static void
add_pair(struct fake *f, uint64_t leaving_ns)
{
	FAKE(f, 0, REGION_BEGIN, 10000, WIDE, 0, 0);
	for (uint32_t i = 0; i < 2; i++) {
		FAKE(f, i, IMPLICIT_BEGIN, 10000, 0, 0, 0, 1, 2, i);
		FAKE(f, i, SYNC_BEGIN, i ? 50000 : 20000, WIDE, WN_SYNC_BARRIER_REGION);
		FAKE(f, i, SYNC_END, 50000 + leaving_ns, 0, 0);
		FAKE(f, i, IMPLICIT_END, 50000 + leaving_ns, 0, 0);
	}
	FAKE(f, 0, REGION_END, 50000 + leaving_ns, 0, 0);
	fake_seal(f);
}

/* On one CPU. */
void
make_shared_cpu(struct fake *f)
{
	fake_init(f);
	fake_header(f)->n_cpus = 1;
	add_pair(f, 0);
}

/* Three threads that work so long. */
static void
add_three(struct fake *f, const uint64_t work_ns[3])
{
	uint64_t end = 50000;
	FAKE(f, 0, REGION_BEGIN, 10000, WIDE, 0, 0);
	for (uint32_t i = 0; i < 3; i++) {
		FAKE(f, i, IMPLICIT_BEGIN, 10000, 0, 0, 0, 1, 3, i);
		FAKE(f, i, SYNC_BEGIN, 10000 + work_ns[i], WIDE, WN_SYNC_BARRIER_REGION);
		FAKE(f, i, SYNC_END, end, 0, 0);
		FAKE(f, i, IMPLICIT_END, end, 0, 0);
	}
	FAKE(f, 0, REGION_END, end, 0, 0);
	fake_seal(f);
}

/* On two CPUs. */
void
make_shared_uneven(struct fake *f)
{
	static const uint64_t work_ns[] = {40000, 10000, 10000};
	fake_init(f);
	fake_header(f)->n_cpus = 2;
	add_three(f, work_ns);
}

/* On a machine whose CPUs differ in speed at times, but never by a factor of 4. */
void
make_gap_beyond_spread(struct fake *f)
{
	static const char text[] = WN_CALIBRATION_HEAD "\nspread 1500\nend\n";
	static const uint64_t work_ns[] = {40000, 40000, 10000};
	fake_init(f);
	fake_fact(f, WN_PROCESS_CALIBRATION, text, sizeof text - 1);
	add_three(f, work_ns);
}

/* They need 60 us to find that the barrier is over. */
void
make_slow_wake(struct fake *f)
{
	fake_init(f);
	add_pair(f, 60000);
}

/* Both are bound to one of the four CPUs. */
void
make_bound(struct fake *f)
{
	fake_init(f);
	fake_number(f, WN_FACT_BOUND_CPUS, 1);
	add_pair(f, 0);
}

/* A quota of half a CPU stopped them for 30 us; the hypervisor had four CPUs for 424 ms in a
 * second, and up to 16 ms more by rounding. */
void
make_quota(struct fake *f)
{
	fake_init(f);
	fake_number(f, WN_FACT_QUOTA_MILLICPUS, 500);
	fake_number(f, WN_FACT_THROTTLED_NS, 30000);
	fake_number(f, WN_FACT_STEAL_NS, 440000000);
	fake_number(f, WN_FACT_SPAN_NS, 1000000000);
	add_pair(f, 0);
}

static void
put_faults(struct fake *f, uint64_t of_first, uint64_t n_pages)
{
	fake_number(f, WN_FACT_MINOR_FAULTS, 2000);
	fake_number(f, WN_FACT_FIRST_FAULTS, of_first);
	fake_number(f, WN_FACT_PEAK_PAGES, n_pages);
	fake_number(f, WN_FACT_KERNEL_NS, 30000);
	fake_number(f, WN_FACT_CPU_NS, 100000);
	add_pair(f, 0);
}

/* 2000 page faults of both threads in 500 pages; in 2000 pages, nearly all of the first thread; and
 * in 2000 pages of both, which is how it has to be. */
void
make_faults(struct fake *f)
{
	fake_init(f);
	put_faults(f, 1000, 500);
}

void
make_first_touch(struct fake *f)
{
	fake_init(f);
	put_faults(f, 1990, 2000);
}

void
make_touched_once(struct fake *f)
{
	fake_init(f);
	put_faults(f, 1000, 2000);
}

/* The time to leave the barrier, and a setting that explains it. */
void
make_passive(struct fake *f)
{
	static const char env[] = "OMP_WAIT_POLICY=PASSIVE";
	fake_init(f);
	fake_fact(f, WN_PROCESS_ENV, env, sizeof env - 1);
	add_pair(f, 60000);
}

static void
begin_pair(struct fake *f)
{
	FAKE(f, 0, REGION_BEGIN, 10000, WIDE, 0, 0);
	for (uint32_t i = 0; i < 2; i++)
		FAKE(f, i, IMPLICIT_BEGIN, 10000, 0, 0, 0, 1, 2, i);
}

static void
end_pair(struct fake *f, uint64_t at)
{
	for (uint32_t i = 0; i < 2; i++) {
		FAKE(f, i, SYNC_END, at, 0, 0);
		FAKE(f, i, IMPLICIT_END, at, 0, 0);
	}
	FAKE(f, 0, REGION_END, at, 0, 0);
	fake_seal(f);
}

/* Three tasks of 20 us, each of which thread 1 has 10 us after it became ready, while thread 0
 * works. */
void
make_slow_start(struct fake *f)
{
	uint64_t at = 10000;
	fake_init(f);
	begin_pair(f);
	FAKE(f, 1, SYNC_BEGIN, at, WIDE, WN_SYNC_BARRIER_REGION);
	for (uint32_t i = 0; i < 3; i++) {
		FAKE(f, 0, TASK_CREATE, at, MANY, 0);
		FAKE(f, 0, CREATE_END, at, 0, 0);
		FAKE(f, 1, TASK_BEGIN, at + 10000, 0, 0, 0, 2 + i);
		FAKE(f, 1, TASK_END, at += 30000, 0, 0);
	}
	FAKE(f, 0, SYNC_BEGIN, at, WIDE, WN_SYNC_BARRIER_REGION);
	end_pair(f, at);
}

/* Small tasks of three places, each of which thread 1 has 2 us after it became ready. */
void
make_small_everywhere(struct fake *f)
{
	static const uint64_t places[] = {MANY, FEW, LONE};
	uint64_t at = 10000;
	fake_init(f);
	begin_pair(f);
	FAKE(f, 1, SYNC_BEGIN, at, WIDE, WN_SYNC_BARRIER_REGION);
	for (uint32_t i = 0; i < 60; i++) {
		FAKE(f, 0, TASK_CREATE, at, places[i % 3], 0);
		FAKE(f, 0, CREATE_END, at, 0, 0);
		FAKE(f, 1, TASK_BEGIN, at + 2000, 0, 0, 0, 2 + i);
		FAKE(f, 1, TASK_END, at += 2100, 0, 0);
	}
	FAKE(f, 0, SYNC_BEGIN, at, WIDE, WN_SYNC_BARRIER_REGION);
	end_pair(f, at);
}

/* Thread 0 waits 20 us for a task, while another one is ready, which thread 1 runs after it. */
void
make_taskwait(struct fake *f)
{
	uint64_t at = 10000;
	fake_init(f);
	begin_pair(f);
	FAKE(f, 1, SYNC_BEGIN, at, WIDE, WN_SYNC_BARRIER_REGION);
	for (uint32_t i = 0; i < 2; i++) {
		FAKE(f, 0, TASK_CREATE, at, i ? FEW : MANY, 0);
		FAKE(f, 0, CREATE_END, at, 0, 0);
	}
	FAKE(f, 1, TASK_BEGIN, at, 0, 0, 0, 2);
	FAKE(f, 0, SYNC_BEGIN, at, NARROW, WN_SYNC_TASKWAIT);
	FAKE(f, 1, TASK_END, at += 20000, 0, 0);
	FAKE(f, 1, TASK_BEGIN, at, 0, 0, 0, 3);
	FAKE(f, 1, TASK_END, at += 1000, 0, 0);
	FAKE(f, 0, SYNC_END, at, 0, 0);
	FAKE(f, 0, SYNC_BEGIN, at, WIDE, WN_SYNC_BARRIER_REGION);
	end_pair(f, at);
}

/* A region of two inside each thread of a team of two, on two CPUs: four threads. In each inner
 * region the first one works 40 us, the other one 10 us. */
void
make_nested(struct fake *f)
{
	fake_init(f);
	fake_header(f)->n_cpus = 2;
	begin_pair(f);
	for (uint32_t i = 0; i < 2; i++) {
		FAKE(f, i, REGION_BEGIN, 10000, INNER, 0, 2);
		for (uint32_t k = 0; k < 2; k++) {
			uint32_t thread = k ? 2 + i : i;
			FAKE(f, thread, IMPLICIT_BEGIN, 10000, 0, 0, i, i ? 1 : 2, 2, k);
			FAKE(f, thread, SYNC_BEGIN, k ? 20000 : 50000, INNER,
			     WN_SYNC_BARRIER_REGION);
			FAKE(f, thread, SYNC_END, 50000, 0, 0);
			FAKE(f, thread, IMPLICIT_END, 50000, 0, 0);
		}
		FAKE(f, i, REGION_END, 50000, 0, 0);
		FAKE(f, i, SYNC_BEGIN, 50000, WIDE, WN_SYNC_BARRIER_REGION);
	}
	end_pair(f, 50000);
}

/* 10 us of serial code; then all that two threads do, 50 us each, is in one critical section. */
void
make_one_lock(struct fake *f)
{
	fake_init(f);
	FAKE(f, 0, SYNC_BEGIN, 10000, LONE, WN_SYNC_TASKWAIT);
	FAKE(f, 0, SYNC_END, 10000, 0, 0);
	FAKE(f, 0, REGION_BEGIN, 20000, WIDE, 0, 0);
	for (uint32_t i = 0; i < 2; i++) {
		uint64_t at = 20000 + i * 50000;
		FAKE(f, i, IMPLICIT_BEGIN, 20000, 0, 0, 0, 1, 2, i);
		FAKE(f, i, MUTEX_WAIT, 20000, MUTEX, WN_MUTEX_CRITICAL, 7);
		FAKE(f, i, MUTEX_ACQUIRED, at, 0, 0);
		FAKE(f, i, MUTEX_RELEASED, at + 50000, MUTEX, WN_MUTEX_CRITICAL, 7);
		FAKE(f, i, SYNC_BEGIN, at + 50000, WIDE, WN_SYNC_BARRIER_REGION);
		FAKE(f, i, SYNC_END, 120010, 0, 0);
		FAKE(f, i, IMPLICIT_END, 120010, 0, 0);
	}
	FAKE(f, 0, REGION_END, 120020, 0, 0);
	fake_seal(f);
}
