/* SPDX-License-Identifier: MIT */
// construct: teams, on the host
// expect: parallel_regions=1+2
// limit ompt: parallel_regions: league
// limit pomp2: parallel_regions: teams
// place: implicit @implicit=1..
#include "../conformance.h"

int
main(void)
{
#pragma omp teams num_teams(2) thread_limit(2)
	{
#pragma omp parallel num_threads(2) // @implicit
		work();
	}
	return done();
}
