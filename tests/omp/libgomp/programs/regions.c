/* SPDX-License-Identifier: MIT */
/* Regions, their threads, and what a thread does alone. */
#include "../../../programs/several.h"

#include <omp.h>
#include <pthread.h>

/* Parallel regions, one after the other, each second one with a team of one. */
// EXPECT: regions 200
// EXPECT: implicit 100*T+100
// EXPECT: barriers_region 100*T+100
// EXPECT: threads T
PROGRAM(parallel)
{
	int n = 0, all = 0;
	for (int i = 0; i < 100; i++) {
#pragma omp parallel reduction(+ : n)
		n++;
#pragma omp parallel if (0) reduction(+ : all)
		all += omp_get_num_threads();
	}
	return !(n == 100 * omp_get_max_threads() && all == 100);
}

/* Nested teams: inner workers come and go with the outer threads. A chunk is open meanwhile. */
// EXPECT: regions 1+24
// EXPECT: implicit T+24*3
// EXPECT: loops 1+24
// EXPECT: chunks 24+24*10
// EXPECT: iterations 24+24*10
// EXPECT: tasks 24*3
// EXPECT: begun 24*3
PROGRAM(parallel_nested)
{
	int n = 0, m = 0;
	omp_set_max_active_levels(2);
#pragma omp parallel for schedule(dynamic) reduction(+ : n)
	for (int i = 0; i < 24; i++) {
#pragma omp parallel num_threads(3) reduction(+ : n)
		{
#pragma omp for schedule(dynamic)
			for (int j = 0; j < 10; j++)
				n++;
#pragma omp task shared(m)
#pragma omp atomic
			m++;
		}
	}
	return !(n == 240 && m == 72);
}

/* Teams that grow and shrink, larger than OMP_NUM_THREADS; libgomp ends surplus threads. Thread
 * counts by a hundred. */
// EXPECT: regions 40
// EXPECT: implicit 20*(1+16)
// EXPECT: tasks 20*17
// EXPECT: begun 20*17
PROGRAM(team_sizes)
{
	int n = 0;
	for (int i = 0; i < 40; i++) {
#pragma omp parallel num_threads(i % 2 ? 1 : 16)
#pragma omp task shared(n)
#pragma omp atomic
		n++;
	}
	return n != 20 * 17;
}

/* Twenty thousand regions. */
// EXPECT: regions 20000
// EXPECT: implicit 20000*T
PROGRAM(many_regions)
{
	int n = 0;
	for (int i = 0; i < 20000; i++) {
#pragma omp parallel
#pragma omp master
		n++;
	}
	return n != 20000;
}

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

/* Many threads of the program open regions of their own at the same time; threads end and new ones
 * start. */
// EXPECT: regions 5*8*20
// EXPECT: implicit 5*8*20*2
// EXPECT: tasks 5*8*20*2
// EXPECT: begun 5*8*20*2
PROGRAM(threads)
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

/* Barriers; static loops are inlined by gcc and end in the same call. */
// EXPECT: barriers_explicit 10*T+T
// EXPECT: barriers_region T
// EXPECT: loops 0
// EXPECT: tasks T
// EXPECT: begun T
PROGRAM(barrier)
{
	int n = 0;
#pragma omp parallel
	{
		for (int i = 0; i < 10; i++) {
#pragma omp barrier
		}
#pragma omp for schedule(static)
		for (int i = 0; i < 100; i++)
#pragma omp atomic
			n++;
#pragma omp task shared(n)
#pragma omp atomic
		n++;
	}
	return n < 100;
}

/* single with barrier, with nowait, with copyprivate; tasks inside; outside every region too. */
// EXPECT: single_executors 1+10+10+10
// EXPECT: single_others 30*(T-1)
// EXPECT: tasks 10
// EXPECT: begun 10
// EXPECT: regions 1
PROGRAM(single)
{
	int n = 0, n_bad = 0;
#pragma omp single
	n++;
#pragma omp parallel reduction(+ : n_bad)
	for (int i = 0; i < 10; i++) {
		int value;
#pragma omp single
		{
#pragma omp atomic
			n++;
#pragma omp task shared(n)
#pragma omp atomic
			n++;
		}
#pragma omp single nowait
#pragma omp atomic
		n++;
#pragma omp single copyprivate(value)
		value = i + 7;
		n_bad += value != i + 7;
	}
	return !(n == 1 + 30 && n_bad == 0);
}
