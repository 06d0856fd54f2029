/* SPDX-License-Identifier: MIT */
/* Tasks without dependences. */
#include "../../../programs/several.h"
#include "sink.h"

#include <omp.h>
#include <pthread.h>

/* // EXPECT: tasks == 100
 * // EXPECT: begun == 100
 * // EXPECT: ended == 100
 * // EXPECT: create_ends == 100
 * // EXPECT threads=1: undeferred == 100
 * // EXPECT threads>1: undeferred == 0
 * // EXPECT: null_task_sites == 0
 * // EXPECT: foreign == 0
 * // EXPECT: suspends == 0
 * // EXPECT: notes_creation == 0
 */
PROGRAM(task)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 100; i++)
#pragma omp task
		work();
	return 0;
}

static void
deeper(int n)
{
	if (n == 0)
		return;
#pragma omp task if (0)
	deeper(n - 1);
	sink(n);
}

/* Tasks nested deeper than the recorder keeps a stack.
 *
 * // EXPECT: tasks == 3000
 * // EXPECT: begun == 3000
 * // EXPECT: ended == 3000
 * // EXPECT: create_ends == 3000
 * // EXPECT: switches == 0
 */
PROGRAM(task_deep)
{
#pragma omp parallel
#pragma omp single
	deeper(3000);
	return 0;
}

/* // EXPECT: tasks == 6
 * // EXPECT: final == 6
 * // EXPECT: undeferred >= 3
 * // EXPECT: ended == 6
 * // EXPECT: create_ends == 6
 * // EXPECT: taskwaits == 3
 */
PROGRAM(task_final)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 3; i++)
#pragma omp task final(1)
	{
#pragma omp task
		work();
#pragma omp taskwait
	}
	return 0;
}

/* // EXPECT: tasks == 10
 * // EXPECT: undeferred == 10
 * // EXPECT: begun == 10
 * // EXPECT: ended == 10
 * // EXPECT: create_ends == 10
 * // EXPECT: waitpoints == 0
 */
PROGRAM(task_if0)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 10; i++)
#pragma omp task if (0)
		sink(i);
	return 0;
}

static void
tree(int depth)
{
	if (depth == 0)
		return;
#pragma omp task
	tree(depth - 1);
#pragma omp task
	tree(depth - 1);
#pragma omp taskwait
	sink(depth);
}

/* Recursion: 2^9 - 2 tasks below the first, each inner one waits for two.
 *
 * // EXPECT: tasks == 510
 * // EXPECT: ended == 510
 * // EXPECT: create_ends == 510
 * // EXPECT: taskwaits == 255
 * // EXPECT: suspends == 0
 */
PROGRAM(task_nested)
{
#pragma omp parallel
#pragma omp single
	tree(8);
	return 0;
}

/* Tasks outside all regions.
 *
 * // EXPECT: regions == 0
 * // EXPECT: tasks == 6
 * // EXPECT: undeferred == 6
 * // EXPECT: ended == 6
 * // EXPECT: create_ends == 6
 * // EXPECT: taskwaits == 3
 */
PROGRAM(task_sequential)
{
	for (int i = 0; i < 3; i++) {
#pragma omp task
		{
#pragma omp task
			sink(i);
		}
#pragma omp taskwait
	}
	return 0;
}

/* The submitting call is in tail position: its return address is in the runtime, or right.
 *
 * // EXPECT: tasks == T
 * // EXPECT: ended == T
 * // EXPECT: create_ends == T
 * // EXPECT: null_task_sites == 0
 * // EXPECT: foreign == 0
 */
PROGRAM(task_tail)
{
#pragma omp parallel
#pragma omp task
	sink(1);
	return 0;
}

/* More tasks than the runtime's queue holds: some run inside the call that creates them.
 *
 * // EXPECT: tasks == 5000
 * // EXPECT: ended == 5000
 * // EXPECT: create_ends == 5000
 */
PROGRAM(task_throttle)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 5000; i++)
#pragma omp task
		sink(i);
	return 0;
}

