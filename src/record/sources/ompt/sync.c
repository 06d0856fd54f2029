/* SPDX-License-Identifier: MIT */
/*
 * sync.c - barriers, taskwaits, taskgroups.
 *
 * Every wait sends sync_region and, inside it, sync_region_wait. One pair is enough, except for
 * taskgroups, whose region is the group and whose wait is its end.
 */
#include "record/sources/ompt/callbacks.h"
#include "record/sources/ompt/grain.h"

static inline bool
is_known(ompt_sync_region_t kind)
{
	return (unsigned)kind - 1 < WN_OMPT_SYNC_BARRIER_TEAMS;
}

static inline bool
is_barrier(ompt_sync_region_t kind)
{
	return kind != (ompt_sync_region_t)WN_OMPT_SYNC_TASKWAIT &&
	       kind != (ompt_sync_region_t)WN_OMPT_SYNC_TASKGROUP &&
	       kind != (ompt_sync_region_t)WN_OMPT_SYNC_REDUCTION;
}

/* libomp 14 has one kind for all implicit barriers. For the last one of a region, a worker gets no
 * address and the master that of the region; addresses of the others lie inside the region's
 * code. */
static enum wn_sync_kind
implicit_kind(const struct wn_thread *t, const void *codeptr)
{
	bool is_own = t->source_depth > 0 && codeptr == t->source_ptr[PTR_REGION_SITE];
	return is_own || !codeptr ? WN_SYNC_BARRIER_REGION : WN_SYNC_BARRIER_IMPLICIT;
}

static enum wn_sync_kind
sync_kind(const struct wn_thread *t, ompt_sync_region_t kind, const void *codeptr)
{
	switch ((unsigned)kind) {
	case WN_OMPT_SYNC_TASKWAIT:
		return WN_SYNC_TASKWAIT;
	case WN_OMPT_SYNC_BARRIER_EXPLICIT:
		return WN_SYNC_BARRIER_EXPLICIT;
	case WN_OMPT_SYNC_BARRIER_PARALLEL:
		return WN_SYNC_BARRIER_REGION;
	case WN_OMPT_SYNC_BARRIER_TEAMS:
		return WN_SYNC_BARRIER_TEAMS;
	case WN_OMPT_SYNC_BARRIER_IMPLEMENTATION: /* gcc uses one entry point for both */
		return wn_ompt_grain.is_libgomp ? WN_SYNC_BARRIER_EXPLICIT
		                                : WN_SYNC_BARRIER_IMPLICIT;
	case WN_OMPT_SYNC_BARRIER_IMPLICIT:
		return implicit_kind(t, codeptr);
	default:
		return WN_SYNC_BARRIER_IMPLICIT;
	}
}

/* The user's code, also when a wrapper of ours made the call. */
static const void *
sync_site(const struct wn_thread *t, const void *codeptr)
{
	const struct source_taskloop *loop = taskloop_of(t);

	if (loop && range_has(&wn_ompt_own_range, codeptr))
		return loop->site;
	return user_code_or_null(codeptr);
}

/* Barriers and reductions are sited in the region's code: for a region in tail position that is its
 * outlined function. The last barrier is sited at the region, which a worker's event does not
 * contain. */
static const void *
barrier_site(const void *codeptr, enum wn_sync_kind kind, const ompt_data_t *parallel)
{
	bool is_behind = kind == WN_SYNC_BARRIER_REGION && wn_ompt_grain.is_libgomp;
	if (is_user_code(codeptr) && !(is_behind && parallel && parallel->value))
		return codeptr;
	if (!parallel || !parallel->value)
		return NULL;
	return kind == WN_SYNC_BARRIER_REGION ? source_region_site(parallel->value)
	                                      : source_region_function(parallel->value);
}

