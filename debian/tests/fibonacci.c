/* SPDX-License-Identifier: MIT */
/* Tasks and a dynamic loop: 1218 tasks and 50 chunks, which the tests expect. */
#include <stdio.h>

static long
fibonacci(int n)
{
	long a, b;
	if (n < 2)
		return n;
#pragma omp task shared(a)
	a = fibonacci(n - 1);
#pragma omp task shared(b)
	b = fibonacci(n - 2);
#pragma omp taskwait
	return a + b;
}

int
main(void)
{
	long result = 0, sum = 0;
#pragma omp parallel
#pragma omp single
	result = fibonacci(14);
#pragma omp parallel for schedule(dynamic, 2) reduction(+ : sum)
	for (int i = 0; i < 100; i++)
		sum += i;
	printf("%ld %ld\n", result, sum);
	return 7;
}