/* Untied tasks run in parts and send switches that mean nothing.
 *
 * // EXPECT: tasks == 20
 * // EXPECT: untied == 10
 * // EXPECT: begun == 20
 * // EXPECT: ended == 20
 * // EXPECT: create_ends == 20
 */
PROGRAM(task_untied)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 10; i++)
#pragma omp task untied
	{
		work();
#pragma omp task
		work();
#pragma omp taskyield
		work();
#pragma omp taskwait
		work();
	}
	return 0;
}

/* // EXPECT: tasks == 20
 * // EXPECT: ended == 20
 * // EXPECT: suspends == 0
 */
PROGRAM(task_yield)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 20; i++) {
#pragma omp task
		work();
#pragma omp taskyield
	}
	return 0;
}

/* // EXPECT: tasks == 8
 * // EXPECT: ended == 8
 * // EXPECT: groups == 2
 * // EXPECT: group_waits == 2
 */
PROGRAM(taskgroup)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 2; i++) {
#pragma omp taskgroup
		{
			for (int j = 0; j < 2; j++)
#pragma omp task
			{
#pragma omp task
				work();
			}
		}
	}
	return 0;
}

/* Discarded tasks are created and never begin. Run with OMP_CANCELLATION=true.
 *
 * // EXPECT: tasks == 50
 * // EXPECT: create_ends == 50
 * // EXPECT: groups == 1
 * // EXPECT: group_waits == 1
 * // EXPECT: begun <= 50
 * // EXPECT: cancels == 1
 * // EXPECT threads=1: discarded == 46
 */
PROGRAM(taskgroup_cancel)
{
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskgroup
		for (int i = 0; i < 50; i++)
#pragma omp task
		{
			work();
			if (i == 3) {
#pragma omp cancel taskgroup
			}
#pragma omp cancellation point taskgroup
			work();
		}
	}
	return 0;
}

/* libomp reports a taskwait also where there is nothing to wait for.
 *
 * // EXPECT: taskwaits == 3
 * // EXPECT: tasks == 1
 */
PROGRAM(taskwait_empty)
{
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskwait
#pragma omp task
		work();
#pragma omp taskwait
#pragma omp taskwait
	}
	return 0;
}

static void *
fulfil(void *event)
{
	omp_fulfill_event(*(omp_event_handle_t *)event);
	return NULL;
}

/* Events fulfilled before the task runs, while it runs, after its code has ended, and by a thread
 * that OpenMP does not know. Tasks end when their code does.
 *
 * // EXPECT: tasks == 4
 * // EXPECT: detachable == 4
 * // EXPECT: begun == 4
 * // EXPECT: ended == 4
 * // EXPECT: fulfills == 4
 */
PROGRAM(task_detach)
{
	pthread_t thread;
#pragma omp parallel
#pragma omp single
	{
		omp_event_handle_t first, within, late, foreign;
#pragma omp task detach(first)
		work();
		omp_fulfill_event(first);
#pragma omp task detach(within)
		omp_fulfill_event(within);
#pragma omp task detach(late) shared(late)
		work();
#pragma omp task detach(foreign) shared(foreign)
		work();
		for (int i = 0; i < 100; i++)
			work();
		omp_fulfill_event(late);
		if (pthread_create(&thread, NULL, fulfil, &foreign) == 0)
			pthread_join(thread, NULL);
#pragma omp taskwait
	}
	return 0;
}

/* libomp says `cancel` where an event is fulfilled in a group that is cancelled.
 *
 * // EXPECT: tasks == 2
 * // EXPECT: detachable == 1
 * // EXPECT: fulfills <= 1
 * // EXPECT: group_waits == 1
 */
PROGRAM(task_detach_cancelled)
{
#pragma omp parallel
#pragma omp single
	{
		omp_event_handle_t event;
#pragma omp taskgroup
		{
#pragma omp task detach(event) shared(event)
			for (int i = 0; i < 100; i++)
				work();
#pragma omp task
			{
#pragma omp cancel taskgroup
			}
			for (int i = 0; i < 100; i++)
				work();
			omp_fulfill_event(event);
		}
	}
	return 0;
}
