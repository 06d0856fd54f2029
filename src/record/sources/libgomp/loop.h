/* SPDX-License-Identifier: MIT */
/*
 * loop.h - what the wrappers of loop.c and loop_ull.c share: a chunk begins when libgomp hands one
 * out and ends when the thread asks for the next.
 */
#ifndef WN_LIBGOMP_LOOP_H
#define WN_LIBGOMP_LOOP_H

#include "record/sources/libgomp/event.h"
#include "record/sources/libgomp/work.h"

/* The thread was given the chunk [begin, end). */
void gomp_chunk_begin(struct wn_thread *t, uint64_t begin, uint64_t end);

/* Loops in the deepest doacross nest that was started: so many values its waits are called with. */
extern _Atomic unsigned gomp_deepest_nest __attribute__((visibility("hidden")));

static inline void
gomp_nest_seen(unsigned n_loops)
{
	if (n_loops > atomic_load_explicit(&gomp_deepest_nest, memory_order_relaxed))
		atomic_store_explicit(&gomp_deepest_nest, n_loops, memory_order_relaxed);
}

static inline void
gomp_chunk_end(struct wn_thread *t)
{
	if (!t || !t->loop.chunk_open)
		return;
	gomp_plain(t, WN_EV_CHUNK_END);
	t->loop.chunk_open = false;
}

#endif /* WN_LIBGOMP_LOOP_H */
