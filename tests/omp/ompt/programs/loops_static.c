/* SPDX-License-Identifier: MIT */
/* Static loops, and loops for which the runtime is called rarely or never. */
#include "../../../programs/several.h"
#include "sink.h"

#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

/* // EXPECT: loops == 2*T
 * // EXPECT: static_loops == 2*T
 * // EXPECT: inline_loops == 2*T
 * // EXPECT: shares == 2*T
 * // EXPECT: chunks == 2*T
 * // EXPECT: iterations == 33
 * // EXPECT: null_loop_sites == 0
 * // EXPECT threads>1: barriers_implicit == T
 * // EXPECT threads>1: barriers_region == T
 */
PROGRAM(for_static)
{
#pragma omp parallel
	{
#pragma omp for
		for (int i = 0; i < 17; i++)
			sink(i);
#pragma omp for nowait schedule(static)
		for (long i = 16; i > 0; i--)
			sink(i);
	}
	return 0;
}

/* Of one thread the runtime makes one chunk.
 *
 * // EXPECT: loops == 3*T
 * // EXPECT threads>1: chunks == 65
 * // EXPECT threads=1: chunks == 3
 * // EXPECT: iterations == 210
 */
PROGRAM(for_static_chunked)
{
#pragma omp parallel
	{
#pragma omp for schedule(static, 2)
		for (int i = 0; i < 101; i++)
			sink(i);
#pragma omp for schedule(static, 9)
		for (unsigned i = 200; i > 0; i -= 2)
			sink(i);
#pragma omp for schedule(static, 5)
		for (long i = 0; i < 9; i++)
			sink(i);
	}
	return 0;
}

/* Fewer iterations than threads, and a loop without any: no call is made for that.
 *
 * // EXPECT: loops == 2*T
 * // EXPECT: shares == 2
 * // EXPECT: chunks == 2
 * // EXPECT: iterations == 2
 */
PROGRAM(for_static_few)
{
	volatile int n = 0;
#pragma omp parallel
	{
#pragma omp for
		for (int i = 0; i < 1; i++)
			sink(i);
#pragma omp for schedule(static, 4)
		for (int i = 0; i < 1; i++)
			sink(i);
#pragma omp for
		for (int i = 0; i < n; i++)
			sink(i);
	}
	return 0;
}

/* A million chunks are not written down one by one.
 *
 * // EXPECT threads=2: chunks == 2
 * // EXPECT threads=2: notes_merged == 2
 * // UNCOVERED threads>1
 */
PROGRAM(for_static_many)
{
#pragma omp parallel for schedule(static, 1)
	for (int i = 0; i < 1000000; i++)
		sink(i);
	return 0;
}

/* In a team of one OMPT tells of no chunk of a static loop, hands a dynamic one out whole, and
 * calls a guided one static. The iterations are covered all the same.
 *
 * // EXPECT: loops == 4
 * // EXPECT: iterations == 80
 * // EXPECT: regions == 4
 * // EXPECT: barriers_region == 0
 */
PROGRAM(for_alone)
{
#pragma omp parallel for num_threads(1)
	for (int i = 0; i < 20; i++)
		sink(i);
#pragma omp parallel for num_threads(1) schedule(static, 3)
	for (int i = 0; i < 20; i++)
		sink(i);
#pragma omp parallel for num_threads(1) schedule(dynamic, 3)
	for (int i = 0; i < 20; i++)
		sink(i);
#pragma omp parallel for num_threads(1) schedule(guided)
	for (int i = 0; i < 20; i++)
		sink(i);
	return 0;
}

/* Loops outside all regions.
 *
 * // EXPECT: regions == 0
 * // EXPECT: loops == 2
 * // EXPECT: chunks == 2
 * // EXPECT: iterations == 30
 */
PROGRAM(for_orphan)
{
#pragma omp for schedule(dynamic, 3)
	for (int i = 0; i < 10; i++)
		sink(i);
#pragma omp for
	for (int i = 0; i < 20; i++)
		sink(i);
	return 0;
}

/* The runtime is not called for a loop without iterations, but for the barrier at its end.
 *
 * // EXPECT: loops == 0
 * // EXPECT: barriers_implicit == 2*T
 */
PROGRAM(for_zero_trip)
{
	volatile int none = 0;
#pragma omp parallel
	{
#pragma omp for
		for (int i = 0; i < none; i++)
			sink(i);
#pragma omp for schedule(dynamic)
		for (int i = none; i > 0; i--)
			sink(i);
	}
	return 0;
}

/* // EXPECT: loops == 2*T
 * // EXPECT: iterations == 200
 */
PROGRAM(for_reduction)
{
	long sum = 0;
#pragma omp parallel
	{
#pragma omp for reduction(+ : sum) schedule(dynamic, 10)
		for (int i = 0; i < 100; i++)
			sum += i;
#pragma omp for reduction(+ : sum)
		for (int i = 0; i < 100; i++)
			sum += i;
	}
	return sum != 9900;
}

struct ident {
	int32_t reserved_1, flags, reserved_2, reserved_3;
	const char *psource;
};

void __kmpc_for_static_init_4u(struct ident *loc, int32_t gtid, int32_t sched, int32_t *is_last,
                               uint32_t *lower, uint32_t *upper, int32_t *stride, int32_t step,
                               int32_t chunk);
void __kmpc_for_static_fini(struct ident *loc, int32_t gtid);
int32_t __kmpc_global_thread_num(struct ident *loc);

/* As flang calls a static loop: without a word on what construct it is. libomp complains of that on
 * stderr when a tool runs; what the program prints must not change. Bounds that are not the user's
 * are not recorded as such.
 *
 * // EXPECT: unknown_loops == T
 * // EXPECT: loops == 0
 * // EXPECT: iterations == 100
 */
PROGRAM(for_static_unnamed)
{
	static struct ident loc = {.flags = 2, .psource = ";unknown;unknown;0;0;;"};
	FILE *said = tmpfile();
	if (!said || dup2(fileno(said), STDERR_FILENO) < 0)
		return 2;
#pragma omp parallel
	{
		int32_t gtid = __kmpc_global_thread_num(&loc), is_last = 0, stride = 1;
		uint32_t lower = 0, upper = 99;
		__kmpc_for_static_init_4u(&loc, gtid, 34, &is_last, &lower, &upper, &stride, 1, 0);
		for (uint32_t i = lower; i <= upper && upper < 100; i++)
			sink((long)i);
		__kmpc_for_static_fini(&loc, gtid);
	}
	return lseek(fileno(said), 0, SEEK_END) == 0 ? 0 : 1;
}
