/* SPDX-License-Identifier: MIT */
/* Cancellation. */
#include "../../../programs/several.h"

#include <omp.h>
#include <unistd.h>

/* Cancellation of a taskgroup, a loop, sections and a region (OMP_CANCELLATION=true). */
// EXPECT: regions 4*10
// EXPECT: cancels 4*10
// EXPECT: notes 0
PROGRAM(cancel)
{
	int n = 0;
	if (!omp_get_cancellation())
		return 0;
	for (int round = 0; round < 10; round++) {
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
		for (int i = 0; i < 100; i++) {
#pragma omp task shared(n)
			{
#pragma omp atomic
				n++;
				if (i == 5) {
#pragma omp cancel taskgroup
				}
			}
		}
#pragma omp parallel
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 100; i++) {
			if (i == 50) {
#pragma omp cancel for
			}
#pragma omp cancellation point for
		}
#pragma omp parallel
#pragma omp sections
		{
#pragma omp section
		    {
#pragma omp cancel sections
		    }
#pragma omp section
		    {
#pragma omp cancellation point sections
		    }}
#pragma omp parallel
		{
			for (int i = 0; i < 100; i++) {
				if (i == 50 && omp_get_thread_num() == 0) {
#pragma omp cancel parallel
				}
#pragma omp cancellation point parallel
			}
#pragma omp barrier
		}
	}
	return 0;
}

static volatile int is_started, is_cancelled;

static void
await(volatile int *flag)
{
	while (!*flag)
		usleep(100);
}

static void
sections(void)
{
	is_started = is_cancelled = 0;
#pragma omp parallel
#pragma omp sections
	{
#pragma omp section
		{
			if (omp_get_num_threads() > 1)
				await(&is_started);
#pragma omp cancel sections
		}
#pragma omp section
		{
			is_started = 1;
			for (int i = 0; i < 100000; i++) {
				usleep(100);
#pragma omp cancellation point sections
			}
		}
	}
}

/* Who notices a cancellation: at a cancellation point of each kind, and in a barrier. */
// EXPECT: regions 5
// EXPECT: cancels 5
// EXPECT: cancels_seen (T-1)+(T-1)+(T>1)+(T>1)+(T-1)
// EXPECT: tasks (T>1)+1+10
// EXPECT: never_begun 10
PROGRAM(cancel_seen)
{
	int n = 0;
	if (!omp_get_cancellation())
		return 1;
#pragma omp parallel
	{
		if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
		}
#pragma omp barrier
#pragma omp atomic
		n++;
	}
#pragma omp parallel
#pragma omp for schedule(static, 1)
	for (int i = 0; i < omp_get_max_threads(); i++) {
		if (i == 0) {
#pragma omp cancel for
		}
		for (int k = 0; k < 100000; k++) {
			usleep(100);
#pragma omp cancellation point for
		}
#pragma omp atomic
		n++;
	}
	sections();
	is_started = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
	{
		if (omp_get_num_threads() > 1) {
#pragma omp task shared(n)
			{
				is_started = 1;
				for (int k = 0; k < 100000; k++) {
					usleep(100);
#pragma omp cancellation point taskgroup
				}
#pragma omp atomic
				n++;
			}
			await(&is_started);
		}
#pragma omp task if (0)
		{
#pragma omp cancel taskgroup
		}
		for (int i = 0; i < 10; i++) {
#pragma omp task shared(n)
#pragma omp atomic
			n++;
		}
	}
	/* the if clause is false: a cancellation point */
	is_cancelled = 0;
#pragma omp parallel
	{
		if (omp_get_thread_num() == 0) {
			is_cancelled = 1;
#pragma omp cancel parallel
		}
		await(&is_cancelled);
		for (int k = 0; k < 100000; k++) {
			usleep(100);
#pragma omp cancel parallel if (0)
		}
#pragma omp atomic
		n++;
	}
	return n;
}

static volatile int is_cancelling;

/* A taskloop with a reduction that is met when its region is cancelled already: no task runs, and
 * what is reduced keeps its value. */
// EXPECT: cancels 1
// EXPECT: taskloops T-1
// EXPECT: taskloop_tasks 5*(T-1)
// EXPECT: never_begun 5*(T-1)
// EXPECT: groups T-1
PROGRAM(cancel_taskloop)
{
	int n_bad = 0;
	if (!omp_get_cancellation())
		return 1;
#pragma omp parallel
	{
		long sum = 42, product = 43;
		if (omp_get_thread_num() == 0) {
			is_cancelling = 1;
#pragma omp cancel parallel
		}
		while (!is_cancelling)
			usleep(100);
		usleep(50000);
#pragma omp taskloop reduction(+ : sum) reduction(* : product) num_tasks(5)
		for (int i = 0; i < 100; i++) {
			sum += i;
			product *= 3;
		}
		if (sum != 42 || product != 43)
#pragma omp atomic
			n_bad++;
	}
	return n_bad;
}
