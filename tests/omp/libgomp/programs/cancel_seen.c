/* SPDX-License-Identifier: MIT */
/* Who notices a cancellation: at a cancellation point of each kind, and in a barrier. */
// EXPECT: regions 5
// EXPECT: cancels 5
// EXPECT: cancels_seen (T-1)+(T-1)+(T>1)+(T>1)+(T-1)
// EXPECT: tasks (T>1)+1+10
// EXPECT: never_begun 10
#include <omp.h>
#include <unistd.h>

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

int
main(void)
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
