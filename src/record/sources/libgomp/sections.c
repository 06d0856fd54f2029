/* SPDX-License-Identifier: MIT */
/*
 * sections.c - sections. libgomp dispatches section numbers from 1; 0 means that none is left. In a
 * combined construct the region has begun them (parallel.c) and the first call is _next.
 */
#include "record/sources/libgomp/event.h"
#include "record/sources/libgomp/work.h"

WN_API unsigned GOMP_sections_start(unsigned n_sections);
WN_API unsigned GOMP_sections2_start(unsigned n_sections, uintptr_t *reductions, void **mem);
WN_API unsigned GOMP_sections_next(void);
WN_API void GOMP_sections_end(void);
WN_API bool GOMP_sections_end_cancel(void);
WN_API void GOMP_sections_end_nowait(void);

void
gomp_sections_begin(struct wn_thread *t, uint64_t tick, const void *site, unsigned n_sections)
{
	gomp_work_close(t, tick);
	wn_ev_work_begin(t, tick, site, WN_WORK_SECTIONS, n_sections);
	t->source_flags = GOMP_OPEN_SECTIONS;
}

static inline void
section_begin(struct wn_thread *t, unsigned number)
{
	if (number == 0 || !gomp_is_same(t) || !(t->source_flags & GOMP_OPEN_SECTIONS))
		return;
	wn_ev_section_begin(t, wn_clock(), number - 1);
	t->source_flags |= GOMP_OPEN_SECTION;
}

unsigned
GOMP_sections_start(unsigned n_sections)
{
	GOMP_ENTER(GOMP_sections_start);
	if (t)
		gomp_sections_begin(t, wn_clock(), site, n_sections);
	unsigned number = real(n_sections);
	section_begin(t, number);
	return number;
}

unsigned
GOMP_sections2_start(unsigned n_sections, uintptr_t *reductions, void **mem)
{
	GOMP_ENTER(GOMP_sections2_start);
	if (t)
		gomp_sections_begin(t, wn_clock(), site, n_sections);
	unsigned number = real(n_sections, reductions, mem);
	section_begin(t, number);
	return number;
}

unsigned
GOMP_sections_next(void)
{
	GOMP_ENTER(GOMP_sections_next);
	if (t && (t->source_flags & GOMP_OPEN_SECTION)) {
		wn_ev_chunk_end(t, wn_clock());
		t->source_flags &= ~(uint32_t)GOMP_OPEN_SECTION;
	}
	unsigned number = real();
	section_begin(t, number);
	return number;
}

static inline void
end_begin(struct wn_thread *t, const void *site)
{
	uint64_t tick = wn_clock();
	gomp_work_close(t, tick);
	wn_ev_sync_begin(t, tick, site, WN_SYNC_BARRIER_IMPLICIT);
}

void
GOMP_sections_end(void)
{
	GOMP_ENTER(GOMP_sections_end);
	if (t)
		end_begin(t, site);
	real();
	if (gomp_is_same(t))
		gomp_sync_end(t);
}

bool
GOMP_sections_end_cancel(void)
{
	GOMP_ENTER(GOMP_sections_end_cancel);
	if (t)
		end_begin(t, site);
	bool is_cancelled = real();
	if (gomp_is_same(t))
		gomp_sync_end(t);
	gomp_cancel_seen(t, site, WN_CANCEL_PARALLEL, is_cancelled);
	return is_cancelled;
}

void
GOMP_sections_end_nowait(void)
{
	GOMP_ENTER(GOMP_sections_end_nowait);
	if (t)
		gomp_work_close(t, wn_clock());
	real();
}
