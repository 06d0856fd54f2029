/* SPDX-License-Identifier: MIT */
/* Taskloops of every size, number of tasks and grain size; up and down, strict, nogroup, with one
 * thread and undeferred. The checker compares announced tasks and iterations with those run. */
// EXPECT: never_begun 0
// EXPECT: undeferred 6
// EXPECT: notes 0
#include <stdint.h>

static long n_run;

static void
work(void)
{
#pragma omp atomic
	n_run++;
}

static long
all_sizes(void)
{
	long n_expected = 0;
	static const int sizes[] = {1, 2, 3, 5, 7, 10, 16, 17, 63, 100, 101, 255};
	for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
		int n = sizes[k];
		for (int g = 1; g < 120; g = g < 20 ? g + 1 : g * 2) {
#pragma omp taskloop grainsize(g)
			for (int i = 0; i < n; i++)
				work();
#pragma omp taskloop grainsize(strict : g)
			for (int i = 3; i < n + 3; i++)
				work();
#pragma omp taskloop num_tasks(g)
			for (int i = n * 3; i > 0; i -= 3)
				work();
#pragma omp taskloop num_tasks(strict : g)
			for (long i = -n; i < n; i += 2)
				work();
			n_expected += 4 * n;
		}
#pragma omp taskloop
		for (int i = 0; i < n * 4 - 3; i += 4)
			work();
		n_expected += n;
	}
	return n_expected;
}

int
main(void)
{
	long n_expected = 0;
#pragma omp parallel
#pragma omp single
	{
		n_expected = all_sizes();
#pragma omp taskloop nogroup
		for (int i = 0; i < 20; i++)
			work();
#pragma omp taskloop if (0) num_tasks(6)
		for (int i = 0; i < 20; i++)
			work();
#pragma omp taskloop
		for (int i = 0; i < 0; i++)
			work();
	}
	return n_run != n_expected + 40;
}
