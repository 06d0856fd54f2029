/* SPDX-License-Identifier: MIT */
/*
 * touched.h - footprint of a program that reports its own accesses (winnow cc --count --footprint).
 *
 * The program keeps recently accessed lines of the running grain in `slot->recent`, a direct-mapped
 * cache with a bit for each byte of a line at which an access began. An access to a cached line
 * only sets its bit. Any other access calls `slot->touch`, which replaces the cached line and adds
 * the old one to the grain's set. A loop with accesses at constant strides may report them all
 * before it begins with `slot->touch_each`, and a copy its range with `slot->touch`, unless the
 * cache already covers them.
 *
 * So new lines and addresses are known only after the cache is flushed, which is done before the
 * counts are read.
 *
 * On x86-64 both functions preserve all integer registers but r11, so that the caller's loop keeps
 * its values in registers. They allocate memory and take locks: they are called only in programs
 * compiled with footprints, whose times are not reliable anyway.
 */
#pragma once

#include "record/counters/slot.h"

#include <stdbool.h>

/**
 * Starts recording the footprint of the slot's thread. Slow.
 *
 * @return false if there is no memory: the footprint is then not counted.
 */
bool wn_touched_begin(struct wn_count_slot *slot);

/**
 * Flushes the cache of the calling thread to its footprint. Cost: one check of each occupied cell.
 */
void wn_touched_settle(struct wn_count_slot *slot);

/** Accesses from here on belong to `grain` (0: none, not stored), and `ended` (0: none) is over. */
void wn_touched_runs(struct wn_count_slot *slot, uint64_t grain, uint64_t ended);

/** Stops recording, for the calling thread. */
void wn_touched_end(struct wn_count_slot *slot);

/** In a forked child, whose locks may be held. */
void wn_touched_forget(void);
