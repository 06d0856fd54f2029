/* SPDX-License-Identifier: MIT */
/*
 * fib.c - Fibonacci numbers by the naive recursion, two tasks and one taskwait per call.
 *
 * Calls at `depth` levels below the main task and deeper are plain.  When n - 2 * depth > 0 the
 * tasks form a complete binary tree: 1 + 2 + 4 + ... + 2^depth tasks with the main task, and
 * 2^depth taskwaits with the one that joins it.  The result is checked by iteration.
 */
#include "bench.h"

static uint64_t
fib_plain(long n)
{
	if (n < 2)
		return (uint64_t)n;
	return fib_plain(n - 1) + fib_plain(n - 2);
}

static uint64_t
fib(long n, long depth)
{
	uint64_t a = 0, b = 0;

	if (n < 2 || depth == 0)
		return fib_plain(n);
#pragma omp task shared(a)
	{
		count_task();
		a = fib(n - 1, depth - 1);
	}
#pragma omp task shared(b)
	{
		count_task();
		b = fib(n - 2, depth - 1);
	}
	count_taskwait();
#pragma omp taskwait
	return a + b;
}

static uint64_t
fib_iterated(long n)
{
	uint64_t a = 0, b = 1;

	while (n-- > 0) {
		uint64_t next = a + b;

		a = b;
		b = next;
	}
	return a;
}

int
main(int argc, char **argv)
{
	struct bench_arg arg[] = {
	    {"n", "which number", 42, 0, 90, NULL},
	    {"depth", "levels of tasks below the main task", 10, 0, 90, NULL},
	};
	uint64_t result = 0;

	bench_parse(argc, argv, "Fibonacci number by recursive tasks.", arg, 2);
	bench_begin();
#pragma omp parallel
#pragma omp single
	{
#pragma omp task shared(arg, result)
		{
			count_task();
			result = fib(arg[0].value, arg[1].value);
		}
		count_taskwait();
#pragma omp taskwait
	}
	bench_end();
	printf("fib(%ld) = %llu\n", arg[0].value, (unsigned long long)result);
	return bench_finish(result == fib_iterated(arg[0].value));
}
