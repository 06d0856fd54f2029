/* SPDX-License-Identifier: MIT */
/* Taskloops over unsigned 64-bit variables, up and down, far above LONG_MAX; collapse; firstprivate
 * arrays with a copy function; nested. */
// EXPECT: taskloops 6+7
// EXPECT: taskloop_tasks 5+4+10+6+7+4+7*2
// EXPECT: iterations 24+10+50+12+70+4+7*3
// EXPECT: begun 5+4+10+6+7+4+7*2
#include <stdint.h>
#include <string.h>

static long n_run;

static void
work(long by)
{
#pragma omp atomic
	n_run += by;
}

int
main(void)
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
			work(i >= top - 24 * 7);
#pragma omp taskloop grainsize(strict : 3)
		for (uint64_t i = top; i > top - 10; i--)
			work(i <= top);
#pragma omp taskloop collapse(2) num_tasks(10)
		for (int i = 0; i < 5; i++)
			for (int j = 0; j < 10; j++)
				work(1);
#pragma omp taskloop firstprivate(array) num_tasks(6)
		for (int i = 0; i < 12; i++) {
			work(array[size - 1]);
			array[0] = 2;
		}
#pragma omp taskloop grainsize(10)
		for (unsigned i = 0; i < 70; i++)
			work(1);
#pragma omp taskloop num_tasks(4) firstprivate(array) if (0)
		for (int i = 0; i < 4; i++)
			work(array[0]);
		for (int k = 0; k < 7; k++) {
#pragma omp taskloop num_tasks(2)
			for (int i = 0; i < 3; i++)
				work(1);
		}
	}
	return n_run != 24 + 10 + 50 + 12 + 70 + 4 + 21;
}
