/* SPDX-License-Identifier: MIT */
/* // EXPECT: sections_entered == T
 * // EXPECT: cancels > 1
 * // UNCOVERED
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel sections
	{
#pragma omp section
		{
			work();
#pragma omp cancel sections
			work();
		}
#pragma omp section
		{
			work();
#pragma omp cancellation point sections
			work();
		}
	}
	return 0;
}
