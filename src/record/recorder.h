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
 * Ticks come from wn_clock(), and with them what counters say at that instant, where there are any
 * (record/counters): they are recorded in front of the record that has the tick. All functions of
 * one thread must be called on that thread. An id is thread index << 32 | number and is never 0 for
 * a task (see trace/events.def). Ids are taken after room is made, so that a block's header always
 * counts the ids before its records.
 */
#ifndef WN_RECORD_H
#define WN_RECORD_H

#include "record/loop_state.h"
#include "record/resolve.h"
#include "record/told.h"
#include "record/unseen.h"
#include "trace/encode.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#define WN_STACK_MAX          1024u              /* tasks of the stack that are at hand */
#define WN_STACK_HALF         (WN_STACK_MAX / 2) /* so many are put away or fetched at once (stack.c) */
#define WN_SOURCE_BLOCK_BYTES 4160u

typedef uint64_t wn_id; /* thread index << 32 | number */

/* The order is that of use: an event touches the second cache line, its source the first, and the
 * top of the stack. */
struct wn_thread {
	/* For the sources. The recorder does not look at these. */
	uint64_t source_tick; /* a stamp taken earlier, e.g. at entry to a creation */
	uint32_t source_flags;
	uint32_t source_depth;
	void *source_ptr[4];
	uint64_t chunk_next; /* logical end of the last chunk of the current loop */
	uint32_t n_regions;
	uint32_t depth_low; /* 1 while tasks of the stack are put away, else 0 */

	const volatile uint32_t *cpu_now; /* kept up to date by the kernel (rseq) */
	uint64_t n_ids;
	uint32_t index;
	uint32_t cpu;         /* last CPU recorded */
	uint32_t depth;       /* entries of `stack` in use (stack.c) */
	uint32_t is_counting; /* `counting` is in use */
	struct wn_writer w;

	struct wn_loop_state loop; /* for the sources */
	uint64_t source_word[4];   /* for the sources */
	uint32_t n_works;          /* WORK_BEGINs and LOOP_BEGINs so far */
	uint32_t n_muted;          /* for the sources: unrecorded regions entered and not left */
	uint32_t n_dropped;
	struct wn_counting *counting; /* counters/count.c; kept when the thread is parked */
	bool is_paused;               /* the stream says so */
	uint32_t os_tid;
	struct wn_thread *next_free; /* list of parked threads */
	struct wn_stack_part *below; /* tasks of the stack that are put away, outermost first */
	uint32_t n_below, below_max; /* parts in use, and mapped */
	struct wn_told told;         /* for control/ */
	/* totals of the next block's header: see trace_format.h */
	uint32_t n_open_regions;
	uint32_t n_other_ids;
	uint64_t region_ticks;
	uint64_t region_since_tick; /* of the outermost region that is open */
	wn_id implicit_task;

	/* From here on nothing is cleared when a thread starts. */
	wn_id stack[WN_STACK_MAX + 1]; /* from 1 on; entry 0 is 0, what an empty stack shows */
	void
	    *source_stack[WN_STACK_MAX + 1]; /* for the sources, a word for each entry of `stack` */
	_Alignas(64) unsigned char source_block[WN_SOURCE_BLOCK_BYTES]; /* for the sources */
};

/* A part of a thread's stack that is put away. */
struct wn_stack_part {
	wn_id id[WN_STACK_HALF];
	void *source[WN_STACK_HALF];
};

static_assert(offsetof(struct wn_thread, cpu_now) == 64 && offsetof(struct wn_thread, w) == 96,
              "what every event touches is one cache line");

extern __thread struct wn_thread *wn_self
    __attribute__((tls_model("initial-exec"), visibility("hidden")));
extern bool wn_clock_is_tsc __attribute__((visibility("hidden")));
/* The clock is the processor's, and nothing else is read with it. */
extern bool wn_clock_is_bare __attribute__((visibility("hidden")));

