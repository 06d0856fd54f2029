/* SPDX-License-Identifier: MIT */
/* A library that uses OpenMP: its threads must see the libgomp that it was linked to. */
#include <omp.h>

int run_library(void);

int
run_library(void)
{
	int n = 0, numbers = 0;
#pragma omp parallel num_threads(2) reduction(+ : numbers)
	{
		numbers += omp_get_thread_num();
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 10; i++)
#pragma omp atomic
			n++;
#pragma omp task shared(n)
#pragma omp atomic
		n++;
	}
	return n == 12 && numbers == 1;
}
