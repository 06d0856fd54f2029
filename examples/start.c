/* SPDX-License-Identifier: MIT */
/*
 * start.c - a long serial start, then a loop that has nothing to wish for.
 *
 * Problem   One thread fills the table that all threads then read many times.  On two threads the
 *           program spends more than half of its time on filling, on more nearly all of it.
 * Winnow    most of the critical path is code outside regions, before the first one; it names the
 *           region in look_up_all() that all others wait for and advises to move what is before it
 *           into a region.
 * Fix       fill the table in parallel: each entry is computed from its number alone.
 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N_ENTRIES 6000000
#define N_LOOKUPS 8000000

static double
entry(int i)
{
	double x = (double)i / N_ENTRIES;

	return sin(x) * exp(-x) + log1p(x);
}

static void
fill(double *table)
{
#ifdef FIXED
#pragma omp parallel for schedule(static)
#endif
	for (int i = 0; i < N_ENTRIES; i++)
		table[i] = entry(i);
}

static double
look_up_all(const double *table)
{
	double total = 0;

#pragma omp parallel for schedule(static) reduction(+ : total)
	for (int i = 0; i < N_LOOKUPS; i++)
		total += table[(unsigned)i * 2654435761u % N_ENTRIES];
	return total;
}

int
main(void)
{
	double *table = calloc(N_ENTRIES, sizeof(*table));

	if (table == NULL || omp_get_max_threads() < 1)
		return 1;
	fill(table);
	printf("checksum %.0f\n", look_up_all(table));
	free(table);
	return 0;
}
