/* SPDX-License-Identifier: MIT */
/*
 * producer.c - one thread creates all tasks, and they are tiny.
 *
 * Problem   The single's thread makes a task per record.  Creating one takes about as long as
 *           doing it: the other threads empty the queue faster than it fills and wait for work,
 *           however many they are.
 * Winnow    all grains have the same parent and a parallel benefit below 1; work is idle for lack
 *           of ready grains while the parent creates; the parent's creation time is on the
 *           critical path.  It advises fewer, larger tasks, or creating them in parallel.
 * Fix       a task per block of 1000 records.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define N_RECORDS 1000000
#ifdef FIXED
#define BLOCK 1000
#else
#define BLOCK 1
#endif

static uint32_t
digest(uint32_t record)
{
	uint32_t x = record + 1;

	for (int i = 0; i < 40; i++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
	}
	return x >> 8;
}

static void
digest_block(uint32_t *out, uint32_t first)
{
	for (uint32_t i = first; i < first + BLOCK && i < N_RECORDS; i++)
		out[i] = digest(i);
}

int
main(void)
{
	uint32_t *out = calloc(N_RECORDS, sizeof(*out));
	uint64_t total = 0;

	if (out == NULL)
		return 1;
#pragma omp parallel
#pragma omp single
	for (uint32_t i = 0; i < N_RECORDS; i += BLOCK) {
#pragma omp task firstprivate(i)
		digest_block(out, i);
	}
	for (uint32_t i = 0; i < N_RECORDS; i++)
		total += out[i];
	printf("checksum %llu\n", (unsigned long long)total);
	free(out);
	return 0;
}
