/* SPDX-License-Identifier: MIT */
// construct: sections
// expect: sections=3
// limit ompt: sections: section
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel
	{
#pragma omp sections // @sections
		{
#pragma omp section
			work();
#pragma omp section
			work();
#pragma omp section
			work();
		}
	}
	return done();
}
