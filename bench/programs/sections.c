/* SPDX-License-Identifier: MIT */
/*
 * sections.c - sections constructs: combined with parallel, inside a region, and with nowait.
 *
 * Each repeat opens a `parallel sections` of three sections, then a region with a construct of
 * five sections nowait and one of two.  Section k of the constructs is iteration k of the loops
 * three, five and two in the counts, one chunk per section: repeat r is three<r>, and so on.
 * Section k works k + 1 times as long as section 0.  Check: each section is executed once.
 */
#include "bench.h"

static long n_repeats;
static long work;
static uint64_t value[3][5]; /* [construct][section], sums over repeats */

static void
section(int construct, const char *name, long repeat, int k)
{
	uint64_t x = (uint64_t)(10 * construct + k);

	count_iteration(name, repeat, k, 1);
	for (long i = 0; i < work * (k + 1); i++)
		x = bench_hash(x);
	value[construct][k] += x;
}

static void
three_sections(long repeat)
{
#pragma omp parallel sections firstprivate(repeat)
	{
#pragma omp section
		section(0, "three", repeat, 0);
#pragma omp section
		section(0, "three", repeat, 1);
#pragma omp section
		section(0, "three", repeat, 2);
	}
}

static void
five_and_two_sections(long repeat)
{
#pragma omp parallel firstprivate(repeat)
	{
#pragma omp sections nowait
		{
#pragma omp section
			section(1, "five", repeat, 0);
#pragma omp section
			section(1, "five", repeat, 1);
#pragma omp section
			section(1, "five", repeat, 2);
#pragma omp section
			section(1, "five", repeat, 3);
#pragma omp section
			section(1, "five", repeat, 4);
		}
#pragma omp sections
		{
#pragma omp section
			section(2, "two", repeat, 0);
#pragma omp section
			section(2, "two", repeat, 1);
		}
	}
}

int
main(int argc, char **argv)
{
	static const int n_sections[3] = {3, 5, 2};
	struct bench_arg arg[] = {
	    {"repeats", "times each construct is met", 20, 1, 1000000, NULL},
	    {"work", "hash rounds of a construct's first section", 200000, 0, 1000000000, NULL},
	};
	uint64_t checksum = 0;
	bool ok = true;

	bench_parse(argc, argv, "Sections constructs.", arg, 2);
	n_repeats = arg[0].value;
	work = arg[1].value;
	bench_begin();
	for (long r = 0; r < n_repeats; r++) {
		three_sections(r);
		five_and_two_sections(r);
	}
	bench_end();
	for (int c = 0; c < 3; c++) {
		for (int k = 0; k < n_sections[c]; k++) {
			uint64_t x = (uint64_t)(10 * c + k);

			for (long i = 0; i < work * (k + 1); i++)
				x = bench_hash(x);
			ok = ok && value[c][k] == x * (uint64_t)n_repeats;
			checksum += value[c][k];
		}
	}
	printf("%ld repeats, checksum %llu\n", n_repeats, (unsigned long long)checksum);
	return bench_finish(ok);
}
