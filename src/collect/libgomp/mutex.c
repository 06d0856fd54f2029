/* SPDX-License-Identifier: MIT */
/*
 * mutex.c - critical, atomic, ordered, and the waits of doacross loops.
 *
 * GCC calls GOMP_atomic_start only for what no instruction does, long double for one, and takes the
 * same mutex for the end of reductions over several variables. An ordered block's mutex is its
 * team's: libgomp hands the turn on when the thread asks for its next chunk, not at
 * GOMP_ordered_end. A doacross wait holds nothing, so the record names no mutex and nobody
 * releases it.
 */
#include "collect/libgomp/mutex.h"

#include <stdarg.h>

WN_API void GOMP_critical_start(void);
WN_API void GOMP_critical_end(void);
WN_API void GOMP_critical_name_start(void **name);
WN_API void GOMP_critical_name_end(void **name);
WN_API void GOMP_atomic_start(void);
WN_API void GOMP_atomic_end(void);
WN_API void GOMP_ordered_start(void);
WN_API void GOMP_ordered_end(void);
WN_API void GOMP_doacross_wait(long first, ...);
WN_API void GOMP_doacross_ull_wait(unsigned long long first, ...);

/* The mutex of what has no name: each copy of libgomp in the process has its own. */
static inline uint64_t
runtime_of(const struct gomp_module *m)
{
	return (uint64_t)(uintptr_t)m->num_threads;
}

void
GOMP_critical_start(void)
{
	GOMP_ENTER_IF_KNOWN(GOMP_critical_start);
	gomp_mutex_wait(t, site, WN_MUTEX_CRITICAL, runtime_of(module));
	real();
	gomp_mutex_acquired(t);
}

void
GOMP_critical_end(void)
{
	GOMP_ENTER_IF_KNOWN(GOMP_critical_end);
	gomp_mutex_released(t, site, WN_MUTEX_CRITICAL, runtime_of(module));
	real();
}

void
GOMP_critical_name_start(void **name)
{
	GOMP_ENTER_IF_KNOWN(GOMP_critical_name_start);
	gomp_mutex_wait(t, site, WN_MUTEX_CRITICAL, (uintptr_t)name);
	real(name);
	gomp_mutex_acquired(t);
}

void
GOMP_critical_name_end(void **name)
{
	GOMP_ENTER_IF_KNOWN(GOMP_critical_name_end);
	gomp_mutex_released(t, site, WN_MUTEX_CRITICAL, (uintptr_t)name);
	real(name);
}

void
GOMP_atomic_start(void)
{
	GOMP_ENTER_IF_KNOWN(GOMP_atomic_start);
	gomp_mutex_wait(t, site, WN_MUTEX_ATOMIC, runtime_of(module));
	real();
	gomp_mutex_acquired(t);
}

void
GOMP_atomic_end(void)
{
	GOMP_ENTER_IF_KNOWN(GOMP_atomic_end);
	gomp_mutex_released(t, site, WN_MUTEX_ATOMIC, runtime_of(module));
	real();
}

void
GOMP_ordered_start(void)
{
	GOMP_ENTER_IF_KNOWN(GOMP_ordered_start);
	gomp_mutex_wait(t, site, WN_MUTEX_ORDERED, t ? GOMP_REGION(t) : 0);
	real();
	gomp_mutex_acquired(t);
}

void
GOMP_ordered_end(void)
{
	GOMP_ENTER_IF_KNOWN(GOMP_ordered_end);
	gomp_mutex_released(t, site, WN_MUTEX_ORDERED, t ? GOMP_REGION(t) : 0);
	real();
}

/* How many values follow is known to the loop alone. As many are handed on as any nest of loops
 * has; what lies behind the last one is read and never looked at. */
#define NEST_MAX 32

#define WAIT(name, type)                                                                           \
	void name(type first, ...)                                                                 \
	{                                                                                          \
		GOMP_ENTER_IF_KNOWN(name);                                                         \
		type v[NEST_MAX];                                                                  \
		va_list rest;                                                                      \
		va_start(rest, first);                                                             \
		for (unsigned i = 1; i < NEST_MAX; i++)                                            \
			v[i] = va_arg(rest, type);                                                 \
		va_end(rest);                                                                      \
		gomp_mutex_wait(t, site, WN_MUTEX_DOACROSS, 0);                                    \
		real(first, v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11],    \
		     v[12], v[13], v[14], v[15], v[16], v[17], v[18], v[19], v[20], v[21], v[22],  \
		     v[23], v[24], v[25], v[26], v[27], v[28], v[29], v[30], v[31]);               \
		gomp_mutex_acquired(t);                                                            \
	}

WAIT(GOMP_doacross_wait, long)
WAIT(GOMP_doacross_ull_wait, unsigned long long)
