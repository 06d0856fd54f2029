/* SPDX-License-Identifier: MIT */
/*
 * race.c - tasks that hand on what they wrote by a taskwait and by dependences: no race, which
 * ThreadSanitizer can only know from a tool that tells it of OpenMP's order.
 *
 *   race [really]      with a word: two tasks write without any order
 */
#include <stdio.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	long sum = 0;
	(void)argv;
#pragma omp parallel num_threads(4)
#pragma omp single
	for (int i = 0; i < 200; i++) {
		long a = 0, b = 0;
#pragma omp task shared(a) depend(out : a)
		{
			usleep(20); /* so that others run what follows */
			a = i;
		}
#pragma omp task shared(a, b) depend(in : a) depend(out : b)
		b = a + 1;
		if (argc > 1) {
#pragma omp task shared(b)
			b += 2;
		}
#pragma omp taskwait
		sum += b;
	}
	printf("%s\n", sum > 0 ? "done" : "nothing done");
	return 0;
}
