/* SPDX-License-Identifier: MIT */
/*
 * events.h - the listener that implements OMPT: converts events of sources to callbacks of an OMPT
 * tool. The functions are those of record/recorder.h, with the same meaning.
 *
 *   thread.c      threads, and the objects that tasks and regions are
 *   region.c      regions and their implicit tasks
 *   task.c        explicit tasks: creation, dependences, scheduling
 *   sync.c        waits, mutexes, cancellation
 *   work.c        loops, chunks, sections
 *   ask.c         the entry points that a tool looks up
 *   start.c       finds the tool; the first and the last event
 *
 * An id is the address of a struct wn_task or struct wn_region. Ticks are ignored: a tool takes its
 * own times. Nothing here runs in a program without a tool: wn_self is then never set.
 */
#pragma once

#include "base/clock.h"
#include "record/commands.h"
#include "record/loop_state.h"
#include "record/resolve.h"
#include "record/sources/ompt/compat.h"
#include "trace/trace_format.h"
#include "winnow/ompt-grain.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define WN_PROVIDE_HIDDEN __attribute__((visibility("hidden")))

typedef uint64_t wn_id;

struct wn_region {
	ompt_data_t data;
	const void *codeptr;
	struct wn_task *encountering;
	struct wn_region *outer; /* opened by the same thread */
	unsigned team_size;
	int flags; /* of parallel_begin */
};

/* The worksharing construct that an implicit task is in. */
struct wn_work {
	int type; /* ompt_work_t, 0 = none, or IN_MASKED */
	bool is_loop;
	bool has_section;
	uint64_t section; /* number of the current section, from 0 */
	uint64_t count;
	const void *codeptr;
	double entry; /* time of the call that dispatches the next chunk */
	ompt_grain_loop_t loop;
};

enum { PROVIDE_IN_YIELD = -1 };  /* struct wn_task.sync */
enum { PROVIDE_IN_MASKED = -1 }; /* struct wn_work.type */

/* A task of any kind, from its creation until its last reference is released: by its creator when
 * the creation is over, by the thread that runs it, and by the fulfilment of its event. */
struct wn_task {
	ompt_data_t data;
	ompt_frame_t frame;
	ompt_data_t *region_word; /* of its region, if that is not one of ours */
	struct wn_task *outer;    /* the task below it on the stack of its thread */
	struct wn_region *region;
	struct wn_task *creator;
	struct wn_task *waitpoint; /* waitpoint of its wait for dependences */
	int sync;                /* ompt_sync_region_t of its current wait, 0 = none, or IN_YIELD */
	_Atomic uint32_t detach; /* bits: the task has ended, its event is fulfilled */

	/* fields below are set at creation, or before their first use (thread.c) */
	ompt_data_t *word; /* its data word: `data`, or that of a runtime with OMPT */
	int flags;         /* ompt_task_flag_t */
	unsigned thread_num;
	_Atomic uint32_t n_holders;
	int outer_state; /* ompt_state_t before its wait, or before it began */
	const void *sync_codeptr;
	struct wn_task_block *block; /* of a taskloop's tasks, which are contiguous */
	struct wn_task *next_free;

	/* its creation, in the tool's time */
	struct wn_task *outer_creation;
	ompt_data_t *creator_word;
	const void *codeptr;
	ompt_data_t first_data;
	uint64_t stamp; /* wn_stamp() at its begin, on runtimes that have OMPT */
	double creation_begin;
	double ran_before;  /* wn_thread.ran when its creation began ... */
	double ran_outside; /* ... and when it began to run, at run_begin */
	double run_begin;

	struct wn_work work;
	struct { /* the scope that it is in, which may contain `work`; scopes in it are not reported
		  */
		uint32_t depth;
		const void *codeptr;
	} scope;
	struct wn_loop_state outer_loop; /* of its thread, on runtimes that have OMPT */
	struct {
		uint64_t count; /* tasks of the taskloop that it encountered */
		const void *codeptr;
		uint64_t n_tasks;
		struct wn_task *first;
		double begin;
		double ran_before;
	} taskloop;
};

struct wn_thread {
	/* for the sources */
	uint64_t source_tick;
	uint32_t source_flags;
	uint32_t source_depth;
	void *source_ptr[4];
	uint64_t source_word[4];
	uint64_t chunk_next;
	struct wn_loop_state loop;
	struct wn_reported_ends ends;
	struct wn_depends submitted;

