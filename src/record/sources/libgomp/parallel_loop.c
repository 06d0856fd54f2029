/* SPDX-License-Identifier: MIT */
/* parallel_loop.c - combined parallel loops. The team's threads only request chunks; the loop's
 * bounds are arguments of the call that opens the region. So the bounds are stored with the region,
 * and every thread enters the loop when it enters the body (parallel.c). */
#include "record/sources/libgomp/parallel.h"

/* gcc calls the static entry point for schedule(auto), but computes the loop in line: no thread
 * requests a chunk, and the region is recorded like any other with a static loop. */
#define COMBINED(name, kind)                                                                       \
	GOMP_ENTRY(void, name, gomp_fn fn, void *data, unsigned n_threads, long begin, long end,   \
	           long step, long chunk, unsigned flags)                                          \
	{                                                                                          \
		GOMP_ENTER(name);                                                                  \
		if (!gomp_region_is_seen(module, t)) {                                             \
			real(fn, data, n_threads, begin, end, step, chunk, flags);                 \
			return;                                                                    \
		}                                                                                  \
		struct gomp_region r = {                                                           \
		    .fn = fn, .data = data, .has_loop = (kind) != WN_WORK_LOOP_STATIC};            \
		r.loop = gomp_loop_signed(kind, begin, end, step, chunk);                          \
		gomp_region_open(&r, t, module, n_threads);                                        \
		real(gomp_region_body, &r, n_threads, begin, end, step, chunk, flags);             \
		gomp_region_close(&r);                                                             \
	}

COMBINED(GOMP_parallel_loop_static, WN_WORK_LOOP_STATIC)
COMBINED(GOMP_parallel_loop_dynamic, WN_WORK_LOOP_DYNAMIC)
COMBINED(GOMP_parallel_loop_guided, WN_WORK_LOOP_GUIDED)
COMBINED(GOMP_parallel_loop_nonmonotonic_dynamic, WN_WORK_LOOP_DYNAMIC)
COMBINED(GOMP_parallel_loop_nonmonotonic_guided, WN_WORK_LOOP_GUIDED)

#define COMBINED_RUNTIME(name)                                                                     \
	GOMP_ENTRY(void, name, gomp_fn fn, void *data, unsigned n_threads, long begin, long end,   \
	           long step, unsigned flags)                                                      \
	{                                                                                          \
		GOMP_ENTER(name);                                                                  \
		if (!gomp_region_is_seen(module, t)) {                                             \
			real(fn, data, n_threads, begin, end, step, flags);                        \
			return;                                                                    \
		}                                                                                  \
		struct gomp_region r = {.fn = fn, .data = data, .has_loop = true};                 \
		r.loop = gomp_loop_signed(0, begin, end, step, 0);                                 \
		gomp_loop_query_schedule(module, &r.loop);                                         \
		gomp_region_open(&r, t, module, n_threads);                                        \
		real(gomp_region_body, &r, n_threads, begin, end, step, flags);                    \
		gomp_region_close(&r);                                                             \
	}

COMBINED_RUNTIME(GOMP_parallel_loop_runtime)
COMBINED_RUNTIME(GOMP_parallel_loop_nonmonotonic_runtime)
COMBINED_RUNTIME(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

/* The old interface: the master returns, runs the body itself and calls GOMP_parallel_end. */
#define COMBINED_START(name, kind)                                                                 \
	GOMP_ENTRY(void, name, gomp_fn fn, void *data, unsigned n_threads, long begin, long end,   \
	           long step, long chunk)                                                          \
	{                                                                                          \
		GOMP_ENTER(name);                                                                  \
		struct gomp_region filled = {.fn = fn, .data = data, .has_loop = true};            \
		filled.loop = gomp_loop_signed(kind, begin, end, step, chunk);                     \
		struct gomp_region *r = gomp_region_alloc(&filled, t, module);                     \
		if (!r) {                                                                          \
			real(fn, data, n_threads, begin, end, step, chunk);                        \
			return;                                                                    \
		}                                                                                  \
		gomp_region_open(r, t, module, n_threads);                                         \
		real(gomp_region_body, r, n_threads, begin, end, step, chunk);                     \
		gomp_region_started(r);                                                            \
	}

COMBINED_START(GOMP_parallel_loop_static_start, WN_WORK_LOOP_STATIC)
COMBINED_START(GOMP_parallel_loop_dynamic_start, WN_WORK_LOOP_DYNAMIC)
COMBINED_START(GOMP_parallel_loop_guided_start, WN_WORK_LOOP_GUIDED)

GOMP_ENTRY(void, GOMP_parallel_loop_runtime_start, gomp_fn fn, void *data, unsigned n_threads,
           long begin, long end, long step)
{
	GOMP_ENTER(GOMP_parallel_loop_runtime_start);
	struct gomp_region filled = {.fn = fn, .data = data, .has_loop = true};
	filled.loop = gomp_loop_signed(0, begin, end, step, 0);
	if (t)
		gomp_loop_query_schedule(module, &filled.loop);
	struct gomp_region *r = gomp_region_alloc(&filled, t, module);
	if (!r) {
		real(fn, data, n_threads, begin, end, step);
		return;
	}
	gomp_region_open(r, t, module, n_threads);
	real(gomp_region_body, r, n_threads, begin, end, step);
	gomp_region_started(r);
}
