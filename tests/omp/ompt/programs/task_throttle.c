/* SPDX-License-Identifier: MIT */
/* More tasks than the runtime's queue holds: some run inside the call that creates them.
 *
 * // EXPECT: tasks == 5000
 * // EXPECT: ended == 5000
 * // EXPECT: create_ends == 5000
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 5000; i++)
#pragma omp task
		sink(i);
	return 0;
}
