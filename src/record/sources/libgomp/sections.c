/* SPDX-License-Identifier: MIT */
/* sections.c - sections. libgomp dispatches section numbers from 1; 0 means that none is left. In a
 * combined construct the region has begun them (parallel.c) and the first call is _next. */
#include "record/sources/libgomp/event.h"
#include "record/sources/libgomp/work.h"

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

GOMP_ENTRY(unsigned, GOMP_sections_start, unsigned n_sections)
{
	GOMP_ENTER(GOMP_sections_start);
	if (t)
		gomp_sections_begin(t, wn_clock(), site, n_sections);
	unsigned number = real(n_sections);
	section_begin(t, number);
	return number;
}

GOMP_ENTRY(unsigned, GOMP_sections2_start, unsigned n_sections, uintptr_t *reductions, void **mem)
{
	GOMP_ENTER(GOMP_sections2_start);
	if (t)
		gomp_sections_begin(t, wn_clock(), site, n_sections);
	unsigned number = real(n_sections, reductions, mem);
	section_begin(t, number);
	return number;
}

GOMP_ENTRY(unsigned, GOMP_sections_next, void)
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

GOMP_WORK_ENDS(sections)
