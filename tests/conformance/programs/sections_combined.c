/* SPDX-License-Identifier: MIT */
// construct: parallel sections
// expect: sections=2 parallel_regions=1
// limit ompt: sections: section
// place: implicit @implicit=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel sections // @implicit
	{
#pragma omp section
		work();
#pragma omp section
		work();
	}
	return done();
}
