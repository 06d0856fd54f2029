/* SPDX-License-Identifier: MIT */
/* Starts and ends many threads, one after the other; each opens a region of its own. */
#include <pthread.h>
#include <stddef.h>

static int sum;

static void *
work(void *argument)
{
#pragma omp parallel num_threads(1) reduction(+ : sum)
	sum += 1;
	return argument;
}

int
main(void)
{
	for (int i = 0; i < 400; i++) {
		pthread_t thread;
		if (pthread_create(&thread, NULL, work, NULL) != 0)
			return 1;
		pthread_join(thread, NULL);
	}
	return sum != 400;
}
