/* SPDX-License-Identifier: MIT */
/*
 * task.h - libgomp's interface for tasks: the types and flag bits of GOMP_task and GOMP_taskloop.
 */
#pragma once

#include "record/sources/libgomp/event.h"

#include <stddef.h>

typedef void (*gomp_fn)(void *);
typedef void (*gomp_copy_fn)(void *to, void *from);

#define GOMP_TASK_DEPEND    8u
#define GOMP_TASK_UP        0x100u /* taskloop_ull counts up */
#define GOMP_TASK_GRAINSIZE 0x200u /* the number given is a grain size */
#define GOMP_TASK_IF        0x400u
#define GOMP_TASK_NOGROUP   0x800u
#define GOMP_TASK_REDUCTION 0x1000u
#define GOMP_TASK_DETACH    0x2000u
#define GOMP_TASK_STRICT    0x4000u /* the grain size or number is exact */

typedef void gomp_task_fn(gomp_fn fn, void *data, gomp_copy_fn copy, long size_bytes, long align,
                          bool is_deferrable, unsigned flags, void **depend, int priority,
                          void *detach);

/* GOMP_task for tasks other than the usual ones (task_general.c). Jumped to, with the same
 * parameters, so that the caller needs no frame for each nested task. */
gomp_task_fn gomp_task_general;

WN_API gomp_task_fn GOMP_task;

/* Converts libgomp's flags to the trace's. */
static inline uint32_t
gomp_task_flags(unsigned flags, bool is_deferrable)
{
	return (flags & 7u) << 1 /* untied, final, mergeable */
	       | (flags & GOMP_TASK_DEPEND) << 2 | (flags & GOMP_TASK_DETACH) >> 5 |
	       (is_deferrable ? 0u : (uint32_t)WN_TASK_UNDEFERRED) | WN_TASK_SITE_FUNCTION;
}

static_assert((GOMP_TASK_DEPEND << 2) == WN_TASK_DEPENDENT, "depend bit");
static_assert((GOMP_TASK_DETACH >> 5) == WN_TASK_DETACH, "detach bit");
static_assert(WN_TASK_UNTIED == 2 && WN_TASK_FINAL == 4 && WN_TASK_MERGEABLE == 8, "low bits");

/* Tasks and the calls that create them nest as deep as the program recurses. So the functions that
 * are on the stack while tasks run are reached by a jump, and what they need is in a frame
 * (record/frames.h). An OMPT tool, however, reads the frames of the wrapper and of the task's body
 * on the stack while tasks run. */
#ifdef WN_PROVIDE
#define GOMP_JUMPED_TO static inline __attribute__((always_inline))
#else
#define GOMP_JUMPED_TO static __attribute__((noinline))
#endif

/* Head of the block that libgomp copies, with the user's arguments behind it. */
struct gomp_task_header {
	gomp_fn fn;
	wn_id id;
};

/* Body of a task with such a block. */
void gomp_task_body(void *block);

#ifdef WN_PROVIDE
static inline void
gomp_task_begun(struct wn_thread *t, gomp_fn fn)
{
	(void)t;
	(void)fn;
}

static inline __attribute__((always_inline)) void
gomp_task_run(gomp_fn fn, void *arguments, struct wn_thread *t)
{
	void *outer_fn = GOMP_FN(t);
	GOMP_FN(t) = (void *)(uintptr_t)fn;
	fn(arguments);
	if (!gomp_is_same(t))
		return;
	gomp_task_end(t);
	GOMP_FN(t) = outer_fn;
}
#else
/* The last action of a body before it runs the task. */
static inline void
gomp_task_begun(struct wn_thread *t, gomp_fn fn)
{
	GOMP_FN(t) = (void *)(uintptr_t)fn;
}

static __attribute__((noinline, unused)) void
gomp_task_finish(struct wn_thread *t)
{
	if (gomp_is_same(t))
		gomp_task_end(t);
}

/* Runs a task that has begun, to its end. Its frame is on the stack meanwhile. */
static __attribute__((noinline, unused)) void
gomp_task_run(gomp_fn fn, void *arguments, struct wn_thread *t)
{
	fn(arguments);
	gomp_task_finish(t);
}
#endif

/* detach.c: from now on `handle` is the event of task `id`, whose creation began at `tick`. */
void gomp_event_put(uintptr_t handle, wn_id id, uint64_t tick);

/* If libgomp runs a task at once it passes the original block, so ours must be aligned as the
 * user's was. Frames are aligned to ALIGN_ALWAYS; for larger alignments there are this many extra
 * bytes before the block. */
#define GOMP_ALIGN_ALWAYS 16u

/* Alignment of the arguments in our block, behind a header. */
static inline size_t
gomp_align_of(long align)
{
	return align > (long)GOMP_ALIGN_ALWAYS ? (size_t)align : (size_t)GOMP_ALIGN_ALWAYS;
}

/* What libgomp gets: no more than needed, since it may reserve as much on the stack. */
static inline size_t
gomp_align_given(long align)
{
	return align > (long)_Alignof(void *) ? (size_t)align : _Alignof(void *);
}

static inline size_t
gomp_align_spare(size_t align_bytes)
{
	return align_bytes > GOMP_ALIGN_ALWAYS ? align_bytes - GOMP_ALIGN_ALWAYS : 0;
}

static inline void *
gomp_align(void *memory, size_t align_bytes)
{
	uintptr_t at = (uintptr_t)memory;
	return (char *)memory + (-at & (align_bytes - 1));
}
