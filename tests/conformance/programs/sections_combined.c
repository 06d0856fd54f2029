/* SPDX-License-Identifier: MIT */
// construct: parallel sections
// expect: sections=2 parallel_regions=1
// limit ompt: sections: section
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel sections
	{
#pragma omp section
		work();
#pragma omp section
		work();
	}
	return done();
}
