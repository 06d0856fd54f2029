/* SPDX-License-Identifier: MIT */
/*
 * Says what it does: named regions, labels of tasks, and a warm-up that is not recorded.
 * Compile with the folder of winnow/mark.h:
 *
 *     gcc -g -O2 -fopenmp $(pkg-config --cflags winnow) marked.c -o marked
 */
#include <winnow/mark.h>

#include <stdio.h>
#include <stdlib.h>

enum { N_BLOCKS = 48, N_ROUNDS = 4 };

static double blocks[N_BLOCKS];

static double
relax(int n)
{
	double x = 1;
	for (int i = 1; i < n * 1000; i++)
		x += 1 / (x * i);
	return x;
}

static void
solve(void)
{
	WINNOW_REGION_BEGIN("solve");
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < N_BLOCKS; i++) {
#pragma omp task firstprivate(i)
		{
			const char *kind = i % 8 == 0 ? "border block" : "inner block";
			winnow_label(kind);
			blocks[i] += relax(i % 8 == 0 ? 300 : 50);
		}
	}
	WINNOW_REGION_END();
}

int
main(void)
{
	double sum = 0;

	winnow_pause(); /* the first round only warms up */
	solve();
	winnow_resume();
	for (int i = 0; i < N_ROUNDS; i++)
		solve();
	WINNOW_REGION_BEGIN("add up");
	for (int i = 0; i < N_BLOCKS; i++)
		sum += blocks[i];
	WINNOW_REGION_END();
	printf("%g\n", sum);
	return 0;
}
