/* SPDX-License-Identifier: MIT */
/* Many tasks and chunks, whose creations take a time that can be compared. */
#include <stdio.h>
int
main(void)
{
	static volatile int n;
#pragma omp parallel
	{
#pragma omp single
		for (int i = 0; i < 2000; i++) {
#pragma omp task firstprivate(i)
			n += i;
		}
#pragma omp for schedule(dynamic, 1)
		for (int i = 0; i < 2000; i++)
			n += i;
	}
	puts("right");
	return 0;
}
