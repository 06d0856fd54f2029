/* SPDX-License-Identifier: MIT */
/* The submitting call is in tail position: its return address is in the runtime, or right.
 *
 * // EXPECT: tasks == T
 * // EXPECT: ended == T
 * // EXPECT: create_ends == T
 * // EXPECT: null_task_sites == 0
 * // EXPECT: foreign == 0
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
#pragma omp task
	sink(1);
	return 0;
}
