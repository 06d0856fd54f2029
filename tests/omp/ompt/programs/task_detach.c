/* SPDX-License-Identifier: MIT */
/* Events fulfilled before the task runs, while it runs, after its code has ended, and by a thread
 * that OpenMP does not know. Tasks end when their code does.
 *
 * // FLAGS: -pthread
 * // EXPECT: tasks == 4
 * // EXPECT: detachable == 4
 * // EXPECT: begun == 4
 * // EXPECT: ended == 4
 * // EXPECT: fulfills == 4
 */
#include "sink.h"

#include <omp.h>
#include <pthread.h>

static void *
fulfil(void *event)
{
	omp_fulfill_event(*(omp_event_handle_t *)event);
	return NULL;
}

int
main(void)
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
