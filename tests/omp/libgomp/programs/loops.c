/* SPDX-License-Identifier: MIT */
/* Loops whose chunks libgomp hands out. */
#include "../../../programs/several.h"

#include <limits.h>
#include <omp.h>
#include <stdint.h>

static int n;

static void
work(void)
{
#pragma omp atomic
	n++;
}

/* A combined loop with schedule(auto) and a long variable: gcc announces it to libgomp and then
 * computes every share itself, so that there is no loop to see. */
// EXPECT: regions 1
// EXPECT: implicit T
// EXPECT: loops_met 0
// EXPECT: chunks 0
PROGRAM(loop_auto)
{
#pragma omp parallel for schedule(auto)
	for (long i = 1; i < 100; i++)
#pragma omp atomic
		n++;
	return n != 99;
}

/* Bounds as users write them: steps, counting down, empty, huge, unsigned 64-bit, collapsed. */
// EXPECT: loops 11
// EXPECT: iterations 10+10+34+1+0+5+10+10+12+4+3
PROGRAM(loop_bounds)
{
	uint64_t top = UINT64_MAX;
	long big = LONG_MAX / 2;
#pragma omp parallel
	{
#pragma omp for schedule(dynamic, 2)
		for (int i = -5; i < 5; i++)
			work();
#pragma omp for schedule(dynamic, 2)
		for (int i = 5; i > -5; i--)
			work();
#pragma omp for schedule(dynamic, 2)
		for (int i = 100; i >= 0; i -= 3)
			work();
#pragma omp for schedule(dynamic, 2)
		for (int i = 0; i < 1; i += 50)
			work();
#pragma omp for schedule(dynamic, 2)
		for (int i = 0; i < -1; i++)
			work();
#pragma omp for schedule(dynamic)
		for (long i = -big; i < big; i += big / 2)
			work();
#pragma omp for schedule(dynamic, 3)
		for (uint64_t i = top - 10; i < top; i++)
			work();
#pragma omp for schedule(guided)
		for (uint64_t i = top - 1; i > top - 11; i--)
			work();
#pragma omp for collapse(2) schedule(dynamic, 5)
		for (int i = 10; i < 13; i++)
			for (int j = 8; j > 0; j -= 2)
				work();
#pragma omp for schedule(dynamic)
		for (uint64_t i = 0; i < top - 5; i += top / 4)
			work();
#pragma omp for schedule(runtime)
		for (uint64_t i = top - 4; i > top - 304; i -= 100)
			work();
	}
	return n != 10 + 10 + 34 + 1 + 0 + 5 + 10 + 10 + 12 + 4 + 3;
}

static int cell[21][21];

/* Doacross loops: libgomp shares out the outer loop. */
// EXPECT: loops 4
// EXPECT: iterations 20+20+16*3+20
// EXPECT: regions 1
PROGRAM(loop_doacross)
{
	int n = 0;
#pragma omp parallel reduction(+ : n)
	{
#pragma omp for ordered(2) schedule(dynamic)
		for (int i = 1; i < 21; i++)
			for (int j = 1; j < 21; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
				cell[i][j] = cell[i - 1][j] + cell[i][j - 1] + 1;
#pragma omp ordered depend(source)
			}
#pragma omp for ordered(1) schedule(guided, 2)
		for (int i = 0; i < 20; i++) {
#pragma omp ordered depend(sink : i - 1)
			n++;
#pragma omp ordered depend(source)
		}
#pragma omp for collapse(2) ordered(3) schedule(static, 2)
		for (int i = 0; i < 16; i++)
			for (int j = 0; j < 3; j++)
				for (int k = 0; k < 2; k++) {
#pragma omp ordered depend(sink : i, j, k - 1)
					n++;
#pragma omp ordered depend(source)
				}
#pragma omp for ordered(1) schedule(runtime)
		for (unsigned long i = 1; i < 21; i++) {
#pragma omp ordered depend(sink : i - 1)
			n++;
#pragma omp ordered depend(source)
		}
	}
	return !(n == 20 + 96 + 20 && cell[2][2] == 5);
}

/* GOMP_loop_start: conditional lastprivate and task reductions, with and without inlined chunks.
 * gcc compiles the second loop to arithmetic altogether. */
// EXPECT: regions 1
// EXPECT: loops 3
// EXPECT: loops_met 3*T
// EXPECT: inline_loops_met T
// EXPECT: tasks 20+20
// EXPECT: begun 20+20
// EXPECT: iterations 30+20+20
PROGRAM(loop_generic)
{
	int a = -1, b = -1, sum = 0, other = 0, ordered = 0;
	omp_set_schedule(omp_sched_dynamic, 2);
#pragma omp parallel
	{
#pragma omp for schedule(dynamic, 3) lastprivate(conditional : a)
		for (int i = 0; i < 30; i++)
			if (i % 7 == 3)
				a = i;
#pragma omp for schedule(static) lastprivate(conditional : b)
		for (int i = 0; i < 30; i++)
			if (i % 7 == 2)
				b = i;
#pragma omp for schedule(static, 2) reduction(task, + : sum)
		for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : sum)
			sum++;
		}
