/* SPDX-License-Identifier: MIT */
// na ompt: clang does not keep such an alignment in a task
// construct: task, firstprivate block with a large alignment
// expect: explicit_tasks=3
// place: implicit @implicit=1..
// place: task @task2=1..
#include "../conformance.h"

int
main(void)
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
