/* SPDX-License-Identifier: MIT */
/*
 * serial.c - a long serial stretch between two parallel regions.
 *
 * Problem   Every step moves the particles in parallel, then one thread bins all of them alone,
 *           which takes about as long: however many threads there are, the program can not become
 *           twice as fast.
 * Winnow    on 2 threads more than half of the critical path lies between the regions of move()
 *           and no grain is at fault; the parallelism of the program stays near 2 on any number of
 *           threads.  It names the lines where the regions end and begin, and the time between.
 * Fix       bin in parallel too, each thread into bins of its own, added up at the end.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define N_PARTICLES 400000
#define N_BINS      1000
#define STEPS       40

static void
move(double *at, int step)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < N_PARTICLES; i++) {
		at[i] += 0.001 * sin(at[i] * 10.0 + (double)step);
		at[i] -= floor(at[i]);
	}
}

/* The bins get narrower to the right. */
static double edges[N_BINS + 1];

static int
bin_of(double at)
{
	int left = 0, right = N_BINS;

	while (right - left > 1) {
		int middle = (left + right) / 2;

		if (edges[middle] <= at)
			left = middle;
		else
			right = middle;
	}
	return left;
}

static void
fill_bins(const double *at, uint32_t *bins)
{
#ifdef FIXED
#pragma omp parallel
	{
		uint32_t own[N_BINS] = {0};

#pragma omp for schedule(static)
		for (int i = 0; i < N_PARTICLES; i++)
			own[bin_of(at[i])]++;
#pragma omp critical
		for (int b = 0; b < N_BINS; b++)
			bins[b] += own[b];
	}
#else
	for (int i = 0; i < N_PARTICLES; i++)
		bins[bin_of(at[i])]++;
#endif
}

int
main(void)
{
	double *at = calloc(N_PARTICLES, sizeof(*at));
	static uint32_t bins[N_BINS];
	uint64_t checksum = 0;

	if (at == NULL)
		return 1;
	for (int i = 0; i < N_PARTICLES; i++)
		at[i] = (double)i / N_PARTICLES;
	for (int b = 0; b <= N_BINS; b++)
		edges[b] = sqrt((double)b / N_BINS);
	for (int step = 0; step < STEPS; step++) {
		move(at, step);
		fill_bins(at, bins);
	}
	for (uint64_t b = 0; b < N_BINS; b++)
		checksum += bins[b] * (b + 1);
	printf("checksum %llu\n", (unsigned long long)checksum);
	free(at);
	return 0;
}
