/* SPDX-License-Identifier: MIT */
/*
 * task_clauses.c - tasks with depend or detach clauses. As task.c, with a longer header:
 *
 *   | struct header: event, ... | padding | user's arguments |
 *
 * An undeferred task with dependences waits inside the call. The wait is recorded as a waitpoint
 * and a wait, as for taskwait with depend; the task's body records its creation after the wait.
 *
 * libgomp writes a detachable task's event into the first word of the block, where the user's
 * function expects it, before it copies the block. So both the body and the creator, after the
 * call, find the event there, at least one of them before it can be fulfilled (detach.c). A copy
 * function would be simpler, but libgomp does not discard cancelled tasks that have one.
 */
#include "record/sources/libgomp/depend.h"
#include "record/sources/libgomp/detach.h"
#include "record/sources/libgomp/task.h"

#include <stdlib.h>
#include <string.h>

WN_API void GOMP_taskwait_depend_nowait(void **depend);

struct header {
	uintptr_t event; /* written by libgomp */
	gomp_fn fn;
	gomp_copy_fn copy; /* the user's */
	void *original;    /* the user's own block, NULL once it is copied after the header */
	wn_id id;          /* 0: the task is created when its wait is over */
	bool *is_waiting;  /* of an undeferred task with dependences, on the creator's stack */
	uint64_t tick;     /* at entry of the call */
	uint32_t offset;   /* of the arguments in the block */
	uint32_t wn_flags;
	bool is_detachable;
	bool has_event; /* event must be written to the user's arguments */
};

/* The wait of an undeferred task ends, and the task is created. */
static void
end_wait(struct wn_thread *t, struct header *h)
{
	uint64_t tick = wn_clock();
	wn_ev_sync_end(t, tick);
	*h->is_waiting = false;
	h->id = wn_ev_task_create(t, tick, (const void *)(uintptr_t)h->fn, h->wn_flags);
}

static void
task_body(void *block)
{
	struct header *h = block;
	struct wn_thread *t = gomp_self();
	gomp_fn fn = h->fn;
	void *arguments = h->original ? h->original : (char *)block + h->offset;
	if (h->has_event)
		*(uintptr_t *)arguments = h->event;
	if (!t) {
		fn(arguments);
		return;
	}
	if (h->is_waiting && *h->is_waiting)
		end_wait(t, h);
	if (h->is_detachable)
		gomp_event_put(h->event, h->id, h->tick);
	void *outer_fn = gomp_outer_fn(t);
	wn_ev_task_begin(t, wn_clock(), h->id);
	GOMP_FN(t) = (void *)(uintptr_t)fn;
	fn(arguments);
	if (!gomp_is_same(t))
		return;
	wn_ev_task_end(t, wn_clock());
	gomp_outer_fn_restore(t, outer_fn);
}

static void
task_copy(void *to, void *from)
{
	struct header *h = to;
	const struct header *source = from;
	*h = *source;
	if (h->has_event)
		*(uintptr_t *)source->original = source->event;
	h->original = NULL;
	h->has_event = false;
	h->copy((char *)to + h->offset, source->original);
}

/* Arguments of GOMP_task. */
struct call {
	gomp_fn fn;
	void *data;
	gomp_copy_fn copy;
	size_t size_bytes, align_bytes;
	bool is_deferrable;
	unsigned flags;
	void **depend;
	int priority;
	void *detach;
	gomp_task_fn *real;
	const void *site;
	uint64_t tick; /* at entry */
};

/* Functions with calls by pointer are inlined, so that no frame holds the call while tasks run. */
#define CALL_INLINE static inline __attribute__((always_inline))

CALL_INLINE void
create(struct wn_thread *t, const struct call *c, struct header *h, bool *is_waiting)
{
	bool is_dependent = c->flags & GOMP_TASK_DEPEND;
	if (is_dependent && !c->is_deferrable) {
		h->is_waiting = is_waiting;
		*is_waiting = true;
		gomp_depend_wait_begin(t, c->tick, c->site, 0, c->depend);
		return;
	}
	h->id = wn_ev_task_create(t, c->tick, (const void *)(uintptr_t)c->fn, h->wn_flags);
	if (is_dependent)
		gomp_depends_write(t, c->depend);
}

/* How the user's arguments are passed. */
struct block {
	bool has_bytes; /* after the source's header; else the user's own block is the source */
	size_t align_bytes, offset, source_bytes, block_bytes;
};

