/* SPDX-License-Identifier: MIT */
/* The constructs are in a shared library, and in a program without a region.
 *
 * // EXPECT: regions == 1
 * // EXPECT: iterations == 20
 * // EXPECT: tasks == 6
 * // EXPECT: null_loop_sites == 0
 * // EXPECT: null_task_sites == 0
 * // EXPECT: null_mutex_sites == 0
 */

void orphans(int n);

int
main(void)
{
#pragma omp parallel
	orphans(10);
	orphans(10);
	return 0;
}
