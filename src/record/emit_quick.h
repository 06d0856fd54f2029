/* SPDX-License-Identifier: MIT */
/*
 * emit_quick.h - the fast path.
 *
 * A callback that calls no function needs no saved registers. After wn_quick() has returned true,
 * WN_WRITER_BURST records can be written by the functions below, which never flush and never add a
 * site. In all other cases the source takes the ordinary path, from the start.
 */
#pragma once

#include "record/window.h"

static inline bool
wn_quick(const struct wn_thread *t)
{
	return __builtin_expect(wn_clock_is_bare, 1) && wn_writer_room(&t->w);
}

/* Reads the clock; only after wn_quick() has returned true. */
static inline uint64_t
wn_quick_clock(void)
{
	return wn_ticks();
}

/* Index of the site for wn_quick_at(); WN_SITE_TABLE_N if the fast path cannot be used. */
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

/* As wn_ev_task_range(). */
static inline void
wn_quick_task_range(struct wn_thread *t, int64_t first, uint64_t iterations)
{
	uint8_t *at = wn_code_event(t->w.next, WN_EV_TASK_RANGE);
	at = wn_code_value(at, wn_zigzag(first));
	wn_writer_commit(&t->w, wn_code_value(at, iterations));
}
