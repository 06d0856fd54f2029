/* SPDX-License-Identifier: MIT */
/* window.h - writes a record to the calling thread's window: room, code and time, site, end. */
#pragma once

#include "record/clock.h"
#include "record/recorder.h"

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

/* counters/count.c: records the counter values read at `tick`, before the record about to be
 * written, and informs the backend which grain runs next. `detail` is the task that the record
 * starts or resumes, or the aux of its site. False: no room left. Slow; may make system calls. */
bool wn_count(struct wn_thread *t, enum wn_event_code code, uint64_t tick, uint64_t detail);

/* Starts a timed record; passes `detail` to wn_count(). Returns the position after its code and
 * time; NULL means dropped. */
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

/* A complete record with only a time. */
static inline void
wn_ev_plain(struct wn_thread *t, enum wn_event_code code, uint64_t tick)
{
	uint8_t *at = wn_ev_open(t, code, tick);
	if (at)
		wn_writer_commit(&t->w, at);
}

/* A complete record with a time and a site. */
static inline void
wn_ev_at(struct wn_thread *t, enum wn_event_code code, uint64_t tick, const void *site,
         uint32_t aux)
{
	uint8_t *at = wn_ev_open_at(t, code, tick, site, aux);
	if (at)
		wn_writer_commit(&t->w, at);
}

/* Encodes a task, implicit task or region by its two parts. */
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
