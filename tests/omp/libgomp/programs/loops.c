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

/* sections of their own, with nowait, combined with parallel, and more threads than sections. */
// EXPECT: sections_met 2*T+T
// EXPECT: sections 3+2+4
// EXPECT: regions 2
// EXPECT: barriers_implicit T
PROGRAM(sections)
{
#pragma omp parallel
	{
#pragma omp sections
	    {
#pragma omp section
		work();
#pragma omp section
	work();
#pragma omp section
	work();
}
#pragma omp sections nowait
{
#pragma omp section
	work();
#pragma omp section
	work();
}
}
#pragma omp parallel sections
{
#pragma omp section
	work();
#pragma omp section
	work();
#pragma omp section
	work();
#pragma omp section
	work();
}
return n != 9;
}

static int next_of_team[2];

static void
ordered_loop(int team)
{
	next_of_team[team] = 0;
#pragma omp parallel for ordered schedule(dynamic, 1) num_threads(2)
	for (int i = 0; i < 10; i++) {
#pragma omp ordered
		next_of_team[team] += next_of_team[team] == i;
	}
}

/* Ordered loops of each schedule, and of two teams at once: each team's order is its own.
 * Of one schedule in a region, as tests/omp/traps/gcc_chunk_bounds_in_user_values.c says. */
// EXPECT: ordereds 5*20+2*10
// EXPECT: mutexes 5+2
PROGRAM(ordered)
{
	int n = 0, n_bad = 0;
#define ORDERED_LOOP(clause)                                                                       \
	n = 0;                                                                                     \
	_Pragma("omp parallel") _Pragma(clause) for (int i = 0; i < 20; i++)                       \
	{                                                                                          \
		_Pragma("omp ordered") n += n == i;                                                \
	}                                                                                          \
	n_bad += n != 20;
	ORDERED_LOOP("omp for ordered schedule(static)")
	ORDERED_LOOP("omp for ordered schedule(static, 3)")
	ORDERED_LOOP("omp for ordered schedule(dynamic, 2)")
	ORDERED_LOOP("omp for ordered schedule(guided)")
	ORDERED_LOOP("omp for ordered schedule(runtime)")
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	ordered_loop(omp_get_thread_num());
	return n_bad || next_of_team[0] != 10 || next_of_team[1] != 10;
}

static int box[2][2][2][2][2][2][2][2];

/* Waits of doacross loops: of one and of many dimensions, signed and unsigned long long. The sum of
 * several variables takes the mutex of large atomics. */
// EXPECT: doacross_waits 9+9+(8+12)+1
// EXPECT: atomics T
// EXPECT: mutexes 1
// EXPECT: loops 4
PROGRAM(doacross_waits)
{
	int n = 0, m = 0, last = 0, n_bad = 0;
#pragma omp parallel reduction(+ : n, m, n_bad)
	{
#pragma omp for ordered(1) schedule(dynamic, 1)
		for (int i = 0; i < 10; i++) {
#pragma omp ordered depend(sink : i - 1)
			n++;
#pragma omp ordered depend(source)
		}
#pragma omp for ordered(1) schedule(dynamic, 1)
		for (unsigned long long i = 1ull << 63; i < (1ull << 63) + 10; i++) {
#pragma omp ordered depend(sink : i - 1)
			m++;
#pragma omp ordered depend(source)
		}
		/* eight dimensions: more values than fit registers */
#pragma omp for ordered(8) schedule(dynamic, 1)
		for (int a = 0; a < 2; a++)
			for (int b = 0; b < 2; b++)
				for (int c = 0; c < 1; c++)
					for (int d = 0; d < 1; d++)
						for (int e = 0; e < 1; e++)
							for (int f = 0; f < 1; f++)
								for (int g = 0; g < 1; g++)
									for (int h = 0; h < 4;
									     h++) {
#pragma omp ordered depend(sink                                                                    \
                           : a - 1, b, c, d, e, f, g, h) depend(sink                               \
                                                                : a, b, c, d, e, f, g, h - 1)
										if (h > 0)
											n_bad +=
											    box[a]
											       [b]
											       [0]
											       [0]
											       [0]
											       [0]
											       [(h -
											         1) /
											        2]
											       [(h -
											         1) %
											        2] !=
											    1;
										if (a > 0)
											n_bad +=
											    box[0]
											       [b]
											       [0]
											       [0]
											       [0]
											       [0]
											       [h /
											        2]
											       [h %
											        2] !=
											    1;
										box[a][b][0][0][0]
										   [0][h / 2]
										   [h % 2] = 1;
#pragma omp ordered depend(source)
									}
#pragma omp for ordered(1) schedule(static, 1)
		for (int i = 0; i < 2; i++) {
#pragma omp ordered depend(sink : i - 1)
#pragma omp atomic
			last++;
#pragma omp ordered depend(source)
		}
	}
	return n != 10 || m != 10 || n_bad || last != 2;
}