/* --- life (life.c) ----------------------------------------------------------------------- */

/* Announces that a source has met its runtime; opens the trace on the first call. `runtime` names
 * it for people, e.g. "libomp /usr/lib/libomp.so.5". Slow; safe from any thread; idempotent.
 * Returns false when this process cannot record (no output named, file refused, already dead) or
 * not through this source. */
bool wn_recorder_start(enum wn_source_bit source, const char *runtime);

/* Another thread starts it, and this one was not to wait any longer. */
static inline bool
wn_recorder_is_starting(void)
{
	return false;
}

/* Marks the trace closed and stores the last clock pair. Further events are still stored. */
void wn_recorder_finish(void);

/* The runtime has ended its side of the recording, as libomp does when its resources are released
 * or the process ends. The trace stays open: the program may go on. `is_unwatched`: nothing would
 * meet what it does then, so that the trace says that it is not known. Slow. */
void wn_recorder_runtime_ended(bool is_unwatched);

/* Counts, in the trace's header, a construct that ran after that and that no event tells of.
 * `source` and `runtime` are as in wn_recorder_start(): a forked child gets a trace here. Nothing
 * is counted while the program has recording paused. Slow; safe from any thread. */
void wn_recorder_unseen(enum wn_unseen what, enum wn_source_bit source, const char *runtime);

/* Ends the recording, for want of memory; what was recorded so far stays. Safe from any thread. */
void wn_recorder_out_of_memory(void);

/* The calling thread's state, attached on first use; NULL when not recording. Slow path. */
struct wn_thread *wn_thread_attach(void);

/* Copies the window to the file and empties it. True when there is room again. */
bool wn_thread_flush(struct wn_thread *t);

/* The same of what is there now, before it is full: from then on it is protected by its hash. */
bool wn_thread_seal(struct wn_thread *t);

/* Notices code that was loaded late: call with an address seen for the first time. */
void wn_modules_see(uint64_t addr);

/* As WINNOW_SOURCE has it. */
const char *wn_source_name(enum wn_source_bit source);
/* Does WINNOW_SOURCE ask for OMPT with its extension for grains, and nothing less? */
bool wn_source_is_grain(void);

/* Is what this source sees to be recorded? WINNOW_SOURCE names the one that is (ompt, ompt-grain,
 * libgomp or pomp2); else an instrumented program is recorded through its instrumentation alone,
 * and others through whatever they show. */
bool wn_source_is_wanted(enum wn_source_bit source);

/* Counts the traces that this process has started: a forked child's is another than its parent's.
 */
extern uint32_t wn_trace_generation __attribute__((visibility("hidden")));

/* --- what the program says (say.c) ---------------------------------------------------------- */

/* The next number for a name. */
uint32_t wn_name_new(void);

/* Regions that start outside all regions from here on are not recorded, or again. `t` may be NULL.
 * Each thread's stream says so when the thread next asks whether a region is wanted. */
void wn_pause(struct wn_thread *t, const void *site);
void wn_resume(struct wn_thread *t, const void *site);
extern _Atomic bool wn_is_paused __attribute__((visibility("hidden")));
/* Set once: no wn_resume() does anything from then on. */
extern _Atomic bool wn_is_over __attribute__((visibility("hidden")));

/* Slow: the stream says whether the program wants silence now, if it does not say so already. */
void wn_tell_silence(struct wn_thread *t, const void *site);

/* Slow: wn_region_is_wanted() where the program wants silence, or has wanted it last. */
bool wn_region_is_wanted_after_all(struct wn_thread *t, const void *site);

/* The calling thread enters a region that is not recorded, or leaves it again: in between
 * wn_thread_self() and wn_self are NULL. Regions nest. A runtime does not say when a worker leaves;
 * it is called back by wn_unmute_all(). None of these is an event. */
