/* SPDX-License-Identifier: MIT */
/* A taskloop with a reduction that is met when its region is cancelled already: no task runs, and
 * what is reduced keeps its value. */
// EXPECT: cancels 1
// EXPECT: taskloops T-1
// EXPECT: taskloop_tasks 5*(T-1)
// EXPECT: never_begun 5*(T-1)
// EXPECT: groups T-1
#include <omp.h>
#include <unistd.h>

static volatile int is_cancelling;

int
main(void)
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
