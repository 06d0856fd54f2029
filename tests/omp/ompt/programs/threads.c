/* SPDX-License-Identifier: MIT */
/* Two threads of the program's own open regions.
 *
 * // EXPECT: regions == 4
 * // EXPECT: implicit == 8
 * // EXPECT: tasks == 80
 * // EXPECT: ended == 80
 */
#include "sink.h"

#include <pthread.h>

static void *
run(void *arg)
{
	for (int k = 0; k < 2; k++) {
#pragma omp parallel num_threads(2)
#pragma omp single
		for (int i = 0; i < 20; i++)
#pragma omp task
			work();
	}
	return arg;
}

int
main(void)
{
	pthread_t thread[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
