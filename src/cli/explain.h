/* SPDX-License-Identifier: MIT */
/*
 * explain.h - why did no recorder report in? One sentence, from what can be seen of the program.
 */
#ifndef WN_CLI_EXPLAIN_H
#define WN_CLI_EXPLAIN_H

#include "cli/inspect.h"

#include <stddef.h>

/* Reasons that hold before the program has run (the recorder cannot get in). False: none. */
bool explain_impossible(const struct inspection *inspection, char *out, size_t out_bytes);

/* The likeliest reason after a run of which nothing was recorded: what the files show, what the
 * status shows, and that no process reported; never what a process did that did not report. */
void explain_nothing(const struct inspection *inspection, const char *program, int wait_status,
                     char *out, size_t out_bytes);

#endif /* WN_CLI_EXPLAIN_H */
