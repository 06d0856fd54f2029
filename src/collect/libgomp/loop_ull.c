/* SPDX-License-Identifier: MIT */
/*
 * loop_ull.c - loops over unsigned long long: as loop.c, with the direction given apart.
 */
#include "collect/libgomp/loop.h"

typedef unsigned long long ull;

static inline struct gomp_loop
loop_ull(uint32_t kind, bool is_up, ull begin, ull end, ull step, ull chunk)
{
	return (struct gomp_loop){begin, end, step, chunk, !is_up, kind | WN_LOOP_UNSIGNED};
}

#define LOOP_START(name, kind)                                                                     \
	WN_API bool name(bool is_up, ull begin, ull end, ull step, ull chunk, ull *first,          \
	                 ull *last);                                                               \
	bool name(bool is_up, ull begin, ull end, ull step, ull chunk, ull *first, ull *last)      \
	{                                                                                          \
		GOMP_ENTER(name);                                                                  \
		if (t) {                                                                           \
			struct gomp_loop loop = loop_ull(kind, is_up, begin, end, step, chunk);    \
			gomp_loop_begin(t, wn_clock(), site, &loop);                               \
		}                                                                                  \
		bool has_chunk = real(is_up, begin, end, step, chunk, first, last);                \
		if (has_chunk)                                                                     \
			gomp_chunk_begin(t, *first, *last);                                        \
		return has_chunk;                                                                  \
	}

LOOP_START(GOMP_loop_ull_static_start, WN_WORK_LOOP_STATIC)
LOOP_START(GOMP_loop_ull_dynamic_start, WN_WORK_LOOP_DYNAMIC)
LOOP_START(GOMP_loop_ull_guided_start, WN_WORK_LOOP_GUIDED)
LOOP_START(GOMP_loop_ull_nonmonotonic_dynamic_start, WN_WORK_LOOP_DYNAMIC)
LOOP_START(GOMP_loop_ull_nonmonotonic_guided_start, WN_WORK_LOOP_GUIDED)
LOOP_START(GOMP_loop_ull_ordered_static_start, WN_WORK_LOOP_STATIC | WN_LOOP_ORDERED)
LOOP_START(GOMP_loop_ull_ordered_dynamic_start, WN_WORK_LOOP_DYNAMIC | WN_LOOP_ORDERED)
LOOP_START(GOMP_loop_ull_ordered_guided_start, WN_WORK_LOOP_GUIDED | WN_LOOP_ORDERED)

#define LOOP_START_RUNTIME(name, flags)                                                            \
	WN_API bool name(bool is_up, ull begin, ull end, ull step, ull *first, ull *last);         \
	bool name(bool is_up, ull begin, ull end, ull step, ull *first, ull *last)                 \
	{                                                                                          \
		GOMP_ENTER(name);                                                                  \
		if (t) {                                                                           \
			struct gomp_loop loop = loop_ull(flags, is_up, begin, end, step, 0);       \
			gomp_loop_ask_schedule(module, &loop);                                     \
			gomp_loop_begin(t, wn_clock(), site, &loop);                               \
		}                                                                                  \
		bool has_chunk = real(is_up, begin, end, step, first, last);                       \
		if (has_chunk)                                                                     \
			gomp_chunk_begin(t, *first, *last);                                        \
		return has_chunk;                                                                  \
	}

LOOP_START_RUNTIME(GOMP_loop_ull_runtime_start, 0)
LOOP_START_RUNTIME(GOMP_loop_ull_nonmonotonic_runtime_start, 0)
LOOP_START_RUNTIME(GOMP_loop_ull_maybe_nonmonotonic_runtime_start, 0)
LOOP_START_RUNTIME(GOMP_loop_ull_ordered_runtime_start, WN_LOOP_ORDERED)

#define LOOP_START_GENERIC(name, flags)                                                            \
	WN_API bool name(bool is_up, ull begin, ull end, ull step, long schedule, ull chunk,       \
	                 ull *first, ull *last, uintptr_t *reductions, void **mem);                \
	bool name(bool is_up, ull begin, ull end, ull step, long schedule, ull chunk, ull *first,  \
	          ull *last, uintptr_t *reductions, void **mem)                                    \
	{                                                                                          \
		GOMP_ENTER(name);                                                                  \
		if (t) {                                                                           \
			uint32_t kind = gomp_loop_kind_of(schedule) | (flags);                     \
			kind |= first ? 0u : (uint32_t)WN_LOOP_INLINE;                             \
			struct gomp_loop loop = loop_ull(kind, is_up, begin, end, step, chunk);    \
			if (kind & WN_LOOP_RUNTIME)                                                \
				gomp_loop_ask_schedule(module, &loop);                             \
			gomp_loop_begin(t, wn_clock(), site, &loop);                               \
		}                                                                                  \
		bool has_chunk =                                                                   \
		    real(is_up, begin, end, step, schedule, chunk, first, last, reductions, mem);  \
		if (has_chunk && first)                                                            \
			gomp_chunk_begin(t, *first, *last);                                        \
		return has_chunk;                                                                  \
	}

