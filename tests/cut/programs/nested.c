/* SPDX-License-Identifier: MIT */
/*
 * nested.c - more records than a block has room for, of most constructs: tasks that make tasks,
 * some untied, some with dependences; taskgroups, taskloops, regions in regions, loops, locks.
 */
#include <omp.h>
#include <stdio.h>

static int values[64];
static omp_lock_t lock;

static long
fib(int n)
{
	long a, b;
	if (n < 2)
		return n;
#pragma omp task shared(a)
	a = fib(n - 1);
#pragma omp task shared(b) if (n > 3)
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}

static void
chain(int i)
{
#pragma omp task depend(out : values[i]) untied
	values[i]++;
#pragma omp task depend(in : values[i]) depend(inout : values[(i + 1) % 64])
	values[(i + 1) % 64] += values[i];
}

static void
group(int n)
{
#pragma omp taskgroup
	{
#pragma omp task
		{
#pragma omp task
			values[n % 64]++;
		}
#pragma omp taskloop grainsize(4)
		for (int i = 0; i < 16; i++)
			values[i] += n;
	}
}

static void
loops(int n)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp for schedule(dynamic, 1)
		for (int i = 0; i < 12; i++) {
			omp_set_lock(&lock);
			values[i] += n;
			omp_unset_lock(&lock);
#pragma omp task
			values[i + 12]++;
		}
#pragma omp for schedule(guided) ordered
		for (int i = 0; i < 12; i++) {
#pragma omp ordered
			values[i]++;
		}
#pragma omp sections
		{
#pragma omp section
			values[0]++;
#pragma omp section
			values[1]++;
		}
	}
}

int
main(void)
{
	omp_init_lock(&lock);
#pragma omp parallel
	for (int round = 0; round < 20; round++) {
#pragma omp single
		{
			fib(9);
			for (int i = 0; i < 64; i++)
				chain(i);
			group(round);
		}
		loops(round);
#pragma omp critical
		values[round]++;
	}
	puts("done");
	return 0;
}
