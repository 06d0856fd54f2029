/* SPDX-License-Identifier: MIT */
/*
 * task_general.c - tasks with depend or detach clauses, with constructors of their arguments, with
 * many bytes of them, or from a module or thread that is not known yet. What is needed while and
 * after tasks run inside the call is in a frame (record/frames.h), with the block for libgomp at
 * its end:
 *
 *   | struct frame | header | padding | user's arguments |
 *
 * The header is that of task.c if possible: where a task with constructors runs inside the call,
 * libgomp's copy of the block is on the stack. Detachable tasks, undeferred ones with dependences,
 * and larger alignments need a longer one.
 *
 * An undeferred task with dependences waits inside the call. The wait is recorded as a waitpoint
 * and a wait, as for taskwait with depend; the task's body records its creation after the wait.
 *
 * libgomp writes a detachable task's event into the first word of the block, where the user's
 * function expects it, before it copies the block. So both the body and the creator, after the
 * call, find the event there, at least one of them before it can be fulfilled (detach.c). A copy
 * function would be simpler, but libgomp does not discard cancelled tasks that have one.
 */
#include "record/frames.h"
#include "record/sources/libgomp/depend.h"
#include "record/sources/libgomp/task.h"

#include <string.h>

/* A call of GOMP_task in progress. */
struct frame {
	_Alignas(WN_FRAME_ALIGN) struct wn_frame base;
	struct wn_thread *t;
	gomp_task_fn *real;
	/* as libgomp gets them */
	gomp_fn body;
	void *block;
	gomp_copy_fn copy;
	size_t block_bytes, align_bytes;
	bool is_deferrable;
	unsigned flags;
	void **depend;
	int priority;
	void *detach;
	/* the user's */
	gomp_fn fn;
	void *data;
	gomp_copy_fn users_copy;

	uint32_t wn_flags;
	uint32_t offset; /* of the arguments in the block */
	bool is_waiting; /* an undeferred task, for its dependences */
};

static_assert(sizeof(struct gomp_task_header) == GOMP_ALIGN_ALWAYS,
              "arguments are aligned behind it");

struct header {
	uintptr_t event; /* written by libgomp */
	gomp_fn fn;
	wn_id id;           /* 0: the task is created when its wait is over */
	uint64_t tick;      /* of a detachable task: at entry of the call */
	struct frame *call; /* NULL in a copy: it may be over when the task runs */
	uint32_t offset;    /* of the arguments in the block */
	bool is_detachable;
	bool has_event; /* event must be written to the user's arguments */
};

/* --- the task --- */

/* The wait of an undeferred task ends, and the task is created. */
static void
end_wait(struct wn_thread *t, struct header *h)
{
	struct frame *f = h->call;
	uint64_t tick = wn_clock();
	wn_ev_sync_end(t, tick);
	f->is_waiting = false;
	h->id = wn_ev_task_create(t, tick, (const void *)(uintptr_t)h->fn, f->wn_flags);
}

static void
task_body(void *block)
{
	struct header *h = block;
	struct frame *f = h->call;
	struct wn_thread *t = gomp_self();
	void *arguments = f && !f->users_copy ? f->data : (char *)block + h->offset;
	if (h->has_event)
		*(uintptr_t *)arguments = h->event;
	if (!t) {
		h->fn(arguments);
		return;
	}
	if (f && f->is_waiting && f->t == t)
		end_wait(t, h);
	if (h->is_detachable)
		gomp_event_put(h->event, h->id, h->tick);
	gomp_task_begin(t, h->id);
	gomp_task_begun(t, h->fn);
	gomp_task_run(h->fn, arguments, t);
}

/* Copies the task's block for libgomp. `from` is the block in the frame, and copy constructors get
 * the original object. */
static void
copy_short(void *to, void *from)
{
	const struct frame *f = (const struct frame *)from - 1;
	memcpy(to, from, sizeof(struct gomp_task_header));
	f->users_copy((char *)to + sizeof(struct gomp_task_header), f->data);
}

static void
copy_long(void *to, void *from)
{
	struct header *h = to;
	memcpy(h, from, sizeof *h);
	const struct frame *f = h->call;
	if (h->has_event)
		*(uintptr_t *)f->data = h->event;
	h->has_event = false;
	if (f->is_deferrable)
		h->call = NULL;
	f->users_copy((char *)to + h->offset, f->data);
}

/* --- its creation --- */

