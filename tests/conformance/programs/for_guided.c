/* SPDX-License-Identifier: MIT */
// construct: for, guided
// expect: loops=1
// range: 0 40
// limit pomp2: range: chunks and iterations
// place: implicit @implicit=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
	{
#pragma omp for schedule(guided, 2)
		for (int i = 0; i < 40; i++)
			work();
	}
	return done();
}
