/* SPDX-License-Identifier: MIT */
/*
 * taskloop.c - taskloops. libgomp creates the tasks inside one call, copying one argument block and
 * writing each task's first value and end into the copy's first two words:
 *
 *   | struct header: first, end, reductions, ... | padding | user's arguments |
 *
 * The number of tasks and their iterations follow from the clauses alone (division.h), so their ids
 * are taken before the call, and a task finds its own by its first value. The implied taskgroup is
 * opened and closed here, by libgomp's entry points, to separate task creation from waiting;
 * likewise reductions are registered with libgomp as GOMP_taskloop would.
 */
#include "record/sources/libgomp/division.h"
#include "record/sources/libgomp/task.h"
#include "record/sources/libgomp/work.h"

#include <stdlib.h>
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

struct header {
	uint64_t first, end;   /* written by libgomp for each task */
	uintptr_t *reductions; /* third word of the user's block, where GCC puts them */
	gomp_fn fn;
	gomp_copy_fn copy;
	void *original; /* the user's block */
	wn_id first_id, parent;
	uint64_t begin, mag, trip_count;
	struct division division;
	uint32_t offset; /* of the arguments in the block */
	uint32_t wn_flags;
	bool is_down;
};

/* Arguments of either entry point. */
struct call {
	gomp_fn fn;
	void *data;
	gomp_copy_fn copy;
	size_t size_bytes, align_bytes;
	unsigned flags;
	unsigned long n_tasks; /* as given: a number or a grain size */
	int priority;
	uint64_t begin, end, step;
	bool is_down, is_ull;
	gomp_any_fn real;
	const struct gomp_module *module;
	const void *site;
};

/* Functions with calls by pointer are inlined, so that no frame holds the call while tasks run. */
#define CALL_INLINE static inline __attribute__((always_inline))

static wn_id
task_id(struct wn_thread *t, const struct header *h, uint64_t first)
{
	uint64_t index = division_index(&h->division, first);
	if (index < h->division.n_tasks)
		return wn_id_nth(h->first_id, index);
	/* a libgomp with another division: the task is recorded when it starts */
	uint64_t tick = wn_clock();
	const void *site = (const void *)(uintptr_t)h->fn;
	wn_id id = wn_ev_task_create_by(t, tick, site, h->wn_flags, h->parent);
	wn_ev_create_end(t, tick);
	return id;
}

static void
begin_task(struct wn_thread *t, const struct header *h)
{
	uint64_t offset = h->is_down ? h->begin - h->first : h->first - h->begin;
	uint64_t span = h->is_down ? h->first - h->end : h->end - h->first;
	uint64_t first = offset / h->mag;
	uint64_t n_iterations = gomp_trip_count(span, h->mag);
	if (n_iterations > h->trip_count - first)
		n_iterations = h->trip_count - first;
	wn_ev_task_begin(t, wn_clock(), task_id(t, h, first));
	wn_ev_task_range(t, (int64_t)first, n_iterations);
}

static void
task_body(void *block)
{
	const struct header *h = block;
	struct wn_thread *t = gomp_self();
	void *arguments = (char *)block + h->offset;
	memcpy(arguments, &h->first, 2 * sizeof h->first);
	if (!t) {
		h->fn(arguments);
		return;
	}
	void *outer_fn = gomp_outer_fn(t);
	begin_task(t, h);
	GOMP_FN(t) = (void *)(uintptr_t)h->fn;
	h->fn(arguments);
	if (!gomp_is_same(t))
		return;
	wn_ev_task_end(t, wn_clock());
	gomp_outer_fn_restore(t, outer_fn);
}

static void
task_copy(void *to, void *from)
{
	struct header *h = to;
	*h = *(const struct header *)from;
	h->copy((char *)to + h->offset, h->original);
}

CALL_INLINE void
call_real(const struct call *c, gomp_fn fn, void *data, gomp_copy_fn copy, size_t size_bytes,
          unsigned flags)
{
	if (c->is_ull)
		((__typeof__(&GOMP_taskloop_ull))c->real)(fn, data, copy, (long)size_bytes,
		                                          (long)c->align_bytes, flags, c->n_tasks,
		                                          c->priority, c->begin, c->end, c->step);
	else
		((__typeof__(&GOMP_taskloop))c->real)(
		    fn, data, copy, (long)size_bytes, (long)c->align_bytes, flags, c->n_tasks,
		    c->priority, (long)c->begin, (long)c->end, (long)c->step);
}

/* Records the creation of all tasks; the reader divides the construct's time among them. */
static void
create_tasks(struct wn_thread *t, struct header *h, uint64_t tick)
{
	const void *site = (const void *)(uintptr_t)h->fn;
	uint64_t n_tasks = h->division.n_tasks;
	wn_ev_taskloop_begin(t, tick, site, h->wn_flags, h->trip_count, n_tasks);
	h->parent = wn_stack_peek(t, 0);
	for (uint64_t i = 0; i < n_tasks; i++) {
		wn_id id = wn_ev_task_create(t, tick, site, h->wn_flags);
		if (i == 0)
			h->first_id = id;
		wn_ev_create_end(t, tick);
	}
}

