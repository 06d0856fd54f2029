/* SPDX-License-Identifier: MIT */
/* Taskloops. */
#include "../../../programs/several.h"

#include <stdint.h>
#include <string.h>

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

/* Taskloops of every size, number of tasks and grain size; up and down, strict, nogroup, with one
 * thread and undeferred. The checker compares announced tasks and iterations with those run. */
// EXPECT: never_begun 0
// EXPECT: undeferred 6
// EXPECT: notes 0
PROGRAM(taskloop)
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

static void
add(long by)
{
#pragma omp atomic
	n_run += by;
}

/* Taskloops over unsigned 64-bit variables, up and down, far above LONG_MAX; collapse; firstprivate
 * arrays with a copy function; nested. */
// EXPECT: taskloops 6+7
// EXPECT: taskloop_tasks 5+4+10+6+7+4+7*2
// EXPECT: iterations 24+10+50+12+70+4+7*3
// EXPECT: begun 5+4+10+6+7+4+7*2
PROGRAM(taskloop_ull)
{
	uint64_t top = UINT64_MAX - 10;
	int size = 33;
	char array[size];
	memset(array, 1, sizeof array);
#pragma omp parallel
#pragma omp single
	{
#pragma omp taskloop num_tasks(5)
		for (uint64_t i = top - 24 * 7; i < top; i += 7)
			add(i >= top - 24 * 7);
#pragma omp taskloop grainsize(strict : 3)
		for (uint64_t i = top; i > top - 10; i--)
			add(i <= top);
#pragma omp taskloop collapse(2) num_tasks(10)
		for (int i = 0; i < 5; i++)
			for (int j = 0; j < 10; j++)
				add(1);
#pragma omp taskloop firstprivate(array) num_tasks(6)
		for (int i = 0; i < 12; i++) {
			add(array[size - 1]);
			array[0] = 2;
		}
#pragma omp taskloop grainsize(10)
		for (unsigned i = 0; i < 70; i++)
			add(1);
#pragma omp taskloop num_tasks(4) firstprivate(array) if (0)
		for (int i = 0; i < 4; i++)
			add(array[0]);
		for (int k = 0; k < 7; k++) {
#pragma omp taskloop num_tasks(2)
			for (int i = 0; i < 3; i++)
				add(1);
		}
	}
	return n_run != 24 + 10 + 50 + 12 + 70 + 4 + 21;
}
