/* SPDX-License-Identifier: MIT */
/* Waiting for a lock, a nested lock and a critical section is timed, and only waiting. */
// EXPECT: locks T
// EXPECT: nest_locks T
// EXPECT: criticals T
// EXPECT: long_waits 3*(T>1)
// EXPECT: mutexes 3
#include <omp.h>
#include <unistd.h>

static volatile int is_held;

int
main(void)
{
	omp_lock_t lock;
	omp_nest_lock_t nest;
	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
#pragma omp parallel
	{
		/* thread 0 holds each for 200 ms; thread 1 waits for it, the others come when all
		 * is over */
		for (int kind = 0; kind < 3; kind++) {
			if (omp_get_thread_num() == 1)
				while (is_held != 3 * kind + 1)
					usleep(100);
			else if (omp_get_thread_num() > 1)
				while (is_held < 3 * kind + 2)
					usleep(100);
			if (kind == 0)
				omp_set_lock(&lock);
			else if (kind == 1)
				omp_set_nest_lock(&nest);
			if (kind == 2) {
#pragma omp critical
				{
					if (omp_get_thread_num() == 0) {
						is_held = 3 * kind + 1;
						usleep(200000);
					}
					if (omp_get_thread_num() == 1)
						is_held = 3 * kind + 2;
				}
				continue;
			}
			if (omp_get_thread_num() == 0) {
				is_held = 3 * kind + 1;
				usleep(200000);
			}
			if (omp_get_thread_num() == 1)
				is_held = 3 * kind + 2;
			if (kind == 0)
				omp_unset_lock(&lock);
			else
				omp_unset_nest_lock(&nest);
#pragma omp barrier
		}
	}
	return 0;
}
