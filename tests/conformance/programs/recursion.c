/* SPDX-License-Identifier: MIT */
// construct: tasks that make tasks
// expect: explicit_tasks=30
// place: task @task=1..
// place: task @task2=1..
// place: implicit @implicit3=1..
#include "../conformance.h"
static void
tree(int n)
{
	if (n == 0)
		return;
#pragma omp task // @task
	tree(n - 1);
#pragma omp task // @task2
	tree(n - 1);
#pragma omp taskwait
}

int
main(void)
{
#pragma omp parallel // @implicit3
#pragma omp single
	tree(4);
	return done();
}
