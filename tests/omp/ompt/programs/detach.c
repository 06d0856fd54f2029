/* SPDX-License-Identifier: MIT */
/* Tasks that end with an event. */
#include "../../../programs/several.h"
#include "sink.h"

#include <omp.h>
#include <pthread.h>

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
