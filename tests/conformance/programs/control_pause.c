/* SPDX-License-Identifier: MIT */
// construct: omp_control_tool: start, pause, flush, end
// expect: parallel_regions=2 explicit_tasks=5
#include "../../../include/winnow/mark.h"
#include "../conformance.h"

enum { START = 1, PAUSE, FLUSH, END };

static void
region(int n_tasks)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < n_tasks; i++) {
#pragma omp task
		work();
	}
}

int
main(void)
{
	region(2);
	winnow_control(PAUSE, 0, NULL);
	region(10);
	winnow_control(START, 0, NULL);
	region(3);
	winnow_control(FLUSH, 0, NULL);
	winnow_control(END, 0, NULL);
	region(20);
	return done();
}
