/* SPDX-License-Identifier: MIT */
/*
 * regions.c - opens very many tiny parallel regions, as solvers do that parallelise each vector
 * operation.
 *
 * Each of `regions` regions runs one static loop of `trip` iterations:
 * loop<r> in the counts, only with --log-loops because the log is then long.  No tasks.
 * Check: each element was updated once per region.
 */
#include "bench.h"

static uint64_t
element_step(long i, long work)
{
	uint64_t x = (uint64_t)i;

	while (work-- > 0)
		x = bench_hash(x);
	return x;
}

int
main(int argc, char **argv)
{
	struct bench_arg arg[] = {
	    {"regions", "parallel regions", 20000, 0, 10000000, NULL},
	    {"trip", "iterations of each region's loop", 64, 0, 1000000, NULL},
	    {"--work", "hash rounds per iteration", 20, 0, 1000000000, NULL},
	    {"--log-loops", "with WN_COUNT: region r's chunks as loop<r>", 0, 0, 1, NULL},
	};
	bool ok = true;

	bench_parse(argc, argv, "Many tiny parallel regions.", arg, 4);
	long n_regions = arg[0].value, trip = arg[1].value, work = arg[2].value;
	bool logs = arg[3].value != 0;
	uint64_t *element = bench_alloc((size_t)trip, sizeof(*element));

	bench_begin();
	for (long r = 0; r < n_regions; r++) {
#pragma omp parallel for schedule(static) firstprivate(element, logs, r, work)
		for (long i = 0; i < trip; i++) {
			if (logs)
				count_iteration("loop", r, i, 0);
			element[i] += element_step(i, work);
		}
	}
	bench_end();
	for (long i = 0; i < trip; i++)
		ok = ok && element[i] == (uint64_t)n_regions * element_step(i, work);
	free(element);
	printf("%ld regions\n", n_regions);
	return bench_finish(ok);
}
