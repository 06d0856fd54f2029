/* SPDX-License-Identifier: MIT */
// construct: task, detach, fulfilled before it ends
// expect: explicit_tasks=2
// events: TASK_FULFILL=1
// limit pomp2: events: detach
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
	{
		omp_event_handle_t event;
#pragma omp task detach(event)
		{
			work();
			omp_fulfill_event(event);
		}
#pragma omp taskwait
#pragma omp task
		work();
	}
	return done();
}
