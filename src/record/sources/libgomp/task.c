/* SPDX-License-Identifier: MIT */
/*
 * task.c - explicit tasks. The wrapper gives libgomp a body and a block of its own, which contains
 * a header and a copy of the user's argument block:
 *
 *   | header | user's arguments |
 *
 * libgomp copies our block as it would copy the user's. A task never leaves the thread it begins on
 * and nests on that thread's stack, so begin and end around the user's function are exact.
 *
 * Tasks nest as deep as the program recurses, and the program may have little stack to spare. So
 * the functions that are on the stack while usual tasks run keep only one register and libgomp's
 * parameters there: the block is in the thread's state, and other functions are called before or
 * jumped to after. The state has one block, which libgomp reads before another task can be
 * created. Tasks that wait first, and other rare ones, go to task_general.c.
 */
#include "record/sources/libgomp/task.h"

#include <string.h>

#define PARAMETERS                                                                                 \
	gomp_fn fn, void *data, gomp_copy_fn copy, long size_bytes, long align,                    \
	    bool is_deferrable, unsigned flags, void **depend, int priority, void *detach
#define ARGUMENTS fn, data, copy, size_bytes, align, is_deferrable, flags, depend, priority, detach

#ifdef WN_PROVIDE

void
gomp_task_body(void *block)
{
	struct gomp_task_header *h = block;
	struct wn_thread *t = gomp_self();
	if (!t) {
		h->fn(h + 1);
		return;
	}
	gomp_task_begin(t, h->id);
	gomp_task_run(h->fn, h + 1, t);
}

void
GOMP_task(PARAMETERS)
{
	gomp_task_general(ARGUMENTS);
}

#else

/* clang calls a function with parameters on the stack, unless it has to jump. */
#if defined(__clang__) && __has_attribute(musttail)
#define JUMP(call)                                                                                 \
	_Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wpedantic\"")        \
	    __attribute__((musttail)) return call;                                                 \
	_Pragma("clang diagnostic pop")
#else
#define JUMP(call)                                                                                 \
	do {                                                                                       \
		call;                                                                              \
		return;                                                                            \
	} while (0)
#endif

/* Usual tasks have no clauses and no constructor, and are undeferred or have few bytes to copy. */
#define STAGED_BYTES 4096u

/* Arguments of GOMP_task. If libgomp runs the task at once, it passes this block to the body
 * instead of a copy, and the body passes the user's function its own arguments. */
struct staged {
	void *arguments; /* the user's own */
	gomp_task_fn *real;
	struct gomp_task_header header;
	unsigned char copy[STAGED_BYTES];
	gomp_copy_fn users_copy; /* of a task with constructors */
	long block_bytes, align_bytes;
	unsigned flags;
	int priority;
	bool is_deferrable;
};
static_assert(offsetof(struct staged, header) % GOMP_ALIGN_ALWAYS == 0, "as libgomp aligns it");
static_assert(sizeof(struct staged) <= WN_SOURCE_BLOCK_BYTES, "it has room in the thread's state");

static inline struct staged *
staged_of(struct wn_thread *t)
{
	return (struct staged *)(void *)t->source_block;
}

static __attribute__((noinline, cold)) void
body_slowly(struct gomp_task_header *h)
{
	struct wn_thread *t = gomp_self();
	if (!t) {
		h->fn(h + 1);
		return;
	}
	struct staged *s = staged_of(t);
	wn_ev_task_begin(t, wn_clock(), h->id);
	GOMP_FN(t) = (void *)(uintptr_t)h->fn;
	gomp_task_run(h->fn, h == &s->header ? s->arguments : h + 1, t);
}

void
gomp_task_body(void *block)
{
	struct gomp_task_header *h = block;
	struct wn_thread *t = wn_self;
	if (__builtin_expect(!t || !wn_quick(t) || t->depth >= WN_STACK_MAX, 0)) {
		body_slowly(h);
		return;
	}
	struct staged *s = staged_of(t);
	void *arguments = h == &s->header ? s->arguments : h + 1;
	gomp_fn fn = h->fn;
	wn_quick_task_begin(t, wn_quick_clock(), h->id, false);
	t->source_stack[t->depth] = (void *)(uintptr_t)fn;
	gomp_task_run(fn, arguments, t);
}

/* memcpy() of a few words, never compiled to a call. */
static inline void
copy_arguments(unsigned char *to, const unsigned char *from, size_t n_bytes)
{
	size_t i = 0;
	for (; i + 8 <= n_bytes; i += 8) {
		memcpy(to + i, from + i, 8);
		__asm__("" : "+r"(i));
	}
	for (; i < n_bytes; i++) {
		to[i] = from[i];
		__asm__("" : "+r"(i));
	}
}

