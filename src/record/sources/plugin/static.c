/* SPDX-License-Identifier: MIT */
/*
 * static.c - functions called by a loop compiled with one of Winnow's plug-ins
 * (doc/static-chunks.md).
 *
 *   on = winnow_static_begin(first value, step, iterations, chunk size, flags)
 *   on && on(first, past)      before each chunk: logical iterations [first, past)
 *   on && on(0, 0)             after the last one
 *
 * A chunk ends where the next one begins: the arithmetic in between is not timed, so the loop is
 * marked as computed in line. With gcc these calls are the only data about a loop. With clang the
 * runtime is called for each thread's share, and that call opens and closes the loop
 * (sources/libomp/static.c); here the loop is only marked as reporting its chunks.
 */
#include "record/sources/libgomp/work.h"
#include "record/sources/libomp/libomp.h"

/* Bits of `flags`, as in src/plugin/. */
enum {
	LOOP_UNSIGNED = 1,     /* the loop's variable is unsigned */
	LOOP_HAS_BOUNDS = 2,   /* first value and step are the user's */
	LOOP_SIGNED_COUNT = 4, /* `n_iterations` below 0 means none */
	LOOP_ENTRY_POINT = 8   /* a call of __kmpc_for_static_init follows */
};

typedef void (*chunk_function)(uint64_t first, uint64_t past);

WN_API chunk_function winnow_static_begin(uint64_t lower, uint64_t step, uint64_t n_iterations,
                                          uint64_t chunk, uint32_t flags);

/* Ends the open chunk and begins the next; false if there is none. */
static bool
chunk_next(struct wn_thread *t, uint64_t tick, uint64_t first, uint64_t past)
{
	if (t->loop.chunk_open)
		wn_ev_chunk_end(t, tick);
	t->loop.chunk_open = first < past;
	if (t->loop.chunk_open)
		wn_ev_chunk_begin(t, tick, first, past - first);
	return t->loop.chunk_open;
}

static void
on_gomp(uint64_t first, uint64_t past)
{
	struct wn_thread *t = wn_self;

	if (!t || !t->loop.reports_chunks)
		return;
	uint64_t tick = wn_clock();
	if (!chunk_next(t, tick, first, past))
		gomp_work_close(t, tick);
}

/* Code compiled by gcc, on libomp. */
static void
on_ompt(uint64_t first, uint64_t past)
{
	struct wn_thread *t = wn_self;

	if (!t || !t->loop.reports_chunks)
		return;
	uint64_t tick = wn_clock();
	if (!chunk_next(t, tick, first, past))
		loop_close(t, tick);
}

/* Numbered within the whole loop; `distribute` gives each team a part of it. The runtime is called
 * at the end. */
static void
on_entry_point(uint64_t first, uint64_t past)
{
	struct wn_thread *t = wn_self;

	if (t && t->loop.reports_chunks && t->loop.is_open)
		chunk_next(t, wn_clock(), first - (uint64_t)t->loop.lower,
		           past - (uint64_t)t->loop.lower);
}

struct plugin_loop {
	const void *site;
	uint64_t lower, step, n_iterations, chunk;
	uint32_t flags;
};

static void
loop_announce(struct wn_thread *t, uint64_t tick, const struct plugin_loop *loop)
{
	uint32_t kind = WN_WORK_LOOP_STATIC | WN_LOOP_INLINE;

	kind |= loop->flags & LOOP_UNSIGNED ? (uint32_t)WN_LOOP_UNSIGNED : 0u;
	if (loop->flags & LOOP_HAS_BOUNDS)
		wn_ev_loop_begin(t, tick, loop->site, kind, loop->n_iterations,
		                 (int64_t)loop->lower, (int64_t)loop->step, loop->chunk);
	else
		wn_ev_counted_begin(t, tick, loop->site, kind, loop->n_iterations, loop->chunk);
}

/* GOMP_loop_start may have begun it already, for its reductions. */
static chunk_function
begin_gomp(struct wn_thread *t, const struct gomp_module *caller, const struct plugin_loop *loop)
{
	uint64_t tick = wn_clock();

	bool is_announced = t->loop.is_open && (t->source_flags & GOMP_LOOP_INLINE);

	if (!is_announced || !WN_REPORTS_UNKNOWN_LOOPS) {
		gomp_work_close(t, tick);
		loop_announce(t, tick, loop);
	}
	t->loop = (struct wn_loop_state){.step = 1, .is_open = true, .reports_chunks = true};
	t->source_flags = 0;
	t->ends.is_loop_due = caller->reports_chunks;
	return on_gomp;
}

static chunk_function
begin_ompt(struct wn_thread *t, const struct plugin_loop *loop)
{
	uint64_t tick = wn_clock();

	loop_close(t, tick);
	loop_announce(t, tick, loop);
	t->loop = (struct wn_loop_state){.step = 1, .is_open = true, .reports_chunks = true};
	return on_ompt;
}

/* Stored for the call that follows. */
static chunk_function
begin_entry_point(struct wn_thread *t, const struct plugin_loop *loop)
{
	loop_close(t, wn_clock());
	t->loop = (struct wn_loop_state){
	    .lower = (int64_t)loop->lower,
	    .step = (int64_t)loop->step,
	    .reports_chunks = true,
	    .has_bounds = loop->flags & LOOP_HAS_BOUNDS,
	    .is_unsigned = loop->flags & LOOP_UNSIGNED,
	};
	return on_entry_point;
}

chunk_function
winnow_static_begin(uint64_t lower, uint64_t step, uint64_t n_iterations, uint64_t chunk,
                    uint32_t flags)
{
	struct plugin_loop loop = {
	    .site = __builtin_return_address(0),
	    .lower = lower,
	    .step = step,
	    .n_iterations = n_iterations,
	    .chunk = chunk,
	    .flags = flags,
	};
	struct wn_thread *t;

	if (flags & LOOP_ENTRY_POINT) {
		t = recorded_thread();
		return t ? begin_entry_point(t, &loop) : NULL;
	}
	if (n_iterations == 0 || ((flags & LOOP_SIGNED_COUNT) && (int64_t)n_iterations < 0))
		return NULL;
	const struct gomp_caller caller = gomp_caller_of(loop.site);
	if (caller.module->is_recorded) {
		loop.site = caller.site;
		t = gomp_self();
		WN_CALLED(t, loop.site);
		return t ? begin_gomp(t, caller.module, &loop) : NULL;
	}
	t = recorded_thread();
	return t ? begin_ompt(t, &loop) : NULL;
}
