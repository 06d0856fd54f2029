/* SPDX-License-Identifier: MIT */
/* Mutual exclusion. */
#include "../../../programs/several.h"

#include <omp.h>
#include <unistd.h>

/* Mutual exclusion of every kind; what masked and small atomics do, no call tells. */
// EXPECT: tasks 0
// EXPECT: regions 1
// EXPECT: criticals 2*T
// EXPECT: locks 2*T
// EXPECT: atomics T
// EXPECT: mutexes 5
// EXPECT: barriers_explicit 0
// EXPECT: notes 0
PROGRAM(locks)
{
	int n = 0, m = 0, k = 0, small = 0;
	long double slow = 0;
	omp_lock_t lock, tested;
	omp_init_lock(&lock);
	omp_init_lock(&tested);
#pragma omp parallel
	{
#pragma omp critical
		n++;
#pragma omp critical(named)
		m++;
		omp_set_lock(&lock);
		k++;
		omp_unset_lock(&lock);
		while (!omp_test_lock(&tested))
			;
		k++;
		omp_unset_lock(&tested);
#pragma omp atomic
		slow += 1;
#pragma omp atomic
		small++;
#pragma omp master
		n += 100;
#pragma omp masked filter(0)
		n += 100;
	}
	omp_destroy_lock(&lock);
	omp_destroy_lock(&tested);
	return !(k == 2 * m && n == m + 200 && slow == m && small == m);
}

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

/* A nested lock is held from the first set to the last unset, whatever is tested in between. */
// EXPECT: nest_locks T*2000+1
// EXPECT: mutexes 1
// EXPECT: locks 0
PROGRAM(locks_nest)
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

static volatile int is_held;

/* Waiting for a lock, a nested lock and a critical section is timed, and only waiting. */
// EXPECT: locks T
// EXPECT: nest_locks T
// EXPECT: criticals T
// EXPECT: long_waits 3*(T>1)
// EXPECT: mutexes 3
PROGRAM(mutex_waits)
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

__asm__(".symver old_init_lock, omp_init_lock@OMP_1.0\n"
        ".symver old_set_lock, omp_set_lock@OMP_1.0\n"
        ".symver old_unset_lock, omp_unset_lock@OMP_1.0\n"
        ".symver old_test_lock, omp_test_lock@OMP_1.0\n"
        ".symver old_init_nest_lock, omp_init_nest_lock@OMP_1.0\n"
        ".symver old_set_nest_lock, omp_set_nest_lock@OMP_1.0\n"
        ".symver old_unset_nest_lock, omp_unset_nest_lock@OMP_1.0\n"
        ".symver old_test_nest_lock, omp_test_nest_lock@OMP_1.0\n");
void old_init_lock(void *), old_set_lock(void *), old_unset_lock(void *);
int old_test_lock(void *), old_test_nest_lock(void *);
void old_init_nest_lock(void *), old_set_nest_lock(void *), old_unset_nest_lock(void *);

static struct {
	int word[4];
} old, old_nest;

/* Locks of version OMP_1.0 are another kind of lock: each wrapper must call its own version. */
// EXPECT: locks T+T
// EXPECT: nest_locks T
// EXPECT: mutexes 3
PROGRAM(symbol_versions)
{
	int n = 0, m = 0, k = 0, n_threads = 0;
	omp_lock_t lock;
	old_init_lock(&old);
	old_init_nest_lock(&old_nest);
	omp_init_lock(&lock);
	/* what neither lock uses is left alone: an old nested lock has two words, a new one four */
	old.word[1] = old.word[2] = 77;
	old_nest.word[2] = old_nest.word[3] = 78;
#pragma omp parallel reduction(+ : n_threads)
	{
		n_threads++;
		old_set_lock(&old);
		n++;
		old_unset_lock(&old);
		omp_set_lock(&lock);
		m++;
		omp_unset_lock(&lock);
		old_set_nest_lock(&old_nest);
		old_set_nest_lock(&old_nest);
		k++;
		old_unset_nest_lock(&old_nest);
		old_unset_nest_lock(&old_nest);
	}
	if (old.word[1] != 77 || old.word[2] != 77 || old_nest.word[2] != 78 ||
	    old_nest.word[3] != 78)
		return 2;
	return !(n == n_threads && m == n_threads && k == n_threads);
}