static wn_id
create(struct wn_thread *t, struct frame *f, uint64_t tick, const void *site)
{
	bool is_dependent = f->flags & GOMP_TASK_DEPEND;
	if (is_dependent && !f->is_deferrable) {
		f->is_waiting = true;
		gomp_depend_wait_begin(t, tick, site, 0, f->depend);
		return 0;
	}
	wn_id id = wn_ev_task_create(t, tick, (const void *)(uintptr_t)f->fn, f->wn_flags);
	if (is_dependent)
		gomp_depends_write(t, f->depend);
	return id;
}

static void
write_header(struct frame *f, wn_id id, uint64_t tick, bool is_short)
{
	bool is_detachable = f->flags & GOMP_TASK_DETACH;
	if (is_short) {
		*(struct gomp_task_header *)f->block = (struct gomp_task_header){f->fn, id};
		return;
	}
	*(struct header *)f->block = (struct header){
	    .fn = f->fn,
	    .id = id,
	    .tick = is_detachable ? wn_birth(tick) : 0,
	    .call = f->is_deferrable && !f->users_copy ? NULL : f,
	    .offset = f->offset,
	    .is_detachable = is_detachable,
	    .has_event = is_detachable && f->data,
	};
}

static __attribute__((noinline)) void
end_call(void)
{
	struct frame *f = wn_frame_of(WN_FRAME_AT);
	struct wn_thread *t = f->t;
	if (gomp_is_same(t)) {
		if ((f->flags & GOMP_TASK_DETACH) && f->is_deferrable) {
			const struct header *h = f->block;
			gomp_event_put(h->event, h->id, h->tick);
		}
		if (f->is_waiting) /* it was discarded, and never ran */
			wn_ev_sync_end(t, wn_clock());
		else
			gomp_plain(t, WN_EV_CREATE_END);
	}
	wn_frame_pop(&f->base);
}

/* This function's frame is on the stack while libgomp runs tasks. */
GOMP_JUMPED_TO void
call_real(void)
{
	const struct frame *f = (struct frame *)wn_frames.top;
	f->real(f->body, f->block, f->copy, (long)f->block_bytes, (long)f->align_bytes,
	        f->is_deferrable, f->flags, f->depend, f->priority, f->detach);
	end_call();
}

__attribute__((noinline)) void
gomp_task_general(gomp_fn fn, void *data, gomp_copy_fn copy, long size_bytes, long align,
                  bool is_deferrable, unsigned flags, void **depend, int priority, void *detach)
{
	GOMP_ENTER(GOMP_task);
	if (!t) {
		real(fn, data, copy, size_bytes, align, is_deferrable, flags, depend, priority,
		     detach);
		return;
	}
	uint64_t tick = wn_clock();
	size_t align_bytes = gomp_align_of(align);
	bool is_short = align_bytes == GOMP_ALIGN_ALWAYS && !(flags & GOMP_TASK_DETACH) &&
	                (is_deferrable || (copy && !(flags & GOMP_TASK_DEPEND)));
	size_t header_bytes = is_short ? sizeof(struct gomp_task_header) : sizeof(struct header);
	size_t offset = (header_bytes + align_bytes - 1) & ~(align_bytes - 1);
	size_t copied_bytes = is_deferrable && !copy ? (size_t)size_bytes : 0;
	size_t n_bytes =
	    sizeof(struct frame) + gomp_align_spare(align_bytes) + offset + copied_bytes;
	struct frame *f = wn_frame_push(n_bytes, WN_FRAME_AT);
	if (!f) {
		wn_ev_note(t, site, WN_NOTE_STACK_OVERFLOW, 1);
		real(fn, data, copy, size_bytes, align, is_deferrable, flags, depend, priority,
		     detach);
		return;
	}
	f->t = t;
	f->real = real;
	f->body = is_short ? gomp_task_body : task_body;
	f->block = gomp_align(f + 1, align_bytes);
	f->copy = !copy ? NULL : is_short ? copy_short : copy_long;
	f->block_bytes = offset + (copy ? (size_t)size_bytes : copied_bytes);
	f->align_bytes = gomp_align_given(align);
	f->is_deferrable = is_deferrable;
	f->flags = flags;
	f->depend = depend;
	f->priority = priority;
	f->detach = detach;
	f->fn = fn;
	f->data = data;
	f->users_copy = copy;
	f->wn_flags = gomp_task_flags(flags, is_deferrable);
	f->offset = (uint32_t)offset;
	f->is_waiting = false;
	if (copied_bytes)
		memcpy((char *)f->block + offset, data, copied_bytes);
	write_header(f, create(t, f, tick, site), tick, is_short);
	call_real();
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
GOMP_ENTRY(void, GOMP_taskwait_depend_nowait, void **depend)
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
