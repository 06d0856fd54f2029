/* SPDX-License-Identifier: MIT */
/*
 * loop.c - loops whose variable fits a long, and the end of every loop. The wrappers of one shape
 * come from one macro; loop_ull.c has the same for unsigned long long.
 *
 * Not seen here: static loops, which GCC compiles to arithmetic.
 */
#include "collect/libgomp/loop.h"
#include "collect/libgomp/cancel.h"

enum { SCHEDULE_RUNTIME = 0, SCHEDULE_STATIC = 1, SCHEDULE_DYNAMIC = 2, SCHEDULE_GUIDED = 3 };

uint32_t
gomp_loop_kind_of(long schedule)
{
	switch (schedule & 0x7fffffff) { /* the top bit says "monotonic" */
	case SCHEDULE_RUNTIME:
		return WN_LOOP_RUNTIME;
	case SCHEDULE_STATIC:
		return WN_WORK_LOOP_STATIC;
	case SCHEDULE_DYNAMIC:
		return WN_WORK_LOOP_DYNAMIC;
	case SCHEDULE_GUIDED:
		return WN_WORK_LOOP_GUIDED;
	default:
		return WN_WORK_LOOP_OTHER;
	}
}

void
gomp_loop_ask_schedule(const struct gomp_module *m, struct gomp_loop *loop)
{
	int kind = 0, chunk = 0;
	m->get_schedule(&kind, &chunk); /* omp_sched_t codes kinds as GOMP_loop_start does */
	loop->kind |= WN_LOOP_RUNTIME | gomp_loop_kind_of(kind);
	loop->chunk = chunk > 0 ? (uint64_t)chunk : 0;
}

void
gomp_loop_begin(struct wn_thread *t, uint64_t tick, const void *site, const struct gomp_loop *loop)
{
	bool is_unsigned = loop->kind & WN_LOOP_UNSIGNED;
	uint64_t mag = loop->is_down ? 0 - loop->step : loop->step;
	gomp_work_close(t, tick);
	if (loop->kind & WN_LOOP_INLINE) /* the bounds given are not the loop's */
		wn_ev_work_begin(t, tick, site, loop->kind, 0);
	else
		wn_ev_loop_begin(
		    t, tick, site, loop->kind,
		    gomp_iterations(loop->begin, loop->end, loop->step, loop->is_down, is_unsigned),
		    (int64_t)loop->begin, (int64_t)loop->step, loop->chunk);
	t->loop = (struct wn_loop_state){
	    .lower = (int64_t)loop->begin, .step = (int64_t)loop->step, .is_open = true};
	t->source_flags = loop->is_down ? GOMP_LOOP_DOWN : 0;
	GOMP_STEP_MAG(t) = mag ? mag : 1;
}

#define LOOP_START(name, kind)                                                                     \
	WN_API bool name(long begin, long end, long step, long chunk, long *first, long *last);    \
	bool name(long begin, long end, long step, long chunk, long *first, long *last)            \
	{                                                                                          \
		GOMP_ENTER(name);                                                                  \
		if (t) {                                                                           \
			struct gomp_loop loop = gomp_loop_signed(kind, begin, end, step, chunk);   \
			gomp_loop_begin(t, wn_clock(), site, &loop);                               \
		}                                                                                  \
		bool has_chunk = real(begin, end, step, chunk, first, last);                       \
		if (has_chunk)                                                                     \
			gomp_chunk_begin(t, (uint64_t)*first, (uint64_t)*last);                    \
		return has_chunk;                                                                  \
	}

LOOP_START(GOMP_loop_static_start, WN_WORK_LOOP_STATIC)
LOOP_START(GOMP_loop_dynamic_start, WN_WORK_LOOP_DYNAMIC)
LOOP_START(GOMP_loop_guided_start, WN_WORK_LOOP_GUIDED)
LOOP_START(GOMP_loop_nonmonotonic_dynamic_start, WN_WORK_LOOP_DYNAMIC)
LOOP_START(GOMP_loop_nonmonotonic_guided_start, WN_WORK_LOOP_GUIDED)
LOOP_START(GOMP_loop_ordered_static_start, WN_WORK_LOOP_STATIC | WN_LOOP_ORDERED)
LOOP_START(GOMP_loop_ordered_dynamic_start, WN_WORK_LOOP_DYNAMIC | WN_LOOP_ORDERED)
LOOP_START(GOMP_loop_ordered_guided_start, WN_WORK_LOOP_GUIDED | WN_LOOP_ORDERED)

