/* SPDX-License-Identifier: MIT */
// construct: tasks that make tasks
// expect: explicit_tasks=30
#include "../conformance.h"
static void
tree(int n)
{
	if (n == 0)
		return;
#pragma omp task
	tree(n - 1);
#pragma omp task
	tree(n - 1);
#pragma omp taskwait
}

int
main(void)
{
#pragma omp parallel
#pragma omp single
	tree(4);
	return done();
}
