/* SPDX-License-Identifier: MIT */
/*
 * source.h - state of a thread shared by the OMPT callbacks and the libomp wrappers.
 *
 * Both observe the same construct: a wrapper is entered, calls the real entry point, which sends
 * OMPT events, and returns. The wrapper has the user's code address and the times of entry and
 * return; the event has the runtime's decisions. They exchange data in the fields that struct
 * wn_thread reserves for sources, which are named here.
 *
 * A callback never assumes that a wrapper is present, but checks whether it runs inside one. So a
 * statically linked libomp, or libomp's own GOMP layer, is recorded with less detail.
 */
#pragma once

#include "record/events.h"
#include "record/range.h"

#define WN_LIKELY(condition)   __builtin_expect(!!(condition), 1)
#define WN_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define WN_HIDDEN              __attribute__((visibility("hidden")))
#define WN_SLOW                __attribute__((noinline, cold))

/* wn_thread.source_ptr */
enum source_ptr_index {
	PTR_SUBMIT_SITE = 0, /* site of the task being submitted; consumed by its task_create */
	PTR_TASKLOOP = 1, /* struct source_taskloop of the innermost taskloop call, in its frame */
	PTR_REGION_SITE = 2, /* OMPT's code address of the region this thread opened last */
	PTR_FRAMES = 3       /* struct source_frame[], mapped when first needed */
};

/* wn_thread.source_word. The first two belong to the libgomp source: a thread may be in a region of
 * either runtime inside one of the other. */
enum source_word_index {
	WORD_RANGED_TASK = 2, /* the task whose taskloop range was recorded last */
	WORD_TEAM = 3         /* frames in use << 32 | size of this thread's team */
};

/* wn_thread.source_flags; the low bits are WN_TASK_* flags of the site in PTR_SUBMIT_SITE */
enum source_flag {
	FLAG_SITE_MASK = 0x7fff,
	FLAG_CREATION_OPEN = WN_CREATION_OPEN,
	FLAG_IN_LOOP_CALL = 0x20000, /* inside a wrapped loop entry point that records */
	FLAG_LOOP_BY_OMPT = 0x40000, /* the open loop was opened by OMPT's work callback */
	FLAG_MUTED = 0x80000,        /* a thread of the runtime's own team */
	FLAG_NOTED_CREATION = 0x100000,
	FLAG_NOTED_DISPATCH = 0x200000,
	FLAG_SINGLE_OPEN = 0x400000, /* this thread executes a single construct */
	FLAG_IN_BARRIER = 0x800000,  /* and its reductions, whose time is the barrier's */
	FLAG_NOTED_DEPEND = 0x8000,  /* above WN_TASK_*, kept when the site's flags are taken */
	/* 8 bits: work type that the work callback reported inside a loop call */
	FLAG_WORK_TYPE_SHIFT = 24,
	FLAG_FRAME_MASK = FLAG_LOOP_BY_OMPT | FLAG_SINGLE_OPEN |
	                  FLAG_IN_BARRIER /* of the region, not of the thread */
};

/* wn_thread.source_depth counts the regions this thread has opened and not ended. */

/* A taskloop call in progress on this thread. */
struct source_taskloop {
	const void *site;
	uint32_t site_flags; /* enum wn_task_flag */
	uint32_t depth;      /* stack depth at the call: only that level creates its tasks */
	uint64_t trip_count;
	uint64_t n_tasks; /* 0 = unknown */
	enum { TASKLOOP_PENDING, TASKLOOP_OPEN, TASKLOOP_DONE } phase;
};

/* State that a thread restores when a region opened inside a region or loop is over. */
struct source_frame {
	struct wn_loop_state loop;
	uint64_t chunk_next;
	uint32_t team_size;
	void *region_site;
	uint32_t source_depth; /* the level of the inner region */
	uint32_t flags;        /* those of FLAG_FRAME_MASK */
};

/* Recording through OMPT has started; wrappers record nothing before. */
extern bool wn_ompt_is_on WN_HIDDEN;

/* The runtime is a libomp with assertions, whose entry points take long. */
extern bool wn_ompt_has_assertions WN_HIDDEN;
/* The user has a tool of his own, which is served (client.h). */
extern bool wn_ompt_has_client WN_HIDDEN;
/* A taskloop wrapper was called: the creation times of tasks made by the runtime are known. */
extern bool wn_ompt_taskloop_wrapped WN_HIDDEN;
/* First value from which the compiler counts taskloops' iterations, 0 (clang) or 1 (flang); or one
 * of these. OMPT reports a task's range in the compiler's numbers, without its taskloop. */
enum { TASKLOOP_BASE_UNSEEN = -1, TASKLOOP_BASE_MIXED = -2 };
extern _Atomic int64_t wn_ompt_taskloop_base WN_HIDDEN;
/* The program contains code for devices, where nothing is recorded (sources/libomp/target.c). */
extern bool wn_ompt_has_device_code WN_HIDDEN;
/* The outlined function of the region being opened, if its call was observed
 * (sources/libomp/fork.c). */
extern __thread void *wn_ompt_microtask
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

typedef void (*wn_function)(void);
/* Called when wn_ompt_is_over is set; NULL if nothing waits for it. */
extern _Atomic(wn_function) wn_ompt_at_end WN_HIDDEN;

/* Call site of the loop call in progress on this thread (FLAG_IN_LOOP_CALL), or of the last wait
 * for dependences: for a second tool. */
extern __thread const void *wn_ompt_call_site
    __attribute__((tls_model("initial-exec"), visibility("hidden")));
