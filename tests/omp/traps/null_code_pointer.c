/* SPDX-License-Identifier: MIT */
/* Constructs whose call into the runtime is the last thing that their code does, so that it returns
 * into the runtime, and constructs that the runtime tells of without an address.
 *
 * A line that may be named has a comment of the kinds that it may be named for;
 * null-code-pointer.sh reads them. A taskloop and a region that follow in tail position have the
 * line of their outlined function, or of the construct round them.
 */
#include <omp.h>

static volatile long sum;
static omp_lock_t lock;

static __attribute__((noinline)) void
work(int i)
{
	for (int k = 0; k < 500; k++)
		sum += i;
}

static __attribute__((noinline)) void
barrier_last(void)
{
#pragma omp parallel /* @implicit */
	{
		work(1);
#pragma omp barrier
	}
	sum++;
}

static __attribute__((noinline)) void
region_last(void)
{
#pragma omp parallel /* @implicit @nested */
	{
#pragma omp parallel num_threads(2) /* @nested */
		work(2);
	}
	sum++;
}

static __attribute__((noinline)) void
task_last(void)
{
#pragma omp parallel /* @implicit */
#pragma omp task     /* @task */
	work(3);
	sum++;
}

static __attribute__((noinline)) void
taskloop_last(void)
{
#pragma omp parallel /* @implicit */
#pragma omp single nowait
#pragma omp taskloop num_tasks(8) nogroup /* @taskloop */
	for (int i = 0; i < 64; i++)
		work(i);
	sum++;
}

static __attribute__((noinline)) void
taskloop_in_group(void)
{
#pragma omp parallel /* @implicit */
#pragma omp single nowait
#pragma omp taskloop num_tasks(64) /* @taskloop */
	for (int i = 0; i < 64; i++)
		work(i);
	sum++;
}

static __attribute__((noinline)) void
loop(void)
{
#pragma omp for schedule(dynamic, 2) /* @chunk */
	for (int i = 0; i < 8; i++)
		work(i);
}

static __attribute__((noinline)) void
loop_last(void)
{
#pragma omp parallel /* @implicit */
	loop();
	sum++;
}

static __attribute__((noinline)) void
wait_last(void)
{
#pragma omp parallel /* @implicit */
#pragma omp single nowait
	{
#pragma omp task /* @task */
		work(7);
#pragma omp taskwait
	}
	sum++;
}

static __attribute__((noinline)) void
sections_last(void)
{
#pragma omp parallel        /* @implicit */
#pragma omp sections nowait /* @section */
	{
#pragma omp section
		work(1);
#pragma omp section
		work(2);
	}
	sum++;
}

/* Not in one region: on libomp the end of a critical section takes the first thread's address away,
 * also when that thread asks for a lock meanwhile.
 */
static __attribute__((noinline)) void
critical_last(void)
{
#pragma omp parallel /* @implicit */
	{
		work(1);
#pragma omp critical /* @critical */
		work(1);
	}
	sum++;
}

static __attribute__((noinline)) void
lock_last(void)
{
#pragma omp parallel /* @implicit */
	{
		omp_set_lock(&lock); /* @lock */
		work(2);
		omp_unset_lock(&lock);
	}
	sum++;
}

int
main(void)
{
	omp_init_lock(&lock);
	omp_set_max_active_levels(2);
	barrier_last();
	region_last();
	task_last();
	taskloop_last();
	taskloop_in_group();
	loop_last();
	wait_last();
	sections_last();
	critical_last();
	lock_last();
	return 0;
}