/* The call with a separate group: create, then wait. */
CALL_INLINE void
run_recorded(struct wn_thread *t, const struct call *c, struct header *h, size_t block_bytes)
{
	bool has_group = !(c->flags & GOMP_TASK_NOGROUP);
	if (has_group) {
		wn_ev_group_begin(t, wn_clock(), c->site);
		((void (*)(void))c->module->real[GOMP_INDEX_GOMP_taskgroup_start])();
		if (c->flags & GOMP_TASK_REDUCTION)
			c->module->register_reductions(h->reductions);
	}
	create_tasks(t, h, wn_clock());
	call_real(c, task_body, h, h->copy ? task_copy : NULL, block_bytes,
	          c->flags | GOMP_TASK_NOGROUP);
	if (gomp_is_same(t))
		wn_ev_taskloop_end(t, wn_clock());
	if (!has_group)
		return;
	if (gomp_is_same(t))
		wn_ev_sync_begin(t, wn_clock(), c->site, WN_SYNC_TASKGROUP);
	((void (*)(void))c->module->real[GOMP_INDEX_GOMP_taskgroup_end])();
	if (gomp_is_same(t))
		wn_ev_sync_end(t, wn_clock());
}

CALL_INLINE void
fill_header(struct header *h, const struct call *c, uint64_t trip_count, size_t offset)
{
	unsigned flags = c->flags;
	*h = (struct header){
	    .fn = c->fn,
	    .copy = c->copy,
	    .original = c->data,
	    .begin = c->begin,
	    .mag = c->is_down ? 0 - c->step : c->step,
	    .trip_count = trip_count,
	    .division = divide(trip_count, c->n_tasks, flags, (uint64_t)c->module->num_threads()),
	    .offset = (uint32_t)offset,
	    .wn_flags = (flags & 7u) << 1 | WN_TASK_TASKLOOP | WN_TASK_SITE_FUNCTION |
	                (flags & GOMP_TASK_IF ? 0u : (uint32_t)WN_TASK_UNDEFERRED),
	    .is_down = c->is_down,
	};
	if (c->size_bytes >= 3 * sizeof(void *))
		memcpy(&h->reductions, (const char *)c->data + 2 * sizeof(void *), sizeof(void *));
}

CALL_INLINE void
run(struct wn_thread *t, struct call *c)
{
	uint64_t trip_count =
	    t ? gomp_iterations(c->begin, c->end, c->step, c->is_down, c->is_ull) : 0;
	size_t given_align = c->align_bytes;
	size_t align =
	    given_align > _Alignof(struct header) ? given_align : _Alignof(struct header);
	size_t offset = (sizeof(struct header) + align - 1) & ~(align - 1);
	size_t block_bytes = offset + c->size_bytes;
	size_t source_bytes = c->copy ? sizeof(struct header) : block_bytes;
	size_t n_bytes = source_bytes + gomp_align_spare(align);
	bool is_big = n_bytes > GOMP_STACK_BYTES;
	void *memory = NULL;
	bool has_reductions = c->flags & GOMP_TASK_REDUCTION;
	if (trip_count > 0 && (!has_reductions || c->module->register_reductions))
		memory = is_big ? malloc(n_bytes) : __builtin_alloca(n_bytes);
	if (!memory) {
		call_real(c, c->fn, c->data, c->copy, c->size_bytes, c->flags);
		return;
	}
	struct header *h = gomp_align(memory, align);
	c->align_bytes = align;
	fill_header(h, c, trip_count, offset);
	if (!c->copy)
		memcpy((char *)h + offset, c->data, c->size_bytes);
	run_recorded(t, c, h, block_bytes);
	if (is_big)
		free(memory);
}

/* No canary beside the copy of the arguments: taskloops nest as deep as the program recurses. */
#if __has_attribute(no_stack_protector)
#define NO_CANARY __attribute__((no_stack_protector))
#else
#define NO_CANARY
#endif

#define TASKLOOP(name, type, is_down_, is_ull_)                                                    \
	NO_CANARY void name(gomp_fn fn, void *data, gomp_copy_fn copy, long size_bytes,            \
	                    long align, unsigned flags, unsigned long n_tasks, int priority,       \
	                    type begin, type end, type step)                                       \
	{                                                                                          \
		GOMP_ENTER(name);                                                                  \
		struct call call = {                                                               \
		    .fn = fn,                                                                      \
		    .data = data,                                                                  \
		    .copy = copy,                                                                  \
		    .size_bytes = (size_t)size_bytes,                                              \
		    .align_bytes = (size_t)align,                                                  \
		    .flags = flags,                                                                \
		    .n_tasks = n_tasks,                                                            \
		    .priority = priority,                                                          \
		    .begin = (uint64_t)begin,                                                      \
		    .end = (uint64_t)end,                                                          \
		    .step = (uint64_t)step,                                                        \
		    .is_down = is_down_,                                                           \
		    .is_ull = is_ull_,                                                             \
		    .real = (gomp_any_fn)real,                                                     \
		    .module = module,                                                              \
		    .site = site,                                                                  \
		};                                                                                 \
		run(t, &call);                                                                     \
	}

TASKLOOP(GOMP_taskloop, long, step < 0, false)
TASKLOOP(GOMP_taskloop_ull, ull, !(flags & GOMP_TASK_UP), true)
