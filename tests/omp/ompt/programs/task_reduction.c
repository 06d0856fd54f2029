/* SPDX-License-Identifier: MIT */
/* Groups that a reduction brings: explicit, of a region, of a loop, of a taskloop.
 *
 * // FLAGS: -fopenmp-version=50
 * // EXPECT: tasks == 12
 * // EXPECT: ended == 12
 */
#include "sink.h"

int
main(void)
{
	int sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
	for (int i = 0; i < 3; i++)
#pragma omp task in_reduction(+ : sum)
		sum += i;
#pragma omp parallel reduction(task, + : sum)
#pragma omp single
	for (int i = 0; i < 3; i++)
#pragma omp task in_reduction(+ : sum)
		sum += i;
#pragma omp parallel
#pragma omp for reduction(task, + : sum)
	for (int i = 0; i < 3; i++)
#pragma omp task in_reduction(+ : sum)
		sum += i;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(+ : sum) num_tasks(3)
	for (int i = 0; i < 3; i++)
		sum += i;
	return sum == 0;
}
