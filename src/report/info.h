/* SPDX-License-Identifier: MIT */
/* info.h - writes the R prototype's text summaries of a graph and its problems, for comparison with
 * published ones. */
#pragma once

#include "report/report.h"

#include <stdio.h>

/**
 * Writes the summary of an imported table, in the form of the report.
 *
 * @return WN_OK · WN_E_ARG (a recorded run; no fragments) · WN_E_IO · WN_E_NOMEM
 * Cost     O(n). Threads  pure.
 * Source   doc/metrics.md, "Imported data".
 * Oracle   tests/import/oracle.py
 */
WN_MUST_CHECK wn_status wn_report_info(const struct wn_report *r, FILE *to, wn_err *err);
