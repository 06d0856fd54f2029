/* SPDX-License-Identifier: MIT */
/* loop.h - shared by the wrappers of loop.c and loop_ull.c: a chunk begins when libgomp dispatches
 * it and ends when the thread requests the next. */
#pragma once

#include "record/sources/libgomp/event.h"
#include "record/sources/libgomp/work.h"

/* libgomp dispatched the chunk [begin, end) to the thread. */
void gomp_chunk_begin(struct wn_thread *t, uint64_t begin, uint64_t end);

/* Depth of the deepest doacross nest so far, which is the number of values passed to its waits. */
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
