/* SPDX-License-Identifier: MIT */
// construct: task, detach, fulfilled before it ends
// expect: explicit_tasks=2
// events: TASK_FULFILL=1
// limit pomp2: events: detach
// place: implicit @implicit=1..
// place: task @task2=1..
// place: task @task3=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
#pragma omp single
	{
		omp_event_handle_t event;
#pragma omp task detach(event) // @task2
		{
			work();
			omp_fulfill_event(event);
		}
#pragma omp taskwait
#pragma omp task // @task3
		work();
	}
	return done();
}