/* Inside a wrapped wait for dependences, which the wrapper records: OMPT's pseudo-task is
 * ignored. */
extern __thread bool wn_ompt_in_wait
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Is the address user code: neither in the runtime nor in this library? */
static inline bool
is_user_code(const void *address)
{
	return address != NULL && !is_in_runtime(address) &&
	       !range_has(&wn_ompt_own_range, address);
}

static inline const void *
user_code_or_null(const void *address)
{
	return is_user_code(address) ? address : NULL;
}

/* Iterations from lower to upper by step, both inclusive. */
static inline uint64_t
trip_count(int64_t lower, int64_t upper, int64_t step, bool is_unsigned)
{
	int64_t first = step > 0 ? lower : upper;
	int64_t last = step > 0 ? upper : lower;
	bool is_empty = is_unsigned ? (uint64_t)first > (uint64_t)last : first > last;
	uint64_t width = step > 0 ? (uint64_t)step : -(uint64_t)step;

	if (is_empty || width == 0)
		return 0;
	return width == 1 ? (uint64_t)last - (uint64_t)first + 1
	                  : ((uint64_t)last - (uint64_t)first) / width + 1;
}

/* Logical number of the iteration with this value of the variable. */
static inline uint64_t
logical_index(int64_t lower, int64_t value, int64_t step)
{
	uint64_t distance =
	    step > 0 ? (uint64_t)value - (uint64_t)lower : (uint64_t)lower - (uint64_t)value;
	uint64_t width = step > 0 ? (uint64_t)step : -(uint64_t)step;
	return width > 1 ? distance / width : distance;
}

static inline uint32_t
team_size_of(const struct wn_thread *t)
{
	return (uint32_t)t->source_word[WORD_TEAM];
}

static inline void
team_size_set(struct wn_thread *t, uint32_t team_size)
{
	t->source_word[WORD_TEAM] = (t->source_word[WORD_TEAM] >> 32 << 32) | team_size;
}

static inline uint32_t
n_frames_of(const struct wn_thread *t)
{
	return (uint32_t)(t->source_word[WORD_TEAM] >> 32);
}

static inline void
n_frames_set(struct wn_thread *t, uint32_t n)
{
	t->source_word[WORD_TEAM] = (uint64_t)n << 32 | team_size_of(t);
}

/* enum wn_ompt_work, 0 = unknown */
static inline uint32_t
work_type_of(const struct wn_thread *t)
{
	return t->source_flags >> FLAG_WORK_TYPE_SHIFT;
}

static inline void
work_type_set(struct wn_thread *t, uint32_t type)
{
	t->source_flags = (t->source_flags & ((1u << FLAG_WORK_TYPE_SHIFT) - 1)) |
	                  (type & 0xff) << FLAG_WORK_TYPE_SHIFT;
}

static inline struct source_taskloop *
taskloop_of(const struct wn_thread *t)
{
	return t->source_ptr[PTR_TASKLOOP];
}

/* Closes the loop or sections, if open; cancellation has no other event. */
static inline void
loop_close(struct wn_thread *t, uint64_t tick)
{
	if (!t->loop.is_open)
		return;
	if (t->loop.chunk_open)
		wn_ev_chunk_end(t, tick);
	wn_ev_work_end(t, tick);
	t->loop.is_open = t->loop.chunk_open = t->loop.reports_chunks = false;
	t->source_flags &= ~(uint32_t)FLAG_LOOP_BY_OMPT;
}

/* Closes the single construct, if open: libomp's GOMP layer sends no end. */
static inline void
single_close(struct wn_thread *t, uint64_t tick)
{
	if (t->source_flags & FLAG_SINGLE_OPEN) {
		t->source_flags &= ~(uint32_t)FLAG_SINGLE_OPEN;
		wn_ev_work_end(t, tick);
	}
}

/* Bit of a task's data word, beside its id: a cancellation has discarded it, which is recorded. */
#define TASK_DISCARDED (UINT64_C(1) << 63)

#ifdef WN_PROVIDE /* the runtime's own events go to the tool unchanged */
static inline void
source_settle(struct wn_thread *t, wn_id id)
{
	(void)t;
	(void)id;
}
#else
/* sources/ompt/tasks.c: the thread continues in task `id`; the tasks above it on the stack have
 * been left without an event. Does nothing if the stack does not contain it. */
WN_HIDDEN void source_return_to(struct wn_thread *t, wn_id id);

/* Called at an event that identifies the current task. */
static inline void
source_settle(struct wn_thread *t, wn_id id)
{
	if (WN_UNLIKELY(id != wn_stack_peek(t, 0)))
		source_return_to(t, id);
}
#endif

/* sources/ompt/tool.c: the calling thread's state if wn_thread_self() has none; starts the trace of
 * a forked child, so only the begin of a region calls this. */
WN_HIDDEN struct wn_thread *wn_ompt_attach(void);

/* sources/ompt/wrapped.c: DEPENDs of the creation begun last. */
WN_HIDDEN void source_depends_write(struct wn_thread *t, const struct wn_depends *depends);

/* sources/ompt/regions.c: the site of a region's REGION_BEGIN, if still known; NULL otherwise. And
 * its outlined function. */
WN_HIDDEN const void *source_region_site(uint64_t region);
WN_HIDDEN const void *source_region_function(uint64_t region);

/* sources/ompt/taskloop.c: a taskloop's begin and end records, each written once. */
WN_HIDDEN void source_taskloop_open(struct wn_thread *t, uint64_t tick);
WN_HIDDEN void source_taskloop_close(struct wn_thread *t, uint64_t tick);
