/* SPDX-License-Identifier: MIT */
/*
 * spin.h - the only lock of code in the target process.
 *
 * A mutex of the C library may be wrapped, traced, or held when the program forks; this lock is a
 * flag, which a child clears. It protects a few instructions and is never held across a call into
 * the program. The event path takes no lock.
 */
#pragma once

#include <sched.h>
#include <stdatomic.h>

/* A running holder is done within fewer attempts; otherwise yields the processor to it. */
#define WN_SPINS_MAX 200

static inline void
wn_spin_lock(atomic_flag *lock)
{
	/* acquire: pairs with the release in wn_spin_unlock() */
	for (int spins = 0; atomic_flag_test_and_set_explicit(lock, memory_order_acquire); spins++)
		if (spins >= WN_SPINS_MAX)
			sched_yield();
}

static inline void
wn_spin_unlock(atomic_flag *lock)
{
	atomic_flag_clear_explicit(lock, memory_order_release);
}
