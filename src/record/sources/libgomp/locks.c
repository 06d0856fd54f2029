/* SPDX-License-Identifier: MIT */
/*
 * locks.c - omp locks. Each function has two versions, of which OMP_1.0 has another lock type, and
 * each version two names, for C and for Fortran; a wrapper calls the version that it replaces.
 *
 * A successful lock test is recorded at acquisition, as a wait of zero length; a failed test is not
 * recorded. A nested lock is held from its first set to its last unset; its test function returns
 * the depth, and has no effect for the holder.
 */
#include "record/sources/libgomp/mutex.h"

#define SET(name, n)                                                                               \
	GOMP_ENTRY(void, name##_v##n, void *lock)                                                  \
	{                                                                                          \
		GOMP_ENTER_IF_KNOWN(name##_v##n);                                                  \
		gomp_mutex_wait(t, site, WN_MUTEX_LOCK, (uintptr_t)lock);                          \
		real(lock);                                                                        \
		gomp_mutex_acquired(t);                                                            \
	}

#define UNSET(name, n)                                                                             \
	GOMP_ENTRY(void, name##_v##n, void *lock)                                                  \
	{                                                                                          \
		GOMP_ENTER_IF_KNOWN(name##_v##n);                                                  \
		gomp_mutex_released(t, site, WN_MUTEX_LOCK, (uintptr_t)lock);                      \
		real(lock);                                                                        \
	}

#define TEST(name, n)                                                                              \
	GOMP_ENTRY(int, name##_v##n, void *lock)                                                   \
	{                                                                                          \
		GOMP_ENTER_IF_KNOWN(name##_v##n);                                                  \
		int is_set = real(lock);                                                           \
		if (is_set)                                                                        \
			gomp_mutex_got(t, site, WN_MUTEX_LOCK, (uintptr_t)lock);                   \
		return is_set;                                                                     \
	}

typedef int test_fn(void *lock);

#define TEST_OF(test, n) ((test_fn *)module->real[GOMP_INDEX_##test##_v##n])

#define SET_NEST(name, test, n)                                                                    \
	GOMP_ENTRY(void, name##_v##n, void *lock)                                                  \
	{                                                                                          \
		GOMP_ENTER_IF_KNOWN(name##_v##n);                                                  \
		int depth = t ? TEST_OF(test, n)(lock) : 0;                                        \
		if (depth == 1)                                                                    \
			gomp_mutex_got(t, site, WN_MUTEX_NEST_LOCK, (uintptr_t)lock);              \
		if (depth)                                                                         \
			return;                                                                    \
		gomp_mutex_wait(t, site, WN_MUTEX_NEST_LOCK, (uintptr_t)lock);                     \
		real(lock);                                                                        \
		gomp_mutex_acquired(t);                                                            \
	}

/* The holder tests the lock once more, to get its depth. */
#define UNSET_NEST(name, test, n)                                                                  \
	GOMP_ENTRY(void, name##_v##n, void *lock)                                                  \
	{                                                                                          \
		GOMP_ENTER_IF_KNOWN(name##_v##n);                                                  \
		int depth = t ? TEST_OF(test, n)(lock) : 0;                                        \
		if (depth)                                                                         \
			real(lock);                                                                \
		if (depth == 2)                                                                    \
			gomp_mutex_released(t, site, WN_MUTEX_NEST_LOCK, (uintptr_t)lock);         \
		real(lock);                                                                        \
	}

#define TEST_NEST(name, n)                                                                         \
	GOMP_ENTRY(int, name##_v##n, void *lock)                                                   \
	{                                                                                          \
		GOMP_ENTER_IF_KNOWN(name##_v##n);                                                  \
		int depth = real(lock);                                                            \
		if (depth == 1)                                                                    \
			gomp_mutex_got(t, site, WN_MUTEX_NEST_LOCK, (uintptr_t)lock);              \
		return depth;                                                                      \
	}

#define LOCKS(n)                                                                                   \
	SET(omp_set_lock, n)                                                                       \
	SET(omp_set_lock_, n)                                                                      \
	UNSET(omp_unset_lock, n)                                                                   \
	UNSET(omp_unset_lock_, n)                                                                  \
	TEST(omp_test_lock, n)                                                                     \
	TEST(omp_test_lock_, n)                                                                    \
	SET_NEST(omp_set_nest_lock, omp_test_nest_lock, n)                                         \
	SET_NEST(omp_set_nest_lock_, omp_test_nest_lock_, n)                                       \
	UNSET_NEST(omp_unset_nest_lock, omp_test_nest_lock, n)                                     \
	UNSET_NEST(omp_unset_nest_lock_, omp_test_nest_lock_, n)                                   \
	TEST_NEST(omp_test_nest_lock, n)                                                           \
	TEST_NEST(omp_test_nest_lock_, n)

LOCKS(1)
LOCKS(3)

/* clang-format off */
#define VERSIONS(name)                                                                             \
	__asm__(".symver " #name "_v1, " #name "@OMP_1.0\n"                                        \
	        ".symver " #name "_v3, " #name "@@OMP_3.0\n")
/* clang-format on */

VERSIONS(omp_set_lock);
VERSIONS(omp_set_lock_);
VERSIONS(omp_unset_lock);
VERSIONS(omp_unset_lock_);
VERSIONS(omp_test_lock);
VERSIONS(omp_test_lock_);
VERSIONS(omp_set_nest_lock);
VERSIONS(omp_set_nest_lock_);
VERSIONS(omp_unset_nest_lock);
VERSIONS(omp_unset_nest_lock_);
VERSIONS(omp_test_nest_lock);
VERSIONS(omp_test_nest_lock_);
