/* SPDX-License-Identifier: MIT */
/*
 * summary.h - the line that says what a recording has become.
 */
#ifndef WN_CLI_SUMMARY_H
#define WN_CLI_SUMMARY_H

#include "cli/back.h"

#include <stdint.h>

/* Tells the traces how the program ended, and says the line:
 *     fib.winnow: 12.3 MB, libomp by OMPT, complete */
void summary_say(const char *verb, const struct back_report *report, int wait_status,
                 uint64_t wall_ns);

#endif /* WN_CLI_SUMMARY_H */
