/* SPDX-License-Identifier: MIT */
/*
 * task.c - explicit tasks. libgomp is given a body and a block of our own, which holds a header
 * and, behind it at the user's alignment, a copy of the user's argument block:
 *
 *   | header | padding | user's arguments |
 *
 * libgomp copies our block as it would copy the user's: by bytes, or by task_copy if the user's
 * has a copy constructor. A task never leaves the thread it begins on and nests on that thread's
 * stack, so begin and end round the user's function are exact.
 *
 * GOMP_task jumps to one of three functions, so that nothing of itself is on the stack: to task_now
 * for tasks that run at once, to task_usual for deferrable ones whose arguments are a few bytes, to
 * task_any for the others. Tasks with depend or detach clauses are in task_clauses.c.
 */
#include "collect/libgomp/task.h"
#include "collect/libgomp/event.h"

#include <stdlib.h>
#include <string.h>

#define PARAMETERS                                                                                 \
	gomp_fn fn, void *data, gomp_copy_fn copy, long size_bytes, long align,                    \
	    bool is_deferrable, unsigned flags, void **depend, int priority, void *detach
#define ARGUMENTS fn, data, copy, size_bytes, align, is_deferrable, flags, depend, priority, detach

WN_API void GOMP_task(PARAMETERS);

static inline __attribute__((always_inline)) void
run_task(gomp_fn fn, void *arguments, wn_id id)
{
	struct wn_thread *t = wn_self;
	if (__builtin_expect(!t && !(t = gomp_attach()), 0)) {
		fn(arguments);
		return;
	}
	void *outer_fn = GOMP_FN(t);
	GOMP_FN(t) = (void *)(uintptr_t)fn;
	gomp_task_begin(t, id);
	fn(arguments);
	if (!gomp_is_same(t))
		return;
	gomp_task_end(t);
	GOMP_FN(t) = outer_fn;
}

/* As wn_ev_task_create(), now. */
static inline wn_id
create_task(struct wn_thread *t, gomp_fn fn, unsigned flags, bool is_deferrable)
{
	gomp_at(t, WN_EV_TASK_CREATE, (const void *)(uintptr_t)fn,
	        gomp_task_flags(flags, is_deferrable));
	return wn_new_id(t);
}

/* --- tasks that run at once ---
 *
 * They nest as deep as the program recurses, and the program's stack may have little room to spare:
 * what stays there while the task runs is the header and a few registers. */
struct header_now {
	gomp_fn fn;
	void *arguments; /* the user's own block */
	wn_id id;
};

static void
body_now(void *block)
{
	struct header_now *h = block;
	run_task(h->fn, h->arguments, h->id);
}

static __attribute__((noinline)) void
task_now(PARAMETERS)
{
	GOMP_ENTER(GOMP_task);
	if (!t) { /* also where another source records: as cheap as can be */
		real(ARGUMENTS);
		return;
	}
	struct header_now h = {fn, data, create_task(t, fn, flags, false)};
	real(body_now, &h, NULL, sizeof h, _Alignof(struct header_now), is_deferrable, flags,
	     depend, priority, detach);
	if (gomp_is_same(t))
		gomp_plain(t, WN_EV_CREATE_END);
}

/* --- deferrable tasks without a constructor, and without padding --- */

struct header_usual {
	gomp_fn fn;
	wn_id id;
};
static_assert(sizeof(struct header_usual) <= GOMP_ALIGN_ALWAYS, "arguments are aligned behind it");

static void
body_usual(void *block)
{
	struct header_usual *h = block;
	run_task(h->fn, h + 1, h->id);
}

/* As memcpy(), of a few words mostly. */
static inline void
copy_arguments(void *to, const void *from, size_t n_bytes)
{
	if (__builtin_expect(n_bytes % 8 == 0, 1))
		for (size_t i = 0; i < n_bytes; i += 8)
			memcpy((char *)to + i, (const char *)from + i, 8);
	else
		memcpy(to, from, n_bytes);
}

static __attribute__((noinline)) void
task_usual(PARAMETERS)
{
	GOMP_ENTER(GOMP_task);
	if (!t) {
		real(ARGUMENTS);
		return;
	}
	wn_id id = create_task(t, fn, flags, true);
	struct header_usual *h = __builtin_alloca(sizeof *h + (size_t)size_bytes);
	*h = (struct header_usual){fn, id};
	copy_arguments(h + 1, data, (size_t)size_bytes);
	const long least_align = _Alignof(struct header_usual);
	real(body_usual, h, NULL, (long)sizeof *h + size_bytes,
	     align > least_align ? align : least_align, is_deferrable, flags, depend, priority,
	     detach);
	if (gomp_is_same(t))
		gomp_plain(t, WN_EV_CREATE_END);
}

/* --- any other --- */

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
	run_task(h->fn, h->arguments ? h->arguments : (char *)block + h->offset, h->id);
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

static __attribute__((noinline)) void
task_any(PARAMETERS)
{
	GOMP_ENTER(GOMP_task);
	if (!t) {
		real(ARGUMENTS);
		return;
	}
	uint64_t tick = wn_clock();
	if (flags & (GOMP_TASK_DEPEND | GOMP_TASK_DETACH)) {
		gomp_task_clauses(ARGUMENTS, real, t, site, tick);
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
		real(ARGUMENTS);
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
		gomp_plain(t, WN_EV_CREATE_END);
	if (is_big)
		free(memory);
}

void
GOMP_task(PARAMETERS)
{
	bool has_clauses = flags & (GOMP_TASK_DEPEND | GOMP_TASK_DETACH);
	bool is_small = (size_t)size_bytes <= GOMP_STACK_BYTES;
	bool is_aligned = (size_t)align <= sizeof(struct header_usual);
	gomp_task_fn *task = is_small && is_aligned ? task_usual : task_any;
	if (!is_deferrable)
		task = task_now;
	if (__builtin_expect(has_clauses || copy, 0))
		task = task_any;
	task(ARGUMENTS);
}
