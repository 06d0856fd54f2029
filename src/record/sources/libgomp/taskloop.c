/* SPDX-License-Identifier: MIT */
/*
 * taskloop.c - taskloops. libgomp creates the tasks inside one call, copying one argument block and
 * writing each task's first value and end into the copy's first two words:
 *
 *   | header: first, end, ... | struct loop | padding | user's arguments |
 *
 * That is in the call's frame (record/frames.h). Undeferred tasks run inside the call: libgomp's
 * copies contain neither the loop nor, without constructors, the arguments.
 *
 * The number of tasks and their iterations follow from the clauses alone (division.h), so their ids
 * are taken before the call, and a task finds its own by its first value. The implied taskgroup is
 * opened and closed here, by libgomp's entry points, to separate task creation from waiting;
 * likewise reductions are registered with libgomp as GOMP_taskloop would.
 */
#include "record/frames.h"
#include "record/sources/libgomp/division.h"
#include "record/sources/libgomp/task.h"
#include "record/sources/libgomp/work.h"

#include <string.h>

typedef unsigned long long ull;

WN_API void GOMP_taskloop(gomp_fn fn, void *data, gomp_copy_fn copy, long size_bytes, long align,
                          unsigned flags, unsigned long n_tasks, int priority, long begin, long end,
                          long step);
WN_API void GOMP_taskloop_ull(gomp_fn fn, void *data, gomp_copy_fn copy, long size_bytes,
                              long align, unsigned flags, unsigned long n_tasks, int priority,
                              ull begin, ull end, ull step);
extern void GOMP_taskgroup_start(void);
extern void GOMP_taskgroup_end(void);

/* What its tasks have in common. */
struct loop {
	gomp_fn fn;
	gomp_copy_fn copy;
	void *data;      /* the user's block */
	void *arguments; /* the same if all tasks get it, NULL if each has a copy */
	wn_id first_id, parent;
	uint64_t begin, mag, trip_count;
	struct division division;
	uint32_t offset; /* of the arguments in the block */
	uint32_t wn_flags;
	bool is_down;
};

struct header {
	uint64_t first, end;     /* written by libgomp for each task */
	const struct loop *loop; /* in the frame; NULL: behind the header */
	void *unused;
};
static_assert(sizeof(struct header) % GOMP_ALIGN_ALWAYS == 0, "the loop is aligned behind it");

/* A call in progress. The block is behind it. */
struct frame {
	_Alignas(WN_FRAME_ALIGN) struct wn_frame base;
	/* a word each, as for WN_FRAME_CALL_11 */
	gomp_any_fn real;
	gomp_fn body;
	struct header *block;
	gomp_copy_fn copy;
	uint64_t block_bytes, align_bytes;
	uint64_t flags;
	uint64_t n_tasks; /* as given: a number or a grain size */
	uint64_t priority;
	uint64_t begin, end, step;

	struct wn_thread *t;
	const struct gomp_module *module;
	const void *site;
	bool is_ull;
	bool has_group;
};

static const struct loop *
loop_of(const struct header *h)
{
	return h->loop ? h->loop : (const struct loop *)(h + 1);
}

/* --- the tasks --- */

struct range {
	uint64_t first, n; /* logical iterations */
};

static inline struct range
range_of(const struct loop *loop, const struct header *h)
{
	uint64_t offset = loop->is_down ? loop->begin - h->first : h->first - loop->begin;
	uint64_t span = loop->is_down ? h->first - h->end : h->end - h->first;
	uint64_t first = offset / loop->mag;
	uint64_t n = gomp_trip_count(span, loop->mag);
	return (struct range){first, n > loop->trip_count - first ? loop->trip_count - first : n};
}

static wn_id
task_id(struct wn_thread *t, const struct loop *loop, uint64_t first)
{
	uint64_t index = division_index(&loop->division, first);
	if (index < loop->division.n_tasks)
		return wn_id_nth(loop->first_id, index);
	/* a libgomp with another division: the task is recorded when it starts */
	uint64_t tick = wn_clock();
	const void *site = (const void *)(uintptr_t)loop->fn;
	wn_id id = wn_ev_task_create_by(t, tick, site, loop->wn_flags, loop->parent);
	wn_ev_create_end(t, tick);
	return id;
}

GOMP_JUMPED_TO void
run_task(const struct header *h, const struct loop *loop, void *arguments)
{
	struct wn_thread *t = gomp_self();
	if (!t) {
		loop->fn(arguments);
		return;
	}
	struct range range = range_of(loop, h);
	wn_ev_task_begin(t, wn_clock(), task_id(t, loop, range.first));
	wn_ev_task_range(t, (int64_t)range.first, range.n);
	gomp_task_begun(t, loop->fn);
	gomp_task_run(loop->fn, arguments, t);
}

