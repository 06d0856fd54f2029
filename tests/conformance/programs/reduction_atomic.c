/* SPDX-License-Identifier: MIT */
// construct: reduction, combined by atomic instructions
// expect: parallel_regions=1
// env: KMP_FORCE_REDUCTION=atomic
// events: (MUTEX_WAIT atomic|SYNC_BEGIN reduction)=T
// limit libgomp: events: reduction
// limit ompt: events: reduction
// na pomp2: a reduction is a clause, and OPARI2 marks none
#include "../conformance.h"

int
main(void)
{
	int sum = 0;
#pragma omp parallel reduction(+ : sum)
	sum++;
	expect(sum > 0);
	return done();
}
