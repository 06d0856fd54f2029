/* SPDX-License-Identifier: MIT */
/* A library that uses OpenMP, for late.c. */
int library_sum(void);

int
library_sum(void)
{
	int sum = 0;
#pragma omp parallel for num_threads(2) schedule(dynamic, 1) reduction(+ : sum)
	for (int i = 1; i <= 10; i++)
		sum += i;
	return sum;
}
