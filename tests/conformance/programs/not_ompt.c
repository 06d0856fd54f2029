/* SPDX-License-Identifier: MIT */
/* What clang compiles without a call, or not as it is written. */
#include "../../programs/several.h"
#include "../conformance.h"

// construct: atomic
// expect: parallel_regions=1
// events: MUTEX_WAIT atomic=5*T
// limit libgomp: place: line tables
// na ompt: the compiler calls libatomic, and the runtime not at all
// place: implicit @implicit=1..
// place: atomic @atomic2=1..
PROGRAM(atomic)
{
	static long double sum;
#pragma omp parallel // @implicit
	for (int i = 0; i < 5; i++) {
#pragma omp atomic // @atomic2
		sum += 1;
	}
	return done();
}

// na ompt: clang does not keep such an alignment in a task
// construct: task, firstprivate block with a large alignment
// expect: explicit_tasks=3
// place: implicit @implicit=1..
// place: task @task2=1..
PROGRAM(task_firstprivate)
{
	struct {
		_Alignas(128) char bytes[300];
	} block = {{1, 2, 3}};
#pragma omp parallel // @implicit
#pragma omp single
	for (int i = 0; i < 3; i++) {
#pragma omp task firstprivate(block) // @task2
		expect(block.bytes[2] == 3 && (unsigned long)(void *)&block % 128 == 0);
	}
	return done();
}
