/* SPDX-License-Identifier: MIT */
/*
 * task.h - libgomp's interface for tasks: the types and flag bits of GOMP_task and GOMP_taskloop.
 */
#ifndef WN_LIBGOMP_TASK_H
#define WN_LIBGOMP_TASK_H

#include "record/sources/libgomp/real.h"

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

/* GOMP_task for tasks with depend or detach clauses (task_clauses.c). Jumped to, with the same
 * parameters, so that the caller needs no frame for each nested task. */
gomp_task_fn gomp_task_clauses;

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

/* Functions of the event path whose stack has room for an argument block, of which only the size is
 * variable: without a stack protector, which the rest of the library has (meson.build). */
#define GOMP_EVENT_PATH __attribute__((noinline, no_stack_protector))

/* A larger argument block is copied to the heap instead of the creator's stack. */
#define GOMP_STACK_BYTES 4096u

/* If libgomp runs a task at once it passes the original block, so ours must be aligned as the
 * user's was. Stack and heap memory is aligned to ALIGN_ALWAYS; for larger alignments the block is
 * placed in an allocation with this many extra bytes. */
#define GOMP_ALIGN_ALWAYS 16u

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

#endif /* WN_LIBGOMP_TASK_H */