static void
sync_begin(struct wn_thread *t, ompt_sync_region_t kind, const ompt_data_t *parallel,
           const void *codeptr)
{
	uint64_t tick = wn_clock();
	enum wn_sync_kind recorded = sync_kind(t, kind, codeptr);

	if (kind == (ompt_sync_region_t)WN_OMPT_SYNC_TASKGROUP) {
		wn_ompt_watch_waits();
		wn_ev_group_begin(t, tick, sync_site(t, codeptr));
		source_taskloop_open(t, tick);
		return;
	}
	if (!is_barrier(kind)) {
		wn_ev_sync_begin(t, tick, sync_site(t, codeptr), recorded);
		return;
	}
	/* libgomp's loops report their end; one with linear begins with a barrier */
	if (!wn_ompt_grain.is_libgomp || !t->loop.is_open || t->loop.is_own)
		loop_close(t, tick);
	single_close(t, tick);
	t->source_flags |= FLAG_IN_BARRIER;
	wn_ev_sync_begin(t, tick, barrier_site(codeptr, recorded, parallel), recorded);
}

/* The last barrier of a region ends for its master here; for a worker, when it is woken again. */
static WN_SLOW void
sync_slowly(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
            ompt_data_t *task, const void *codeptr)
{
	struct wn_thread *t = wn_self;

	if (!t || (t->source_flags & FLAG_MUTED) ||
	    kind == (ompt_sync_region_t)WN_OMPT_SYNC_REDUCTION)
		return;
	if (WN_UNLIKELY(!is_known(kind))) {
		ompt_note_unknown(t, codeptr);
		return;
	}
	if (task && parallel)
		source_settle(t, task->value);
	if (endpoint == ompt_scope_begin) {
		sync_begin(t, kind, parallel, codeptr);
	} else if (kind != (ompt_sync_region_t)WN_OMPT_SYNC_TASKGROUP &&
	           (parallel || t->source_depth > 0)) {
		if (is_barrier(kind))
			t->source_flags &= ~(uint32_t)FLAG_IN_BARRIER;
		/* not before the last thread came to the barrier */
		wn_ev_sync_end(t, is_barrier(kind) ? wn_clock_after() : wn_clock());
	}
}

/* A thread combines its part under a lock that has no mutex callback. A single thread does not
 * wait; in a tree reduction the enclosing barrier is the wait. */
void
ompt_on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                  ompt_data_t *task, const void *codeptr)
{
	struct wn_thread *t = wn_self;
	(void)kind;
	(void)task;

	if (!t || (t->source_flags & (FLAG_MUTED | FLAG_IN_BARRIER)) || team_size_of(t) <= 1)
		return;
	if (endpoint == ompt_scope_begin)
		wn_ev_sync_begin(t, wn_clock(), barrier_site(codeptr, WN_SYNC_REDUCTION, parallel),
		                 WN_SYNC_REDUCTION);
	else
		wn_ev_sync_end(t, wn_clock());
}

/* A taskwait at a known site: the site table contains only user code for taskwaits. */
void
ompt_on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                    ompt_data_t *task, const void *codeptr)
{
	struct wn_thread *t = wn_self;

	if (WN_LIKELY(t && kind == (ompt_sync_region_t)WN_OMPT_SYNC_TASKWAIT && wn_quick(t)) &&
	    WN_LIKELY(parallel && task && task->value == wn_stack_peek(t, 0) &&
	              !(t->source_flags & FLAG_MUTED))) {
		if (endpoint == ompt_scope_end) {
			wn_quick_plain(t, WN_EV_SYNC_END, wn_quick_clock());
			return;
		}
		unsigned place = wn_quick_site(t, codeptr, WN_SYNC_TASKWAIT);
		if (WN_LIKELY(place != WN_SITE_TABLE_N)) {
			wn_quick_at(t, WN_EV_SYNC_BEGIN, wn_quick_clock(), place);
			return;
		}
	}
	sync_slowly(kind, endpoint, parallel, task, codeptr);
}

void
ompt_on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                         ompt_data_t *parallel, ompt_data_t *task, const void *codeptr)
{
	struct wn_thread *t;
	(void)parallel;

	if (WN_LIKELY(kind != (ompt_sync_region_t)WN_OMPT_SYNC_TASKGROUP) || !(t = wn_self))
		return;
	if (task)
		source_settle(t, task->value);
	uint64_t tick = wn_clock();
	if (endpoint == ompt_scope_end) {
		wn_ev_sync_end(t, tick);
		return;
	}
	source_taskloop_close(t, tick);
	wn_ev_sync_begin(t, tick, sync_site(t, codeptr), WN_SYNC_TASKGROUP);
}