	ompt_data_t data;
	struct wn_task *task;      /* current task */
	struct wn_region *region;  /* innermost region opened by this thread */
	uint32_t n_lost;           /* open regions and tasks for which there was no memory */
	struct wn_task *creating;  /* innermost open creation */
	uint32_t n_timed;          /* open creations and taskloops */
	struct wn_task *created;   /* last created task */
	uint32_t n_taskloops;      /* on runtimes that have OMPT: open taskloop calls ... */
	double idle_since;         /* ... and the time since which the next task is being created */
	const void *taskloop_site; /* call site of the innermost one */
	/* the program's last call of the runtime: return address, and frame */
	const void *codeptr;
	const void *function; /* of the construct being reported */
	void *frame;
	double ran;         /* tool's time spent in tasks, to be excluded from creations */
	int kind;           /* ompt_thread_t, 0 = its begin has not been reported */
	volatile int state; /* ompt_state_t */
	ompt_wait_id_t wait_id;
	struct {
		int kind; /* ompt_mutex_t, 0 = not an OMPT kind */
		int outer_state;
		uint64_t id;
		const void *codeptr;
	} mutex;
	ompt_dependence_t *depends;
	int n_depends, depends_room;
	struct wn_task_block *block; /* block of the tasks to be created next */
	struct wn_region initial_region;
	struct wn_task initial_task;
	struct wn_task *free_tasks;
	unsigned n_free_tasks;
};

extern __thread struct wn_thread *wn_self
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* --- callbacks registered by the tool (start.c)
 * ------------------------------------------------ */

#define PROVIDE_EVENTS_N 96
extern _Atomic(ompt_callback_t) provide_callbacks[PROVIDE_EVENTS_N] WN_PROVIDE_HIDDEN;

static inline ompt_callback_t
provide_callback(int event)
{
	/* acquire: pairs with the tool's preparations before registering */
	return atomic_load_explicit(&provide_callbacks[event], memory_order_acquire);
}

/* Calls the callback of an event, if registered: CALL_TOOL(event, its type, arguments). */
#define CALL_TOOL(event, type, ...)                                                                \
	do {                                                                                       \
		type call_tool = (type)provide_callback(event);                                    \
		if (call_tool)                                                                     \
			call_tool(__VA_ARGS__);                                                    \
	} while (0)

/* The tool's time if one of two events with durations is registered, else 0. */
static inline double
provide_time(int event, int other)
{
	if (!provide_callback(event) && !provide_callback(other))
		return 0;
	ext_tool_time_t tool_time =
	    (ext_tool_time_t)(void (*)(void))provide_callback(ext_tool_time);
	return tool_time ? tool_time() : 0;
}

static inline ompt_data_t *
provide_region_data(struct wn_task *task)
{
	if (!task || task->region)
		return task ? &task->region->data : NULL;
	return task->region_word;
}

/* --- life --------------------------------------------------------------------------------------
 */

/* True if a tool is registered for this runtime. Slow; idempotent. */
bool wn_recorder_start(enum wn_source_bit source, const char *runtime);

/* Another thread is starting the tool, and this one may not wait any longer. */
bool wn_recorder_is_starting(void);
#define WN_RUNTIME_BYTES 256u
/* What only the recorder notes. */
#define wn_recorder_cpus(n)          ((void)(n))
#define wn_recorder_runtime(runtime) ((void)(runtime))

/* The calling thread; NULL without memory or without a tool. */
struct wn_thread *wn_thread_attach(void);

/* thread.c: the thread's first event */
WN_PROVIDE_HIDDEN void provide_thread_begin(struct wn_thread *t, ompt_thread_t kind);
/* The thread had no event since it arrived at a region's last barrier: sends the missing ones. */
WN_PROVIDE_HIDDEN void provide_settle(struct wn_thread *t);
/* The initial task and its thread are over. */
WN_PROVIDE_HIDDEN void provide_thread_end(struct wn_thread *t);
WN_PROVIDE_HIDDEN void provide_thread_init(void);

/* NULL without memory. `n_holders` is the number of references. */
WN_PROVIDE_HIDDEN struct wn_task *provide_task_new(struct wn_thread *t, int flags,
                                                   uint32_t n_holders);
WN_PROVIDE_HIDDEN void provide_task_drop(struct wn_thread *t, struct wn_task *task);
/* Allocates `n` contiguous tasks for the creations that follow; false without memory. */
WN_PROVIDE_HIDDEN bool provide_block_new(struct wn_thread *t, uint64_t n);
WN_PROVIDE_HIDDEN struct wn_task *provide_block_first(struct wn_thread *t);

/* native.c: the thread enters a wrapped call of such a runtime that begins, continues or ends a
 * loop or sections. */
WN_PROVIDE_HIDDEN bool provide_native_is_in_loop_call(const struct wn_thread *t);
/* native.c: the outlined function of the region or task being reported; `t` may be NULL. */
WN_PROVIDE_HIDDEN const void *provide_native_function(const struct wn_thread *t);
/* native.c: a creation on a runtime that has OMPT is over. */
WN_PROVIDE_HIDDEN void provide_native_created(struct wn_thread *t);
/* task.c: the creation is over; releases the creator's reference. */
WN_PROVIDE_HIDDEN void provide_created(struct wn_thread *t, struct wn_task *task, double duration);

