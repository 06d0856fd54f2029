/* SPDX-License-Identifier: MIT */
/* Loops whose chunks the runtime hands out. */
#include "../../../programs/several.h"
#include "sink.h"

#include <omp.h>
#include <stddef.h>
#include <stdint.h>

/* With one thread the runtime hands out everything at once.
 *
 * // EXPECT: loops == 4*T
 * // EXPECT threads>1: dynamic_loops == 4*T
 * // EXPECT threads>1: chunks == 100
 * // EXPECT threads=1: chunks == 4
 * // EXPECT: iterations == 137
 * // EXPECT: null_loop_sites == 0
 * // EXPECT: notes_dispatch == 0
 * // EXPECT: unknown_loops == 0
 */
PROGRAM(for_dynamic)
{
#pragma omp parallel
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 85; i++)
			sink(i);
#pragma omp for schedule(dynamic, 3) nowait
		for (long i = 10; i > -10; i--)
			sink(i);
#pragma omp for schedule(monotonic : dynamic, 4)
		for (unsigned i = 0; i < 32; i += 2)
			sink(i);
#pragma omp for schedule(dynamic, 4)
		for (unsigned long i = 16; i > 0; i--)
			sink((long)i);
	}
	return 0;
}

/* // EXPECT: loops == 2*T
 * // EXPECT threads=2: guided_loops == 4
 * // EXPECT: iterations == 1500
 */
PROGRAM(for_guided)
{
#pragma omp parallel
	{
#pragma omp for schedule(guided, 2)
		for (int i = 0; i < 500; i++)
			sink(i);
#pragma omp for schedule(auto)
		for (int i = 0; i < 1000; i++)
			sink(i);
	}
	return 0;
}

static void
loop(void)
{
#pragma omp parallel for schedule(runtime)
	for (int i = 0; i < 200; i++)
		sink(i);
}

/* schedule(runtime) makes every chunk visible, of static schedules too.
 *
 * // EXPECT: loops == 3*T
 * // EXPECT: runtime_loops == 3*T
 * // EXPECT threads>1: static_loops == T
 * // EXPECT threads>1: dynamic_loops == T
 * // EXPECT threads=2: guided_loops == T
 * // EXPECT: iterations == 600
 * // EXPECT threads=2: chunks >= 100
 */
PROGRAM(for_runtime)
{
	omp_set_schedule(omp_sched_static, 4);
	loop();
	omp_set_schedule(omp_sched_dynamic, 4);
	loop();
	omp_set_schedule(omp_sched_guided, 4);
	loop();
	return 0;
}

/* // EXPECT: loops == 2*T
 * // EXPECT: ordered_loops == 2*T
 * // EXPECT: iterations == 40
 * // EXPECT: ordereds == 40
 * // EXPECT: mutexes_held == 0
 */
PROGRAM(for_ordered)
{
#pragma omp parallel
	{
#pragma omp for ordered
		for (int i = 0; i < 20; i++) {
#pragma omp ordered
			sink(i);
		}
#pragma omp for ordered schedule(dynamic, 2)
		for (int i = 0; i < 20; i++) {
#pragma omp ordered
			sink(i);
		}
	}
	return 0;
}

/* An iteration waits for others: no dependence between tasks, though OMPT uses the same event, and
 * no mutex that is held.
 *
 * // EXPECT: loops == 2*T
 * // EXPECT: iterations == 40
 * // EXPECT: depends == 0
 * // EXPECT: doacross_waits == 40
 * // EXPECT: mutexes_held == 0
 * // EXPECT: null_mutex_sites == 0
 */
PROGRAM(for_doacross)
{
	int a[21] = {0};
#pragma omp parallel
	{
#pragma omp for ordered(1) schedule(static, 1)
		for (int i = 0; i < 20; i++) {
#pragma omp ordered depend(sink : i - 1)
			a[i + 1] = a[i] + 1;
#pragma omp ordered depend(source)
		}
#pragma omp for ordered(1) schedule(dynamic, 1)
		for (int i = 0; i < 20; i++) {
#pragma omp ordered depend(sink : i - 1)
			a[i + 1] = a[i] + 1;
#pragma omp ordered depend(source)
		}
	}
	return a[20] - 20;
}

/* No end of the loop is reported. Run with OMP_CANCELLATION=true.
 *
 * // EXPECT: loops == 2*T
 * // EXPECT: cancels > 1
 * // EXPECT: barriers_implicit == 2*T
 * // UNCOVERED
 */
PROGRAM(for_cancel)
{
#pragma omp parallel
	{
#pragma omp for schedule(dynamic, 1)
		for (int i = 0; i < 100; i++) {
			if (i == 5) {
#pragma omp cancel for
			}
#pragma omp cancellation point for
			work();
		}
#pragma omp for schedule(static)
		for (int i = 0; i < 100; i++)
			sink(i);
	}
	return 0;
}

/* Tasks created and awaited inside chunks, and a group around a loop's tasks.
 *
 * // EXPECT: tasks == 40
 * // EXPECT: ended == 40
 * // EXPECT: create_ends == 40
 * // EXPECT: taskwaits == 20
 * // EXPECT: iterations == 40
 */
PROGRAM(loop_tasks)
{
#pragma omp parallel
	{
#pragma omp for schedule(dynamic, 2)
		for (int i = 0; i < 20; i++) {
#pragma omp task
			work();
#pragma omp taskwait
		}
#pragma omp for schedule(static)
		for (int i = 0; i < 20; i++) {
#pragma omp task
			work();
		}
	}
	return 0;
}

#define TEXT(...) _Pragma(#__VA_ARGS__)
#define FOR(...)  TEXT(omp for __VA_ARGS__)

/* 11 loops, 633 iterations */
#define SHAPES(how)                                                                                \
	FOR(how) for (int i = 99; i >= 0; i--) sink(i);                                            \
	FOR(how) for (int i = 50; i > -50; i -= 3) sink(i);                                        \
	FOR(how) for (int i = -7; i < 90; i += 7) sink(i);                                         \
	FOR(how) for (unsigned i = 3000000000u; i < 3000000050u; i++) sink((long)i);               \
	FOR(how) for (int64_t i = INT64_MAX - 100; i < INT64_MAX - 1; i += 2) sink((long)i);       \
	FOR(how) for (uint64_t i = UINT64_MAX - 100; i > UINT64_MAX - 200; i--) sink((long)i);     \
	FOR(how) for (size_t i = 0; i < 1; i++) sink((long)i);                                     \
	FOR(how) for (char *p = text; p < text + 100; p += 2) sink(*p);                            \
	FOR(how) for (int i = 0; i < none; i++) sink(i);                                           \
	FOR(how collapse(2)) for (int i = 0; i < 12; i++) for (int j = 5; j > 0; j--) sink(i + j); \
	FOR(how lastprivate(last)) for (int i = 0; i < 80; i++) last = i;                          \
	FOR(how nowait) for (int i = 0; i < 94; i++) sink(i);

/* Every shape of loop, by every schedule: each iteration is covered once, counted from 0 by 1. A
 * loop without iterations sends nothing.
 *
 * // EXPECT: loops == 33*T
 * // EXPECT: iterations == 1899
 * // EXPECT: null_loop_sites == 0
 */
PROGRAM(loop_shapes)
{
	static char text[100];
	int last = 0, none = 0;
	sink((long)(uintptr_t)&none);
#pragma omp parallel
	{
		SHAPES(schedule(static))
		SHAPES(schedule(dynamic, 3))
		SHAPES(schedule(guided, 2))
	}
	return last == 79 ? 0 : 1;
}