static void
task_body(void *block)
{
	const struct header *h = block;
	const struct loop *loop = loop_of(h);
	void *arguments = loop->arguments ? loop->arguments : (char *)block + loop->offset;
	memcpy(arguments, &h->first, 2 * sizeof h->first);
#ifndef WN_PROVIDE
	struct wn_thread *t = wn_self;
	if (__builtin_expect(t && wn_quick(t) && t->depth < WN_STACK_MAX, 1)) {
		struct range range = range_of(loop, h);
		uint64_t index = division_index(&loop->division, range.first);
		if (__builtin_expect(index < loop->division.n_tasks, 1)) {
			wn_quick_task_begin(t, wn_quick_clock(), loop->first_id + index, false);
			wn_quick_task_range(t, (int64_t)range.first, range.n);
			gomp_task_begun(t, loop->fn);
			gomp_task_run(loop->fn, arguments, t);
			return;
		}
	}
#endif
	run_task(h, loop, arguments);
}

static void
task_copy(void *to, void *from)
{
	const struct header *source = from;
	const struct loop *loop = loop_of(source);
	memcpy(to, from, sizeof *source + (source->loop ? 0 : sizeof *loop));
	loop->copy((char *)to + loop->offset, loop->data);
}

/* --- their creation --- */

/* Records the creation of all tasks; the reader divides the construct's time among them. */
static void
create_tasks(struct wn_thread *t, struct loop *loop, uint64_t tick)
{
	const void *site = (const void *)(uintptr_t)loop->fn;
	uint64_t n_tasks = loop->division.n_tasks;
	wn_ev_taskloop_begin(t, tick, site, loop->wn_flags, loop->trip_count, n_tasks);
	loop->parent = wn_stack_peek(t, 0);
	for (uint64_t i = 0; i < n_tasks; i++) {
		wn_id id = wn_ev_task_create(t, tick, site, loop->wn_flags);
		if (i == 0)
			loop->first_id = id;
		wn_ev_create_end(t, tick);
	}
}

static __attribute__((noinline)) void
end_group(struct wn_thread *t)
{
	if (gomp_is_same(t))
		gomp_sync_end(t);
}

/* This function's frame is on the stack while tasks run in the wait. */
GOMP_JUMPED_TO void
wait_group(struct wn_thread *t, gomp_any_fn real)
{
	real();
	end_group(t);
}

#if defined(WN_HAS_FRAME_CALL_11) && !defined(WN_PROVIDE)
void gomp_taskloop_call(void);
void gomp_taskloop_end(void);
#else
GOMP_JUMPED_TO void gomp_taskloop_end(void);
#endif

void
gomp_taskloop_end(void)
{
	struct frame *f = wn_frame_of(WN_FRAME_AT);
	struct wn_thread *t = f->t;
	if (gomp_is_same(t))
		gomp_plain(t, WN_EV_TASKLOOP_END);
	wn_frame_pop(&f->base);
	if (!f->has_group)
		return;
	if (gomp_is_same(t))
		gomp_sync_begin(t, f->site, WN_SYNC_TASKGROUP);
	wait_group(t, f->module->real[GOMP_INDEX_GOMP_taskgroup_end]);
}

/* The frame of one of these is on the stack while libgomp runs tasks. */
#if defined(WN_HAS_FRAME_CALL_11) && !defined(WN_PROVIDE)
static_assert(offsetof(struct frame, step) == offsetof(struct frame, real) + 11 * 8, "parameters");
WN_FRAME_CALL_11(gomp_taskloop_call, gomp_taskloop_end);

static inline void
call_real(const struct frame *f)
{
	(void)f;
	gomp_taskloop_call();
}
#else
#define CALL_REAL(name, entry, type)                                                               \
	GOMP_JUMPED_TO void name(const struct frame *f)                                            \
	{                                                                                          \
		((__typeof__(&entry))f->real)(f->body, f->block, f->copy, (long)f->block_bytes,    \
		                              (long)f->align_bytes, (unsigned)f->flags,            \
		                              (unsigned long)f->n_tasks, (int)f->priority,         \
		                              (type)f->begin, (type)f->end, (type)f->step);        \
		gomp_taskloop_end();                                                               \
	}

CALL_REAL(call_long, GOMP_taskloop, long)
CALL_REAL(call_ull, GOMP_taskloop_ull, ull)

GOMP_JUMPED_TO void
call_real(const struct frame *f)
{
	if (f->is_ull)
		call_ull(f);
	else
		call_long(f);
}
#endif

static void
open_group(struct wn_thread *t, const struct frame *f, const void *data)
{
	gomp_at(t, WN_EV_GROUP_BEGIN, f->site, 0);
	f->module->real[GOMP_INDEX_GOMP_taskgroup_start]();
	if (f->flags & GOMP_TASK_REDUCTION) {
		uintptr_t *reductions; /* third word of the user's block, where GCC puts them */
		memcpy(&reductions, (const char *)data + 2 * sizeof(void *), sizeof(void *));
		f->module->register_reductions(reductions);
	}
}

