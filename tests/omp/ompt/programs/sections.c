/* SPDX-License-Identifier: MIT */
/* // EXPECT: sections_entered == 2*T
 * // EXPECT: sections == 5
 * // EXPECT: loops == 0
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
	{
#pragma omp sections
		{
#pragma omp section
			work();
#pragma omp section
			work();
#pragma omp section
			work();
		}
#pragma omp sections nowait
		{
#pragma omp section
			work();
#pragma omp section
			work();
		}
	}
	return 0;
}
