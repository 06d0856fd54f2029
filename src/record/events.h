/* SPDX-License-Identifier: MIT */
/*
 * events.h - selects the listener of a source's events: struct wn_thread and the wn_ev_ functions.
 * There are two listeners, one for each library, selected at compile time, so that events have no
 * dispatch cost and the wrappers of a runtime's entry points are written once.
 *
 *   libwinnow-record.so   record   a trace
 *   libwinnow-ompt.so     ompt     the callbacks of an OMPT tool (WN_PROVIDE, WN_LISTENER)
 */
#pragma once

#include "record/unseen.h"
#ifdef WN_LISTENER
#include WN_LISTENER
#else
#include "record/emit.h"
#endif

/* Bit of source_flags, where a source leaves the end of a creation to the commands (control/):
 * CREATE_END is due when the wrapper returns. */
#define WN_CREATION_OPEN 0x10000u

/* Ends the creation that is open, if one is. */
static inline void
creation_close(struct wn_thread *t, uint64_t tick)
{
	if (t->source_flags & WN_CREATION_OPEN) {
		t->source_flags &= ~WN_CREATION_OPEN;
		wn_ev_create_end(t, tick);
	}
}
