/* SPDX-License-Identifier: MIT */
/*
 * events.h - what a source says, and to whom: struct wn_thread and the wn_ev_ functions. There are
 * two listeners, one for each library, chosen as the source is compiled: no event pays for the
 * choice, and the wrappers of a runtime's entry points are written once.
 *
 *   libwinnow-record.so   record   a trace
 *   libwinnow-ompt.so     ompt     the callbacks of an OMPT tool (WN_PROVIDE)
 */
#ifndef WN_RECORD_EVENTS_H
#define WN_RECORD_EVENTS_H

#include "record/unseen.h"
#ifdef WN_PROVIDE
#include "ompt/events.h"
#else
#include "record/recorder.h"
#endif

#endif /* WN_RECORD_EVENTS_H */
