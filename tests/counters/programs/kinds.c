/* SPDX-License-Identifier: MIT */
/*
 * kinds.c - one of each kind of grain, the same on any number of threads: tasks, tasks of
 * taskloops, chunks of fixed size, sections, and tasks of a nested region. With an argument a loop
 * besides whose chunks depend on the number of threads.
 */
#include <omp.h>
#include <stdio.h>

static double
spin(int n)
{
	volatile double sum = 0;
	for (int i = 0; i < n; i++)
		sum = sum + i;
	return sum;
}

static void
tree(int depth)
{
	spin(100 * (depth + 1));
	for (int i = 0; depth > 0 && i < 2; i++)
#pragma omp task
		tree(depth - 1);
#pragma omp taskwait
	spin(50);
}

static void
tasks(void)
{
#pragma omp taskgroup
	tree(4);
#pragma omp taskloop grainsize(4)
	for (int i = 0; i < 40; i++)
		spin(20 * i);
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 6; i++)
#pragma omp task
		spin(300 * i);
}

int
main(int argc, char **argv)
{
	(void)argv;
	omp_set_max_active_levels(2);
#pragma omp parallel
	{
#pragma omp single
		tasks();
#pragma omp for schedule(dynamic, 3)
		for (int i = 0; i < 40; i++)
			spin(100 * i);
#pragma omp sections
		{
#pragma omp section
			spin(2000);
#pragma omp section
			spin(3000);
		}
		if (argc > 1) {
			int chunk = 5 * omp_get_num_threads();
#pragma omp for schedule(dynamic, chunk)
			for (int i = 0; i < 60; i++)
				spin(100);
		}
	}
	puts("done");
	return 0;
}
