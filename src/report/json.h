/* SPDX-License-Identifier: MIT */
/* json.h - writes a report as JSON, schema winnow.report/1. Keys may be added, never renamed; each
 * is defined in doc/metrics.md. Unmeasured values are null, never 0. */
#pragma once

#include "report/report.h"

#include <jansson.h>
#include <stdio.h>

/**
 * Builds the report as a JSON object.
 *
 * @param out  owned by the caller, release with json_decref().
 * @return WN_OK · WN_E_NOMEM.  Cost O(places + threads). Pure.
 */
WN_MUST_CHECK wn_status wn_report_json(const struct wn_report *r, json_t **out, wn_err *err);

/**
 * Writes it, indented, with a newline at the end.
 * @return WN_OK · WN_E_IO (errno has the reason)
 */
WN_MUST_CHECK wn_status wn_report_json_write(const json_t *report, FILE *to, wn_err *err);
/* The same with all digits of each number, as input for further computation. */
WN_MUST_CHECK wn_status wn_report_json_write_exactly(const json_t *report, FILE *to, wn_err *err);