#define LOOP_START_RUNTIME(name, flags)                                                            \
	WN_API bool name(long begin, long end, long step, long *first, long *last);                \
	bool name(long begin, long end, long step, long *first, long *last)                        \
	{                                                                                          \
		GOMP_ENTER(name);                                                                  \
		if (t) {                                                                           \
			struct gomp_loop loop = gomp_loop_signed(flags, begin, end, step, 0);      \
			gomp_loop_ask_schedule(module, &loop);                                     \
			gomp_loop_begin(t, wn_clock(), site, &loop);                               \
		}                                                                                  \
		bool has_chunk = real(begin, end, step, first, last);                              \
		if (has_chunk)                                                                     \
			gomp_chunk_begin(t, (uint64_t)*first, (uint64_t)*last);                    \
		return has_chunk;                                                                  \
	}

LOOP_START_RUNTIME(GOMP_loop_runtime_start, 0)
LOOP_START_RUNTIME(GOMP_loop_nonmonotonic_runtime_start, 0)
LOOP_START_RUNTIME(GOMP_loop_maybe_nonmonotonic_runtime_start, 0)
LOOP_START_RUNTIME(GOMP_loop_ordered_runtime_start, WN_LOOP_ORDERED)

/* With task reductions or conditional lastprivate. Without `first` the loop itself is inlined. */
#define LOOP_START_GENERIC(name, flags)                                                            \
	WN_API bool name(long begin, long end, long step, long schedule, long chunk, long *first,  \
	                 long *last, uintptr_t *reductions, void **mem);                           \
	bool name(long begin, long end, long step, long schedule, long chunk, long *first,         \
	          long *last, uintptr_t *reductions, void **mem)                                   \
	{                                                                                          \
		GOMP_ENTER(name);                                                                  \
		if (t) {                                                                           \
			uint32_t kind = gomp_loop_kind_of(schedule) | (flags);                     \
			kind |= first ? 0u : (uint32_t)WN_LOOP_INLINE;                             \
			struct gomp_loop loop = gomp_loop_signed(kind, begin, end, step, chunk);   \
			if (kind & WN_LOOP_RUNTIME)                                                \
				gomp_loop_ask_schedule(module, &loop);                             \
			gomp_loop_begin(t, wn_clock(), site, &loop);                               \
		}                                                                                  \
		bool has_chunk =                                                                   \
		    real(begin, end, step, schedule, chunk, first, last, reductions, mem);         \
		if (has_chunk && first)                                                            \
			gomp_chunk_begin(t, (uint64_t)*first, (uint64_t)*last);                    \
		return has_chunk;                                                                  \
	}

LOOP_START_GENERIC(GOMP_loop_start, 0)
LOOP_START_GENERIC(GOMP_loop_ordered_start, WN_LOOP_ORDERED)

/* Doacross loops are shared out over counts[0] alone, from 0. */
#define LOOP_START_DOACROSS(name, kind)                                                            \
	WN_API bool name(unsigned n, long *counts, long chunk, long *first, long *last);           \
	bool name(unsigned n, long *counts, long chunk, long *first, long *last)                   \
	{                                                                                          \
		GOMP_ENTER(name);                                                                  \
		gomp_nest_seen(n);                                                                 \
		if (t) {                                                                           \
			struct gomp_loop loop =                                                    \
			    gomp_loop_signed((kind) | WN_LOOP_ORDERED, 0, counts[0], 1, chunk);    \
			gomp_loop_begin(t, wn_clock(), site, &loop);                               \
		}                                                                                  \
		bool has_chunk = real(n, counts, chunk, first, last);                              \
		if (has_chunk)                                                                     \
			gomp_chunk_begin(t, (uint64_t)*first, (uint64_t)*last);                    \
		return has_chunk;                                                                  \
	}

LOOP_START_DOACROSS(GOMP_loop_doacross_static_start, WN_WORK_LOOP_STATIC)
LOOP_START_DOACROSS(GOMP_loop_doacross_dynamic_start, WN_WORK_LOOP_DYNAMIC)
LOOP_START_DOACROSS(GOMP_loop_doacross_guided_start, WN_WORK_LOOP_GUIDED)

