/* SPDX-License-Identifier: MIT */
/* Orphaned constructs; library.c opens the region they bind to. */
#include "sink.h"

void orphans(int n);

void
orphans(int n)
{
#pragma omp for schedule(dynamic, 2)
	for (int i = 0; i < n; i++)
		sink(i);
#pragma omp single
	{
#pragma omp task
		work();
#pragma omp taskloop num_tasks(2)
		for (int i = 0; i < n; i++)
			sink(i);
	}
#pragma omp critical
	work();
#pragma omp barrier
}
