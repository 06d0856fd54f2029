/* SPDX-License-Identifier: MIT */
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
#include "sink.h"

int
main(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 100; i++)
#pragma omp task
		work();
	return 0;
}
