/* SPDX-License-Identifier: MIT */
// construct: task, detach, fulfilled after it ended
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
	static volatile int is_over;
#pragma omp parallel // @implicit
#pragma omp single
	{
		omp_event_handle_t event;
#pragma omp task detach(event) // @task2
		is_over = 1;
#pragma omp task // @task3
		{
			while (!is_over && omp_get_num_threads() > 1) {
#pragma omp taskyield
			}
			omp_fulfill_event(event);
		}
#pragma omp taskwait
	}
	return done();
}
