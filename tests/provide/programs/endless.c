/* SPDX-License-Identifier: MIT */
/* Creates tasks until it kills itself. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
int
main(void)
{
	static volatile int n;
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0;; i++) {
		if (i == 50000)
			kill(getpid(), SIGKILL);
#pragma omp task
		n++;
	}
}
