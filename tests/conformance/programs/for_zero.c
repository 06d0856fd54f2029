/* SPDX-License-Identifier: MIT */
// construct: for, no iteration
// expect: loops=0..1 chunks=0
// limit pomp2: chunks: chunks and iterations
#include "../conformance.h"

int
main(void)
{
	int n = zero();
#pragma omp parallel
	{
#pragma omp for schedule(dynamic, 4)
		for (int i = 0; i < n; i++)
			work();
	}
	return done();
}
