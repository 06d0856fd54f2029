/* SPDX-License-Identifier: MIT */
/*
 * chunk1.c - a dynamic schedule that hands out tiny iterations one at a time.
 *
 * Problem   schedule(dynamic) without a chunk size means chunks of one iteration.  An iteration
 *           here is a few nanoseconds, so that fetching the next one from the shared counter
 *           costs more than the work.
 * Winnow    a chunk grain per iteration, nearly all with a parallel benefit below 1, from the loop
 *           in smooth(); the load balance is fine, so it advises larger chunks.
 * Fix       a chunk size of 4096 iterations (static would do as well, the work being even).
 */
#include <stdio.h>
#include <stdlib.h>

#define N_CELLS 200000
#define REPEATS 10

static void
smooth(const double *from, double *to)
{
#ifdef FIXED
#pragma omp parallel for schedule(dynamic, 4096)
#else
#pragma omp parallel for schedule(dynamic)
#endif
	for (int i = 1; i < N_CELLS - 1; i++)
		to[i] = 0.25 * from[i - 1] + 0.5 * from[i] + 0.25 * from[i + 1];
}

int
main(void)
{
	double *a = calloc(N_CELLS, sizeof(*a)), *b = calloc(N_CELLS, sizeof(*b));
	double total = 0;

	if (a == NULL || b == NULL)
		return 1;
	for (int i = 0; i < N_CELLS; i++)
		a[i] = b[i] = (double)(i * 37 % 101);
	for (int r = 0; r < REPEATS; r++) {
		smooth(a, b);
		smooth(b, a);
	}
	for (int i = 0; i < N_CELLS; i++)
		total += a[i] * (double)(i % 7);
	printf("checksum %.6f\n", total);
	free(a);
	free(b);
	return 0;
}
