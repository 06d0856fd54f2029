/* SPDX-License-Identifier: MIT */
/*
 * inflation.c - work that takes more time the more threads do it: memory-bound striding.
 *
 * Problem   The matrix is stored by rows but summed by columns: each access touches another cache
 *           line, of which one eighth is used before it is evicted.  The threads share caches and
 *           memory, so that each grain is slower with its neighbours than alone.
 * Winnow    poor memory-hierarchy utilisation (work per stall) where counters are available; and
 *           comparing a run on 1 thread with one on all (winnow diff), work deviation well above 1
 *           for the loop in column_sums().  Load balance and benefit are fine.
 * Fix       walk along the rows, in strips of columns: each thread sums its own strip, row by row.
 */
#include <stdio.h>
#include <stdlib.h>

#define N_ROWS  4096
#define N_COLS  4096
#define STRIP   256
#define REPEATS 3

#ifdef FIXED
static void
column_sums(const double *m, double *sum)
{
#pragma omp parallel for schedule(dynamic, 1)
	for (int strip = 0; strip < N_COLS; strip += STRIP)
		for (int i = 0; i < N_ROWS; i++)
			for (int j = strip; j < strip + STRIP; j++)
				sum[j] += m[(size_t)i * N_COLS + (size_t)j];
}
#else
static void
column_sums(const double *m, double *sum)
{
#pragma omp parallel for schedule(dynamic, STRIP)
	for (int j = 0; j < N_COLS; j++)
		for (int i = 0; i < N_ROWS; i++)
			sum[j] += m[(size_t)i * N_COLS + (size_t)j];
}
#endif

int
main(void)
{
	double *m = calloc((size_t)N_ROWS * N_COLS, sizeof(*m));
	double *sum = calloc(N_COLS, sizeof(*sum));
	double total = 0;

	if (m == NULL || sum == NULL)
		return 1;
#pragma omp parallel for schedule(static)
	for (int i = 0; i < N_ROWS; i++)
		for (int j = 0; j < N_COLS; j++)
			m[(size_t)i * N_COLS + (size_t)j] = (double)((i * 31 + j * 17) % 64);
	for (int r = 0; r < REPEATS; r++)
		column_sums(m, sum);
	for (int j = 0; j < N_COLS; j++)
		total += sum[j] * (double)(j % 5);
	printf("checksum %.0f\n", total);
	free(m);
	free(sum);
	return 0;
}
