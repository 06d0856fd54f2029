/* SPDX-License-Identifier: MIT */
/*
 * tasks.c - what each grain executes, told at its begin and end, by its number: tasks that run
 * inside a wait of others, chunks, on any number of threads. The parent's waiting is not told,
 * since it holds other grains.
 */
#include "told.h"

#include <stdlib.h>

static long values[4096];

static long
work(const long *given, long n)
{
	long own[8] = {0};
	for (long i = 0; i < n; i++)
		own[i & 7] += given[i] + values[(i * 3) & 4095];
	return own[n & 7];
}

static void
tree(long number, long depth)
{
	long mine[4] = {number, depth, 1, 2};
	told_nothing();
	values[number] = work(values, number) + work(mine, 4);
	told("task", number);
	if (depth == 0)
		return;
	for (long k = 1; k <= 2; k++) {
#pragma omp task firstprivate(number, depth, k)
		tree(2 * number + k, depth - 1);
	}
#pragma omp taskwait
	told_nothing();
	values[number] += work(mine, 4);
	told("after", number);
}

int
main(void)
{
#pragma omp parallel
#pragma omp single
	tree(0, 6);
#pragma omp parallel for schedule(dynamic, 4)
	for (long i = 0; i < 64; i++) {
		told_nothing();
		values[i] = work(values, i);
		told("iteration", i);
	}
	return 0;
}