static __attribute__((noinline)) void
end_creation(struct wn_thread *t)
{
	if (gomp_is_same(t))
		gomp_plain(t, WN_EV_CREATE_END);
}

/* Jumped to: this function's frame is on the stack while libgomp runs tasks. */
static __attribute__((noinline)) void
call_staged(struct wn_thread *t)
{
	struct staged *s = staged_of(t);
	s->real(gomp_task_body, &s->header, NULL, s->block_bytes, GOMP_ALIGN_ALWAYS,
	        s->is_deferrable, s->flags, NULL, s->priority, NULL);
	end_creation(t);
}

static void
copy_staged(void *to, void *from)
{
	char *at = (char *)from - offsetof(struct staged, header);
	const struct staged *s = (const struct staged *)(const void *)at;
	memcpy(to, from, sizeof s->header);
	s->users_copy((char *)to + sizeof s->header, s->arguments);
}

/* The same for a task with constructors, which libgomp calls before any other task can be created:
 * by them at the earliest, when the arguments here have been read. */
static __attribute__((noinline)) void
call_copying(struct wn_thread *t)
{
	struct staged *s = staged_of(t);
	s->real(gomp_task_body, &s->header, copy_staged, s->block_bytes, s->align_bytes,
	        s->is_deferrable, s->flags, NULL, s->priority, NULL);
	end_creation(t);
}

/* Reached by a jump, so that the return address is still the user's. */
static __attribute__((noinline)) void
create_copied(PARAMETERS)
{
	const struct gomp_caller caller = gomp_caller_known(__builtin_return_address(0));
	struct wn_thread *t = wn_self;
	struct staged *s = staged_of(t);
	uint64_t tick = wn_clock();
	(void)depend;
	(void)detach;
	s->arguments = data;
	s->users_copy = copy;
	s->real = (gomp_task_fn *)caller.module->real[GOMP_INDEX_GOMP_task];
	s->header.fn = fn;
	s->block_bytes = (long)sizeof s->header + size_bytes;
	s->align_bytes = (long)gomp_align_given(align);
	s->flags = flags;
	s->priority = priority;
	s->is_deferrable = is_deferrable;
	s->header.id = wn_ev_task_create(t, tick, (const void *)(uintptr_t)fn,
	                                 gomp_task_flags(flags, is_deferrable));
	call_copying(t);
}

static __attribute__((noinline, cold)) void
create_slowly(struct wn_thread *t, uint32_t wn_flags)
{
	struct staged *s = staged_of(t);
	const void *site = (const void *)(uintptr_t)s->header.fn;
	s->header.id = wn_ev_task_create(t, wn_clock(), site, wn_flags);
	call_staged(t);
}

void
GOMP_task(PARAMETERS)
{
	const struct gomp_caller caller = gomp_caller_known(__builtin_return_address(0));
	struct wn_thread *t = wn_self;
	bool has_clauses = flags & (GOMP_TASK_DEPEND | GOMP_TASK_DETACH);
	bool is_usual = !has_clauses && !copy &&
	                (!is_deferrable || ((size_t)size_bytes <= STAGED_BYTES &&
	                                    (size_t)align <= GOMP_ALIGN_ALWAYS));
	if (__builtin_expect(!caller.module || !t || !is_usual, 0)) {
		bool is_known = caller.module && t && !has_clauses;
		if (is_known && copy && (size_t)align <= GOMP_ALIGN_ALWAYS)
			JUMP(create_copied(ARGUMENTS));
		JUMP(gomp_task_general(ARGUMENTS));
	}
	struct staged *s = staged_of(t);
	uint64_t tick = wn_quick_clock();
	s->arguments = data;
	s->real = (gomp_task_fn *)caller.module->real[GOMP_INDEX_GOMP_task];
	s->header.fn = fn;
	s->block_bytes = (long)sizeof s->header;
	if (is_deferrable) {
		s->block_bytes += size_bytes;
		copy_arguments(s->copy, data, (size_t)size_bytes);
	}
	s->flags = flags;
	s->priority = priority;
	s->is_deferrable = is_deferrable;
	uint32_t wn_flags = gomp_task_flags(flags, is_deferrable);
	unsigned place = wn_quick_site(t, (const void *)(uintptr_t)fn, wn_flags);
	if (__builtin_expect(!wn_quick(t) || place == WN_SITE_TABLE_N, 0)) {
		create_slowly(t, wn_flags);
		return;
	}
	wn_quick_at(t, WN_EV_TASK_CREATE, tick, place);
	s->header.id = wn_new_id(t);
	call_staged(t);
}

#endif
