/* SPDX-License-Identifier: MIT */
/*
 * fifty.c - fifty tasks. Prints their sum.
 *
 * Compiled with -DLAUNCHER: starts another program in an empty environment, as sudo does.
 */
#include <stdio.h>
#include <unistd.h>

#ifdef LAUNCHER
int
main(int argc, char **argv)
{
	char *environment[] = {NULL};
	if (argc > 1)
		execve(argv[1], argv + 1, environment);
	return 2;
}
#else

static long sum;

__attribute__((noinline)) static void
work(int i)
{
#pragma omp atomic
	sum += i;
}

int
main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 50; i++) {
#pragma omp task
		work(i);
	}
	printf("%ld\n", sum);
	return 0;
}
#endif
