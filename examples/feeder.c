/* SPDX-License-Identifier: MIT */
/*
 * feeder.c - one thread prepares what the others wait for.
 *
 * Problem   The single's thread unpacks each record and makes a task that scores it.  Unpacking
 *           takes twice as long as scoring: however many threads there are, they are never more
 *           than one and a half, and wait for records most of the time.
 * Winnow    all tasks have one parent, which works all the time while the others have nothing to
 * do; the tasks themselves are sound.  It names the region in score_all() whose single makes them,
 * and advises to let the tasks do more. Fix       each task unpacks its own record.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define N_RECORDS  3000
#define WORDS      64
#define UNPACKINGS 12000
#define SCORINGS   3800

static uint32_t
stir(uint32_t x)
{
	x ^= x << 13;
	x ^= x >> 17;
	return x ^ (x << 5);
}

static void
unpack(uint32_t *words, uint32_t record)
{
	for (int i = 0; i < WORDS; i++)
		words[i] = record * WORDS + (uint32_t)i + 1;
	for (int pass = 0; pass < UNPACKINGS; pass++)
		for (int i = 0; i < WORDS; i++)
			words[i] = stir(words[i]);
}

static uint32_t
score(const uint32_t *words)
{
	uint32_t total = 0;

	for (int pass = 0; pass < SCORINGS; pass++)
		for (int i = 0; i < WORDS; i++)
			total += stir(words[i] + (uint32_t)pass) >> 16;
	return total;
}

static void
score_all(uint32_t *words, uint32_t *scores)
{
#pragma omp parallel
#pragma omp single
	for (uint32_t k = 0; k < N_RECORDS; k++) {
		uint32_t *own = words + (size_t)k * WORDS;

#ifndef FIXED
		unpack(own, k);
#endif
#pragma omp task firstprivate(own, k)
		{
#ifdef FIXED
			unpack(own, k);
#endif
			scores[k] = score(own);
		}
	}
}

int
main(void)
{
	uint32_t *words = calloc((size_t)N_RECORDS * WORDS, sizeof(*words));
	uint32_t *scores = calloc(N_RECORDS, sizeof(*scores));
	uint64_t total = 0;

	if (words == NULL || scores == NULL)
		return 1;
	score_all(words, scores);
	for (int k = 0; k < N_RECORDS; k++)
		total += scores[k];
	printf("checksum %llu\n", (unsigned long long)total);
	free(words);
	free(scores);
	return 0;
}
