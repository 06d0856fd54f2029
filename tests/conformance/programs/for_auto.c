/* SPDX-License-Identifier: MIT */
// construct: for, auto
// expect: loops=1
// range: 0 18
// limit libgomp: loops,range: static
// limit pomp2: range: chunks and iterations
// place: implicit @implicit=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
	{
#pragma omp for schedule(auto)
		for (int i = 0; i < 18; i++)
			work();
	}
	return done();
}
