/* SPDX-License-Identifier: MIT */
/* A taskgroup waits for descendants; task reductions inside it. */
// EXPECT: tasks 10+10+10
// EXPECT: begun 30
// EXPECT: groups 2
// EXPECT: taskgroup_waits 2
// EXPECT: taskyields 10
int
main(void)
{
	int n = 0, sum = 0;
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskgroup
		for (int i = 0; i < 10; i++) {
#pragma omp task shared(n)
			{
#pragma omp task shared(n)
#pragma omp atomic
				n++;
#pragma omp taskyield
			}
		}
		if (n != 10)
			sum = -1000;
#pragma omp taskgroup task_reduction(+ : sum)
		for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
			sum += i;
		}
	}
	return sum != 45;
}
