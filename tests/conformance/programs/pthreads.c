/* SPDX-License-Identifier: MIT */
// construct: threads made outside OpenMP that open regions
// expect: parallel_regions=3
// place: implicit @implicit=1..
#include "../conformance.h"
#include <pthread.h>

static void *
body(void *argument)
{
#pragma omp parallel num_threads(2) // @implicit
	work();
	return argument;
}

int
main(void)
{
	pthread_t thread[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, body, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	return done();
}
