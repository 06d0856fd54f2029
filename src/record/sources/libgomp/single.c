/* SPDX-License-Identifier: MIT */
/* single.c - single. libgomp reports which thread executes it, but not when the executor is done:
 * it ends at the next barrier, worksharing construct or region end of the same implicit task
 * (work.h). Programs compiled by GCC 17 with -fopenmp-ompt report the end, all threads do so, and
 * after the barrier if there is one. */
#include "record/sources/libgomp/event.h"
#include "record/sources/libgomp/work.h"

static inline void
note_single(struct wn_thread *t, uint64_t tick, const void *site, bool is_executor)
{
	wn_ev_work_begin(t, tick, site,
	                 is_executor ? WN_WORK_SINGLE_EXECUTOR : WN_WORK_SINGLE_OTHER, 1);
	if (is_executor)
		t->source_flags = GOMP_OPEN_SINGLE;
	else
		wn_ev_work_end(t, tick);
}

#define SINGLE_START(name)                                                                         \
	GOMP_ENTRY(bool, name, void)                                                               \
	{                                                                                          \
		GOMP_ENTER(name);                                                                  \
		uint64_t tick = t ? wn_clock() : 0;                                                \
		bool is_executor = real();                                                         \
		if (gomp_is_same(t)) {                                                             \
			gomp_work_close(t, tick);                                                  \
			note_single(t, tick, site, is_executor);                                   \
		}                                                                                  \
		return is_executor;                                                                \
	}

SINGLE_START(GOMP_single_start)
SINGLE_START(GOMP_single_start_with_end)

GOMP_ENTRY(void, GOMP_single_end, void)
{
	GOMP_ENTER_IF_KNOWN(GOMP_single_end);
	if (t && (t->source_flags & GOMP_OPEN_SINGLE))
		gomp_work_close(t, wn_clock());
	real();
}

/* The executor gets NULL at once. The others wait here for its data: a barrier, recorded
 * afterwards, because only the return value identifies the executor. */
GOMP_ENTRY(void *, GOMP_single_copy_start, void)
{
	GOMP_ENTER(GOMP_single_copy_start);
	uint64_t tick = 0;
	if (t) {
		tick = wn_clock();
		gomp_work_close(t, tick);
	}
	void *data = real();
	if (gomp_is_same(t)) {
		note_single(t, tick, site, data == NULL);
		if (data) {
			wn_ev_sync_begin(t, tick, site, WN_SYNC_BARRIER_IMPLICIT);
			gomp_sync_end(t);
		}
	}
	return data;
}

GOMP_ENTRY(void, GOMP_single_copy_end, void *data)
{
	GOMP_ENTER(GOMP_single_copy_end);
	if (t) {
		uint64_t tick = wn_clock();
		gomp_work_close(t, tick);
		wn_ev_sync_begin(t, tick, site, WN_SYNC_BARRIER_IMPLICIT);
	}
	real(data);
	if (gomp_is_same(t))
		gomp_sync_end(t);
}
