/* SPDX-License-Identifier: MIT */
/* closing_line.h - prints the line that sums up a recording. */
#pragma once

#include "cli/finalize.h"

/* Prints the line; `label` is what it is about, NULL: the first trace. `cpu_ns`: of the program,
 * for what recording took of it; 0 leaves that out. As
 *     fib.winnow: 12.3 MB, 453,471 grains, libomp by OMPT, complete; recording took about 20.9 %
 *     of the CPU time
 */
void summary_print(const char *label, const struct channel_report *report,
                   const struct finalized *all, uint64_t cpu_ns);

/* Prints which of several traces a report is on, why, and where the others are. */
void summary_print_choice(const struct channel_report *report, const struct finalized *all);
