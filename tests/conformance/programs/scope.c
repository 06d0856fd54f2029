/* SPDX-License-Identifier: MIT */
// construct: scope
// expect: explicit_tasks=T
// na ompt: no clang here compiles it to more than a block
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
