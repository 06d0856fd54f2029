/* SPDX-License-Identifier: MIT */
// construct: reduction, combined under the runtime's lock
// expect: loops=2
// env: KMP_FORCE_REDUCTION=critical
// events: SYNC_BEGIN reduction=(T>1)?2*T:0
// na libgomp: gcc does not combine reductions in this way
// na pomp2: gcc does not combine reductions in this way
#include "../conformance.h"

int
main(void)
{
	int sum = 0;
#pragma omp parallel
	{
#pragma omp for reduction(+ : sum)
		for (int i = 0; i < 12; i++)
			sum += i;
#pragma omp for reduction(+ : sum) nowait
		for (int i = 0; i < 12; i++)
			sum += i;
	}
	expect(sum == 132);
	return done();
}
