/* SPDX-License-Identifier: MIT */
/*
 * touched.h - the footprint of a program that tells its own accesses (winnow cc --count
 * --footprint).
 *
 * The program notes what it touches in `slot->recent`: cells of lines that the running grain has
 * touched lately, each line at one place, with a bit for each byte at which an access began. An
 * access within the line that stands there sets its bit, and that is all. Any other calls
 * `slot->touch`, which puts the line there, and what stood there into the grain's set. A loop whose
 * accesses are at even distances may tell them all at once, before it begins, to
 * `slot->touch_each`, and a copy its stretch to `slot->touch`, unless as much of the same is there
 * already.
 *
 * So what is new of it is known when the cells are settled: before the counts are read.
 *
 * On x86-64 both functions leave all integer registers but r11 alone, so that the caller's loop
 * keeps what it has in them. These functions take memory and locks: they are called only in
 * programs compiled so, whose times are not to be trusted anyway.
 */
#ifndef WN_RECORD_COUNTERS_TOUCHED_H
#define WN_RECORD_COUNTERS_TOUCHED_H

#include "record/counters/slot.h"

#include <stdbool.h>

/**
 * The thread of the slot will be asked for what it touches. Slow.
 *
 * @return false if there is no memory: its footprint is then not counted.
 */
bool wn_touched_begin(struct wn_count_slot *slot);

/** Brings the slot's footprints up to now. The calling thread's. Cost: a look at each cell in use.
 */
void wn_touched_settle(struct wn_count_slot *slot);

/** What follows is of `grain` (0: of no grain, and not kept), and `ended` (0: none) is over. */
void wn_touched_runs(struct wn_count_slot *slot, uint64_t grain, uint64_t ended);

/** Nobody asks any more. The calling thread's. */
void wn_touched_end(struct wn_count_slot *slot);

/** In a forked child, whose locks may be stuck. */
void wn_touched_forget(void);

#endif /* WN_RECORD_COUNTERS_TOUCHED_H */
