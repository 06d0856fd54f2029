/* SPDX-License-Identifier: MIT */
/* Regions and their teams. */
#include "../../../programs/several.h"
#include "sink.h"

#include <omp.h>
#include <pthread.h>

/* Two regions one after the other: a worker's end of the first arrives with the second, late.
 *
 * // EXPECT: regions == 2
 * // EXPECT: implicit == 2*T
 * // EXPECT threads>1: barriers_region == 2*T
 * // EXPECT threads=1: barriers_region == 0
 * // EXPECT: barriers_implicit == 0
 * // EXPECT: null_region_sites == 0
 */
PROGRAM(region)
{
#pragma omp parallel
	sink(1);
#pragma omp parallel
	sink(2);
	return 0;
}

/* Nested regions, in tail position of the outer one's code: two teams at a time, then none.
 *
 * // EXPECT: regions == 3
 * // EXPECT: implicit == 6
 * // EXPECT: barriers_region == 6
 * // EXPECT: null_region_sites == 0
 */
PROGRAM(region_nested)
{
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	{
#pragma omp parallel num_threads(2)
		sink(1);
	}
	return 0;
}

/* A region with a loop inside every chunk of a loop: the outer loop's state must come back.
 *
 * // EXPECT: regions == 9
 * // EXPECT threads=1: implicit == 17
 * // EXPECT threads=1: loops == 17
 * // EXPECT threads=1: chunks == 33
 * // EXPECT threads=2: implicit == 18
 * // EXPECT threads=2: loops == 18
 * // EXPECT threads>1: chunks == 40
 * // EXPECT threads=1: iterations == 40
 * // EXPECT threads>1: iterations == 40
 */
PROGRAM(region_nested_in_loop)
{
	omp_set_max_active_levels(2);
#pragma omp parallel for schedule(dynamic, 1)
	for (int i = 0; i < 8; i++) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(2)
		for (int j = 0; j < 4; j++)
			sink(j);
	}
	return 0;
}

/* Nested regions while nesting is off: the inner ones have one thread each.
 *
 * // EXPECT: regions >= 1
 * // EXPECT threads>1: regions == 3
 * // EXPECT threads>1: implicit == 4
 * // EXPECT threads>1: barriers_region == 2
 * // EXPECT: null_region_sites == 0
 */
PROGRAM(region_nested_serialized)
{
	omp_set_max_active_levels(1);
#pragma omp parallel num_threads(2)
	{
#pragma omp parallel num_threads(2)
		sink(1);
	}
	return 0;
}

/* Regions of one thread: no barrier is reported, everything in them is undeferred.
 *
 * // EXPECT: regions == 2
 * // EXPECT: implicit == 2
 * // EXPECT: barriers_region == 0
 * // EXPECT: tasks == 4
 * // EXPECT: undeferred == 4
 * // EXPECT: ended == 4
 * // EXPECT: create_ends == 4
 * // EXPECT: taskwaits == 2
 */
PROGRAM(region_serialized)
{
	for (int i = 0; i < 2; i++) {
#pragma omp parallel if (i == 1) num_threads(1)
		{
#pragma omp task
			sink(1);
#pragma omp task
			sink(2);
#pragma omp taskwait
			sink(3);
		}
	}
	return 0;
}

/* Teams that grow and shrink: threads that are not in the next team hear of their last region's end
 * late or never.
 *
 * // EXPECT: regions == 8
 * // EXPECT: implicit == 25
 * // EXPECT: barriers_region == 22
 * // EXPECT: loops == 25
 */
PROGRAM(region_sizes)
{
	static const int sizes[] = {2, 6, 1, 4, 1, 7, 1, 1};
	omp_set_dynamic(0);
	for (int k = 0; k < 8; k++) {
		int n = sizes[k] + (k == 7 ? 2 : 0);
#pragma omp parallel for num_threads(n)
		for (int i = 0; i < 10; i++)
			sink(i);
	}
	return 0;
}

static void *
run(void *arg)
{
	for (int k = 0; k < 2; k++) {
#pragma omp parallel num_threads(2)
#pragma omp single
		for (int i = 0; i < 20; i++)
#pragma omp task
			work();
	}
	return arg;
}

/* Two threads of the program's own open regions.
 *
 * // EXPECT: regions == 4
 * // EXPECT: implicit == 8
 * // EXPECT: tasks == 80
 * // EXPECT: ended == 80
 */
PROGRAM(threads)
{
	pthread_t thread[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	return 0;
}

/* One thread gives up, the others see it at a cancellation point or at a barrier.
 *
 * // EXPECT: regions == 2
 * // EXPECT: implicit == 2*T
 * // EXPECT: cancels == 2
 * // EXPECT threads>1: cancels_seen > 1
 * // EXPECT: barriers_explicit <= 2*T
 */
PROGRAM(cancel_parallel)
{
	for (int round = 0; round < 2; round++)
#pragma omp parallel
	{
		if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
		}
		if (round == 0)
			while (omp_get_num_threads() > 1) {
#pragma omp cancellation point parallel
			}
#pragma omp barrier
		work();
	}
	return 0;
}
