/* SPDX-License-Identifier: MIT */
/*
 * loop.h - what the wrappers of loop.c and loop_ull.c share: a chunk begins when libgomp hands one
 * out and ends when the thread asks for the next.
 */
#ifndef WN_LIBGOMP_LOOP_H
#define WN_LIBGOMP_LOOP_H

#include "collect/libgomp/work.h"

/* Logical iterations of the chunk [begin, end) that the thread was given. */
static inline void
gomp_chunk_begin(struct wn_thread *t, uint64_t begin, uint64_t end)
{
	if (!gomp_is_same(t) || !t->loop.is_open)
		return;
	bool is_down = t->source_flags & GOMP_LOOP_DOWN;
	uint64_t mag = GOMP_STEP_MAG(t);
	uint64_t offset = begin - (uint64_t)t->loop.lower;
	uint64_t span = end - begin;
	if (is_down) {
		offset = 0 - offset;
		span = 0 - span;
	}
	uint64_t first = mag == 1 ? offset : offset / mag;
	wn_ev_chunk_begin(t, wn_clock(), first, gomp_trip_count(span, mag));
	t->loop.chunk_open = true;
}

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
	wn_ev_chunk_end(t, wn_clock());
	t->loop.chunk_open = false;
}

#endif /* WN_LIBGOMP_LOOP_H */
