/* SPDX-License-Identifier: MIT */
/* A nested lock is held from the first set to the last unset, whatever is tested in between. */
// EXPECT: nest_locks T*2000+1
// EXPECT: mutexes 1
// EXPECT: locks 0
#include <omp.h>

static omp_nest_lock_t lock;
static int n, n_bad;

static void
enter(int depth)
{
	omp_set_nest_lock(&lock);
	n++;
	if (depth > 0)
		enter(depth - 1);
	omp_unset_nest_lock(&lock);
}

int
main(void)
{
	int n_threads = 0;
	omp_init_nest_lock(&lock);
#pragma omp parallel reduction(+ : n_threads)
	{
		n_threads++;
		for (int i = 0; i < 1000; i++) {
			enter(3);
			int depth;
			while ((depth = omp_test_nest_lock(&lock)) == 0)
				;
			n_bad += depth != 1;
			omp_set_nest_lock(&lock);
			n_bad += omp_test_nest_lock(&lock) != 3;
			omp_unset_nest_lock(&lock);
			omp_unset_nest_lock(&lock);
			omp_unset_nest_lock(&lock);
		}
	}
	n_bad += omp_test_nest_lock(&lock) != 1;
	omp_unset_nest_lock(&lock);
	omp_destroy_nest_lock(&lock);
	return n_bad || n != n_threads * 4000;
}
