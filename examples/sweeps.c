/* SPDX-License-Identifier: MIT */
/*
 * sweeps.c - a taskwait after each sweep leaves a chain of tasks.
 *
 * Problem   Each sweep improves the blocks from left to right, and a block needs its left neighbour
 * of the same sweep.  With a taskwait after each sweep nothing runs at the same time, although the
 * next sweep could follow one block behind. Winnow    parallelism 1: all tasks of sweep_all() are
 * on the critical path, joined by dependences; each is long enough to be worth it.  It names the
 * task's line and advises to take the work off the chain. Fix       no taskwait between sweeps: the
 * dependences alone keep the order, and as many sweeps run at the same time as there are threads.
 */
#include <stdio.h>
#include <stdlib.h>

#define N_BLOCKS 16
#define BLOCK    20000
#define SWEEPS   40

static void
improve(double *block, double left)
{
	for (int pass = 0; pass < 4; pass++)
		for (int i = 0; i < BLOCK; i++) {
			double before = i == 0 ? left : block[i - 1];

			block[i] = 0.5 * (before + block[i]) + 1.0 / (2.0 + before * before);
		}
}

static void
sweep_all(double *blocks)
{
#pragma omp parallel
#pragma omp single
	for (int sweep = 0; sweep < SWEEPS; sweep++) {
		for (int k = 0; k < N_BLOCKS; k++) {
			double *own = blocks + (size_t)k * BLOCK;
			double *left = k == 0 ? blocks + (size_t)N_BLOCKS * BLOCK : own - BLOCK;

#pragma omp task firstprivate(own, left) depend(in : left[0]) depend(inout : own[0])
			improve(own, left[0]);
		}
#ifndef FIXED
#pragma omp taskwait
#endif
	}
}

int
main(void)
{
	double *blocks = calloc((size_t)(N_BLOCKS + 1) * BLOCK, sizeof(*blocks));
	double total = 0;

	if (blocks == NULL)
		return 1;
	sweep_all(blocks);
	for (size_t i = 0; i < (size_t)N_BLOCKS * BLOCK; i++)
		total += blocks[i];
	printf("checksum %.6f\n", total);
	free(blocks);
	return 0;
}
