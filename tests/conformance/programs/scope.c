/* SPDX-License-Identifier: MIT */
// construct: scope
// expect: explicit_tasks=T
// na clang-14,libomp-14: not supported by clang 14
// na clang-14,libomp-16: not supported by clang 14
// na clang-19,libomp-19: clang 19 does not compile it
// place: implicit @implicit=1..
// place: task @task2=1..
#include "../conformance.h"

int
main(void)
{
	int sum = 0;
#pragma omp parallel // @implicit
#pragma omp scope reduction(+ : sum)
	{
#pragma omp task // @task2
		work();
		sum++;
	}
	return done();
}
