/* SPDX-License-Identifier: MIT */
// construct: for, collapse
// expect: loops=1 chunks=4
// expect ompt: chunks=(T==1)?1:4
// range: 0 20
// limit pomp2: chunks,range,place: chunks and iterations
// place: implicit @implicit=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
	{
#pragma omp for collapse(2) schedule(dynamic, 5)
		for (int i = 0; i < 5; i++)
			for (int k = 0; k < 4; k++)
				work();
	}
	return done();
}
