/* SPDX-License-Identifier: MIT */
/* exit() inside a region. */
#include <stdlib.h>

int
main(void)
{
#pragma omp parallel for schedule(dynamic) num_threads(4)
	for (int i = 0; i < 1000; i++)
		if (i == 500)
			exit(7);
	return 0;
}
