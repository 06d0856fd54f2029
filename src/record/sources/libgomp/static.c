/* SPDX-License-Identifier: MIT */
/*
 * static.c - static loops, distribute and masked of programs compiled by GCC 17 with -fopenmp-ompt.
 * The program computes the iterations itself, and calls functions only to report them:
 *
 *   basic        n = _start(iterations) ... work ... barrier, _end()
 *   extended     n = _start(iterations) ... _dispatch(first, count) ... work ... barrier, _end()
 *
 * With optimisation, gcc keeps one call of _start for all loops of a function that have the same
 * number of iterations, and moves it out of loops. From _start follows neither where nor how often
 * a loop begins, so it has no wrapper. Without chunks a loop is not recorded: its time is its
 * thread's. With chunks it begins at the first one, and ends at its barrier, which comes before
 * _end, or at _end. A thread without a chunk enters and leaves the loop at _end, so that all
 * threads of the team count the same loops.
 *
 * Loops that GOMP_loop_start has begun end as others do (loop.c): they may have chunks without
 * _end, and continue after it if they have a scan.
 */
#include "record/sources/libgomp/event.h"
#include "record/sources/libgomp/work.h"

typedef unsigned long long ull;

/* The open loop is GOMP_loop_start's, or that of a plug-in, which reports its chunks. */
static inline bool
is_announced(const struct wn_thread *t)
{
	return t->loop.is_open && (t->source_flags & GOMP_LOOP_INLINE);
}

static inline bool
is_static(const struct wn_thread *t)
{
	return t->loop.is_open && (t->source_flags & GOMP_LOOP_STATIC);
}

static void
loop_enter(struct wn_thread *t, uint64_t tick, const void *site, uint32_t kind)
{
	gomp_work_close(t, tick);
	wn_ev_counted_begin(t, tick, site, kind | WN_LOOP_INLINE, 0, 0);
	t->loop.step = 1;
	t->loop.is_open = true;
	t->source_flags = GOMP_LOOP_STATIC;
}

static void
loop_chunk(struct wn_thread *t, const void *site, uint32_t kind, ull first, ull n_iterations)
{
	if (t->loop.reports_chunks)
		return;
	uint64_t tick = wn_clock();
	if (t->loop.chunk_open)
		wn_ev_chunk_end(t, tick);
	if (is_announced(t)) {
		if (!WN_REPORTS_UNKNOWN_LOOPS && !(t->source_flags & GOMP_LOOP_REPORTED))
			wn_ev_counted_begin(t, tick, site, kind | WN_LOOP_INLINE, 0, 0);
		t->source_flags |= GOMP_LOOP_REPORTED;
	} else if (!is_static(t)) {
		loop_enter(t, tick, site, kind | WN_LOOP_OPEN);
		t->ends.is_loop_due = true;
	}
	t->loop.chunk_open = true;
	wn_ev_chunk_begin(t, tick, first, n_iterations);
}

static void
loop_end(struct wn_thread *t, const void *site, uint32_t kind)
{
	if (t->loop.reports_chunks)
		return;
	uint64_t tick = wn_clock();
	if (is_announced(t)) { /* its second phase may follow, if it has a scan */
		if (t->loop.chunk_open)
			wn_ev_chunk_end(t, tick);
		t->loop.chunk_open = false;
		return;
	}
	if (!t->ends.is_loop_due && !t->loop.is_open)
		loop_enter(t, tick, site, kind);
	t->ends.is_loop_due = false;
	if (is_static(t))
		gomp_work_close(t, tick);
}

#define STATIC(name, kind)                                                                         \
	GOMP_ENTRY(void, name##_dispatch, ull first, ull n_iterations)                             \
	{                                                                                          \
		GOMP_ENTER(name##_dispatch);                                                       \
		real(first, n_iterations);                                                         \
		if (t)                                                                             \
			loop_chunk(t, site, kind, first, n_iterations);                            \
	}                                                                                          \
                                                                                                   \
	GOMP_ENTRY(void, name##_end, void)                                                         \
	{                                                                                          \
		GOMP_ENTER(name##_end);                                                            \
		if (t && module->reports_chunks)                                                   \
			loop_end(t, site, kind);                                                   \
		real();                                                                            \
	}

STATIC(GOMP_loop_static_worksharing, WN_WORK_LOOP_STATIC)
STATIC(GOMP_distribute_static_worksharing, WN_WORK_DISTRIBUTE)

/* --- master, masked ---
 *
 * The test that begins them is merged and moved as well: one whose own test is missing is entered
 * and left at its end. */

static void
masked_begin(struct wn_thread *t, const void *site)
{
	if (t->loop.is_open || (t->source_flags & (GOMP_OPEN_SECTIONS | GOMP_OPEN_SCOPE)))
		return; /* moved: no construct that is open here contains it */
	uint64_t tick = wn_clock();
	gomp_work_close(t, tick);
	wn_ev_work_begin(t, tick, site, WN_WORK_MASKED, 1);
	t->source_flags = GOMP_OPEN_MASKED;
	t->ends.is_masked_due = true;
}

static void
masked_end(struct wn_thread *t, const void *site)
{
	uint64_t tick = wn_clock();
	if (t->source_flags & GOMP_OPEN_MASKED) {
		gomp_work_close(t, tick);
	} else if (!t->ends.is_masked_due) {
		wn_ev_work_begin(t, tick, site, WN_WORK_MASKED, 1);
		wn_ev_work_end(t, tick);
	}
	t->ends.is_masked_due = false;
}

GOMP_ENTRY(bool, GOMP_has_masked_thread_num_with_end, int filter)
{
	GOMP_ENTER(GOMP_has_masked_thread_num_with_end);
	bool is_selected = real(filter);
	if (is_selected && t)
		masked_begin(t, site);
	return is_selected;
}

GOMP_ENTRY(void, GOMP_masked_end, void)
{
	GOMP_ENTER(GOMP_masked_end);
	if (t)
		masked_end(t, site);
	real();
}
