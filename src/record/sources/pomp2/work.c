/* SPDX-License-Identifier: MIT */
/*
 * work.c - worksharing. OPARI2 marks only where a thread enters and leaves a loop: each thread's
 * share is one chunk of unknown iterations, which is noted, unless commands of the program report
 * its chunks (control/).
 *
 * The construct is left where its barrier starts; the _exit after the barrier then finds nothing
 * open. A thread that leaves a single without having begun it did not execute it.
 */
#include "pomp2.h"

#include "record/control/control.h"

void
pomp2_work_close(struct wn_thread *t, uint64_t tick)
{
	if ((t->source_flags & POMP2_OPEN_SHARE) && !(t->loop.is_open && wn_offer_drop(t)))
		wn_ev_chunk_end(t, tick);
	if (t->source_flags & POMP2_OPEN_WORK)
		wn_ev_work_end(t, tick);
	if (t->loop.is_open && t->loop.is_partial && !wn_offer_is_taken(t))
		wn_ev_note(t, (const void *)(uintptr_t)t->loop.lower, WN_NOTE_CHUNKS_UNSEEN, 1);
	t->loop.is_open = false;
	if (t->source_flags & POMP2_SINGLE_ENTERED) {
		wn_ev_work_begin(t, tick, t->source_ptr[1], WN_WORK_SINGLE_OTHER, 1);
		wn_ev_work_end(t, tick);
	}
	t->source_flags = 0;
}

/* Opens a construct; the thread is NULL if nothing is to be recorded. */
static struct wn_thread *
enter(POMP2_Region_handle *handle, const char *text, const void *site, uint32_t kind,
      uint64_t count)
{
	struct wn_thread *t = pomp2_self();
	struct pomp2_region *r = t ? pomp2_region_of(handle, text) : NULL;
	if (!r)
		return NULL;
	uint64_t tick = wn_clock();
	pomp2_work_close(t, tick);
	kind = kind ? kind : r->work_kind;
	bool is_new = pomp2_place(t, r, site, kind);
	wn_ev_work_begin(t, tick, site, kind, count ? count : r->n_sections);
	/* `lower` is unknown here; it stores the loop's location, to be noted at its end if new */
	if ((kind & WN_WORK_KIND_MASK) <= WN_WORK_LOOP_OTHER)
		t->loop = (struct wn_loop_state){.lower = (int64_t)(uintptr_t)site,
		                                 .step = 1,
		                                 .is_open = true,
		                                 .is_partial = is_new};
	t->source_flags = POMP2_OPEN_WORK;
	return t;
}

void
pomp2_at_leave(void)
{
	struct wn_thread *t = pomp2_self();
	if (t && t->source_flags)
		pomp2_work_close(t, wn_clock());
}

void
pomp2_at_loop(POMP2_Region_handle *handle, const char *text, const void *site)
{
	struct wn_thread *t = enter(handle, text, site, 0, 0);
	if (!t)
		return;
	wn_offer_begin(t);
	wn_ev_chunk_begin(t, wn_clock(), 0, 0);
	t->loop.chunk_open = true;
	t->source_flags |= POMP2_OPEN_SHARE;
	wn_offer_end(t, NULL);
}

void
pomp2_at_sections(POMP2_Region_handle *handle, const char *text, const void *site)
{
	enter(handle, text, site, WN_WORK_SECTIONS, 0);
}

void
pomp2_at_section_begin(uint64_t number)
{
	struct wn_thread *t = pomp2_self();
	if (!t || !(t->source_flags & POMP2_OPEN_WORK))
		return;
	uint64_t tick = wn_clock();
	if (t->source_flags & POMP2_OPEN_SHARE)
		wn_ev_chunk_end(t, tick);
	wn_ev_section_begin(t, tick, number);
	t->source_flags |= POMP2_OPEN_SHARE;
}

void
pomp2_at_section_end(void)
{
	struct wn_thread *t = pomp2_self();
	if (!t || !(t->source_flags & POMP2_OPEN_SHARE))
		return;
	wn_ev_chunk_end(t, wn_clock());
	t->source_flags &= ~(uint32_t)POMP2_OPEN_SHARE;
}

void
pomp2_at_single(POMP2_Region_handle *handle, const char *text, const void *site)
{
	struct wn_thread *t = pomp2_self();
	struct pomp2_region *r = t ? pomp2_region_of(handle, text) : NULL;
	if (!r)
		return;
	pomp2_work_close(t, wn_clock());
	pomp2_place(t, r, site, WN_WORK_SINGLE_OTHER);
	t->source_ptr[1] = (void *)(uintptr_t)site;
	t->source_flags = POMP2_SINGLE_ENTERED;
}

void
pomp2_at_single_begin(POMP2_Region_handle *handle)
{
	struct wn_thread *t = pomp2_self();
	struct pomp2_region *r = t ? pomp2_region_of(handle, NULL) : NULL;
	if (!r)
		return;
	pomp2_place(t, r, t->source_ptr[1], WN_WORK_SINGLE_EXECUTOR);
	wn_ev_work_begin(t, wn_clock(), t->source_ptr[1], WN_WORK_SINGLE_EXECUTOR, 1);
	t->source_flags = POMP2_OPEN_WORK;
}

void
pomp2_at_master(POMP2_Region_handle *handle, const char *text, const void *site)
{
	enter(handle, text, site, WN_WORK_MASKED, 1);
}

void
pomp2_at_workshare(POMP2_Region_handle *handle, const char *text, const void *site)
{
	enter(handle, text, site, WN_WORK_WORKSHARE, 0);
}