/* The call with a separate group: create, then wait. */
GOMP_JUMPED_TO void
run_recorded(void)
{
	struct frame *f = (struct frame *)wn_frames.top;
	struct wn_thread *t = f->t;
	struct header *h = f->block;
	struct loop *loop = (struct loop *)(h + 1);
	bool is_deferrable = f->flags & GOMP_TASK_IF;

	loop->arguments = is_deferrable || f->copy ? NULL : loop->data;
	loop->begin = f->begin;
	loop->mag = loop->is_down ? 0 - f->step : f->step;
	loop->division = divide(loop->trip_count, f->n_tasks, (unsigned)f->flags,
	                        (uint64_t)f->module->num_threads());
	loop->wn_flags = ((uint32_t)f->flags & 7u) << 1 | WN_TASK_TASKLOOP | WN_TASK_SITE_FUNCTION |
	                 (is_deferrable ? 0u : (uint32_t)WN_TASK_UNDEFERRED);
	if (f->has_group)
		open_group(t, f, loop->data);
	create_tasks(t, loop, wn_clock());
	h->loop = is_deferrable ? NULL : loop;
	if (is_deferrable && !f->copy)
		memcpy((char *)h + loop->offset, loop->data, f->block_bytes - loop->offset);
	call_real(f);
}

/* A frame with the sizes and the place of the block; NULL without memory. */
static struct frame *
push_frame(size_t size_bytes, long align, gomp_copy_fn copy, unsigned flags, const void *at)
{
	bool is_deferrable = flags & GOMP_TASK_IF;
	const size_t all_bytes = sizeof(struct header) + sizeof(struct loop);
	size_t header_bytes = is_deferrable ? all_bytes : sizeof(struct header);
	size_t align_bytes = gomp_align_of(align);
	size_t offset = (header_bytes + align_bytes - 1) & ~(align_bytes - 1);
	size_t copied_bytes = is_deferrable && !copy ? size_bytes : 0;
	size_t block_bytes = is_deferrable ? offset + copied_bytes : all_bytes;
	struct frame *f =
	    wn_frame_push(sizeof(struct frame) + gomp_align_spare(align_bytes) + block_bytes, at);
	if (!f)
		return NULL;
	f->body = task_body;
	f->block = gomp_align(f + 1, align_bytes);
	f->block_bytes = offset + (copy ? size_bytes : copied_bytes);
	f->align_bytes = gomp_align_given(align);
	f->copy = copy ? task_copy : NULL;
	((struct loop *)(f->block + 1))->offset = (uint32_t)offset;
	return f;
}

#define TASKLOOP(name, type, is_down_, is_ull_)                                                    \
	GOMP_ENTRY(void, name, gomp_fn fn, void *data, gomp_copy_fn copy, long size_bytes,         \
	           long align, unsigned flags, unsigned long n_tasks, int priority, type begin,    \
	           type end, type step)                                                            \
	{                                                                                          \
		GOMP_ENTER(name);                                                                  \
		bool is_down = is_down_;                                                           \
		uint64_t trip_count = 0;                                                           \
		struct frame *f = NULL;                                                            \
		if (t)                                                                             \
			trip_count = gomp_iterations((uint64_t)begin, (uint64_t)end,               \
			                             (uint64_t)step, is_down, is_ull_);            \
		if (trip_count > 0 &&                                                              \
		    (!(flags & GOMP_TASK_REDUCTION) || module->register_reductions) &&             \
		    !(f = push_frame((size_t)size_bytes, align, copy, flags, WN_FRAME_AT)))        \
			wn_ev_note(t, site, WN_NOTE_STACK_OVERFLOW, 1);                            \
		if (!f) {                                                                          \
			real(fn, data, copy, size_bytes, align, flags, n_tasks, priority, begin,   \
			     end, step);                                                           \
			return;                                                                    \
		}                                                                                  \
		f->t = t;                                                                          \
		f->module = module;                                                                \
		f->site = site;                                                                    \
		f->real = (gomp_any_fn)real;                                                       \
		f->flags = flags | GOMP_TASK_NOGROUP;                                              \
		f->has_group = !(flags & GOMP_TASK_NOGROUP);                                       \
		f->priority = (uint64_t)priority;                                                  \
		f->n_tasks = n_tasks;                                                              \
		f->begin = (uint64_t)begin;                                                        \
		f->end = (uint64_t)end;                                                            \
		f->step = (uint64_t)step;                                                          \
		f->is_ull = is_ull_;                                                               \
		struct loop *loop = (struct loop *)(f->block + 1);                                 \
		loop->fn = fn;                                                                     \
		loop->data = data;                                                                 \
		loop->copy = copy;                                                                 \
		loop->trip_count = trip_count;                                                     \
		loop->is_down = is_down;                                                           \
		run_recorded();                                                                    \
	}

TASKLOOP(GOMP_taskloop, long, step < 0, false)
TASKLOOP(GOMP_taskloop_ull, ull, !(flags & GOMP_TASK_UP), true)
