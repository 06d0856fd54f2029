/* SPDX-License-Identifier: MIT */
/* libomp says `cancel` where an event is fulfilled in a group that is cancelled.
 *
 * // EXPECT: tasks == 2
 * // EXPECT: detachable == 1
 * // EXPECT: fulfills <= 1
 * // EXPECT: group_waits == 1
 */
#include "sink.h"

#include <omp.h>

int
main(void)
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
