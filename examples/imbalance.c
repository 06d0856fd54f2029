/* SPDX-License-Identifier: MIT */
/*
 * imbalance.c - a static loop over rows of growing length.
 *
 * Problem   Row i of a triangle has i columns, but schedule(static) gives each thread the same
 *           number of rows: the last thread has nearly twice the average work and the others wait
 *           for it at the loop's end.
 * Winnow    load balance above 1.5 for the loop in triangle(), one chunk per thread with the last
 *           chunk on the critical path, and idle time at the barrier; advises a dynamic schedule.
 * Fix       schedule(dynamic, 16): small enough to even out, large enough to cost nothing.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N_ROWS  1600
#define REPEATS 80

static void
triangle(double *row_sum, int repeat)
{
#ifdef FIXED
#pragma omp parallel for schedule(dynamic, 16)
#else
#pragma omp parallel for schedule(static)
#endif
	for (int i = 0; i < N_ROWS; i++) {
		double sum = 0;

		for (int j = 0; j <= i; j++)
			sum += sqrt((double)(i * j + repeat)) / (1.0 + (double)(i + j));
		row_sum[i] += sum;
	}
}

int
main(void)
{
	double *row_sum = calloc(N_ROWS, sizeof(*row_sum));
	double total = 0;

	if (row_sum == NULL)
		return 1;
	for (int r = 0; r < REPEATS; r++)
		triangle(row_sum, r);
	for (int i = 0; i < N_ROWS; i++)
		total += row_sum[i];
	printf("checksum %.6f\n", total);
	free(row_sum);
	return 0;
}
