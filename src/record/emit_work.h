/* SPDX-License-Identifier: MIT */
/* emit_work.h - events of worksharing, and notes about events that could not be observed. */
#pragma once

#include "record/window.h"

/* --- worksharing --- */

/* Sections, single, workshare, and loops of unknown bounds. `count` as in OMPT. */
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

/* A loop computed in line, counted from 0 by 1. */
static inline void
wn_ev_counted_begin(struct wn_thread *t, uint64_t tick, const void *site, uint32_t kind_and_flags,
                    uint64_t trip_count, uint64_t chunk)
{
	(void)chunk;
	wn_ev_work_begin(t, tick, site, kind_and_flags, trip_count);
}

/* Records a loop whose bounds are not known yet. */
enum { WN_REPORTS_UNKNOWN_LOOPS = 1 };

/* Leaves the single, masked, sections, scope or loop entered last. */
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

/* This thread's share of a static loop, whose individual chunks cannot be timed: n_chunks chunks of
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

/* Notes that something could not be observed at this site. Slow path. */
static inline void
wn_ev_note(struct wn_thread *t, const void *site, enum wn_note note, uint64_t count)
{
	if (!wn_ev_room(t))
		return;
	uint8_t *at = wn_code_event(t->w.next, WN_EV_NOTE);
	at = wn_code_site(&t->w, at, (uint64_t)(uintptr_t)site, (uint32_t)note);
	wn_writer_commit(&t->w, wn_code_value(at, count));
}