LOOP_START_GENERIC(GOMP_loop_ull_start, 0)
LOOP_START_GENERIC(GOMP_loop_ull_ordered_start, WN_LOOP_ORDERED)

#define LOOP_START_DOACROSS(name, kind)                                                            \
	WN_API bool name(unsigned n, ull *counts, ull chunk, ull *first, ull *last);               \
	bool name(unsigned n, ull *counts, ull chunk, ull *first, ull *last)                       \
	{                                                                                          \
		GOMP_ENTER(name);                                                                  \
		gomp_nest_seen(n);                                                                 \
		if (t) {                                                                           \
			struct gomp_loop loop =                                                    \
			    loop_ull((kind) | WN_LOOP_ORDERED, true, 0, counts[0], 1, chunk);      \
			gomp_loop_begin(t, wn_clock(), site, &loop);                               \
		}                                                                                  \
		bool has_chunk = real(n, counts, chunk, first, last);                              \
		if (has_chunk)                                                                     \
			gomp_chunk_begin(t, *first, *last);                                        \
		return has_chunk;                                                                  \
	}

LOOP_START_DOACROSS(GOMP_loop_ull_doacross_static_start, WN_WORK_LOOP_STATIC)
LOOP_START_DOACROSS(GOMP_loop_ull_doacross_dynamic_start, WN_WORK_LOOP_DYNAMIC)
LOOP_START_DOACROSS(GOMP_loop_ull_doacross_guided_start, WN_WORK_LOOP_GUIDED)

WN_API bool GOMP_loop_ull_doacross_runtime_start(unsigned n, ull *counts, ull *first, ull *last);
bool
GOMP_loop_ull_doacross_runtime_start(unsigned n, ull *counts, ull *first, ull *last)
{
	GOMP_ENTER(GOMP_loop_ull_doacross_runtime_start);
	gomp_nest_seen(n);
	if (t) {
		struct gomp_loop loop = loop_ull(WN_LOOP_ORDERED, true, 0, counts[0], 1, 0);
		gomp_loop_ask_schedule(module, &loop);
		gomp_loop_begin(t, wn_clock(), site, &loop);
	}
	bool has_chunk = real(n, counts, first, last);
	if (has_chunk)
		gomp_chunk_begin(t, *first, *last);
	return has_chunk;
}

WN_API bool GOMP_loop_ull_doacross_start(unsigned n, ull *counts, long schedule, ull chunk,
                                         ull *first, ull *last, uintptr_t *reductions, void **mem);
bool
GOMP_loop_ull_doacross_start(unsigned n, ull *counts, long schedule, ull chunk, ull *first,
                             ull *last, uintptr_t *reductions, void **mem)
{
	GOMP_ENTER(GOMP_loop_ull_doacross_start);
	gomp_nest_seen(n);
	if (t) {
		uint32_t kind = gomp_loop_kind_of(schedule) | WN_LOOP_ORDERED;
		struct gomp_loop loop = loop_ull(kind, true, 0, counts[0], 1, chunk);
		if (kind & WN_LOOP_RUNTIME)
			gomp_loop_ask_schedule(module, &loop);
		gomp_loop_begin(t, wn_clock(), site, &loop);
	}
	bool has_chunk = real(n, counts, schedule, chunk, first, last, reductions, mem);
	if (has_chunk && first)
		gomp_chunk_begin(t, *first, *last);
	return has_chunk;
}

#define LOOP_NEXT(name)                                                                            \
	WN_API bool name(ull *first, ull *last);                                                   \
	bool name(ull *first, ull *last)                                                           \
	{                                                                                          \
		GOMP_ENTER(name);                                                                  \
		(void)site;                                                                        \
		gomp_chunk_end(t);                                                                 \
		bool has_chunk = real(first, last);                                                \
		if (has_chunk)                                                                     \
			gomp_chunk_begin(t, *first, *last);                                        \
		return has_chunk;                                                                  \
	}

LOOP_NEXT(GOMP_loop_ull_static_next)
LOOP_NEXT(GOMP_loop_ull_dynamic_next)
LOOP_NEXT(GOMP_loop_ull_guided_next)
LOOP_NEXT(GOMP_loop_ull_runtime_next)
LOOP_NEXT(GOMP_loop_ull_nonmonotonic_dynamic_next)
LOOP_NEXT(GOMP_loop_ull_nonmonotonic_guided_next)
LOOP_NEXT(GOMP_loop_ull_nonmonotonic_runtime_next)
LOOP_NEXT(GOMP_loop_ull_maybe_nonmonotonic_runtime_next)
LOOP_NEXT(GOMP_loop_ull_ordered_static_next)
LOOP_NEXT(GOMP_loop_ull_ordered_dynamic_next)
LOOP_NEXT(GOMP_loop_ull_ordered_guided_next)
LOOP_NEXT(GOMP_loop_ull_ordered_runtime_next)
