/* SPDX-License-Identifier: MIT */
/* Bounds as users write them: steps, counting down, empty, huge, unsigned 64-bit, collapsed. */
// EXPECT: loops 11
// EXPECT: iterations 10+10+34+1+0+5+10+10+12+4+3
#include <limits.h>
#include <stdint.h>

static int n;

static void
work(void)
{
#pragma omp atomic
	n++;
}

int
main(void)
{
	uint64_t top = UINT64_MAX;
	long big = LONG_MAX / 2;
#pragma omp parallel
	{
#pragma omp for schedule(dynamic, 2)
		for (int i = -5; i < 5; i++)
			work();
#pragma omp for schedule(dynamic, 2)
		for (int i = 5; i > -5; i--)
			work();
#pragma omp for schedule(dynamic, 2)
		for (int i = 100; i >= 0; i -= 3)
			work();
#pragma omp for schedule(dynamic, 2)
		for (int i = 0; i < 1; i += 50)
			work();
#pragma omp for schedule(dynamic, 2)
		for (int i = 0; i < -1; i++)
			work();
#pragma omp for schedule(dynamic)
		for (long i = -big; i < big; i += big / 2)
			work();
#pragma omp for schedule(dynamic, 3)
		for (uint64_t i = top - 10; i < top; i++)
			work();
#pragma omp for schedule(guided)
		for (uint64_t i = top - 1; i > top - 11; i--)
			work();
#pragma omp for collapse(2) schedule(dynamic, 5)
		for (int i = 10; i < 13; i++)
			for (int j = 8; j > 0; j -= 2)
				work();
#pragma omp for schedule(dynamic)
		for (uint64_t i = 0; i < top - 5; i += top / 4)
			work();
#pragma omp for schedule(runtime)
		for (uint64_t i = top - 4; i > top - 304; i -= 100)
			work();
	}
	return n != 10 + 10 + 34 + 1 + 0 + 5 + 10 + 10 + 12 + 4 + 3;
}
