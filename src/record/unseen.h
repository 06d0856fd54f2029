/* SPDX-License-Identifier: MIT */
/* unseen.h - constructs that wrappers observe after the runtime has shut down, and that have no
 * events (sources/ompt/tool.c). */
#pragma once

#include <stdbool.h>

enum wn_unseen { WN_UNSEEN_REGION, WN_UNSEEN_TASK };

/* Recording through OMPT has ended with the last runtime; the program may continue. */
extern bool wn_ompt_is_over __attribute__((visibility("hidden")));

/* A wrapper has observed a construct while OMPT recording is off: counts it if recording has ended.
 * Slow; thread-safe. */
void wn_ompt_unseen(enum wn_unseen what) __attribute__((visibility("hidden")));