CALL_INLINE struct block
plan(const struct call *c)
{
	struct block b = {.align_bytes = _Alignof(struct header)};
	b.has_bytes = c->is_deferrable && !c->copy;
	if (c->align_bytes > b.align_bytes)
		b.align_bytes = c->align_bytes;
	b.offset = (sizeof(struct header) + b.align_bytes - 1) & ~(b.align_bytes - 1);
	b.block_bytes =
	    c->is_deferrable || c->copy ? b.offset + c->size_bytes : sizeof(struct header);
	b.source_bytes = b.has_bytes ? b.block_bytes : sizeof(struct header);
	return b;
}

CALL_INLINE void
call_real(const struct call *c, gomp_fn fn, void *data, gomp_copy_fn copy, size_t size_bytes,
          size_t align_bytes)
{
	c->real(fn, data, copy, (long)size_bytes, (long)align_bytes, c->is_deferrable, c->flags,
	        c->depend, c->priority, c->detach);
}

CALL_INLINE void
run(struct wn_thread *t, const struct call *c)
{
	struct block b = plan(c);
	size_t n_bytes = b.source_bytes + gomp_align_spare(b.align_bytes);
	bool is_big = n_bytes > GOMP_STACK_BYTES;
	bool is_waiting = false;
	void *memory = is_big ? malloc(n_bytes) : __builtin_alloca(n_bytes);
	if (!memory) {
		call_real(c, c->fn, c->data, c->copy, c->size_bytes, c->align_bytes);
		return;
	}
	struct header *h = gomp_align(memory, b.align_bytes);
	*h = (struct header){
	    .fn = c->fn,
	    .copy = c->copy,
	    .original = b.has_bytes ? NULL : c->data,
	    .tick = c->tick,
	    .offset = (uint32_t)b.offset,
	    .wn_flags = gomp_task_flags(c->flags, c->is_deferrable),
	    .is_detachable = c->flags & GOMP_TASK_DETACH,
	    .has_event = (c->flags & GOMP_TASK_DETACH) && c->data,
	};
	if (b.has_bytes && c->size_bytes)
		memcpy((char *)h + b.offset, c->data, c->size_bytes);
	create(t, c, h, &is_waiting);
	call_real(c, task_body, h, c->copy ? task_copy : NULL, b.block_bytes, b.align_bytes);
	if (h->is_detachable && c->is_deferrable)
		gomp_event_put(h->event, h->id, c->tick);
	if (gomp_is_same(t) && is_waiting) /* it was discarded, and never ran */
		wn_ev_sync_end(t, wn_clock());
	else if (gomp_is_same(t))
		wn_ev_create_end(t, wn_clock());
	if (is_big)
		free(memory);
}

GOMP_EVENT_PATH void
gomp_task_clauses(gomp_fn fn, void *data, gomp_copy_fn copy, long size_bytes, long align,
                  bool is_deferrable, unsigned flags, void **depend, int priority, void *detach)
{
	GOMP_ENTER(GOMP_task);
	if (!t) {
		real(fn, data, copy, size_bytes, align, is_deferrable, flags, depend, priority,
		     detach);
		return;
	}
	struct call call = {
	    .fn = fn,
	    .data = data,
	    .copy = copy,
	    .size_bytes = (size_t)size_bytes,
	    .align_bytes = (size_t)align,
	    .is_deferrable = is_deferrable,
	    .flags = flags,
	    .depend = depend,
	    .priority = priority,
	    .detach = detach,
	    .real = real,
	    .site = site,
	    .tick = wn_birth(wn_clock()),
	};
	run(t, &call);
}

static void
nothing_body(void *block)
{
	struct wn_thread *t = gomp_self();
	wn_id id;
	memcpy(&id, block, sizeof id);
	if (!t)
		return;
	wn_ev_task_begin(t, wn_clock(), id);
	wn_ev_task_end(t, wn_clock());
}

/* taskwait depend(...) nowait: libgomp creates an empty task with these dependences, and so does
 * this wrapper, with the task's id as the block. */
void
GOMP_taskwait_depend_nowait(void **depend)
{
	GOMP_ENTER(GOMP_taskwait_depend_nowait);
	if (!t) {
		real(depend);
		return;
	}
	uint32_t flags = gomp_task_flags(GOMP_TASK_DEPEND, true) & ~(uint32_t)WN_TASK_SITE_FUNCTION;
	wn_id id = wn_ev_task_create(t, wn_clock(), site, flags);
	gomp_depends_write(t, depend);
	gomp_task_fn *task = (gomp_task_fn *)module->real[GOMP_INDEX_GOMP_task];
	task(nothing_body, &id, NULL, sizeof id, _Alignof(wn_id), true, GOMP_TASK_DEPEND, depend, 0,
	     NULL);
	if (gomp_is_same(t))
		wn_ev_create_end(t, wn_clock());
}
