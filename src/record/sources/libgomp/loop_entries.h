/* SPDX-License-Identifier: MIT */
/*
 * loop_entries.h - the entry points that begin a loop or request its next chunk. libgomp has two of
 * each, for long and for unsigned long long; the latter has a separate parameter for the direction.
 * loop.c and loop_ull.c include this file, each with
 *
 *   LOOP(name)           the entry point of that name
 *   LOOP_INT             the type of the loop variable
 *   LOOP_UP              the direction parameter, and a comma; or nothing
 *   LOOP_UP_GIVEN        that argument, and a comma; or nothing
 *   LOOP_OF(kind, is_up, begin, end, step, chunk)   the struct gomp_loop; is_up may be used
 *                                                   only where there is LOOP_UP
 *
 * Wrappers of one shape come from one macro.
 */
#include "record/sources/libgomp/loop.h"

/* A chunk was dispatched, or none is left. */
static inline bool
hand_on(struct wn_thread *t, bool has_chunk, const LOOP_INT *first, const LOOP_INT *last)
{
	if (has_chunk)
		gomp_chunk_begin(t, (uint64_t)*first, (uint64_t)*last);
	return has_chunk;
}

#define LOOP_START(name, kind)                                                                     \
	GOMP_ENTRY(bool, name, LOOP_UP LOOP_INT begin, LOOP_INT end, LOOP_INT step,                \
	           LOOP_INT chunk, LOOP_INT *first, LOOP_INT *last)                                \
	{                                                                                          \
		GOMP_ENTER(name);                                                                  \
		if (!t)                                                                            \
			return real(LOOP_UP_GIVEN begin, end, step, chunk, first, last);           \
		struct gomp_loop loop = LOOP_OF(kind, is_up, begin, end, step, chunk);             \
		gomp_loop_begin(t, wn_clock(), site, &loop);                                       \
		bool has_chunk = real(LOOP_UP_GIVEN begin, end, step, chunk, first, last);         \
		return hand_on(t, has_chunk, first, last);                                         \
	}

LOOP_START(LOOP(static_start), WN_WORK_LOOP_STATIC)
LOOP_START(LOOP(dynamic_start), WN_WORK_LOOP_DYNAMIC)
LOOP_START(LOOP(guided_start), WN_WORK_LOOP_GUIDED)
LOOP_START(LOOP(nonmonotonic_dynamic_start), WN_WORK_LOOP_DYNAMIC)
LOOP_START(LOOP(nonmonotonic_guided_start), WN_WORK_LOOP_GUIDED)
LOOP_START(LOOP(ordered_static_start), WN_WORK_LOOP_STATIC | WN_LOOP_ORDERED)
LOOP_START(LOOP(ordered_dynamic_start), WN_WORK_LOOP_DYNAMIC | WN_LOOP_ORDERED)
LOOP_START(LOOP(ordered_guided_start), WN_WORK_LOOP_GUIDED | WN_LOOP_ORDERED)

#define LOOP_START_RUNTIME(name, flags)                                                            \
	GOMP_ENTRY(bool, name, LOOP_UP LOOP_INT begin, LOOP_INT end, LOOP_INT step,                \
	           LOOP_INT *first, LOOP_INT *last)                                                \
	{                                                                                          \
		GOMP_ENTER(name);                                                                  \
		if (!t)                                                                            \
			return real(LOOP_UP_GIVEN begin, end, step, first, last);                  \
		struct gomp_loop loop = LOOP_OF(flags, is_up, begin, end, step, 0);                \
		gomp_loop_query_schedule(module, &loop);                                           \
		gomp_loop_begin(t, wn_clock(), site, &loop);                                       \
		bool has_chunk = real(LOOP_UP_GIVEN begin, end, step, first, last);                \
		return hand_on(t, has_chunk, first, last);                                         \
	}

LOOP_START_RUNTIME(LOOP(runtime_start), 0)
LOOP_START_RUNTIME(LOOP(nonmonotonic_runtime_start), 0)
LOOP_START_RUNTIME(LOOP(maybe_nonmonotonic_runtime_start), 0)
LOOP_START_RUNTIME(LOOP(ordered_runtime_start), WN_LOOP_ORDERED)

/* With task reductions or conditional lastprivate. Without `first` the loop itself is inlined. */
#define LOOP_START_GENERIC(name, flags)                                                            \
	GOMP_ENTRY(bool, name, LOOP_UP LOOP_INT begin, LOOP_INT end, LOOP_INT step, long schedule, \
	           LOOP_INT chunk, LOOP_INT *first, LOOP_INT *last, uintptr_t *reductions,         \
	           void **mem)                                                                     \
	{                                                                                          \
		GOMP_ENTER(name);                                                                  \
		if (t) {                                                                           \
			uint32_t kind = gomp_loop_kind_of(schedule) | (flags);                     \
			kind |= first ? 0u : (uint32_t)WN_LOOP_INLINE;                             \
			struct gomp_loop loop = LOOP_OF(kind, is_up, begin, end, step, chunk);     \
			if (kind & WN_LOOP_RUNTIME)                                                \
				gomp_loop_query_schedule(module, &loop);                           \
			gomp_loop_begin(t, wn_clock(), site, &loop);                               \
		}                                                                                  \
		bool has_chunk = real(LOOP_UP_GIVEN begin, end, step, schedule, chunk, first,      \
		                      last, reductions, mem);                                      \
		return first ? hand_on(t, has_chunk, first, last) : has_chunk;                     \
	}

