/* SPDX-License-Identifier: MIT */
/*
 * task.c - explicit tasks. libgomp is given task_body and a block of our own, which holds a header
 * and, behind it at the user's alignment, a copy of the user's argument block:
 *
 *   | struct header | padding | user's arguments |
 *
 * libgomp copies our block as it would copy the user's: by bytes, or by task_copy if the user's
 * has a copy constructor. A task never leaves the thread it begins on and nests on that thread's
 * stack, so begin and end round the user's function are exact. Tasks with depend or detach clauses
 * are in task_clauses.c.
 */
#include "collect/libgomp/task.h"

#include <stdlib.h>
#include <string.h>

WN_API void GOMP_task(gomp_fn fn, void *data, gomp_copy_fn copy, long size_bytes, long align,
                      bool is_deferrable, unsigned flags, void **depend, int priority,
                      void *detach);

struct header {
	gomp_fn fn;
	void *arguments; /* the user's own block, if the task runs before GOMP_task returns */
	wn_id id;
	gomp_copy_fn copy;
	uint32_t offset; /* of the arguments in the block */
};

static void
task_body(void *block)
{
	struct header *h = block;
	struct wn_thread *t = wn_self;
	void *arguments = h->arguments ? h->arguments : (char *)block + h->offset;
	if (__builtin_expect(!t && !(t = gomp_attach()), 0)) {
		h->fn(arguments);
		return;
	}
	void *outer_fn = GOMP_FN(t);
	GOMP_FN(t) = (void *)(uintptr_t)h->fn;
	wn_ev_task_begin(t, wn_clock(), h->id);
	h->fn(arguments);
	if (!gomp_is_same(t))
		return;
	wn_ev_task_end(t, wn_clock());
	GOMP_FN(t) = outer_fn;
}

/* libgomp makes the task's own block. `from` is the block on the creator's stack, whose
 * `arguments` is the user's original: constructors see what they would have seen. */
static void
task_copy(void *to, void *from)
{
	struct header *h = to;
	const struct header *source = from;
	*h = *source;
	h->arguments = NULL;
	h->copy((char *)to + h->offset, source->arguments);
}

/* A task that runs at once nests as deep as the program recurses, and the program's stack may have
 * little room to spare: what stays there while the task runs is the header and a few registers. */
struct header_now {
	gomp_fn fn;
	void *arguments;
	wn_id id;
};

static __attribute__((noinline)) void
now_begin(struct wn_thread *t, gomp_fn fn, wn_id id)
{
	GOMP_FN(t) = (void *)(uintptr_t)fn;
	wn_ev_task_begin(t, wn_clock(), id);
}

static __attribute__((noinline)) void
now_end(struct wn_thread *t)
{
	wn_ev_task_end(t, wn_clock());
}

static __attribute__((noinline)) wn_id
now_create(struct wn_thread *t, uint64_t tick, gomp_fn fn, unsigned flags)
{
	return wn_ev_task_create(t, tick, (const void *)(uintptr_t)fn,
	                         gomp_task_flags(flags, false));
}

static __attribute__((noinline)) void
now_create_end(struct wn_thread *t)
{
	wn_ev_create_end(t, wn_clock());
}

static void
body_now(void *block)
{
	struct header_now *h = block;
	struct wn_thread *t = wn_self;
	void *outer_fn = t ? GOMP_FN(t) : NULL;

	if (t)
		now_begin(t, h->fn, h->id);
	h->fn(h->arguments);
	if (!t || !gomp_is_same(t))
		return;
	now_end(t);
	GOMP_FN(t) = outer_fn;
}

/* Reached by a jump from GOMP_task, so that nothing of that is on the stack. */
static __attribute__((noinline)) void
task_now(gomp_fn fn, void *data, gomp_copy_fn copy, long size_bytes, long align, bool is_deferrable,
         unsigned flags, void **depend, int priority, void *detach)
{
	uint64_t tick = wn_clock();
	GOMP_ENTER(GOMP_task);
	if (__builtin_expect(!t, 0)) {
		real(fn, data, copy, size_bytes, align, is_deferrable, flags, depend, priority,
		     detach);
		return;
	}
	struct header_now h = {fn, data, now_create(t, tick, fn, flags)};
	real(body_now, &h, NULL, sizeof h, _Alignof(struct header_now), is_deferrable, flags,
	     depend, priority, detach);
	if (gomp_is_same(t))
		now_create_end(t);
}

static __attribute__((noinline)) void
task_later(gomp_fn fn, void *data, gomp_copy_fn copy, long size_bytes, long align,
           bool is_deferrable, unsigned flags, void **depend, int priority, void *detach)
{
	GOMP_ENTER(GOMP_task);
	if (!t) { /* also where another source records: as cheap as can be */
		real(fn, data, copy, size_bytes, align, is_deferrable, flags, depend, priority,
		     detach);
		return;
	}
	uint64_t tick = wn_clock();
	if (__builtin_expect((flags & (GOMP_TASK_DEPEND | GOMP_TASK_DETACH)) != 0, 0)) {
		gomp_task_clauses(fn, data, copy, size_bytes, align, is_deferrable, flags, depend,
		                  priority, detach, real, t, site, tick);
		return;
	}
	/* Only a deferrable task without a constructor is copied from our block by bytes. */
	bool has_bytes = is_deferrable && !copy;
	size_t align_bytes =
	    align > (long)_Alignof(struct header) ? (size_t)align : _Alignof(struct header);
	size_t offset = (sizeof(struct header) + align_bytes - 1) & ~(align_bytes - 1);
	size_t block_bytes = offset + (size_t)size_bytes;
	size_t source_bytes = has_bytes ? block_bytes : sizeof(struct header);
	size_t n_bytes = source_bytes + gomp_align_spare(align_bytes);
	bool is_big = n_bytes > GOMP_STACK_BYTES;
	void *memory = is_big ? malloc(n_bytes) : __builtin_alloca(n_bytes);
	if (!memory) {
		real(fn, data, copy, size_bytes, align, is_deferrable, flags, depend, priority,
		     detach);
		return;
	}
	struct header *h = gomp_align(memory, align_bytes);
	*h = (struct header){
	    .fn = fn,
	    .arguments = has_bytes ? NULL : data,
	    .copy = copy,
	    .offset = (uint32_t)offset,
	};
	if (has_bytes && size_bytes > 0)
		memcpy((char *)h + offset, data, (size_t)size_bytes);
	h->id = wn_ev_task_create(t, tick, (const void *)(uintptr_t)fn,
	                          gomp_task_flags(flags, is_deferrable));
	real(task_body, h, copy ? task_copy : NULL, (long)block_bytes, (long)align_bytes,
	     is_deferrable, flags, depend, priority, detach);
	if (gomp_is_same(t))
		wn_ev_create_end(t, wn_clock());
	if (is_big)
		free(memory);
}

void
GOMP_task(gomp_fn fn, void *data, gomp_copy_fn copy, long size_bytes, long align,
          bool is_deferrable, unsigned flags, void **depend, int priority, void *detach)
{
	if (is_deferrable || copy || (flags & (GOMP_TASK_DEPEND | GOMP_TASK_DETACH)))
		task_later(fn, data, copy, size_bytes, align, is_deferrable, flags, depend,
		           priority, detach);
	else
		task_now(fn, data, copy, size_bytes, align, is_deferrable, flags, depend, priority,
		         detach);
}
