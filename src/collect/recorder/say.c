/* SPDX-License-Identifier: MIT */
/*
 * say.c - what the program, or whoever starts it, says about recording: names, silence, sources.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "collect/recorder/state.h"

#include <dlfcn.h>
#include <stdlib.h>

_Atomic bool wn_is_paused;
_Atomic bool wn_is_over;

uint32_t
wn_name_new(void)
{
	static _Atomic uint32_t n;
	return atomic_fetch_add_explicit(&n, 1, memory_order_relaxed) + 1;
}

void
wn_pause(struct wn_thread *t, const void *site)
{
	if (!atomic_exchange(&wn_is_paused, true) && t)
		wn_ev_at(t, WN_EV_PAUSE, wn_clock(), site, 0);
}

void
wn_resume(struct wn_thread *t, const void *site)
{
	if (atomic_load(&wn_is_over))
		return;
	if (atomic_exchange(&wn_is_paused, false) && t)
		wn_ev_at(t, WN_EV_RESUME, wn_clock(), site, 0);
}

bool
wn_source_is_wanted(enum wn_source_bit source)
{
	const char *wanted = getenv("WINNOW_SOURCE");
	if (wanted && *wanted) {
		const char *name = source == WN_SOURCE_OMPT      ? "ompt"
		                   : source == WN_SOURCE_LIBGOMP ? "libgomp"
		                                                 : "pomp2";
		return strcmp(wanted, name) == 0;
	}
	/* exported by libwinnow-pomp2.so, which instrumented programs are linked to */
	bool is_instrumented = dlsym(RTLD_DEFAULT, "winnow_pomp2_program") != NULL;
	return (source == WN_SOURCE_POMP2) == is_instrumented;
}
