/* SPDX-License-Identifier: MIT */
/* emit_facts.h - events of dependences, mutual exclusion and cancellation, and annotations by the
 * program. */
#pragma once

#include "record/window.h"

#include <string.h>

/* --- dependences, mutual exclusion, cancellation --- */

/* A depend clause of the task or waitpoint created last on this thread. */
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

/* --- MPI --- */

/* `name`: number of the function's name. */
static inline void
wn_ev_mpi_begin(struct wn_thread *t, uint64_t tick, const void *site, uint32_t name)
{
	uint8_t *at = wn_ev_open_at(t, WN_EV_MPI_BEGIN, tick, site, 0);
	if (at)
		wn_writer_commit(&t->w, wn_code_value(at, name));
}

/* `known`: enum wn_mpi_known */
static inline void
wn_ev_mpi_message(struct wn_thread *t, uint32_t known, uint64_t bytes, int64_t peer, int64_t tag,
                  uint64_t communicator)
{
	if (!wn_ev_room(t))
		return;
	uint8_t *at = wn_code_value(wn_code_event(t->w.next, WN_EV_MPI_MESSAGE), known);
	at = wn_code_value(at, bytes);
	at = wn_code_value(at, wn_zigzag(peer));
	at = wn_code_value(at, wn_zigzag(tag));
	wn_writer_commit(&t->w, wn_code_value(at, communicator));
}

static inline void
wn_ev_mpi_receive(struct wn_thread *t, uint32_t known, int64_t peer, int64_t tag)
{
	if (!wn_ev_room(t))
		return;
	uint8_t *at = wn_code_value(wn_code_event(t->w.next, WN_EV_MPI_RECEIVE), known);
	at = wn_code_value(at, wn_zigzag(peer));
	wn_writer_commit(&t->w, wn_code_value(at, wn_zigzag(tag)));
}

static inline void
wn_ev_mpi_post(struct wn_thread *t, uint64_t request)
{
	if (wn_ev_room(t))
		wn_writer_commit(&t->w,
		                 wn_code_value(wn_code_event(t->w.next, WN_EV_MPI_POST), request));
}

static inline void
wn_ev_mpi_done(struct wn_thread *t, uint32_t known, int64_t peer, int64_t tag, uint64_t request)
{
	if (!wn_ev_room(t))
		return;
	uint8_t *at = wn_code_value(wn_code_event(t->w.next, WN_EV_MPI_DONE), known);
	at = wn_code_value(at, wn_zigzag(peer));
	at = wn_code_value(at, wn_zigzag(tag));
	wn_writer_commit(&t->w, wn_code_value(at, request));
}

static inline void
wn_ev_mpi_polls(struct wn_thread *t, uint64_t n_calls)
{
	if (wn_ev_room(t))
		wn_writer_commit(&t->w,
		                 wn_code_value(wn_code_event(t->w.next, WN_EV_MPI_POLLS), n_calls));
}

static inline void
wn_ev_mpi_communicator(struct wn_thread *t, uint64_t number, uint64_t identity, uint32_t rank,
                       uint32_t size)
{
	if (!wn_ev_room(t))
		return;
	uint8_t *at = wn_code_value(wn_code_event(t->w.next, WN_EV_MPI_COMMUNICATOR), number);
	at = wn_code_value(at, identity);
	at = wn_code_value(at, rank);
	wn_writer_commit(&t->w, wn_code_value(at, size));
}

static inline void
wn_ev_mpi_end(struct wn_thread *t, uint64_t tick)
{
	wn_ev_plain(t, WN_EV_MPI_END, tick);
}

/* --- annotations by the program --- */

/* Records the text of a name, in pieces. Slow path: once for each name. */
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

/* Records the source line of a site; `name` is the file. */
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
