/* SPDX-License-Identifier: MIT */
/* A loop on as many threads as OMP_NUM_THREADS says. */
#include <stdio.h>

int
main(void)
{
	int n = 0;
#pragma omp parallel for reduction(+ : n) schedule(dynamic, 1)
	for (int i = 0; i < 100; i++)
		n += i;
	printf("sum %d\n", n);
	return 0;
}
