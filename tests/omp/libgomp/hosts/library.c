/* SPDX-License-Identifier: MIT */
/* A library that uses OpenMP: its threads must see the libgomp that it was linked to, with critical
 * sections, locks of its own and dependences; the task that waits for them is the last. */
#include <omp.h>

int run_library(void);

int
run_library(void)
{
	int n = 0, numbers = 0, held = 0, order = 0;
	omp_lock_t lock;
	omp_nest_lock_t nest;
	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
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
		omp_set_lock(&lock);
		omp_set_nest_lock(&nest);
#pragma omp critical
		held++;
		omp_unset_nest_lock(&nest);
		omp_unset_lock(&lock);
#pragma omp single
		{
#pragma omp task depend(out : order) shared(order)
			order = 1;
#pragma omp task depend(in : order) shared(order)
			order += order == 1;
		}
	}
	omp_destroy_lock(&lock);
	omp_destroy_nest_lock(&nest);
	return n == 12 && numbers == 1 && held == 2 && order == 2;
}
