/* SPDX-License-Identifier: MIT */
/*
 * emit.h - the event path called by sources: writes events to blocks.
 *
 *   source (OMPT callback, libgomp wrapper, ...)
 *     -> wn_thread_self()          the calling thread's recorder state, NULL when not recording
 *     -> wn_ev_...(t, tick, ...)   one record in the thread's window (trace/trace_format.h)
 *
 * Rules of the event path: no allocation, no lock, no system call, no output, no failure. When the
 * window is full, wn_thread_flush() copies it to the file with one write; when that is impossible
 * the record is dropped and counted. Nothing here may be called from a signal handler.
 *
 * Ticks come from wn_clock(), which also reads the counters, if there are any (record/counters):
 * their values are recorded before the record that has the tick. All functions of one thread must
 * be called on that thread. An id is thread index << 32 | number and is never 0 for a task (see
 * trace/events.def). Ids are taken after room is made, so that a block's header always counts the
 * ids before its records.
 *
 *   thread.h   what is known of a thread      emit_tasks.h   regions, tasks, waits
 *   clock.h    instants                       emit_work.h    worksharing
 *   window.h   one record                     emit_facts.h   dependences, locks, names
 *   task_stack.h    which task is running          emit_quick.h   the short cut
 */
#pragma once

#include "record/emit_facts.h"
#include "record/emit_quick.h"
#include "record/emit_tasks.h"
#include "record/emit_work.h"
#include "record/resolve.h"

/* --- only used by the other listener (ompt/events.h) --- */

/* A wrapper is entered. */
#define WN_CALLED(t, site) ((void)0)

/* All depend clauses have been reported. */
static inline void
wn_ev_depends_end(struct wn_thread *t)
{
	(void)t;
}

/* Time at which a creation begins. */
static inline uint64_t
wn_stamp(void)
{
	return wn_clock();
}

/* More chunks than this on one thread become one grain: ids have 32 bits, and such numbers are not
 * readable. */
#define WN_STATIC_CHUNKS_MAX 65536u

/* The n-th task of a taskloop after its first one. */
static inline wn_id
wn_id_nth(wn_id first, uint64_t n)
{
	return first + n;
}

/* Value that increases from one creation to the next. */
static inline uint64_t
wn_birth(uint64_t tick)
{
	return tick;
}
