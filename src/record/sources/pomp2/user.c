/* SPDX-License-Identifier: MIT */
/* user.c - regions marked by the user with "pomp inst begin" and "pomp inst end"; on and off. */
#include "pomp2.h"

void
pomp2_at_mark(POMP2_Region_handle *handle, const char *text, const void *site)
{
	struct wn_thread *t = pomp2_self();
	struct pomp2_region *r = t ? pomp2_region_of(handle, text) : NULL;
	if (!r)
		return;
	uint32_t name = pomp2_label(t, r);
	pomp2_place(t, r, site, 0);
	wn_ev_mark_begin(t, wn_clock(), site, name);
}

void
pomp2_at_mark_end(void)
{
	struct wn_thread *t = pomp2_self();
	if (t)
		wn_ev_mark_end(t, wn_clock());
}

void
pomp2_at_pause(const void *site)
{
	struct wn_thread *t = pomp2_thread();
	if (t)
		wn_pause(t, site);
}

void
pomp2_at_resume(const void *site)
{
	struct wn_thread *t = pomp2_thread();
	if (t)
		wn_resume(t, site);
}
