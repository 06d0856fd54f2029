/* SPDX-License-Identifier: MIT */
/*
 * sync.c - waiting: taskwait, taskgroup, barrier, taskyield; and the scope construct, which shares
 * its end with task reductions.
 *
 * GCC 16 and older call GOMP_barrier for explicit barriers and for the end of static loops and
 * single alike; GCC 17 has a call for each.
 */
#include "record/sources/libgomp/depend.h"
#include "record/sources/libgomp/event.h"
#include "record/sources/libgomp/work.h"

/* Waits nest tasks as deep as the program recurses. So waits for tasks keep one register on the
 * stack: other functions are called before them, or jumped to after them. */
struct wait {
	struct wn_thread *t; /* NULL: not recorded */
	void (*real)(void);
};

#ifdef WN_PROVIDE
#define WAIT_ENTER(name, kind)                                                                     \
	GOMP_ENTER(name);                                                                          \
	struct wait wait = {t, real};                                                              \
	if (t)                                                                                     \
	gomp_sync_begin(t, site, kind)
#else
#define WAIT_ENTER(name, kind)                                                                     \
	const struct wait wait = wait_begin(__builtin_return_address(0), GOMP_INDEX_##name, kind)

static __attribute__((noinline, cold)) struct wait
wait_begin_slowly(const void *site, enum gomp_index index, enum wn_sync_kind kind)
{
	const struct gomp_caller caller = gomp_caller_of(site);
	struct wn_thread *t = caller.module->is_recorded ? gomp_self() : NULL;
	if (t)
		wn_ev_sync_begin(t, wn_clock(), caller.site, kind);
	return (struct wait){t, caller.module->real[index]};
}

static inline __attribute__((always_inline)) struct wait
wait_begin(const void *site, enum gomp_index index, enum wn_sync_kind kind)
{
	const struct gomp_caller caller = gomp_caller_known(site);
	struct wn_thread *t = wn_self;
	if (__builtin_expect(caller.module && t && wn_quick(t), 1)) {
		unsigned place = wn_quick_site(t, site, (uint32_t)kind);
		if (__builtin_expect(place != WN_SITE_TABLE_N, 1)) {
			wn_quick_at(t, WN_EV_SYNC_BEGIN, wn_quick_clock(), place);
			return (struct wait){t, caller.module->real[index]};
		}
	}
	return wait_begin_slowly(site, index, kind);
}
#endif

static __attribute__((noinline)) void
taskwait_end(struct wn_thread *t)
{
	if (gomp_is_same(t))
		gomp_taskwait_end(t);
}

static __attribute__((noinline)) void
wait_end(struct wn_thread *t)
{
	if (gomp_is_same(t))
		gomp_sync_end(t);
}

GOMP_ENTRY(void, GOMP_taskwait, void)
{
	WAIT_ENTER(GOMP_taskwait, WN_SYNC_TASKWAIT);
	if (!wait.t) {
		wait.real();
		return;
	}
	wait.real();
	taskwait_end(wait.t);
}

static __attribute__((noinline)) void
depend_wait_begin(struct wn_thread *t, const void *site, void **depend)
{
	gomp_depend_wait_begin(t, wn_clock(), site, 0, depend);
}

/* Waits for some children only, so it is not a join: a waitpoint, and the wait for it. */
GOMP_ENTRY(void, GOMP_taskwait_depend, void **depend)
{
	GOMP_ENTER(GOMP_taskwait_depend);
	if (!t) {
		real(depend);
		return;
	}
	depend_wait_begin(t, site, depend);
	real(depend);
	wait_end(t);
}

GOMP_ENTRY(void, GOMP_taskyield, void)
{
	GOMP_ENTER(GOMP_taskyield);
	if (!t) {
		real();
		return;
	}
	gomp_sync_begin(t, site, WN_SYNC_TASKYIELD);
	real();
	if (gomp_is_same(t))
		gomp_sync_end(t);
}

GOMP_ENTRY(void, GOMP_taskgroup_start, void)
{
	GOMP_ENTER(GOMP_taskgroup_start);
	if (t)
		gomp_at(t, WN_EV_GROUP_BEGIN, site, 0);
	real();
}

GOMP_ENTRY(void, GOMP_taskgroup_end, void)
{
	WAIT_ENTER(GOMP_taskgroup_end, WN_SYNC_TASKGROUP);
	if (!wait.t) {
		wait.real();
		return;
	}
	wait.real();
	wait_end(wait.t);
}

static inline void
barrier_begin(struct wn_thread *t, const void *site, enum wn_sync_kind kind)
{
	uint64_t tick = wn_clock();
	/* a loop reports its own end, or ends here; one with linear begins with a barrier */
	if (!t->loop.is_open || t->loop.is_own || (t->source_flags & GOMP_LOOP_STATIC))
		gomp_work_close(t, tick);
	wn_ev_sync_begin(t, tick, site, kind);
}

GOMP_ENTRY(void, GOMP_barrier, void)
{
	GOMP_ENTER(GOMP_barrier);
	if (!t) {
		real();
		return;
	}
	barrier_begin(t, site, WN_SYNC_BARRIER_EXPLICIT);
	real();
	if (gomp_is_same(t))
		gomp_sync_end(t);
}

GOMP_ENTRY(bool, GOMP_barrier_cancel, void)
{
	GOMP_ENTER(GOMP_barrier_cancel);
	if (t)
		barrier_begin(t, site, WN_SYNC_BARRIER_EXPLICIT);
	bool is_cancelled = real();
	if (gomp_is_same(t))
		gomp_sync_end(t);
	gomp_cancel_seen(t, site, WN_CANCEL_PARALLEL, is_cancelled);
	return is_cancelled;
}

/* Values of `kind`. */
enum {
	BARRIER_START = 0, /* at the start of a parallel or teams construct */
	BARRIER_WORK = 1,  /* of a worksharing construct */
	BARRIER_EXPLICIT = 2
};

static inline enum wn_sync_kind
kind_of(int kind)
{
	if (kind == BARRIER_EXPLICIT)
		return WN_SYNC_BARRIER_DIRECTIVE;
	return kind == BARRIER_START ? WN_SYNC_BARRIER_START : WN_SYNC_BARRIER_IMPLICIT;
}

GOMP_ENTRY(void, GOMP_barrier_ext, int kind)
{
	GOMP_ENTER(GOMP_barrier_ext);
	if (!t) {
		real(kind);
		return;
	}
	barrier_begin(t, site, kind_of(kind));
	real(kind);
	if (gomp_is_same(t))
		gomp_sync_end(t);
}

GOMP_ENTRY(bool, GOMP_barrier_cancel_ext, int kind)
{
	GOMP_ENTER(GOMP_barrier_cancel_ext);
	if (t)
		barrier_begin(t, site, kind_of(kind));
	bool is_cancelled = real(kind);
	if (gomp_is_same(t))
		gomp_sync_end(t);
	gomp_cancel_seen(t, site, WN_CANCEL_PARALLEL, is_cancelled);
	return is_cancelled;
}

/* Called only for a scope with task reductions. */
GOMP_ENTRY(void, GOMP_scope_start, uintptr_t *reductions)
{
	GOMP_ENTER(GOMP_scope_start);
	if (t) {
		uint64_t tick = wn_clock();
		gomp_work_close(t, tick);
		wn_ev_work_begin(t, tick, site, WN_WORK_SCOPE, 1);
		t->source_flags = GOMP_OPEN_SCOPE;
	}
	real(reductions);
}

/* Called for each scope; `reductions` is NULL without task reductions. A scope may contain other
 * constructs. */
GOMP_ENTRY(void, GOMP_scope_start_with_end, uintptr_t *reductions)
{
	GOMP_ENTER(GOMP_scope_start_with_end);
	if (t) {
		uint64_t tick = wn_clock();
		gomp_work_close(t, tick);
		wn_ev_work_begin(t, tick, site, WN_WORK_SCOPE, 1);
		t->ends.n_scopes++;
	}
	real(reductions);
}

/* Before the barrier. */
GOMP_ENTRY(void, GOMP_scope_end, void)
{
	GOMP_ENTER(GOMP_scope_end);
	if (t && t->ends.n_scopes > 0) {
		uint64_t tick = wn_clock();
		gomp_work_close(t, tick);
		wn_ev_work_end(t, tick);
		t->ends.n_scopes--;
	}
	real();
}

/* Ends a loop, sections or scope with task reductions; holds its barrier. */
GOMP_ENTRY(void, GOMP_workshare_task_reduction_unregister, bool is_cancelled)
{
	GOMP_ENTER(GOMP_workshare_task_reduction_unregister);
	if (t)
		barrier_begin(t, site, WN_SYNC_BARRIER_IMPLICIT);
	real(is_cancelled);
	if (gomp_is_same(t))
		gomp_sync_end(t);
}
