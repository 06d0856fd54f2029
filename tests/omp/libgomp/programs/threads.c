/* SPDX-License-Identifier: MIT */
/* Many threads of the program open regions of their own at the same time; threads end and new ones
 * start. */
// EXPECT: regions 5*8*20
// EXPECT: implicit 5*8*20*2
// EXPECT: tasks 5*8*20*2
// EXPECT: begun 5*8*20*2
#include <omp.h>
#include <pthread.h>

static int n;

static void *
run(void *arg)
{
	(void)arg;
	for (int i = 0; i < 20; i++) {
#pragma omp parallel num_threads(2)
#pragma omp task
#pragma omp atomic
		n++;
	}
	return NULL;
}

int
main(void)
{
	for (int round = 0; round < 5; round++) {
		pthread_t thread[8];
		for (int i = 0; i < 8; i++)
			pthread_create(&thread[i], NULL, run, NULL);
		for (int i = 0; i < 8; i++)
			pthread_join(thread[i], NULL);
	}
	return n != 5 * 8 * 20 * 2;
}
