/* SPDX-License-Identifier: MIT */
/*
 * inflation.h - findings that only another run can show: places whose grains take longer, the same
 * code on more threads.
 */
#ifndef WN_REPORT_INFLATION_H
#define WN_REPORT_INFLATION_H

#include "report/diff.h"

/**
 * Adds work inflation to the findings of a report, where they belong by their gain.
 *
 * A place has it if its grains work longer in B than in A, clearly (struct wn_place_diff), and the
 * runs differ in nothing but that B has more threads. Its gain is what is more, shared out to the
 * threads of B, if that is at least 1 % of the elapsed time.
 *
 * @param r  of run B of `d`; what is nearest below the threshold goes, if there is a finding now.
 * @return WN_OK · WN_E_NOMEM.  Cost O(sites + findings).  Threads  none of them may be used
 * elsewhere. Source    [P3] work deviation; doc/metrics.md, "Findings".
 */
WN_MUST_CHECK wn_status wn_report_add_inflation(struct wn_report *r, const struct wn_diff *d,
                                                wn_err *err);

#endif /* WN_REPORT_INFLATION_H */
