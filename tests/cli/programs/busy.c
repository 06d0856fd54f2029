/* SPDX-License-Identifier: MIT */
/* Stays a while in a parallel region, with few events. */
#include <unistd.h>

int
main(void)
{
#pragma omp parallel num_threads(2)
	usleep(500000);
	return 0;
}
