/* SPDX-License-Identifier: MIT */
/* recorder.h - the recorder's slow path, called by sources inside the target process: start and end
 * of recording, names and pauses. The event path is emit.h. */
#pragma once

#include "record/thread.h"
#include "record/unseen.h"

/* --- life (life.c) ----------------------------------------------------------------------- */

/* Announces that a source has found its runtime; opens the trace on the first call. `runtime` is
 * its name for display, e.g. "libomp /usr/lib/libomp.so.5". Slow; thread-safe; idempotent. Returns
 * false if this process cannot record (no output given, file refused, already dead) or not through
 * this source. */
bool wn_recorder_start(enum wn_source_bit source, const char *runtime);

/* True if another thread is starting it and this one may not wait any longer. */
static inline bool
wn_recorder_is_starting(void)
{
	return false;
}

#define WN_RUNTIME_BYTES 256u

/* Tells, before the start, how many CPUs the runtime found for the process: it may have bound the
 * thread that starts the recorder to one of them. */
void wn_recorder_cpus(int n);

/* Records that the process uses this runtime, named as in wn_recorder_start(): a process may use
 * several, and the header names the first one only. Slow; thread-safe; idempotent. */
void wn_recorder_runtime(const char *runtime);

/* Marks the trace closed and stores the last clock pair. Further events are still stored. */
void wn_recorder_finish(void);

/* The runtime has shut down, as libomp does when its resources are released or the process ends.
 * The trace stays open, since the program may continue. `is_unwatched`: later constructs cannot be
 * observed, which the trace records. Slow. */
void wn_recorder_runtime_ended(bool is_unwatched);

/* Counts, in the trace's header, a construct that ran after that without events. `source` and
 * `runtime` as in wn_recorder_start(): a forked child gets a trace here. Not counted while
 * recording is paused. Slow; thread-safe. */
void wn_recorder_unseen(enum wn_unseen what, enum wn_source_bit source, const char *runtime);

/* Ends the recording because memory is exhausted; what was recorded so far is kept. Thread-safe. */
void wn_recorder_out_of_memory(void);

/* The calling thread's state, attached on first use; NULL when not recording. Slow path. */
struct wn_thread *wn_thread_attach(void);

/* Copies the window to the file and empties it. True if there is room again. */
bool wn_thread_flush(struct wn_thread *t);
/* Takes the number of polls that are kept open (struct wn_polls), 0 if there are none, and makes
 * room again; the second one also records their end. */
uint64_t wn_polls_take(struct wn_thread *t);
void wn_polls_end(struct wn_thread *t);

/* Copies the window before it is full: from then on its hash protects it. */
bool wn_thread_seal(struct wn_thread *t);

/* Detects code loaded late: call with an address seen for the first time. */
void wn_modules_record_address(uint64_t addr);

/* Value of WINNOW_SOURCE. */
const char *wn_source_name(enum wn_source_bit source);
/* Does WINNOW_SOURCE require OMPT with its extension for grains? */
bool wn_source_is_grain(void);

/* Are events of this source recorded? WINNOW_SOURCE selects one (ompt, ompt-grain, libgomp or
 * pomp2); otherwise an instrumented program is recorded through its instrumentation alone, and
 * other programs through any source. */
bool wn_source_is_wanted(enum wn_source_bit source);

/* Number of traces started by this process, which distinguishes a forked child's trace from its
 * parent's. */
extern uint32_t wn_trace_generation __attribute__((visibility("hidden")));

/* --- names and pauses (notes.c) --------------------------------------------------------------- */

/* The next number for a name. */
uint32_t wn_name_new(void);

/* Pauses or resumes the recording of regions that start outside all regions. `t` may be NULL. Each
 * thread's stream records the change when the thread next checks whether a region is wanted. */
void wn_pause(struct wn_thread *t, const void *site);
void wn_resume(struct wn_thread *t, const void *site);
extern _Atomic bool wn_is_paused __attribute__((visibility("hidden")));
/* Set once: wn_resume() has no effect from then on. */
extern _Atomic bool wn_is_over __attribute__((visibility("hidden")));

/* Slow: records in the stream whether recording is paused, if the stream does not contain that
 * yet. */
void wn_record_silence(struct wn_thread *t, const void *site);

/* Slow: wn_region_is_wanted() while recording is paused or was paused last. */
bool wn_region_is_recorded(struct wn_thread *t, const void *site);

/* The calling thread enters or leaves an unrecorded region, inside which wn_thread_self() and
 * wn_self are NULL. Regions nest. Runtimes do not report when a worker leaves; wn_unmute_all()
 * resets it. None of these is an event. */
void wn_mute(void);
void wn_unmute(void);
void wn_unmute_all(void);
extern __thread uint32_t wn_n_muted
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Is this thread in an unrecorded region? `t` may be NULL. */
static inline bool
wn_is_muted(const struct wn_thread *t)
{
	return wn_n_muted > 0 || (t && t->n_muted > 0);
}

/* Number of open named regions of the calling thread that are not recorded. */
extern __thread uint32_t wn_n_marks_skipped
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Called when a stream starts for the calling thread, if mark/ has set it. */
extern void (*_Atomic wn_on_attach)(struct wn_thread *t) __attribute__((visibility("hidden")));
