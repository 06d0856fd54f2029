/* SPDX-License-Identifier: MIT */
/* One event is fulfilled before its task ends, one after.
 *
 * // EXPECT: tasks == 2
 * // EXPECT: begun == 2
 * // EXPECT: ended == 2
 */
#include "sink.h"

#include <omp.h>

int
main(void)
{
#pragma omp parallel
#pragma omp single
	{
		omp_event_handle_t early, late;
#pragma omp task detach(early)
		omp_fulfill_event(early);
#pragma omp task detach(late) shared(late)
		work();
		for (int i = 0; i < 100; i++)
			work();
		omp_fulfill_event(late);
#pragma omp taskwait
	}
	return 0;
}
