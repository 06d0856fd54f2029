/* SPDX-License-Identifier: MIT */
// construct: for, reduction
// expect: loops=1 chunks=3
// expect ompt: chunks=(T==1)?1:3
// range: 0 12
// limit pomp2: chunks,range,place: chunks and iterations
// place: implicit @implicit=1..
#include "../conformance.h"

int
main(void)
{
	int sum = 0;
#pragma omp parallel // @implicit
	{
#pragma omp for schedule(dynamic, 4) reduction(+ : sum)
		for (int i = 0; i < 12; i++) {
			work();
			sum += i;
		}
	}
	expect(sum == 66);
	return done();
}
