/* SPDX-License-Identifier: MIT */
/* event.c - slow path of the events in event.h: the clock is not the processor's, the window is
 * full, the site is new, or the stack is too deep. */
#include "record/sources/libgomp/event.h"

void
gomp_plain_slowly(struct wn_thread *t, enum wn_event_code code)
{
	wn_ev_plain(t, code, wn_clock());
}

void
gomp_at_slowly(struct wn_thread *t, enum wn_event_code code, const void *site, uint32_t aux)
{
	wn_ev_at(t, code, wn_clock(), site, aux);
}

void
gomp_task_begin_slowly(struct wn_thread *t, wn_id id)
{
	wn_ev_task_begin(t, wn_clock(), id);
}

void
gomp_task_end_slowly(struct wn_thread *t)
{
	wn_ev_task_end(t, wn_clock());
}
