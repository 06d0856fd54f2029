/* SPDX-License-Identifier: MIT */
/* A taskloop with a reduction: libgomp must open the group itself. */
// EXPECT: taskloops 2
// EXPECT: taskloop_tasks 7+9
// EXPECT: begun 16
// EXPECT: iterations 200
// EXPECT: notes 1
// EXPECT: groups 2
// EXPECT: taskgroup_waits 2
int
main(void)
{
	int sum = 0, other = 0;
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskloop reduction(+ : sum) num_tasks(7)
		for (int i = 0; i < 100; i++)
			sum += i;
#pragma omp taskgroup task_reduction(+ : other)
#pragma omp taskloop in_reduction(+ : other) num_tasks(9) nogroup
		for (int i = 0; i < 100; i++)
			other += i;
	}
	return !(sum == 4950 && other == 4950);
}
