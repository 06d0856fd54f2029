/* SPDX-License-Identifier: MIT */
/*
 * grains.c - tasks, chunks of two schedules, sections, a nested region and serial code, each long
 * enough to be seen by a clock.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

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
	spin(200 * depth);
	if (depth == 0)
		return;
#pragma omp task
	tree(depth - 1);
#pragma omp task
	tree(depth - 1);
#pragma omp taskwait
	spin(100);
}

int
main(int argc, char **argv)
{
	int depth = argc > 1 ? atoi(argv[1]) : 6;
	spin(10000);
#pragma omp parallel
	{
#pragma omp single
		tree(depth);
#pragma omp for schedule(dynamic, 3)
		for (int i = 0; i < 40; i++)
			spin(1000);
#pragma omp sections
		{
#pragma omp section
			spin(2000);
#pragma omp section
			spin(3000);
		}
	}
	spin(10000);
	puts("done");
	return 0;
}
