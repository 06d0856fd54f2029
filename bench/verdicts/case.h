/* SPDX-License-Identifier: MIT */
/*
 * case.h - what the programs of the corpus share: work of a known amount, and main(), which runs
 * one case and prints its time in nanoseconds.
 *
 * A file contains several cases, selected by -DCASE_name. -DFIXED builds a fault's fixed twin.
 * ../verdict.sh reads the line above a case; doc/verdicts.md describes it.
 */
#ifndef CASE_H
#define CASE_H

#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef FIXED
#define IF_FIXED(fixed, faulty) fixed
#else
#define IF_FIXED(fixed, faulty) faulty
#endif

/* Rounds of work() that take about a microsecond. */
#define US 600l

/* A chain of dependent operations; no memory. */
__attribute__((noinline, unused)) static uint64_t
work(uint64_t seed, long rounds)
{
	for (long i = 0; i < rounds; i++) {
		seed ^= seed >> 29;
		seed = seed * 0xbf58476d1ce4e5b9u + 1;
	}
	__asm__ volatile("" ::: "memory"); /* the call stays where it is */
	return seed;
}

static volatile uint64_t kept;

/* Keeps the compiler from removing a result; writes nothing in practice. */
__attribute__((unused)) static void
keep(uint64_t value)
{
	if (value == 42)
		kept = value;
}

__attribute__((unused)) static double *
doubles(size_t n)
{
	double *a = (double *)malloc(n * sizeof *a);
	if (!a)
		exit(1);
	return a;
}

static void run_case(void);

int
main(void)
{
	struct timespec from, to;
	clock_gettime(CLOCK_MONOTONIC, &from);
	run_case();
	clock_gettime(CLOCK_MONOTONIC, &to);
	printf("%lld\n", (to.tv_sec - from.tv_sec) * 1000000000ll + to.tv_nsec - from.tv_nsec);
	return 0;
}

#endif /* CASE_H */
