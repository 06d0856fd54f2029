/* SPDX-License-Identifier: MIT */
/*
 * unseen.h - constructs that wrappers meet after the runtime has ended its side of the recording,
 * and that no event tells of (sources/ompt/tool.c).
 */
#ifndef WN_RECORD_UNSEEN_H
#define WN_RECORD_UNSEEN_H

#include <stdbool.h>

enum wn_unseen { WN_UNSEEN_REGION, WN_UNSEEN_TASK };

/* Recording through OMPT has ended with the last runtime; the program may go on. */
extern bool wn_ompt_is_over __attribute__((visibility("hidden")));

/* A wrapper meets a construct while recording through OMPT is not on: counts it if it is over.
 * Slow; safe from any thread. */
void wn_ompt_unseen(enum wn_unseen what) __attribute__((visibility("hidden")));

#endif /* WN_RECORD_UNSEEN_H */
