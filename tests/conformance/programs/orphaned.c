/* SPDX-License-Identifier: MIT */
// construct: orphaned constructs, in a shared library
// library: ORPHANED
// expect: parallel_regions=2 explicit_tasks=16 loops=2
// place: task @task=8
// place: section @section=4
// limit libgomp: place: line tables
// events: MUTEX_WAIT critical=2*T
#include "../conformance.h"

void orphaned(void);

#ifdef ORPHANED
static void
child(void)
{
#pragma omp task // @task
	work();
#pragma omp taskwait
}

void
orphaned(void)
{
#pragma omp single
	for (int i = 0; i < 4; i++) {
#pragma omp task
		child();
	}
#pragma omp for schedule(dynamic, 3)
	for (int i = 0; i < 12; i++)
		work();
#pragma omp sections // @section
	{
#pragma omp section
		work();
#pragma omp section
		work();
	}
#pragma omp critical
	work();
#pragma omp barrier
}
#else
int
main(void)
{
	for (int k = 0; k < 2; k++) {
#pragma omp parallel
		orphaned();
	}
	return done();
}
#endif
