/* SPDX-License-Identifier: MIT */
/* Locks of version OMP_1.0 are another kind of lock: each wrapper must call its own version. */
// EXPECT: locks T+T
// EXPECT: nest_locks T
// EXPECT: mutexes 3
#include <omp.h>

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

int
main(void)
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
