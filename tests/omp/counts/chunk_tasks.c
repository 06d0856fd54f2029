/* SPDX-License-Identifier: MIT */
/* chunk_tasks.c - 6 chunks of 2 iterations over two threads; each iteration makes a task that
 * nobody waits for but the barrier of the loop. Both threads get chunks. */
#include <stdatomic.h>
#include <stdio.h>

static atomic_int n_begun, n_done;

/* The first chunk of each thread waits until both threads have one. */
static void
meet(int i)
{
	static _Thread_local int has_met;
	if (has_met)
		return;
	has_met = i + 1;
	atomic_fetch_add(&n_begun, 1);
	while (atomic_load(&n_begun) < 2)
		;
}

int
main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp for schedule(dynamic, 2)
	for (int i = 0; i < 12; i++) {
		meet(i);
#pragma omp task
		atomic_fetch_add(&n_done, 1);
	}
	printf("%d\n", atomic_load(&n_done));
	return 0;
}