LOOP_START_GENERIC(LOOP(start), 0)
LOOP_START_GENERIC(LOOP(ordered_start), WN_LOOP_ORDERED)

/* Doacross loops are divided over counts[0] alone, from 0. */
#define LOOP_START_DOACROSS(name, kind)                                                            \
	GOMP_ENTRY(bool, name, unsigned n, LOOP_INT *counts, LOOP_INT chunk, LOOP_INT *first,      \
	           LOOP_INT *last)                                                                 \
	{                                                                                          \
		GOMP_ENTER(name);                                                                  \
		gomp_nest_seen(n);                                                                 \
		if (t) {                                                                           \
			struct gomp_loop loop =                                                    \
			    LOOP_OF((kind) | WN_LOOP_ORDERED, true, 0, counts[0], 1, chunk);       \
			gomp_loop_begin(t, wn_clock(), site, &loop);                               \
		}                                                                                  \
		bool has_chunk = real(n, counts, chunk, first, last);                              \
		return hand_on(t, has_chunk, first, last);                                         \
	}

LOOP_START_DOACROSS(LOOP(doacross_static_start), WN_WORK_LOOP_STATIC)
LOOP_START_DOACROSS(LOOP(doacross_dynamic_start), WN_WORK_LOOP_DYNAMIC)
LOOP_START_DOACROSS(LOOP(doacross_guided_start), WN_WORK_LOOP_GUIDED)

GOMP_ENTRY(bool, LOOP(doacross_runtime_start), unsigned n, LOOP_INT *counts, LOOP_INT *first,
           LOOP_INT *last)
{
	GOMP_ENTER(LOOP(doacross_runtime_start));
	gomp_nest_seen(n);
	if (t) {
		struct gomp_loop loop = LOOP_OF(WN_LOOP_ORDERED, true, 0, counts[0], 1, 0);
		gomp_loop_query_schedule(module, &loop);
		gomp_loop_begin(t, wn_clock(), site, &loop);
	}
	bool has_chunk = real(n, counts, first, last);
	return hand_on(t, has_chunk, first, last);
}

GOMP_ENTRY(bool, LOOP(doacross_start), unsigned n, LOOP_INT *counts, long schedule, LOOP_INT chunk,
           LOOP_INT *first, LOOP_INT *last, uintptr_t *reductions, void **mem)
{
	GOMP_ENTER(LOOP(doacross_start));
	gomp_nest_seen(n);
	if (t) {
		uint32_t kind = gomp_loop_kind_of(schedule) | WN_LOOP_ORDERED;
		struct gomp_loop loop = LOOP_OF(kind, true, 0, counts[0], 1, chunk);
		if (kind & WN_LOOP_RUNTIME)
			gomp_loop_query_schedule(module, &loop);
		gomp_loop_begin(t, wn_clock(), site, &loop);
	}
	bool has_chunk = real(n, counts, schedule, chunk, first, last, reductions, mem);
	return first ? hand_on(t, has_chunk, first, last) : has_chunk;
}

#define LOOP_NEXT(name)                                                                            \
	GOMP_ENTRY(bool, name, LOOP_INT *first, LOOP_INT *last)                                    \
	{                                                                                          \
		GOMP_ENTER(name);                                                                  \
		if (!t)                                                                            \
			return real(first, last);                                                  \
		gomp_chunk_end(t);                                                                 \
		bool has_chunk = real(first, last);                                                \
		return hand_on(t, has_chunk, first, last);                                         \
	}

LOOP_NEXT(LOOP(static_next))
LOOP_NEXT(LOOP(dynamic_next))
LOOP_NEXT(LOOP(guided_next))
LOOP_NEXT(LOOP(runtime_next))
LOOP_NEXT(LOOP(nonmonotonic_dynamic_next))
LOOP_NEXT(LOOP(nonmonotonic_guided_next))
LOOP_NEXT(LOOP(nonmonotonic_runtime_next))
LOOP_NEXT(LOOP(maybe_nonmonotonic_runtime_next))
LOOP_NEXT(LOOP(ordered_static_next))
LOOP_NEXT(LOOP(ordered_dynamic_next))
LOOP_NEXT(LOOP(ordered_guided_next))
LOOP_NEXT(LOOP(ordered_runtime_next))
