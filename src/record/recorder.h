/* SPDX-License-Identifier: MIT */
/*
 * recorder.h - the slow half of what a source calls, from inside somebody else's program: when
 * recording starts and ends, and what the program says of it. The event path is emit.h.
 */
#ifndef WN_RECORD_H
#define WN_RECORD_H

#include "record/thread.h"
#include "record/unseen.h"

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

#endif /* WN_RECORD_H */