#pragma omp for schedule(runtime) reduction(task, + : other)
		for (unsigned long i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : other)
			other++;
		}
#pragma omp for ordered schedule(dynamic) reduction(task, + : ordered)
		for (int i = 20; i > 0; i--)
#pragma omp ordered
			ordered++;
	}
	return !(a == 24 && b == 23 && sum == 20 && other == 20 && ordered == 20);
}

/* More chunks than a block of the trace holds, with a region inside some of them. */
// EXPECT: chunks 50000+50*20
// EXPECT: iterations 50000+50*20
// EXPECT: regions 1+50
// EXPECT: tasks 50000
// EXPECT: begun 50000
PROGRAM(loop_long)
{
	int n = 0;
#pragma omp parallel for schedule(dynamic)
	for (int i = 0; i < 50000; i++) {
#pragma omp task shared(n)
#pragma omp atomic
		n++;
		if (i % 1000 == 0) {
#pragma omp parallel for schedule(dynamic) num_threads(1)
			for (int j = 0; j < 20; j++)
#pragma omp atomic
				n++;
		}
	}
	return n != 50000 + 1000;
}

static int next;

/* schedule(runtime) that means static: chunks are seen. Ordered loops of every schedule, of
 * one in a region, as tests/omp/traps/gcc_chunk_bounds_in_user_values.c says. */
// EXPECT: loops 3+5
// EXPECT: chunks T>1 ? T+25+25+100+100+1+100+T : 1+1+1+1+100+1+100+1
// EXPECT: iterations 8*100
// EXPECT: regions 3+5
PROGRAM(loop_runtime_static)
{
	int n_bad = 0;
	omp_set_schedule(omp_sched_static, 0);
#pragma omp parallel for schedule(runtime)
	for (int i = 0; i < 100; i++)
		work();
	omp_set_schedule(omp_sched_static, 4);
#pragma omp parallel for schedule(runtime)
	for (int i = 0; i < 100; i++)
		work();
	omp_set_schedule(omp_sched_auto, 0);
#pragma omp parallel for schedule(runtime)
	for (int i = 0; i < 100; i++)
		work();
	omp_set_schedule(omp_sched_dynamic, 1);
#pragma omp parallel reduction(+ : n_bad)
#pragma omp for ordered schedule(static, 1)
	for (int i = 0; i < 100; i++)
#pragma omp ordered
		n_bad += next++ != i;
#pragma omp parallel reduction(+ : n_bad)
#pragma omp for ordered schedule(dynamic)
	for (int i = 0; i < 100; i++)
#pragma omp ordered
		n_bad += next++ != i + 100;
#pragma omp parallel reduction(+ : n_bad)
#pragma omp for ordered schedule(guided, 100)
	for (int i = 0; i < 100; i++)
#pragma omp ordered
		n_bad += next++ != i + 200;
#pragma omp parallel reduction(+ : n_bad)
#pragma omp for ordered schedule(runtime)
	for (int i = 0; i < 100; i++)
#pragma omp ordered
		n_bad += next++ != i + 300;
#pragma omp parallel reduction(+ : n_bad)
#pragma omp for ordered
	for (int i = 0; i < 100; i++)
#pragma omp ordered
		n_bad += next++ != i + 400;
	return !(n == 300 && n_bad == 0 && next == 500);
}

#define LOOP                                                                                       \
	for (int i = 0; i < 100; i++)                                                              \
		work();

/* Every schedule that reaches libgomp, as a loop of its own and combined with parallel. */
// EXPECT: regions 1+6
// EXPECT: loops 10+6
// EXPECT: iterations 16*100
PROGRAM(loop_schedules)
{
	omp_set_schedule(omp_sched_dynamic, 3);
#pragma omp parallel
	{
#pragma omp for schedule(dynamic)
		LOOP
#pragma omp for schedule(dynamic, 7) nowait
		    LOOP
#pragma omp for schedule(guided, 4)
			LOOP
#pragma omp for schedule(monotonic : dynamic, 3)
			    LOOP
#pragma omp for schedule(monotonic : guided)
				LOOP
#pragma omp for schedule(runtime)
				    LOOP
#pragma omp for schedule(monotonic : runtime)
					LOOP
#pragma omp for schedule(nonmonotonic : runtime)
					    LOOP
#pragma omp for schedule(dynamic, 1000)
						LOOP
#pragma omp for schedule(nonmonotonic : guided, 2)
						    LOOP
	}
#pragma omp parallel for schedule(dynamic)
	LOOP
#pragma omp parallel for schedule(guided, 5)
		LOOP
#pragma omp parallel for schedule(monotonic : dynamic, 9)
		    LOOP
#pragma omp parallel for schedule(runtime)
			LOOP
#pragma omp parallel for schedule(monotonic : runtime)
			    LOOP
#pragma omp parallel for schedule(nonmonotonic : runtime)
				LOOP return n != 1600;
}
