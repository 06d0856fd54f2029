/* SPDX-License-Identifier: MIT */
/* explain.h - explains in one sentence, from the program's files, why no recorder started. */
#pragma once

#include "cli/inspect.h"

#include <stddef.h>

/* Checks reasons that are known before the run (the recorder cannot be loaded). False: none. */
bool explain_impossible(const struct inspection *inspection, char *out, size_t out_bytes);

/* Likewise, only reasons that also hold for what such a program starts, or that concern an OpenMP
 * runtime inside it. */
bool explain_certain(const struct inspection *inspection, char *out, size_t out_bytes);

/* Returns the most likely reason after a run without a recording, from the program's files and exit
 * status; the actions of unrecorded processes are unknown. */
void explain_nothing(const struct inspection *inspection, const char *program, int wait_status,
                     char *out, size_t out_bytes);
