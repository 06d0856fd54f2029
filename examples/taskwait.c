/* SPDX-License-Identifier: MIT */
/*
 * taskwait.c - a taskwait inside the loop that creates the tasks.
 *
 * Problem   Each image is filtered by one task, and the taskwait that should stand after the loop
 *           stands in it: a task is waited for before the next is created, and only one thread
 *           ever works.  The result is right, so nobody notices.
 * Winnow    as many fork-joins as tasks, each with a single child: all of the work is on the
 *           critical path, parallelism 1, instantaneous parallelism 1 for every grain of the task
 *           in filter_all(); each grain is long enough to be worth it.
 * Fix       one taskwait after the loop.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define N_IMAGES 64
#define SIDE     512

static void
filter(uint8_t *image)
{
	uint32_t state = image[0] + 1u;

	for (int pass = 0; pass < 8; pass++) {
		for (int i = 1; i < SIDE * SIDE; i++) {
			state = state * 1664525u + image[i];
			image[i] = (uint8_t)((image[i - 1] + image[i] + (state >> 24)) / 3);
		}
	}
}

static void
filter_all(uint8_t *images)
{
	for (int k = 0; k < N_IMAGES; k++) {
		uint8_t *image = images + (size_t)k * SIDE * SIDE;

#pragma omp task firstprivate(image)
		filter(image);
#ifndef FIXED
#pragma omp taskwait
#endif
	}
#ifdef FIXED
#pragma omp taskwait
#endif
}

int
main(void)
{
	size_t n = (size_t)N_IMAGES * SIDE * SIDE;
	uint8_t *images = calloc(n, 1);
	uint64_t checksum = 0;

	if (images == NULL)
		return 1;
	for (size_t i = 0; i < n; i++)
		images[i] = (uint8_t)(i * 7 + i / SIDE);
#pragma omp parallel
#pragma omp single
	filter_all(images);
	for (size_t i = 0; i < n; i++)
		checksum += images[i] * (uint64_t)(i % 11);
	printf("checksum %llu\n", (unsigned long long)checksum);
	free(images);
	return 0;
}