/* ask.c */
WN_PROVIDE_HIDDEN ompt_interface_fn_t provide_lookup(const char *name);
/* Entry points of the extension; NULL for all other names. */
WN_PROVIDE_HIDDEN ompt_interface_fn_t provide_grain_lookup(const char *name);
WN_PROVIDE_HIDDEN void provide_finalize(void); /* start.c */

static inline uint64_t
wn_clock(void)
{
	return 0;
}

/* Time at which a creation begins, as bits of the tool's time (sources/libomp/tasks.c). */
enum { wn_clock_is_bare = 1 };

static inline uint64_t
wn_stamp(void)
{
	union {
		double time;
		uint64_t bits;
	} stamp = {provide_time(ompt_grain_callback_task_create, ompt_grain_callback_task_created)};
	return stamp.bits;
}

#define wn_quick_clock wn_stamp

/* The recorder's fast path is not available. */
#define wn_quick(t)                   ((void)(t), false)
#define wn_quick_plain(t, code, tick) wn_ev_plain(t, code, tick)

static inline uint64_t
wn_clock_after(void)
{
	return 0;
}

static inline uint64_t
wn_birth(uint64_t tick)
{
	(void)tick;
	return wn_now_ns(CLOCK_MONOTONIC);
}

#define WN_CALLED(t, site) wn_called(t, site, t ? __builtin_frame_address(0) : NULL)

static inline void
wn_called(struct wn_thread *t, const void *site, void *frame)
{
	if (!t)
		return;
	t->codeptr = site;
	t->frame = frame;
	if (__builtin_expect(!t->kind, 0))
		provide_thread_begin(t, ompt_thread_initial);
}

/* Every region is wanted, and no thread is muted. */
enum { wn_n_muted = 0 };

/* A tool gets all chunks of a static loop, whatever their number. */
#define WN_STATIC_CHUNKS_MAX UINT64_MAX

static inline bool
wn_region_is_wanted(struct wn_thread *t, const void *site)
{
	(void)t;
	(void)site;
	return true;
}

#define wn_mute()       ((void)0)
#define wn_unmute()     ((void)0)
#define wn_unmute_all() ((void)0)

/* A tool finds modules itself. */
#define wn_modules_record_address(address) ((void)(address))

/* ompt_set_callback() returns which events cannot be observed; see doc/ompt-grain.md. */
#define wn_ev_note(t, site, note, count) ((void)(t), (void)(site), (void)(note), (void)(count))

/* --- events ------------------------------------------------------------------------------------
 */

/* A team thread other than the master enters the region. */
static inline void
wn_stack_empty(struct wn_thread *t)
{
	if (!t->kind)
		provide_thread_begin(t, ompt_thread_worker);
	provide_settle(t);
}

static inline wn_id
wn_stack_peek(const struct wn_thread *t, uint32_t below)
{
	const struct wn_task *task = t->task;
	for (; task && below; below--)
		task = task->outer;
	return (uint64_t)(uintptr_t)task;
}

static inline wn_id
wn_new_id(struct wn_thread *t)
{
	return (uint64_t)(uintptr_t)t->created;
}

static inline wn_id
wn_id_nth(wn_id first, uint64_t n)
{
	struct wn_task *task = (struct wn_task *)(uintptr_t)first;
	return task ? (uint64_t)(uintptr_t)(task + n) : 0;
}

uint64_t wn_ev_region_begin(struct wn_thread *t, uint64_t tick, const void *site,
                            uint32_t region_flags, uint32_t requested);
void wn_ev_region_end(struct wn_thread *t, uint64_t tick);
void provide_implicit_begin(struct wn_thread *t, uint64_t region, uint32_t team_size,
                            uint32_t thread_num, void *frame);
void wn_ev_implicit_end(struct wn_thread *t, uint64_t tick);

wn_id wn_ev_task_create(struct wn_thread *t, uint64_t tick, const void *site, uint32_t flags);
static inline wn_id
wn_ev_waitpoint_create(struct wn_thread *t, uint64_t tick, const void *site, uint32_t flags)
{
	return wn_ev_task_create(t, tick, site, flags);
}
wn_id wn_ev_task_create_by(struct wn_thread *t, uint64_t tick, const void *site, uint32_t flags,
                           wn_id parent);
