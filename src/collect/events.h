/* SPDX-License-Identifier: MIT */
/*
 * events.h - what a source says, and to whom: struct wn_thread and the wn_ev_ functions. There are
 * two listeners, one for each library, chosen as the source is compiled: no event pays for the
 * choice, and the wrappers of a runtime's entry points are written once.
 *
 *   libwinnow-record.so   collect/recorder   a trace
 *   libwinnow-ompt.so     collect/provide    the callbacks of an OMPT tool (WN_PROVIDE)
 */
#ifndef WN_COLLECT_EVENTS_H
#define WN_COLLECT_EVENTS_H

#include "collect/unseen.h"
#ifdef WN_PROVIDE
#include "collect/provide/events.h"
#else
#include "collect/recorder/recorder.h"
#endif

#endif /* WN_COLLECT_EVENTS_H */