WN_API bool GOMP_loop_doacross_runtime_start(unsigned n, long *counts, long *first, long *last);
bool
GOMP_loop_doacross_runtime_start(unsigned n, long *counts, long *first, long *last)
{
	GOMP_ENTER(GOMP_loop_doacross_runtime_start);
	gomp_nest_seen(n);
	if (t) {
		struct gomp_loop loop = gomp_loop_signed(WN_LOOP_ORDERED, 0, counts[0], 1, 0);
		gomp_loop_ask_schedule(module, &loop);
		gomp_loop_begin(t, wn_clock(), site, &loop);
	}
	bool has_chunk = real(n, counts, first, last);
	if (has_chunk)
		gomp_chunk_begin(t, (uint64_t)*first, (uint64_t)*last);
	return has_chunk;
}

WN_API bool GOMP_loop_doacross_start(unsigned n, long *counts, long schedule, long chunk,
                                     long *first, long *last, uintptr_t *reductions, void **mem);
bool
GOMP_loop_doacross_start(unsigned n, long *counts, long schedule, long chunk, long *first,
                         long *last, uintptr_t *reductions, void **mem)
{
	GOMP_ENTER(GOMP_loop_doacross_start);
	gomp_nest_seen(n);
	if (t) {
		uint32_t kind = gomp_loop_kind_of(schedule) | WN_LOOP_ORDERED;
		struct gomp_loop loop = gomp_loop_signed(kind, 0, counts[0], 1, chunk);
		if (kind & WN_LOOP_RUNTIME)
			gomp_loop_ask_schedule(module, &loop);
		gomp_loop_begin(t, wn_clock(), site, &loop);
	}
	bool has_chunk = real(n, counts, schedule, chunk, first, last, reductions, mem);
	if (has_chunk && first)
		gomp_chunk_begin(t, (uint64_t)*first, (uint64_t)*last);
	return has_chunk;
}

#define LOOP_NEXT(name)                                                                            \
	WN_API bool name(long *first, long *last);                                                 \
	bool name(long *first, long *last)                                                         \
	{                                                                                          \
		GOMP_ENTER(name);                                                                  \
		(void)site;                                                                        \
		gomp_chunk_end(t);                                                                 \
		bool has_chunk = real(first, last);                                                \
		if (has_chunk)                                                                     \
			gomp_chunk_begin(t, (uint64_t)*first, (uint64_t)*last);                    \
		return has_chunk;                                                                  \
	}

LOOP_NEXT(GOMP_loop_static_next)
LOOP_NEXT(GOMP_loop_dynamic_next)
LOOP_NEXT(GOMP_loop_guided_next)
LOOP_NEXT(GOMP_loop_runtime_next)
LOOP_NEXT(GOMP_loop_nonmonotonic_dynamic_next)
LOOP_NEXT(GOMP_loop_nonmonotonic_guided_next)
LOOP_NEXT(GOMP_loop_nonmonotonic_runtime_next)
LOOP_NEXT(GOMP_loop_maybe_nonmonotonic_runtime_next)
LOOP_NEXT(GOMP_loop_ordered_static_next)
LOOP_NEXT(GOMP_loop_ordered_dynamic_next)
LOOP_NEXT(GOMP_loop_ordered_guided_next)
LOOP_NEXT(GOMP_loop_ordered_runtime_next)

static inline void
end_begin(struct wn_thread *t, const void *site)
{
	uint64_t tick = wn_clock();
	gomp_work_close(t, tick);
	wn_ev_sync_begin(t, tick, site, WN_SYNC_BARRIER_IMPLICIT);
}

WN_API void GOMP_loop_end(void);
void
GOMP_loop_end(void)
{
	GOMP_ENTER(GOMP_loop_end);
	if (t)
		end_begin(t, site);
	real();
	if (gomp_is_same(t))
		wn_ev_sync_end(t, wn_clock());
}

WN_API bool GOMP_loop_end_cancel(void);
bool
GOMP_loop_end_cancel(void)
{
	GOMP_ENTER(GOMP_loop_end_cancel);
	if (t)
		end_begin(t, site);
	bool is_cancelled = real();
	if (gomp_is_same(t))
		wn_ev_sync_end(t, wn_clock());
	gomp_cancel_seen(t, site, WN_CANCEL_PARALLEL, is_cancelled);
	return is_cancelled;
}

WN_API void GOMP_loop_end_nowait(void);
void
GOMP_loop_end_nowait(void)
{
	GOMP_ENTER(GOMP_loop_end_nowait);
	(void)site;
	if (t)
		gomp_work_close(t, wn_clock());
	real();
}
