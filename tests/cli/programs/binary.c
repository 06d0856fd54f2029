/* SPDX-License-Identifier: MIT */
/* Writes all byte values to stdout, from tasks in order, and copies its input. */
#include <stdio.h>

int
main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 4096; i++) {
#pragma omp task firstprivate(i) depend(inout : stdout)
		putchar(i & 255);
	}
	for (int c; (c = getchar()) != EOF;)
		putchar(c);
	fputs("to stderr\n", stderr);
	return 3;
}
