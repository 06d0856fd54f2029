/* SPDX-License-Identifier: MIT */
/* // EXPECT: single_executor == 0
 * // EXPECT: implicit == T
 */
#include "sink.h"

int
main(void)
{
#pragma omp parallel
#pragma omp master
	sink(1);
	return 0;
}
