/* SPDX-License-Identifier: MIT */
/*
 * empty.c - near-empty tasks, nothing but what it takes to manage tasks: the artificial benchmark
 * of Lorenz et al., "How to reconcile event-based performance analysis with tasking in OpenMP".
 *
 * Each thread creates its share of `tasks` and joins them `group` at a time. A task adds one to a
 * byte of its creator's. The loop over the parts is `shares` in the counts. Check: the bytes add up
 * to the number of tasks.
 */
#include "bench.h"

#define GROUP_MAX 4096

static uint64_t
join_groups(long n, long group)
{
	uint64_t sum = 0;

	for (long first = 0; first < n; first += group) {
		uint8_t hit[GROUP_MAX];
		long n_here = n - first < group ? n - first : group;

		memset(hit, 0, sizeof(hit[0]) * (size_t)n_here);
		for (long i = 0; i < n_here; i++) {
			uint8_t *place = &hit[i];
#pragma omp task firstprivate(place)
			{
				count_task();
				(*place)++;
			}
		}
		count_taskwait();
#pragma omp taskwait
		for (long i = 0; i < n_here; i++)
			sum += hit[i];
	}
	return sum;
}

int
main(int argc, char **argv)
{
	struct bench_arg arg[] = {
	    {"tasks", "tasks in all; each of `shares` makes its part", 1000000, 0, 1000000000,
	     NULL},
	    {"group", "tasks between two taskwaits", 64, 1, GROUP_MAX, NULL},
	    {"--shares", "into how many parts they are divided", 16, 1, 4096, NULL},
	};
	uint64_t sum = 0;

	bench_parse(argc, argv, "Near-empty tasks.", arg, 3);
	long n = arg[0].value, group = arg[1].value, shares = arg[2].value;

	bench_begin();
#pragma omp parallel for schedule(static) reduction(+ : sum) firstprivate(n, group, shares)
	for (long s = 0; s < shares; s++) {
		count_iteration("shares", -1, s, 0);
		sum += join_groups(n * (s + 1) / shares - n * s / shares, group);
	}
	bench_end();
	printf("%ld tasks\n", n);
	return bench_finish(sum == (uint64_t)n);
}