void wn_mute(void);
void wn_unmute(void);
void wn_unmute_all(void);
extern __thread uint32_t wn_n_muted
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Is this thread in a region that is not recorded? `t` may be NULL. */
static inline bool
wn_is_muted(const struct wn_thread *t)
{
	return wn_n_muted > 0 || (t && t->n_muted > 0);
}

/* Named regions of the calling thread that are begun and not ended, and not recorded. */
extern __thread uint32_t wn_n_marks_skipped
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Called when a stream starts for the calling thread, once mark/ has set it. */
extern void (*_Atomic wn_on_attach)(struct wn_thread *t) __attribute__((visibility("hidden")));

/* --- the event path ------------------------------------------------------------------------ */

/* counters/count.c: another clock, or counters are read with it. */
uint64_t wn_clock_and_counters(void);

static inline uint64_t
wn_clock(void)
{
#if defined(__x86_64__)
	if (__builtin_expect(wn_clock_is_bare, 1))
		return __rdtsc();
#endif
	return wn_clock_and_counters();
}

/* The clock once all that was loaded before is there. The plain one may be read while a lock is
 * still being taken, and so before the time at which its last holder let it go; or while a barrier
 * is being left, and so before its last thread came. */
static inline uint64_t
wn_clock_after(void)
{
#if defined(__x86_64__)
	_mm_lfence();
#endif
	return wn_clock();
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

/* counters/count.c: what the counters said at `tick`, in front of the record that is about to be
 * written, and whose instructions come next. `detail` is the task that the record lets run, or the
 * aux of its site. False: there is no room any more. Slow; may call the system. */
bool wn_count(struct wn_thread *t, enum wn_event_code code, uint64_t tick, uint64_t detail);

/* Starts a timed record of which wn_count() is told that. The place behind its code and time; NULL
 * means dropped. */
static inline uint8_t *
wn_ev_open_of(struct wn_thread *t, enum wn_event_code code, uint64_t tick, uint64_t detail)
{
	if (!wn_ev_room(t))
		return NULL;
	if (__builtin_expect(t->is_counting, 0) && !wn_count(t, code, tick, detail))
		return NULL;
	return wn_code_timed(&t->w, t->w.next, code, tick);
}

/* Starts a timed record. */
static inline uint8_t *
wn_ev_open(struct wn_thread *t, enum wn_event_code code, uint64_t tick)
{
	return wn_ev_open_of(t, code, tick, 0);
}

/* The same with a site. */
static inline uint8_t *
wn_ev_open_at(struct wn_thread *t, enum wn_event_code code, uint64_t tick, const void *site,
              uint32_t aux)
{
	uint8_t *at = wn_ev_open_of(t, code, tick, aux);
	return at ? wn_code_site(&t->w, at, (uint64_t)(uintptr_t)site, aux) : NULL;
}

/* A whole record of only a time. */
static inline void
wn_ev_plain(struct wn_thread *t, enum wn_event_code code, uint64_t tick)
{
	uint8_t *at = wn_ev_open(t, code, tick);
	if (at)
		wn_writer_commit(&t->w, at);
}

/* A whole record of a time and a site. */
static inline void
wn_ev_at(struct wn_thread *t, enum wn_event_code code, uint64_t tick, const void *site,
         uint32_t aux)
{
	uint8_t *at = wn_ev_open_at(t, code, tick, site, aux);
	if (at)
		wn_writer_commit(&t->w, at);
}

/* A task, implicit task or region by its two parts. */
static inline uint8_t *
wn_code_id(uint8_t *at, wn_id id)
{
	at = wn_code_value(at, id >> 32);
	return wn_code_value(at, (uint32_t)id);
}

static inline wn_id
wn_new_id(struct wn_thread *t)
{
	return (uint64_t)t->index << 32 | (uint32_t)++t->n_ids;
}

/* --- the stack of tasks (stack.c): each function counts places from 1, the outermost task --- */

/* What entry 0 of `stack` is while tasks are put away: no task's id. */
#define WN_STACK_PUT_AWAY UINT64_MAX

/* Slow, each once in WN_STACK_HALF calls of the functions below. */
void wn_stack_push_deep(struct wn_thread *t, wn_id id);
void wn_stack_fetch(struct wn_thread *t);
/* Slow: leaves that many tasks on the stack, which holds as many or more. */
void wn_stack_cut(struct wn_thread *t, uint32_t depth);
/* Slow: the innermost place of a task beneath the top; 0 if it is not there, or not known. Cost
 * O(depth). */
uint32_t wn_stack_find(const struct wn_thread *t, wn_id id);
/* Slow: the task at that place. */
wn_id wn_stack_at(const struct wn_thread *t, uint32_t place);

/* Tasks on the stack. */
static inline uint32_t
wn_stack_depth(const struct wn_thread *t)
{
	return t->n_below * WN_STACK_HALF + t->depth;
}

/* Is the task on top known? Not where memory for the stack was refused. */
static inline bool
wn_stack_is_known(const struct wn_thread *t)
{
	return t->depth <= WN_STACK_MAX;
}

static inline void
wn_push(struct wn_thread *t, wn_id id)
{
	if (__builtin_expect(t->depth < WN_STACK_MAX, 1))
		t->stack[++t->depth] = id;
	else
		wn_stack_push_deep(t, id);
}

/* One entry stays at hand as long as there are tasks on the stack. */
static inline void
wn_pop(struct wn_thread *t)
{
	if (__builtin_expect(t->depth > t->depth_low, 1)) {
		t->depth--;
	} else if (t->depth_low) {
		wn_stack_fetch(t);
		t->depth--;
	}
}

/* The thread is at the bottom of its stack, whatever it said last. */
static inline void
wn_stack_empty(struct wn_thread *t)
{
	if (__builtin_expect(t->depth_low, 0))
		wn_stack_cut(t, 0);
	t->depth = 0;
}

/* The task `below` places under the top of the stack (0 = top); 0 when unknown or outside. That
 * under the top may be put away: wn_stack_beneath(). */
static inline wn_id
wn_stack_peek(const struct wn_thread *t, uint32_t below)
{
	uint32_t at = t->depth - below;
	return at <= WN_STACK_MAX ? t->stack[at] : 0;
}

/* The task under the top, wherever it is. */
static inline wn_id
wn_stack_beneath(struct wn_thread *t)
{
	if (__builtin_expect(t->depth == t->depth_low && t->depth_low, 0))
		wn_stack_fetch(t);
	return wn_stack_peek(t, 1);
}

/* Records the CPU if it is not the one recorded last. */
static inline void
wn_ev_cpu(struct wn_thread *t)
{
	uint32_t cpu = *t->cpu_now;
	if (__builtin_expect(cpu == t->cpu, 1) || !wn_ev_room(t))
		return;
	t->cpu = cpu;
	wn_writer_commit(&t->w, wn_code_value(wn_code_event(t->w.next, WN_EV_CPU), cpu));
}

/* --- what only another listener needs (ompt/events.h) --- */

/* A wrapper is entered. */
#define WN_CALLED(t, site) ((void)0)

/* All depend clauses have been told. */
static inline void
wn_ev_depends_end(struct wn_thread *t)
{
	(void)t;
}

/* When a creation begins. */
static inline uint64_t
wn_stamp(void)
{
	return wn_clock();
}

/* More chunks than this on one thread become one grain: ids are 32 bits, and nobody reads them. */
#define WN_STATIC_CHUNKS_MAX 65536u

/* The task created `n` after the first of a taskloop. */
static inline wn_id
wn_id_nth(wn_id first, uint64_t n)
{
	return first + n;
}

/* Of two creations the later one has the larger value. */
static inline uint64_t
wn_birth(uint64_t tick)
{
	return tick;
}

/* --- the short cut ---------------------------------------------------------------------------
 *
 * A callback that calls nothing keeps everything in scratch registers and saves none. Where
 * wn_quick() says yes, WN_WRITER_BURST records can be written by the functions below, which never
 * flush and never learn a site. Elsewhere, and whenever the event is unusual, the source goes the
 * ordinary way, from the start.
 */
static inline bool
wn_quick(const struct wn_thread *t)
{
	return __builtin_expect(wn_clock_is_bare, 1) && wn_writer_room(&t->w);
}

/* The clock where wn_quick() has said yes. */
static inline uint64_t
wn_quick_clock(void)
{
#if defined(__x86_64__)
	return __rdtsc();
#else
	return 0;
#endif
}

/* The site's place for wn_quick_at(); WN_SITE_TABLE_N when this is not for the short cut. */
static inline unsigned
wn_quick_site(const struct wn_thread *t, const void *site, uint32_t aux)
{
	return wn_find_site(&t->w, (uint64_t)(uintptr_t)site, aux);
}

static inline void
wn_quick_plain(struct wn_thread *t, enum wn_event_code code, uint64_t tick)
{
	wn_writer_commit(&t->w, wn_code_timed(&t->w, t->w.next, code, tick));
}

static inline void
wn_quick_at(struct wn_thread *t, enum wn_event_code code, uint64_t tick, unsigned site)
{
	uint8_t *at = wn_code_timed(&t->w, t->w.next, code, tick);
	*at = (uint8_t)site;
	wn_writer_commit(&t->w, at + 1);
}

/* As wn_ev_task_begin() on a stack that is not full; after CREATE_END if a creation is open. */
static inline __attribute__((always_inline)) void
wn_quick_task_begin(struct wn_thread *t, uint64_t tick, wn_id id, bool ends_creation)
{
	uint8_t *at = t->w.next;
	uint32_t cpu = *t->cpu_now;
	if (ends_creation)
		at = wn_code_timed(&t->w, at, WN_EV_CREATE_END, tick);
	if (__builtin_expect(cpu != t->cpu, 0)) {
		t->cpu = cpu;
		at = wn_code_value(wn_code_event(at, WN_EV_CPU), cpu);
	}
	bool is_own = id >> 32 == t->index;
	enum wn_event_code code = is_own ? WN_EV_TASK_BEGIN_OWN : WN_EV_TASK_BEGIN;
	at = ends_creation ? wn_code_same_time(at, code) : wn_code_timed(&t->w, at, code, tick);
	at = is_own ? wn_code_value(at, (uint32_t)t->n_ids - (uint32_t)id) : wn_code_id(at, id);
	wn_writer_commit(&t->w, at);
	t->stack[++t->depth] = id;
}

/* --- parallel regions --- */

/* May a region that starts here be recorded? Not while the program wants silence; what starts
 * inside a recorded region always is. A region that may not is noted here. */
static inline bool
wn_region_is_wanted(struct wn_thread *t, const void *site)
{
	bool is_paused = atomic_load_explicit(&wn_is_paused, memory_order_relaxed);
	return __builtin_expect(!is_paused && !t->is_paused, 1) ||
	       wn_region_is_wanted_after_all(t, site);
}

/* Returns the region's reference, to be handed to wn_ev_implicit_begin on every team thread. */
static inline uint64_t
wn_ev_region_begin(struct wn_thread *t, uint64_t tick, const void *site, uint32_t region_flags,
                   uint32_t requested)
{
	wn_modules_see((uint64_t)(uintptr_t)site);
	uint8_t *at = wn_ev_open_at(t, WN_EV_REGION_BEGIN, tick, site, region_flags);
	if (at)
		wn_writer_commit(&t->w, wn_code_value(at, requested));
	if (t->n_open_regions++ == 0)
		t->region_since_tick = tick;
	return (uint64_t)t->index << 32 | ++t->n_regions;
}

static inline void
wn_ev_region_end(struct wn_thread *t, uint64_t tick)
{
	wn_ev_plain(t, WN_EV_REGION_END, tick);
	if (t->n_open_regions > 0 && --t->n_open_regions == 0 && tick > t->region_since_tick)
		t->region_ticks += tick - t->region_since_tick;
	if (__builtin_expect(
		atomic_load_explicit(&wn_is_paused, memory_order_relaxed) != t->is_paused, 0))
		wn_tell_silence(t, NULL);
}

static inline wn_id
wn_ev_implicit_begin(struct wn_thread *t, uint64_t tick, uint64_t region, uint32_t team_size,
                     uint32_t thread_num)
{
	wn_ev_cpu(t);
	uint8_t *at = wn_ev_open(t, WN_EV_IMPLICIT_BEGIN, tick);
	if (at) {
		at = wn_code_id(at, region);
		at = wn_code_value(at, team_size);
		wn_writer_commit(&t->w, wn_code_value(at, thread_num));
	}
	wn_id id = wn_new_id(t);
	t->n_other_ids++;
	t->implicit_task = id;
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
	wn_ev_at(t, WN_EV_TASK_CREATE, tick, site, flags);
	return wn_new_id(t);
}

/* A waitpoint: flags have WN_TASK_WAITPOINT. */
static inline wn_id
wn_ev_waitpoint_create(struct wn_thread *t, uint64_t tick, const void *site, uint32_t flags)
{
	t->n_other_ids++;
	return wn_ev_task_create(t, tick, site, flags);
}

/* A creation of which the runtime says that the parent is not the task on top of the stack. */
static inline wn_id
wn_ev_task_create_by(struct wn_thread *t, uint64_t tick, const void *site, uint32_t flags,
                     wn_id parent)
{
	uint8_t *at = wn_ev_open_at(t, WN_EV_TASK_CREATE_BY, tick, site, flags);
	if (at)
		wn_writer_commit(&t->w, wn_code_id(at, parent));
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
	enum wn_event_code code = is_own ? WN_EV_TASK_BEGIN_OWN : WN_EV_TASK_BEGIN;
	uint8_t *at = wn_ev_open_of(t, code, tick, id);
	if (at && is_own)
		wn_writer_commit(&t->w, wn_code_value(at, (uint32_t)t->n_ids - (uint32_t)id));
	else if (at)
		wn_writer_commit(&t->w, wn_code_id(at, id));
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
	uint8_t *at = wn_ev_open_of(t, WN_EV_TASK_SWITCH, tick, next);
	if (at)
		wn_writer_commit(&t->w, wn_code_id(wn_code_value(at, prior_completed), next));
	wn_stack_empty(t);
	wn_push(t, next);
}

/* The thread is back in the task at that place of its stack, from 1 on, and has been for an unknown
 * time: nothing told when the ones above were left. */
static inline void
wn_ev_task_return(struct wn_thread *t, uint64_t tick, uint32_t place)
{
	wn_id id = wn_stack_at(t, place);
	uint8_t *at = wn_ev_open_of(t, WN_EV_TASK_SWITCH, tick, id);
	if (at)
		wn_writer_commit(&t->w, wn_code_id(wn_code_value(at, 0), id));
	wn_stack_cut(t, place);
}

/* The task on top runs logical iterations [first, first + iterations) of its taskloop. */
static inline void
wn_ev_task_range(struct wn_thread *t, int64_t first, uint64_t iterations)
{
	if (!wn_ev_room(t))
		return;
	uint8_t *at = wn_code_event(t->w.next, WN_EV_TASK_RANGE);
	at = wn_code_value(at, wn_zigzag(first));
	wn_writer_commit(&t->w, wn_code_value(at, iterations));
}

static inline void
wn_ev_taskloop_begin(struct wn_thread *t, uint64_t tick, const void *site, uint32_t flags,
                     uint64_t trip_count, uint64_t n_tasks)
{
	uint8_t *at = wn_ev_open_at(t, WN_EV_TASKLOOP_BEGIN, tick, site, flags);
	if (at)
		wn_writer_commit(&t->w, wn_code_value(wn_code_value(at, trip_count), n_tasks));
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

/* --- dependences, mutual exclusion, cancellation --- */

/* A depend clause of the task or waitpoint that this thread has begun to create last. */
static inline void
wn_ev_depend(struct wn_thread *t, enum wn_depend_kind kind, const void *address)
{
	if (!wn_ev_room(t))
		return;
	uint8_t *at = wn_code_event(t->w.next, WN_EV_DEPEND);
	at = wn_code_value(at, (uint64_t)kind);
	wn_writer_commit(&t->w, wn_code_value(at, (uint64_t)(uintptr_t)address));
}

static inline void
wn_ev_mutex_wait(struct wn_thread *t, uint64_t tick, const void *site, enum wn_mutex_kind kind,
                 uint64_t mutex)
{
	uint8_t *at = wn_ev_open_at(t, WN_EV_MUTEX_WAIT, tick, site, (uint32_t)kind);
	if (at)
		wn_writer_commit(&t->w, wn_code_value(at, mutex));
}

static inline void
wn_ev_mutex_acquired(struct wn_thread *t, uint64_t tick)
{
	wn_ev_plain(t, WN_EV_MUTEX_ACQUIRED, tick);
}

static inline void
wn_ev_mutex_released(struct wn_thread *t, uint64_t tick, const void *site, enum wn_mutex_kind kind,
                     uint64_t mutex)
{
	uint8_t *at = wn_ev_open_at(t, WN_EV_MUTEX_RELEASED, tick, site, (uint32_t)kind);
	if (at)
		wn_writer_commit(&t->w, wn_code_value(at, mutex));
}

/* `flags`: enum wn_cancel_flag */
static inline void
wn_ev_cancel(struct wn_thread *t, uint64_t tick, const void *site, uint32_t flags)
{
	wn_ev_at(t, WN_EV_CANCEL, tick, site, flags);
}

static inline void
wn_ev_task_fulfill(struct wn_thread *t, uint64_t tick, wn_id id)
{
	uint8_t *at = wn_ev_open(t, WN_EV_TASK_FULFILL, tick);
	if (at)
		wn_writer_commit(&t->w, wn_code_id(at, id));
}

/* --- what the program says of itself --- */

/* Tells the text of a name, in pieces. Not on a hot path: once for each name. */
static inline void
wn_ev_name(struct wn_thread *t, uint32_t name, const char *text)
{
	size_t n_bytes = strlen(text) + 1;
	for (size_t from = 0; from < n_bytes && wn_ev_room(t); from += 32) {
		uint64_t part[4] = {0};
		memcpy(part, text + from, n_bytes - from < 32 ? n_bytes - from : 32);
		uint8_t *at = wn_code_value(wn_code_event(t->w.next, WN_EV_NAME), name);
		for (unsigned i = 0; i < 4; i++)
			at = wn_code_value(at, part[i]);
		wn_writer_commit(&t->w, at);
	}
}

/* What is at a site: a line of the file of that name. */
static inline void
wn_ev_place(struct wn_thread *t, const void *site, uint32_t aux, uint32_t file, uint32_t line)
{
	if (!wn_ev_room(t))
		return;
	uint8_t *at = wn_code_event(t->w.next, WN_EV_PLACE);
	at = wn_code_site(&t->w, at, (uint64_t)(uintptr_t)site, aux);
	at = wn_code_value(at, file);
	wn_writer_commit(&t->w, wn_code_value(at, line));
}

static inline void
wn_ev_mark_begin(struct wn_thread *t, uint64_t tick, const void *site, uint32_t name)
{
	uint8_t *at = wn_ev_open_at(t, WN_EV_MARK_BEGIN, tick, site, 0);
	if (at)
		wn_writer_commit(&t->w, wn_code_value(at, name));
}

static inline void
wn_ev_mark_end(struct wn_thread *t, uint64_t tick)
{
	wn_ev_plain(t, WN_EV_MARK_END, tick);
}

static inline void
wn_ev_label(struct wn_thread *t, uint32_t name)
{
	if (wn_ev_room(t))
		wn_writer_commit(&t->w, wn_code_value(wn_code_event(t->w.next, WN_EV_LABEL), name));
}

/* --- worksharing --- */

/* Sections, single, workshare, and loops of which nothing more is known. `count` as OMPT's. */
static inline void
wn_ev_work_begin(struct wn_thread *t, uint64_t tick, const void *site, uint32_t kind_and_flags,
                 uint64_t count)
{
	t->chunk_next = 0;
	t->n_works++;
	uint8_t *at = wn_ev_open_at(t, WN_EV_WORK_BEGIN, tick, site, kind_and_flags);
	if (at)
		wn_writer_commit(&t->w, wn_code_value(at, count));
}

/* A loop with user-visible lower bound and step; chunk 0 = none given. */
static inline void
wn_ev_loop_begin(struct wn_thread *t, uint64_t tick, const void *site, uint32_t kind_and_flags,
                 uint64_t trip_count, int64_t lower, int64_t step, uint64_t chunk)
{
	t->chunk_next = 0;
	t->n_works++;
	uint8_t *at =
	    wn_ev_open_at(t, WN_EV_LOOP_BEGIN, tick, site, kind_and_flags | WN_LOOP_BOUNDS);
	if (!at)
		return;
	at = wn_code_value(at, trip_count);
	at = wn_code_value(at, wn_zigzag(lower));
	at = wn_code_value(at, wn_zigzag(step));
	wn_writer_commit(&t->w, wn_code_value(at, chunk));
}

/* A loop that is computed in line, in numbers from 0 by 1. */
static inline void
wn_ev_counted_begin(struct wn_thread *t, uint64_t tick, const void *site, uint32_t kind_and_flags,
                    uint64_t trip_count, uint64_t chunk)
{
	(void)chunk;
	wn_ev_work_begin(t, tick, site, kind_and_flags, trip_count);
}

/* A loop of which nothing is known yet is told all the same. */
enum { WN_TELLS_UNKNOWN_LOOPS = 1 };

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
	uint8_t *at = wn_ev_open(t, WN_EV_CHUNK_BEGIN, tick);
	if (at) {
		at = wn_code_value(at, wn_zigzag((int64_t)(first - t->chunk_next)));
		wn_writer_commit(&t->w, wn_code_value(at, iterations));
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
	uint8_t *at = wn_ev_open(t, WN_EV_STATIC_BEGIN, tick);
	t->n_ids += n_chunks;
	if (!at)
		return;
	at = wn_code_value(at, first);
	at = wn_code_value(at, n_chunks);
	at = wn_code_value(at, chunk);
	at = wn_code_value(at, stride);
	wn_writer_commit(&t->w, wn_code_value(at, last));
}

static inline wn_id
wn_ev_section_begin(struct wn_thread *t, uint64_t tick, uint64_t number)
{
	wn_ev_cpu(t);
	uint8_t *at = wn_ev_open(t, WN_EV_SECTION_BEGIN, tick);
	if (at)
		wn_writer_commit(&t->w, wn_code_value(at, number));
	return wn_new_id(t);
}

/* Something here could not be observed. Not on a hot path. */
static inline void
wn_ev_note(struct wn_thread *t, const void *site, enum wn_note note, uint64_t count)
{
	if (!wn_ev_room(t))
		return;
	uint8_t *at = wn_code_event(t->w.next, WN_EV_NOTE);
	at = wn_code_site(&t->w, at, (uint64_t)(uintptr_t)site, (uint32_t)note);
	wn_writer_commit(&t->w, wn_code_value(at, count));
}

#endif /* WN_RECORD_H */
