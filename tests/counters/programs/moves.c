/* SPDX-License-Identifier: MIT */
/*
 * moves.c - tasks of three fragments, of which the middle one runs on another CPU and is the
 * longest. A thread's CPU is told where a grain starts: the empty tasks are there for that.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sched.h>
#include <stdio.h>

static cpu_set_t usable;

/* The n-th CPU that may be used. */
static void
go_to(int n)
{
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &usable) || n-- > 0)
			continue;
		cpu_set_t one;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		sched_setaffinity(0, sizeof one, &one);
		return;
	}
}

static void
spin(int n)
{
	volatile double sum = 0;
	for (int i = 0; i < n; i++)
		sum = sum + i;
}

static void
move_and_tell(int n)
{
	go_to(n);
#pragma omp task if (0)
	spin(10);
}

int
main(void)
{
	sched_getaffinity(0, sizeof usable, &usable);
#pragma omp parallel num_threads(1)
#pragma omp single
	for (int i = 0; i < 5; i++) {
		go_to(0);
#pragma omp task
		{
			spin(1000);
			move_and_tell(1);
			spin(400000);
			move_and_tell(0);
			spin(1000);
		}
#pragma omp taskwait
	}
	puts("done");
	return 0;
}
