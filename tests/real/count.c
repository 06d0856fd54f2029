/* SPDX-License-Identifier: MIT */
/*
 * count.c - counts what a program asks of libgomp, knowing nothing of Winnow: preloaded, it writes
 * the numbers of regions, loop chunks that were handed out, tasks and taskloops to COUNT_FILE.PID
 * when the process ends. Chunk counts come from the entry points that real programs of gcc use.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_ulong n_regions, n_chunks, n_tasks, n_taskloops;

static void *
find(const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);
	if (!found) {
		void *libgomp = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
		found = libgomp ? dlsym(libgomp, name) : NULL;
	}
	if (!found)
		abort();
	return found;
}

/* `type real` is the function behind the one we stand for. */
#define REAL(name)                                                                                 \
	static _Atomic(void *) found;                                                              \
	void *address = atomic_load(&found);                                                       \
	if (!address)                                                                              \
		atomic_store(&found, address = find(#name));                                       \
	__typeof__(&name) real;                                                                    \
	memcpy(&real, &address, sizeof real)

#define REGION(name, params, args)                                                                 \
	void name params;                                                                          \
	void name params                                                                           \
	{                                                                                          \
		REAL(name);                                                                        \
		atomic_fetch_add(&n_regions, 1);                                                   \
		real args;                                                                         \
	}

#define CHUNK(name, params, args)                                                                  \
	bool name params;                                                                          \
	bool name params                                                                           \
	{                                                                                          \
		REAL(name);                                                                        \
		bool is_more = real args;                                                          \
		atomic_fetch_add(&n_chunks, is_more);                                              \
		return is_more;                                                                    \
	}

typedef void (*fn)(void *);
REGION(GOMP_parallel, (fn f, void *d, unsigned n, unsigned flags), (f, d, n, flags))
REGION(GOMP_parallel_sections, (fn f, void *d, unsigned n, unsigned count, unsigned flags),
       (f, d, n, count, flags))

#define PARALLEL_LOOP(name)                                                                        \
	REGION(name, (fn f, void *d, unsigned n, long a, long b, long by, long c, unsigned flags), \
	       (f, d, n, a, b, by, c, flags))
#define PARALLEL_RUNTIME(name)                                                                     \
	REGION(name, (fn f, void *d, unsigned n, long a, long b, long by, unsigned flags),         \
	       (f, d, n, a, b, by, flags))
PARALLEL_LOOP(GOMP_parallel_loop_static)
PARALLEL_LOOP(GOMP_parallel_loop_dynamic)
PARALLEL_LOOP(GOMP_parallel_loop_guided)
PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_guided)
PARALLEL_RUNTIME(GOMP_parallel_loop_runtime)
PARALLEL_RUNTIME(GOMP_parallel_loop_nonmonotonic_runtime)
PARALLEL_RUNTIME(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

#define START(name)                                                                                \
	CHUNK(name, (long a, long b, long by, long c, long *lo, long *hi), (a, b, by, c, lo, hi))
#define RUNTIME_START(name)                                                                        \
	CHUNK(name, (long a, long b, long by, long *lo, long *hi), (a, b, by, lo, hi))
#define NEXT(name) CHUNK(name, (long *lo, long *hi), (lo, hi))
#define ULL_START(name)                                                                            \
	CHUNK(name,                                                                                \
	      (bool up, unsigned long long a, unsigned long long b, unsigned long long by,         \
	       unsigned long long c, unsigned long long *lo, unsigned long long *hi),              \
	      (up, a, b, by, c, lo, hi))
#define ULL_NEXT(name) CHUNK(name, (unsigned long long *lo, unsigned long long *hi), (lo, hi))
START(GOMP_loop_static_start)
START(GOMP_loop_dynamic_start)
START(GOMP_loop_guided_start)
START(GOMP_loop_nonmonotonic_dynamic_start)
START(GOMP_loop_nonmonotonic_guided_start)
START(GOMP_loop_ordered_static_start)
START(GOMP_loop_ordered_dynamic_start)
START(GOMP_loop_ordered_guided_start)
RUNTIME_START(GOMP_loop_runtime_start)
RUNTIME_START(GOMP_loop_nonmonotonic_runtime_start)
RUNTIME_START(GOMP_loop_maybe_nonmonotonic_runtime_start)
NEXT(GOMP_loop_static_next)
NEXT(GOMP_loop_dynamic_next)
NEXT(GOMP_loop_guided_next)
NEXT(GOMP_loop_nonmonotonic_dynamic_next)
NEXT(GOMP_loop_nonmonotonic_guided_next)
NEXT(GOMP_loop_ordered_static_next)
NEXT(GOMP_loop_ordered_dynamic_next)
NEXT(GOMP_loop_ordered_guided_next)
NEXT(GOMP_loop_runtime_next)
NEXT(GOMP_loop_nonmonotonic_runtime_next)
NEXT(GOMP_loop_maybe_nonmonotonic_runtime_next)
ULL_START(GOMP_loop_ull_dynamic_start)
ULL_START(GOMP_loop_ull_guided_start)
ULL_START(GOMP_loop_ull_nonmonotonic_dynamic_start)
ULL_START(GOMP_loop_ull_nonmonotonic_guided_start)
ULL_NEXT(GOMP_loop_ull_dynamic_next)
ULL_NEXT(GOMP_loop_ull_guided_next)
ULL_NEXT(GOMP_loop_ull_nonmonotonic_dynamic_next)
ULL_NEXT(GOMP_loop_ull_nonmonotonic_guided_next)

void GOMP_task(fn f, void *data, fn copy, long size, long align, bool c, unsigned flags, void **dep,
               int priority, void *detach);
void
GOMP_task(fn f, void *data, fn copy, long size, long align, bool c, unsigned flags, void **dep,
          int priority, void *detach)
{
	REAL(GOMP_task);
	atomic_fetch_add(&n_tasks, 1);
	real(f, data, copy, size, align, c, flags, dep, priority, detach);
}

void GOMP_taskloop(fn f, void *data, fn copy, long size, long align, unsigned flags,
                   unsigned long n, int priority, long a, long b, long by);
void
GOMP_taskloop(fn f, void *data, fn copy, long size, long align, unsigned flags, unsigned long n,
              int priority, long a, long b, long by)
{
	REAL(GOMP_taskloop);
	atomic_fetch_add(&n_taskloops, 1);
	real(f, data, copy, size, align, flags, n, priority, a, b, by);
}

__attribute__((destructor)) static void
tell(void)
{
	char path[4096];
	const char *prefix = getenv("COUNT_FILE");
	if (!prefix || n_regions + n_chunks + n_tasks + n_taskloops == 0)
		return;
	snprintf(path, sizeof path, "%s.%ld", prefix, (long)getpid());
	FILE *file = fopen(path, "w");
	if (!file)
		return;
	fprintf(file, "%lu %lu %lu %lu\n", n_regions, n_chunks, n_tasks, n_taskloops);
	fclose(file);
}
