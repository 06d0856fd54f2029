/* SPDX-License-Identifier: MIT */
/* inflation.h - adds findings that need a second run: places whose grains take longer when the same
 * code runs on more threads. */
#pragma once

#include "report/diff.h"

/**
 * Adds work inflation to the findings of a report, sorted by gain.
 *
 * A place has work inflation if its grains take significantly longer in B than in A (struct
 * wn_place_diff), and the runs differ only in that B has more threads. If most of its grains have
 * no match, their sums are compared, and a difference of at least 10 % counts. Its gain is the
 * additional work divided by the threads of B, if that is at least 1 % of the elapsed time.
 *
 * @param r  report of run B of `d`; the near miss is removed if a finding is added.
 * @return WN_OK · WN_E_NOMEM.  Cost O(sites + findings).  Threads  none of them may be used
 * elsewhere. Source    [P3] work deviation; doc/metrics.md, "Findings".
 */
WN_MUST_CHECK wn_status wn_report_add_inflation(struct wn_report *r, const struct wn_diff *d,
                                                wn_err *err);

/**
 * Writes the command that finds out whether work grows with the threads: winnow run --threads with
 * the program's own command line, quoted for a shell; after a run on one thread up to one for each
 * CPU.
 *
 * @return false: nothing was written. Less than half of the threads' time, without what they were
 * preempted, is work, or there is one CPU or more threads than CPUs, or a reference run on one
 * thread was given.
 * Cost  O(bytes of the command line).
 */
bool wn_report_scaling_command(const struct wn_report *r, char *out, size_t size);
#define WN_SCALING_COMMAND_BYTES 2048

/* The threads' time without that for which they were preempted. */
uint64_t wn_report_on_cpu_ns(const struct wn_report *r);
