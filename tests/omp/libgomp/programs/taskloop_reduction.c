/* SPDX-License-Identifier: MIT */
/* Taskloops with reductions, whose group is made by the wrapper: in a team and outside all. */
// EXPECT: taskloops 2+2
// EXPECT: taskloop_tasks 7+9+3+4
// EXPECT: begun 16+3+4
// EXPECT: iterations 200+20+20
// EXPECT: notes 0
// EXPECT: groups 2+2
// EXPECT: taskgroup_waits 2+2
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
	/* outside all regions libgomp makes a team for it */
	long product = 1;
	double least = 100;
#pragma omp taskloop reduction(* : product) num_tasks(3)
	for (int i = 1; i <= 20; i++)
		product *= i % 2 + 1;
#pragma omp parallel num_threads(1)
#pragma omp taskloop reduction(min : least) num_tasks(4)
	for (unsigned long long i = 50; i > 30; i--)
		least = (double)i < least ? (double)i : least;
	return !(sum == 4950 && other == 4950 && product == 1024 && least == 31);
}