void wn_ev_create_end(struct wn_thread *t, uint64_t tick);
void provide_task_begin(struct wn_thread *t, wn_id id, void *frame);
void wn_ev_task_end(struct wn_thread *t, uint64_t tick);
void wn_ev_task_range(struct wn_thread *t, int64_t first, uint64_t iterations);
void wn_ev_task_fulfill(struct wn_thread *t, uint64_t tick, wn_id id);
void wn_ev_taskloop_begin(struct wn_thread *t, uint64_t tick, const void *site, uint32_t flags,
                          uint64_t trip_count, uint64_t n_tasks);
void wn_ev_taskloop_end(struct wn_thread *t, uint64_t tick);
void wn_ev_depend(struct wn_thread *t, enum wn_depend_kind kind, const void *address);
void wn_ev_depends_end(struct wn_thread *t);

/* Kinds that the recorder does not distinguish from others. */
#define WN_SYNC_BARRIER_DIRECTIVE ((enum wn_sync_kind)WN_SYNC_KIND_N)
#define WN_SYNC_BARRIER_START     ((enum wn_sync_kind)(WN_SYNC_KIND_N + 1))

void wn_ev_sync_begin(struct wn_thread *t, uint64_t tick, const void *site, enum wn_sync_kind kind);
void wn_ev_sync_end(struct wn_thread *t, uint64_t tick);
void wn_ev_group_begin(struct wn_thread *t, uint64_t tick, const void *site);
void wn_ev_mutex_wait(struct wn_thread *t, uint64_t tick, const void *site, enum wn_mutex_kind kind,
                      uint64_t mutex);
void wn_ev_mutex_acquired(struct wn_thread *t, uint64_t tick);
void wn_ev_mutex_released(struct wn_thread *t, uint64_t tick, const void *site,
                          enum wn_mutex_kind kind, uint64_t mutex);
void wn_ev_cancel(struct wn_thread *t, uint64_t tick, const void *site, uint32_t flags);

void wn_ev_work_begin(struct wn_thread *t, uint64_t tick, const void *site, uint32_t kind_and_flags,
                      uint64_t count);
void wn_ev_loop_begin(struct wn_thread *t, uint64_t tick, const void *site, uint32_t kind_and_flags,
                      uint64_t trip_count, int64_t lower, int64_t step, uint64_t chunk);
void wn_ev_work_end(struct wn_thread *t, uint64_t tick);

/* A loop computed in line, counted from 0 by 1. */
void wn_ev_counted_begin(struct wn_thread *t, uint64_t tick, const void *site,
                         uint32_t kind_and_flags, uint64_t trip_count, uint64_t chunk);
/* A loop of unknown bounds is reported when they are known, or not at all. */
enum { WN_REPORTS_UNKNOWN_LOOPS = 0 };

wn_id wn_ev_chunk_begin(struct wn_thread *t, uint64_t tick, uint64_t first, uint64_t iterations);
void wn_ev_chunk_end(struct wn_thread *t, uint64_t tick);
void wn_ev_static_begin(struct wn_thread *t, uint64_t tick, uint64_t first, uint64_t n_chunks,
                        uint64_t chunk, uint64_t stride, uint64_t last);
wn_id wn_ev_section_begin(struct wn_thread *t, uint64_t tick, uint64_t number);

/* control/control.h */
#define wn_offer_begin(t)    ((void)(t))
#define wn_offer_end(t, ...) ((void)(t), (void)(__VA_ARGS__))

/* The frame that calls the task's function. */
#define wn_ev_implicit_begin(t, tick, region, team_size, thread_num)                               \
	((void)(tick),                                                                             \
	 provide_implicit_begin(t, region, team_size, thread_num, __builtin_frame_address(0)))
#define wn_ev_task_begin(t, tick, id)                                                              \
	((void)(tick), provide_task_begin(t, id, __builtin_frame_address(0)))

static inline void
wn_ev_plain(struct wn_thread *t, enum wn_event_code code, uint64_t tick)
{
	if (code == WN_EV_SYNC_END)
		wn_ev_sync_end(t, tick);
	else if (code == WN_EV_CREATE_END)
		wn_ev_create_end(t, tick);
	else if (code == WN_EV_CHUNK_END)
		wn_ev_chunk_end(t, tick);
	else if (code == WN_EV_TASKLOOP_END)
		wn_ev_taskloop_end(t, tick);
}

static inline void
wn_ev_at(struct wn_thread *t, enum wn_event_code code, uint64_t tick, const void *site,
         uint32_t aux)
{
	if (code == WN_EV_TASK_CREATE)
		wn_ev_task_create(t, tick, site, aux);
	else if (code == WN_EV_SYNC_BEGIN)
		wn_ev_sync_begin(t, tick, site, (enum wn_sync_kind)aux);
	else if (code == WN_EV_GROUP_BEGIN)
		wn_ev_group_begin(t, tick, site);
}
