/* SPDX-License-Identifier: MIT */
/*
 * recorder.h - events to blocks. This is what a source calls, from inside somebody else's program.
 *
 *   source (OMPT callback, libgomp wrapper, ...)
 *     -> wn_thread_self()          the calling thread's recorder state, NULL when not recording
 *     -> wn_ev_...(t, tick, ...)   one record in the thread's window (trace/trace_format.h)
 *
 * Rules of the event path: no allocation, no lock, no system call, no output, no failure. When the
 * window is full, wn_thread_flush() copies it to the file with one write; when that is impossible
 * the record is dropped and counted. Nothing here may be called from a signal handler.
 *
 * Ticks come from wn_clock(). All functions of one thread must be called on that thread.
 * An id is thread index << 32 | number and is never 0 for a task (see trace/events.def). Ids are
 * taken after room is made, so that a block's header always counts the ids before its records.
 */
#ifndef WN_COLLECT_RECORDER_H
#define WN_COLLECT_RECORDER_H

#include "trace/encode.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#define WN_STACK_MAX 1024u

typedef uint64_t wn_id; /* thread index << 32 | number */

/* A loop that a thread is in, kept by the source between the calls that belong to it. */
struct wn_loop_state {
	int64_t lower;    /* user-visible first value */
	int64_t step;     /* user-visible step, never 0 */
	bool is_open;     /* between LOOP_BEGIN and WORK_END */
	bool chunk_open;  /* between CHUNK_BEGIN and CHUNK_END */
};

struct wn_thread {
	struct wn_writer w;
	uint32_t index;
	uint32_t cpu;                        /* last CPU recorded */
	const volatile uint32_t *cpu_now;    /* kept up to date by the kernel (rseq) */
	uint64_t n_ids;
	uint32_t n_regions;
	uint32_t depth;                      /* tasks on the stack; may exceed WN_STACK_MAX */
	uint64_t chunk_next;                 /* logical end of the last chunk of the current loop */
	wn_id stack[WN_STACK_MAX];
	uint32_t os_tid;
	uint32_t n_dropped;
	struct wn_thread *next_free;         /* list of parked threads */

	/* For the sources. The recorder does not look at these. */
	uint64_t source_tick;                /* a stamp taken earlier, e.g. at entry to a creation */
	uint32_t source_flags;
	uint32_t source_depth;
	struct wn_loop_state loop;
	void *source_ptr[4];
	uint64_t source_word[4];
};

extern __thread struct wn_thread *wn_self __attribute__((tls_model("initial-exec"), visibility("hidden")));
extern bool wn_clock_is_tsc __attribute__((visibility("hidden")));

/* --- life (life.c) ----------------------------------------------------------------------- */

/* Announces that a source has met its runtime; opens the trace on the first call. `runtime` names
 * it for people, e.g. "libomp /usr/lib/libomp.so.5". Slow; safe from any thread; idempotent.
 * Returns false when this process cannot record (no output named, file refused, already dead). */
bool wn_recorder_start(enum wn_source_bit source, const char *runtime);

/* Marks the trace closed and stores the last clock pair. Further events are still stored. */
void wn_recorder_finish(void);

/* The calling thread's state, attached on first use; NULL when not recording. Slow path. */
struct wn_thread *wn_thread_attach(void);

/* Copies the window to the file and empties it. True when there is room again. */
bool wn_thread_flush(struct wn_thread *t);

/* Notices code that was loaded late: call with an address seen for the first time. */
void wn_modules_see(uint64_t addr);

/* --- finding the real functions (resolve.c) ------------------------------------------------ */

/* The next definition of `name` after this library, as the caller at `caller` would find it (pass
 * __builtin_return_address(0)); NULL if there is none. Never returns an address in this library. */
void *wn_resolve(const char *name, const void *caller);

/* --- the event path ------------------------------------------------------------------------ */

