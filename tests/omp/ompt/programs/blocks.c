/* SPDX-License-Identifier: MIT */
/* Blocks that some threads run, barriers, reductions at them, and mutexes. */
#include "../../../programs/several.h"
#include "sink.h"

#include <omp.h>

/* // EXPECT: single_executor == 2
 * // EXPECT threads=1: single_other == 0
 * // EXPECT threads=2: single_other == 2
 * // EXPECT threads=4: single_other == 6
 * // EXPECT threads>1: barriers_implicit == T
 */
PROGRAM(single)
{
#pragma omp parallel
	{
#pragma omp single
		sink(1);
#pragma omp single nowait
		sink(2);
	}
	return 0;
}

/* The value is handed on between two barriers that belong to the construct.
 *
 * // EXPECT: single_executor == 1
 * // EXPECT threads>1: barriers_implicit == 2*T
 */
PROGRAM(single_copyprivate)
{
	int n = 0;
#pragma omp parallel firstprivate(n)
	{
#pragma omp single copyprivate(n)
		n = 42;
		sink(n);
	}
	return 0;
}

/* A region with a single and barriers of its own inside a single.
 *
 * // EXPECT: regions == 2
 * // EXPECT: single_executor == 2
 * // EXPECT: tasks == 5
 * // EXPECT: ended == 5
 * // EXPECT threads>1: barriers_implicit >= T
 */
PROGRAM(single_nested_region)
{
	omp_set_max_active_levels(2);
#pragma omp parallel
#pragma omp single
	{
#pragma omp parallel num_threads(2)
		{
#pragma omp single
			sink(1);
#pragma omp barrier
			sink(2);
		}
		for (int i = 0; i < 5; i++)
#pragma omp task
			work();
	}
	return 0;
}

/* // EXPECT: single_executor == 0
 * // EXPECT: implicit == T
 */
PROGRAM(master)
{
#pragma omp parallel
#pragma omp master
	sink(1);
	return 0;
}

/* // EXPECT: sections_entered == 2*T
 * // EXPECT: sections == 5
 * // EXPECT: loops == 0
 */
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
	return 0;
}

/* // EXPECT: sections_entered == T
 * // EXPECT: cancels > 1
 * // UNCOVERED
 */
PROGRAM(cancel_sections)
{
#pragma omp parallel sections
	{
#pragma omp section
		{
			work();
#pragma omp cancel sections
			work();
		}
#pragma omp section
		{
			work();
#pragma omp cancellation point sections
			work();
		}
	}
	return 0;
}

/* // EXPECT threads>1: barriers_explicit == 3*T
 * // EXPECT threads>1: barriers_region == T
 * // EXPECT: barriers_implicit == 0
 */
PROGRAM(barrier)
{
#pragma omp parallel
	{
		for (int i = 0; i < 3; i++) {
			sink(i);
#pragma omp barrier
		}
		sink(4);
	}
	return 0;
}

/* A reduction that no atomic operation can do is done under the runtime's lock in small teams, and
 * in the barrier in larger ones. Only the first is a wait of its own.
 *
 * // EXPECT: loops == 2*T
 * // EXPECT threads=1: reductions == 0
 * // EXPECT threads=4: reductions <= 2*T
 * // EXPECT threads=8: reductions == 0
 */
PROGRAM(reduction)
{
	int few = 0;
	double many[64] = {0};
#pragma omp parallel
	{
#pragma omp for reduction(* : few)
		for (int i = 0; i < 100; i++)
			few *= i;
#pragma omp for reduction(+ : many)
		for (int i = 0; i < 100; i++)
			many[i % 64] += i;
	}
	return few;
}

static omp_lock_t lock, taken;
static omp_nest_lock_t nest;

/* Who waits for what, once for each time that it is got. A lock that was tested in vain and a
 * nested lock taken again by its holder are no waits; the runtime does not tell of atomics.
 *
 * // EXPECT: criticals == 2*T
 * // EXPECT threads=1: locks == 3
 * // EXPECT threads=4: locks == 9
 * // EXPECT: nest_locks == 2*T
 * // EXPECT: atomics == 0
 * // EXPECT: mutexes_held == 0
 * // EXPECT: mutex_names == 5
 * // EXPECT: null_mutex_sites == 0
 */
PROGRAM(mutex)
{
	int n = 0;
	omp_init_lock(&lock);
	omp_init_lock(&taken);
	omp_init_nest_lock(&nest);
	omp_set_lock(&taken);
#pragma omp parallel
	{
#pragma omp critical
		n++;
#pragma omp critical(named)
		n++;
		omp_set_lock(&lock);
		n++;
		omp_unset_lock(&lock);
		while (!omp_test_lock(&lock))
			sink(omp_test_lock(&taken));
		n++;
		omp_unset_lock(&lock);
		omp_set_nest_lock(&nest);
		omp_set_nest_lock(&nest);
		sink(omp_test_nest_lock(&nest));
		omp_unset_nest_lock(&nest);
		omp_unset_nest_lock(&nest);
		omp_unset_nest_lock(&nest);
		while (!omp_test_nest_lock(&nest))
			sink(n);
		omp_unset_nest_lock(&nest);
#pragma omp atomic
		n++;
		sink(n);
	}
	omp_unset_lock(&taken);
	omp_destroy_lock(&lock);
	omp_destroy_lock(&taken);
	omp_destroy_nest_lock(&nest);
	return 0;
}
