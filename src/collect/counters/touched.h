/* SPDX-License-Identifier: MIT */
/*
 * touched.h - the footprint of a program that tells its own accesses (winnow cc --count
 * --footprint).
 *
 * The program looks into `slot->recent` first: an access is over when what stands at
 * (address >> 3) % WN_RECENT_N is its key. Otherwise it calls `slot->touch`, which puts the key
 * there and counts what is new of it into the slot. A key is the address; an access that may reach
 * into a second line has its size, too, in the uppermost byte. One without a key (0) is of any
 * length, and counts as accesses to each line's part of it.
 *
 * On x86-64 touch() leaves all integer registers but r11 alone, so that the caller's loop keeps
 * what it has in them. These functions take memory and locks: they are called only in programs
 * compiled so, whose times are not to be trusted anyway.
 */
#ifndef WN_COLLECT_COUNTERS_TOUCHED_H
#define WN_COLLECT_COUNTERS_TOUCHED_H

#include "collect/counters/slot.h"

#include <stdbool.h>

#define WN_RECENT_N 512u

/**
 * The thread of the slot will be asked for what it touches. Slow.
 *
 * @return false if there is no memory: its footprint is then not counted.
 */
bool wn_touched_begin(struct wn_count_slot *slot);

/** What follows is of `grain` (0: of no grain, and not kept), and `ended` (0: none) is over. */
void wn_touched_runs(struct wn_count_slot *slot, uint64_t grain, uint64_t ended);

/** Nobody asks any more. The calling thread's. */
void wn_touched_end(struct wn_count_slot *slot);

/** In a forked child, whose locks may be stuck. */
void wn_touched_forget(void);

#endif /* WN_COLLECT_COUNTERS_TOUCHED_H */
