/* SPDX-License-Identifier: MIT */
/* What the program tells by omp_control_tool. */
#include "../../../include/winnow/mark.h"
#include "../../programs/several.h"
#include "../conformance.h"

// construct: for, static, N: chunks that the program reports
// expect: loops=1 chunks=5
// expect ompt: chunks=(T==1)?1:5
// range: 0 9
// place: implicit @implicit=1..
PROGRAM(control_chunks)
{
#pragma omp parallel // @implicit
	{
		work();
		WINNOW_LOOP_LOWER(20);
		WINNOW_LOOP_INFO(-2, 2);
		WINNOW_LOOP_BEGIN(WINNOW_STATIC);
#pragma omp for schedule(static, 2)
		for (int i = 20; i > 2; i -= 2) {
			WINNOW_CHUNK(i);
			work();
		}
		WINNOW_LOOP_END();
	}
	return done();
}

// construct: omp_control_tool: start, pause, flush, end
// expect: parallel_regions=2 explicit_tasks=5
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

PROGRAM(control_pause)
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
