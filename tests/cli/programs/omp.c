/* SPDX-License-Identifier: MIT */
/* A program with one parallel region and a task for each of ten numbers; prints their sum. */
#include <stdio.h>

int
main(void)
{
	int sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 1; i <= 10; i++) {
#pragma omp task firstprivate(i) shared(sum)
#pragma omp atomic
		sum += i;
	}
	printf("sum %d\n", sum);
	return 0;
}
