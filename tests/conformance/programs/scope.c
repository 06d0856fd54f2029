/* SPDX-License-Identifier: MIT */
// construct: scope
// expect: explicit_tasks=T
// na clang-14,libomp-14: clang 14 does not know it
// na clang-14,libomp-16: clang 14 does not know it
// na clang-19,libomp-19: clang 19 does not compile it
#include "../conformance.h"

int
main(void)
{
	int sum = 0;
#pragma omp parallel
#pragma omp scope reduction(+ : sum)
	{
#pragma omp task
		work();
		sum++;
	}
	return done();
}
