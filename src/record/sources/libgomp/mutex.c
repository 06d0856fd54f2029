/* SPDX-License-Identifier: MIT */
/*
 * mutex.c - critical, atomic, ordered, and the waits of doacross loops.
 *
 * GCC calls GOMP_atomic_start only for operations without an instruction, such as long double, and
 * uses the same mutex at the end of reductions over several variables; GCC 17 calls
 * GOMP_reduction_start there, which takes that mutex too. An ordered block's mutex is
 * its team's: libgomp passes the turn on when the thread requests its next chunk, not at
 * GOMP_ordered_end. A doacross wait acquires nothing, so its record has no mutex and no release.
 */
#include "record/sources/libgomp/mutex.h"
#include "record/sources/libgomp/loop.h"

#include <stdarg.h>

/* The mutex of unnamed critical sections: each copy of libgomp in the process has its own. */
static inline uint64_t
runtime_of(const struct gomp_module *m)
{
	return (uint64_t)(uintptr_t)m->num_threads;
}

GOMP_ENTRY(void, GOMP_critical_start, void)
{
	GOMP_ENTER_IF_KNOWN(GOMP_critical_start);
	gomp_mutex_wait(t, site, WN_MUTEX_CRITICAL, runtime_of(module));
	real();
	gomp_mutex_acquired(t);
}

GOMP_ENTRY(void, GOMP_critical_end, void)
{
	GOMP_ENTER_IF_KNOWN(GOMP_critical_end);
	gomp_mutex_released(t, site, WN_MUTEX_CRITICAL, runtime_of(module));
	real();
}

GOMP_ENTRY(void, GOMP_critical_name_start, void **name)
{
	GOMP_ENTER_IF_KNOWN(GOMP_critical_name_start);
	gomp_mutex_wait(t, site, WN_MUTEX_CRITICAL, (uintptr_t)name);
	real(name);
	gomp_mutex_acquired(t);
}

GOMP_ENTRY(void, GOMP_critical_name_end, void **name)
{
	GOMP_ENTER_IF_KNOWN(GOMP_critical_name_end);
	gomp_mutex_released(t, site, WN_MUTEX_CRITICAL, (uintptr_t)name);
	real(name);
}

#define ATOMIC_MUTEX(start, end)                                                                   \
	GOMP_ENTRY(void, start, void)                                                              \
	{                                                                                          \
		GOMP_ENTER_IF_KNOWN(start);                                                        \
		gomp_mutex_wait(t, site, WN_MUTEX_ATOMIC, runtime_of(module));                     \
		real();                                                                            \
		gomp_mutex_acquired(t);                                                            \
	}                                                                                          \
                                                                                                   \
	GOMP_ENTRY(void, end, void)                                                                \
	{                                                                                          \
		GOMP_ENTER_IF_KNOWN(end);                                                          \
		gomp_mutex_released(t, site, WN_MUTEX_ATOMIC, runtime_of(module));                 \
		real();                                                                            \
	}

ATOMIC_MUTEX(GOMP_atomic_start, GOMP_atomic_end)
ATOMIC_MUTEX(GOMP_reduction_start, GOMP_reduction_end)

GOMP_ENTRY(void, GOMP_ordered_start, void)
{
	GOMP_ENTER_IF_KNOWN(GOMP_ordered_start);
	gomp_mutex_wait(t, site, WN_MUTEX_ORDERED, t ? GOMP_REGION(t) : 0);
	real();
	gomp_mutex_acquired(t);
}

GOMP_ENTRY(void, GOMP_ordered_end, void)
{
	GOMP_ENTER_IF_KNOWN(GOMP_ordered_end);
	gomp_mutex_released(t, site, WN_MUTEX_ORDERED, t ? GOMP_REGION(t) : 0);
	real();
}

/* Only the loop's start has the number of arguments. Passes on the maximum number for any loop
 * nest, or for those that the program has started; excess ones are read but not used. */
#define NEST_USUAL 32
#define NEST_MAX   256

_Atomic unsigned gomp_deepest_nest;

#define V8(i)                                                                                      \
	v[i], v[(i) + 1], v[(i) + 2], v[(i) + 3], v[(i) + 4], v[(i) + 5], v[(i) + 6], v[(i) + 7]
#define V32(i) V8(i), V8((i) + 8), V8((i) + 16), V8((i) + 24)

typedef void deep_wait(unsigned long long first, ...);

/* For arguments of either type, which are passed alike. A function of its own because of its large
 * frame. */
static __attribute__((noinline)) void
wait_deep(deep_wait *real, unsigned long long first, va_list rest)
{
	unsigned long long v[NEST_MAX] = {first};
	unsigned n = atomic_load_explicit(&gomp_deepest_nest, memory_order_relaxed);
	for (unsigned i = 1; i < n && i < NEST_MAX; i++)
		v[i] = va_arg(rest, unsigned long long);
	real(V32(0), V32(32), V32(64), V32(96), V32(128), V32(160), V32(192), V32(224));
}

#define WAIT(name, type)                                                                           \
	GOMP_ENTRY(void, name, type first, ...)                                                    \
	{                                                                                          \
		GOMP_ENTER_IF_KNOWN(name);                                                         \
		type v[NEST_USUAL] = {first};                                                      \
		va_list rest;                                                                      \
		va_start(rest, first);                                                             \
		gomp_mutex_wait(t, site, WN_MUTEX_DOACROSS, 0);                                    \
		if (__builtin_expect(atomic_load_explicit(&gomp_deepest_nest,                      \
		                                          memory_order_relaxed) > NEST_USUAL,      \
		                     0)) {                                                         \
			wait_deep((deep_wait *)(void (*)(void))real, (unsigned long long)first,    \
			          rest);                                                           \
		} else {                                                                           \
			for (unsigned i = 1; i < NEST_USUAL; i++)                                  \
				v[i] = va_arg(rest, type);                                         \
			real(V32(0));                                                              \
		}                                                                                  \
		va_end(rest);                                                                      \
		gomp_mutex_acquired(t);                                                            \
	}

static_assert(sizeof(long) == sizeof(unsigned long long), "both are passed alike");

WAIT(GOMP_doacross_wait, long)
WAIT(GOMP_doacross_ull_wait, unsigned long long)
