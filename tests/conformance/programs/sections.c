/* SPDX-License-Identifier: MIT */
// construct: sections
// expect: sections=3
// limit ompt: sections: section
// limit libgomp: place: line tables
// place: section @sections=3
// place: implicit @implicit=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
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
