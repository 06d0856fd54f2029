/* SPDX-License-Identifier: MIT */
/* emit_tasks.h - events of parallel regions, tasks and waits. */
#pragma once

#include "record/emit_quick.h"
#include "record/task_stack.h"
#include "record/window.h"

#include <stdatomic.h>

/* --- parallel regions --- */

/* Should a region that starts here be recorded? Not while recording is paused, except inside a
 * recorded region. Marks an unrecorded region in the stream. */
static inline bool
wn_region_is_wanted(struct wn_thread *t, const void *site)
{
	bool is_paused = atomic_load_explicit(&wn_is_paused, memory_order_relaxed);
	return __builtin_expect(!is_paused && !t->is_paused, 1) || wn_region_is_recorded(t, site);
}

/* Returns the region's reference, to be passed to wn_ev_implicit_begin on every team thread. */
static inline uint64_t
wn_ev_region_begin(struct wn_thread *t, uint64_t tick, const void *site, uint32_t region_flags,
                   uint32_t requested)
{
	wn_modules_record_address((uint64_t)(uintptr_t)site);
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
		wn_record_silence(t, NULL);
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
	if (__builtin_expect(wn_switches_are_many(&t->switches), 0))
		wn_switches_relieve(t);
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

/* A creation whose parent, according to the runtime, is not the task on top of the stack. */
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

/* The task starts or resumes on this thread. */
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

/* For switches that do not follow the stack. Afterwards the stack contains only `next`. */
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

/* The thread has returned to the task at this stack position (from 1 on) at an unknown time: no
 * event reported when it left the tasks above. */
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
	if (wn_ev_room(t))
		wn_quick_task_range(t, first, iterations);
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

/* Kinds of barriers that only an OMPT tool distinguishes from the others. */
#define WN_SYNC_BARRIER_DIRECTIVE WN_SYNC_BARRIER_EXPLICIT /* surely an explicit one */
#define WN_SYNC_BARRIER_START     WN_SYNC_BARRIER_IMPLICIT /* where a construct starts */

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
