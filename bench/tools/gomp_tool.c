/* SPDX-License-Identifier: MIT */
/*
 * gomp_tool.c - the reference tools for libgomp, which has no tool interface: a preload before the
 * entry points that the benchmark programs use. Events are those that an OMPT runtime would send:
 * a task's creation, start and end, both ends of every wait, each chunk handed out.
 *
 *   cc -O2 -fPIC -shared -DKIND=KIND_RING gomp_tool.c -o gomp_ring.so
 *   LD_PRELOAD=$PWD/gomp_ring.so ./program
 *
 * Tasks are seen by handing libgomp a function and an argument block of our own, with a small
 * header in front of the user's arguments. Detachable tasks and arguments aligned to more than 32
 * bytes pass unseen.
 */
#include "store.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

typedef void (*body_function)(void *);
typedef void (*copy_function)(void *to, void *from);

struct header {
	body_function body;
	uint64_t id;
	copy_function copy;
	void *data; /* the user's own block, while there is no copy of it */
};
_Static_assert(sizeof(struct header) == 32, "arguments behind it are aligned");

#define REAL(name)                                                                                 \
	static __typeof__(&name) real_##name;                                                      \
	if (STORE_UNLIKELY(!real_##name))                                                          \
	*(void **)&real_##name = dlsym(RTLD_NEXT, #name)

void GOMP_task(body_function body, void *data, copy_function copy, long bytes, long align,
               bool is_deferrable, unsigned flags, void **depend, int priority, void *detach);
void GOMP_parallel(body_function body, void *data, unsigned n_threads, unsigned flags);
void GOMP_taskwait(void);
void GOMP_barrier(void);
bool GOMP_single_start(void);
void GOMP_loop_end(void);
void GOMP_loop_end_nowait(void);

static void
run_task(void *block)
{
	struct header *h = block;

	store_event(STORE_SWITCH, 7, 0, h->id);
	h->body(h->data ? h->data : h + 1);
	store_event(STORE_SWITCH, 1, h->id, 0);
}

static void
copy_task(void *to, void *from)
{
	struct header *h = to;
	const struct header *source = from;

	*h = *source;
	h->data = NULL;
	h->copy(h + 1, source->data);
}

void
GOMP_task(body_function body, void *data, copy_function copy, long bytes, long align,
          bool is_deferrable, unsigned flags, void **depend, int priority, void *detach)
{
	REAL(GOMP_task);
	if (align > (long)sizeof(struct header) || detach) {
		real_GOMP_task(body, data, copy, bytes, align, is_deferrable, flags, depend,
		               priority, detach);
		return;
	}
	struct header *h = __builtin_alloca(sizeof *h + (size_t)bytes);

	*h = (struct header){body, store_new_id(), copy, copy || !is_deferrable ? data : NULL};
	if (!h->data)
		memcpy(h + 1, data, (size_t)bytes);
	store_event(STORE_CREATE, flags, h->id, (uintptr_t)body);
	real_GOMP_task(run_task, h, copy ? copy_task : NULL, (long)sizeof *h + bytes,
	               (long)sizeof *h, is_deferrable, flags, depend, priority, NULL);
}

struct region {
	body_function body;
	void *data;
	uint64_t id;
};

static void
run_implicit(void *region)
{
	struct region *r = region;
	uint64_t id = store_new_id();

	store_event(STORE_IMPLICIT, 1, id, r->id);
	r->body(r->data);
	store_event(STORE_IMPLICIT, 2, id, r->id);
}

void
GOMP_parallel(body_function body, void *data, unsigned n_threads, unsigned flags)
{
	REAL(GOMP_parallel);
	struct region r = {body, data, store_new_id()};

	store_event(STORE_PARALLEL_BEGIN, n_threads, r.id, (uintptr_t)body);
	real_GOMP_parallel(run_implicit, &r, n_threads, flags);
	store_event(STORE_PARALLEL_END, 0, r.id, (uintptr_t)body);
}

#define WAIT(name, kind)                                                                           \
	void name(void)                                                                            \
	{                                                                                          \
		REAL(name);                                                                        \
		store_event(STORE_SYNC, (kind) << 8 | 1, 0,                                        \
		            (uintptr_t)__builtin_return_address(0));                               \
		real_##name();                                                                     \
		store_event(STORE_SYNC, (kind) << 8 | 2, 0, 0);                                    \
	}

WAIT(GOMP_taskwait, 5)
WAIT(GOMP_barrier, 3)
WAIT(GOMP_loop_end, 2)

bool
GOMP_single_start(void)
{
	REAL(GOMP_single_start);
	bool is_mine = real_GOMP_single_start();

	store_event(STORE_WORK, is_mine, 0, (uintptr_t)__builtin_return_address(0));
	return is_mine;
}

void
GOMP_loop_end_nowait(void)
{
	REAL(GOMP_loop_end_nowait);
	store_event(STORE_WORK, 2, 0, 0);
	real_GOMP_loop_end_nowait();
}

#define LOOP_START(name)                                                                           \
	bool name(long begin, long end, long step, long chunk, long *first, long *last);           \
	bool name(long begin, long end, long step, long chunk, long *first, long *last)            \
	{                                                                                          \
		REAL(name);                                                                        \
		store_event(STORE_WORK, 1, (uint64_t)(end - begin),                                \
		            (uintptr_t)__builtin_return_address(0));                               \
		bool has_chunk = real_##name(begin, end, step, chunk, first, last);                \
		if (has_chunk)                                                                     \
			store_event(STORE_CHUNK, 0, (uint64_t)*first, (uint64_t)*last);            \
		return has_chunk;                                                                  \
	}

#define LOOP_NEXT(name)                                                                            \
	bool name(long *first, long *last);                                                        \
	bool name(long *first, long *last)                                                         \
	{                                                                                          \
		REAL(name);                                                                        \
		bool has_chunk = real_##name(first, last);                                         \
		if (has_chunk)                                                                     \
			store_event(STORE_CHUNK, 0, (uint64_t)*first, (uint64_t)*last);            \
		return has_chunk;                                                                  \
	}

LOOP_START(GOMP_loop_nonmonotonic_dynamic_start)
LOOP_START(GOMP_loop_nonmonotonic_guided_start)
LOOP_START(GOMP_loop_dynamic_start)
LOOP_START(GOMP_loop_guided_start)
LOOP_NEXT(GOMP_loop_nonmonotonic_dynamic_next)
LOOP_NEXT(GOMP_loop_nonmonotonic_guided_next)
LOOP_NEXT(GOMP_loop_dynamic_next)
LOOP_NEXT(GOMP_loop_guided_next)

static __attribute__((destructor)) void
finish(void)
{
	store_finish();
}