static inline uint64_t
wn_clock(void)
{
#if defined(__x86_64__)
	if (__builtin_expect(wn_clock_is_tsc, 1))
		return __rdtsc();
#endif
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline struct wn_thread *
wn_thread_self(void)
{
	struct wn_thread *t = wn_self;
	return __builtin_expect(t != NULL, 1) ? t : wn_thread_attach();
}

static inline bool
wn_ev_room(struct wn_thread *t)
{
	return wn_writer_room(&t->w) || wn_thread_flush(t);
}

/* Starts a timed record; false means dropped. */
static inline bool
wn_ev_open(struct wn_thread *t, enum wn_event_code code, uint64_t tick)
{
	if (!wn_ev_room(t))
		return false;
	wn_put_code(&t->w, code);
	wn_put_time(&t->w, tick);
	return true;
}

/* A whole record of only a time. */
static inline void
wn_ev_plain(struct wn_thread *t, enum wn_event_code code, uint64_t tick)
{
	if (wn_ev_open(t, code, tick))
		wn_writer_commit(&t->w);
}

/* A whole record of a time and a site. */
static inline void
wn_ev_at(struct wn_thread *t, enum wn_event_code code, uint64_t tick, const void *site, uint32_t aux)
{
	if (!wn_ev_open(t, code, tick))
		return;
	wn_put_site(&t->w, (uint64_t)(uintptr_t)site, aux);
	wn_writer_commit(&t->w);
}

static inline wn_id
wn_new_id(struct wn_thread *t)
{
	return (uint64_t)t->index << 32 | (uint32_t)++t->n_ids;
}

static inline void
wn_push(struct wn_thread *t, wn_id id)
{
	if (__builtin_expect(t->depth < WN_STACK_MAX, 1))
		t->stack[t->depth] = id;
	t->depth++;
}

static inline void
wn_pop(struct wn_thread *t)
{
	if (t->depth > 0)
		t->depth--;
}

/* The task `below` places under the top of the stack (0 = top); 0 when unknown or outside. */
static inline wn_id
wn_stack_peek(const struct wn_thread *t, uint32_t below)
{
	if (below >= t->depth || t->depth - 1 - below >= WN_STACK_MAX)
		return 0;
	return t->stack[t->depth - 1 - below];
}

/* Records the CPU if it is not the one recorded last. */
static inline void
wn_ev_cpu(struct wn_thread *t)
{
	uint32_t cpu = *t->cpu_now;
	if (__builtin_expect(cpu == t->cpu, 1) || !wn_ev_room(t))
		return;
	t->cpu = cpu;
	wn_put_code(&t->w, WN_EV_CPU);
	wn_put_value(&t->w, cpu);
	wn_writer_commit(&t->w);
}

/* --- parallel regions --- */

/* Returns the region's reference, to be handed to wn_ev_implicit_begin on every team thread. */
static inline uint64_t
wn_ev_region_begin(struct wn_thread *t, uint64_t tick, const void *site, uint32_t region_flags,
		   uint32_t requested)
{
	wn_modules_see((uint64_t)(uintptr_t)site);
	bool is_stored = wn_ev_open(t, WN_EV_REGION_BEGIN, tick);
	uint64_t region = (uint64_t)t->index << 32 | ++t->n_regions;
	if (is_stored) {
		wn_put_site(&t->w, (uint64_t)(uintptr_t)site, region_flags);
		wn_put_value(&t->w, requested);
		wn_writer_commit(&t->w);
	}
	return region;
}

static inline void
wn_ev_region_end(struct wn_thread *t, uint64_t tick)
{
	wn_ev_plain(t, WN_EV_REGION_END, tick);
}

static inline wn_id
wn_ev_implicit_begin(struct wn_thread *t, uint64_t tick, uint64_t region, uint32_t team_size,
		     uint32_t thread_num)
{
	wn_ev_cpu(t);
	bool is_stored = wn_ev_open(t, WN_EV_IMPLICIT_BEGIN, tick);
	wn_id id = wn_new_id(t);
	if (is_stored) {
		wn_put_value(&t->w, region >> 32);
		wn_put_value(&t->w, (uint32_t)region);
		wn_put_value(&t->w, team_size);
		wn_put_value(&t->w, thread_num);
		wn_writer_commit(&t->w);
	}
	wn_push(t, id);
	return id;
}

static inline void
wn_ev_implicit_end(struct wn_thread *t, uint64_t tick)
{
	wn_ev_plain(t, WN_EV_IMPLICIT_END, tick);
	wn_pop(t);
}

/* --- tasks --- */

/* `tick` is when creation started (entry to the runtime). Flags: enum wn_task_flag. */
static inline wn_id
wn_ev_task_create(struct wn_thread *t, uint64_t tick, const void *site, uint32_t flags)
{
	if (wn_ev_open(t, WN_EV_TASK_CREATE, tick)) {
		wn_put_site(&t->w, (uint64_t)(uintptr_t)site, flags);
		wn_writer_commit(&t->w);
	}
	return wn_new_id(t);
}

/* As above when the runtime says that the parent is not the task on top of the stack. */
static inline wn_id
wn_ev_task_create_by(struct wn_thread *t, uint64_t tick, const void *site, uint32_t flags,
		     wn_id parent)
{
	if (wn_ev_open(t, WN_EV_TASK_CREATE_BY, tick)) {
		wn_put_site(&t->w, (uint64_t)(uintptr_t)site, flags);
		wn_put_value(&t->w, parent >> 32);
		wn_put_value(&t->w, (uint32_t)parent);
		wn_writer_commit(&t->w);
	}
	return wn_new_id(t);
}

static inline void
wn_ev_create_end(struct wn_thread *t, uint64_t tick)
{
	wn_ev_plain(t, WN_EV_CREATE_END, tick);
}

/* The task starts, or goes on after a suspension, on this thread. */
static inline void
wn_ev_task_begin(struct wn_thread *t, uint64_t tick, wn_id id)
{
	wn_ev_cpu(t);
	bool is_own = id >> 32 == t->index;
	if (wn_ev_open(t, is_own ? WN_EV_TASK_BEGIN_OWN : WN_EV_TASK_BEGIN, tick)) {
		if (is_own) {
			wn_put_value(&t->w, (uint32_t)t->n_ids - (uint32_t)id);
		} else {
			wn_put_value(&t->w, id >> 32);
			wn_put_value(&t->w, (uint32_t)id);
		}
		wn_writer_commit(&t->w);
	}
	wn_push(t, id);
}

static inline void
wn_ev_task_end(struct wn_thread *t, uint64_t tick)
{
	wn_ev_plain(t, WN_EV_TASK_END, tick);
	wn_pop(t);
}

static inline void
wn_ev_task_suspend(struct wn_thread *t, uint64_t tick)
{
	wn_ev_plain(t, WN_EV_TASK_SUSPEND, tick);
	wn_pop(t);
}

/* For switches that do not follow the stack. Afterwards the stack holds only `next`. */
static inline void
wn_ev_task_switch(struct wn_thread *t, uint64_t tick, bool prior_completed, wn_id next)
{
	wn_ev_cpu(t);
	if (wn_ev_open(t, WN_EV_TASK_SWITCH, tick)) {
		wn_put_value(&t->w, prior_completed);
		wn_put_value(&t->w, next >> 32);
		wn_put_value(&t->w, (uint32_t)next);
		wn_writer_commit(&t->w);
	}
	t->depth = 0;
	wn_push(t, next);
}

/* The task on top runs logical iterations [first, first + iterations) of its taskloop. */
static inline void
wn_ev_task_range(struct wn_thread *t, int64_t first, uint64_t iterations)
{
	if (!wn_ev_room(t))
		return;
	wn_put_code(&t->w, WN_EV_TASK_RANGE);
	wn_put_value(&t->w, wn_zigzag(first));
	wn_put_value(&t->w, iterations);
	wn_writer_commit(&t->w);
}

static inline void
wn_ev_taskloop_begin(struct wn_thread *t, uint64_t tick, const void *site, uint32_t flags,
		     uint64_t trip_count, uint64_t n_tasks)
{
	if (!wn_ev_open(t, WN_EV_TASKLOOP_BEGIN, tick))
		return;
	wn_put_site(&t->w, (uint64_t)(uintptr_t)site, flags);
	wn_put_value(&t->w, trip_count);
	wn_put_value(&t->w, n_tasks);
	wn_writer_commit(&t->w);
}

static inline void
wn_ev_taskloop_end(struct wn_thread *t, uint64_t tick)
{
	wn_ev_plain(t, WN_EV_TASKLOOP_END, tick);
}

/* --- synchronisation --- */

static inline void
wn_ev_sync_begin(struct wn_thread *t, uint64_t tick, const void *site, enum wn_sync_kind kind)
{
	wn_ev_at(t, WN_EV_SYNC_BEGIN, tick, site, (uint32_t)kind);
}

static inline void
wn_ev_sync_end(struct wn_thread *t, uint64_t tick)
{
	wn_ev_plain(t, WN_EV_SYNC_END, tick);
}

static inline void
wn_ev_group_begin(struct wn_thread *t, uint64_t tick, const void *site)
{
	wn_ev_at(t, WN_EV_GROUP_BEGIN, tick, site, 0);
}

/* --- worksharing --- */

/* Sections, single, workshare, and loops of which nothing more is known. `count` as OMPT's. */
static inline void
wn_ev_work_begin(struct wn_thread *t, uint64_t tick, const void *site, uint32_t kind_and_flags,
		 uint64_t count)
{
	t->chunk_next = 0;
	if (!wn_ev_open(t, WN_EV_WORK_BEGIN, tick))
		return;
	wn_put_site(&t->w, (uint64_t)(uintptr_t)site, kind_and_flags);
	wn_put_value(&t->w, count);
	wn_writer_commit(&t->w);
}

/* A loop with user-visible lower bound and step; chunk 0 = none given. */
static inline void
wn_ev_loop_begin(struct wn_thread *t, uint64_t tick, const void *site, uint32_t kind_and_flags,
		 uint64_t trip_count, int64_t lower, int64_t step, uint64_t chunk)
{
	t->chunk_next = 0;
	if (!wn_ev_open(t, WN_EV_LOOP_BEGIN, tick))
		return;
	wn_put_site(&t->w, (uint64_t)(uintptr_t)site, kind_and_flags | WN_LOOP_BOUNDS);
	wn_put_value(&t->w, trip_count);
	wn_put_value(&t->w, wn_zigzag(lower));
	wn_put_value(&t->w, wn_zigzag(step));
	wn_put_value(&t->w, chunk);
	wn_writer_commit(&t->w);
}

/* Leaves the single, sections or loop entered last. */
static inline void
wn_ev_work_end(struct wn_thread *t, uint64_t tick)
{
	t->chunk_next = 0;
	wn_ev_plain(t, WN_EV_WORK_END, tick);
}

/* Logical iterations [first, first + iterations) of the current loop start on this thread. */
static inline wn_id
wn_ev_chunk_begin(struct wn_thread *t, uint64_t tick, uint64_t first, uint64_t iterations)
{
	wn_ev_cpu(t);
	if (wn_ev_open(t, WN_EV_CHUNK_BEGIN, tick)) {
		wn_put_value(&t->w, wn_zigzag((int64_t)(first - t->chunk_next)));
		wn_put_value(&t->w, iterations);
		wn_writer_commit(&t->w);
	}
	t->chunk_next = first + iterations;
	return wn_new_id(t);
}

/* Ends a chunk, a section or a static share. */
static inline void
wn_ev_chunk_end(struct wn_thread *t, uint64_t tick)
{
	wn_ev_plain(t, WN_EV_CHUNK_END, tick);
}

/* This thread's share of a static loop, whose single chunks cannot be timed: n_chunks chunks of
 * `chunk` logical iterations, `stride` apart, the last one of `last` (1..chunk). Takes n_chunks
 * ids. */
static inline void
wn_ev_static_begin(struct wn_thread *t, uint64_t tick, uint64_t first, uint32_t n_chunks,
		   uint64_t chunk, uint64_t stride, uint64_t last)
{
	wn_ev_cpu(t);
	bool is_stored = wn_ev_open(t, WN_EV_STATIC_BEGIN, tick);
	t->n_ids += n_chunks;
	if (!is_stored)
		return;
	wn_put_value(&t->w, first);
	wn_put_value(&t->w, n_chunks);
	wn_put_value(&t->w, chunk);
	wn_put_value(&t->w, stride);
	wn_put_value(&t->w, last);
	wn_writer_commit(&t->w);
}

static inline wn_id
wn_ev_section_begin(struct wn_thread *t, uint64_t tick, uint64_t number)
{
	wn_ev_cpu(t);
	if (wn_ev_open(t, WN_EV_SECTION_BEGIN, tick)) {
		wn_put_value(&t->w, number);
		wn_writer_commit(&t->w);
	}
	return wn_new_id(t);
}

/* Something here could not be observed. Not on a hot path. */
static inline void
wn_ev_note(struct wn_thread *t, const void *site, enum wn_note note, uint64_t count)
{
	if (!wn_ev_room(t))
		return;
	wn_put_code(&t->w, WN_EV_NOTE);
	wn_put_site(&t->w, (uint64_t)(uintptr_t)site, (uint32_t)note);
	wn_put_value(&t->w, count);
	wn_writer_commit(&t->w);
}

#endif /* WN_COLLECT_RECORDER_H */
