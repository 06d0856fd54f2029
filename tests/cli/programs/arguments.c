/* SPDX-License-Identifier: MIT */
/* Overwrites all its arguments, then runs a region. */
#include <string.h>

int
main(int argc, char **argv)
{
	volatile int n = 0;
	for (int i = 0; i < argc; i++)
		memset(argv[i], 'x', strlen(argv[i]));
#pragma omp parallel num_threads(2)
#pragma omp atomic
	n++;
	return n != 2;
}