/* clang-format off */
static int deep_cell[4][4];

/* A doacross nest of 40 loops: waits take more values than any other nest has. All loops but the
 * outer and the innermost go round once. */
// EXPECT: doacross_waits 3*4+4*3
// EXPECT: loops 1
PROGRAM(doacross_deep)
{
	int n_bad = 0;
#pragma omp parallel for ordered(40) schedule(dynamic, 1) reduction(+ : n_bad)
	for (int i0 = 0; i0 < 4; i0++)
	for (int i1 = 0; i1 < 1; i1++)
	for (int i2 = 0; i2 < 1; i2++)
	for (int i3 = 0; i3 < 1; i3++)
	for (int i4 = 0; i4 < 1; i4++)
	for (int i5 = 0; i5 < 1; i5++)
	for (int i6 = 0; i6 < 1; i6++)
	for (int i7 = 0; i7 < 1; i7++)
	for (int i8 = 0; i8 < 1; i8++)
	for (int i9 = 0; i9 < 1; i9++)
	for (int i10 = 0; i10 < 1; i10++)
	for (int i11 = 0; i11 < 1; i11++)
	for (int i12 = 0; i12 < 1; i12++)
	for (int i13 = 0; i13 < 1; i13++)
	for (int i14 = 0; i14 < 1; i14++)
	for (int i15 = 0; i15 < 1; i15++)
	for (int i16 = 0; i16 < 1; i16++)
	for (int i17 = 0; i17 < 1; i17++)
	for (int i18 = 0; i18 < 1; i18++)
	for (int i19 = 0; i19 < 1; i19++)
	for (int i20 = 0; i20 < 1; i20++)
	for (int i21 = 0; i21 < 1; i21++)
	for (int i22 = 0; i22 < 1; i22++)
	for (int i23 = 0; i23 < 1; i23++)
	for (int i24 = 0; i24 < 1; i24++)
	for (int i25 = 0; i25 < 1; i25++)
	for (int i26 = 0; i26 < 1; i26++)
	for (int i27 = 0; i27 < 1; i27++)
	for (int i28 = 0; i28 < 1; i28++)
	for (int i29 = 0; i29 < 1; i29++)
	for (int i30 = 0; i30 < 1; i30++)
	for (int i31 = 0; i31 < 1; i31++)
	for (int i32 = 0; i32 < 1; i32++)
	for (int i33 = 0; i33 < 1; i33++)
	for (int i34 = 0; i34 < 1; i34++)
	for (int i35 = 0; i35 < 1; i35++)
	for (int i36 = 0; i36 < 1; i36++)
	for (int i37 = 0; i37 < 1; i37++)
	for (int i38 = 0; i38 < 1; i38++)
	for (int i39 = 0; i39 < 4; i39++)
	{
		int first = i0, last = i39;
#pragma omp ordered depend(sink : i0 - 1, i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15, i16, i17, i18, i19, i20, i21, i22, i23, i24, i25, i26, i27, i28, i29, i30, i31, i32, i33, i34, i35, i36, i37, i38, i39) depend(sink : i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15, i16, i17, i18, i19, i20, i21, i22, i23, i24, i25, i26, i27, i28, i29, i30, i31, i32, i33, i34, i35, i36, i37, i38, i39 - 1)
		n_bad += first > 0 && !deep_cell[first - 1][last];
		n_bad += last > 0 && !deep_cell[first][last - 1];
		deep_cell[first][last] = 1;
#pragma omp ordered depend(source)
	}
	return n_bad;
}
