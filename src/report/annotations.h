/* SPDX-License-Identifier: MIT */
/* annotations.h - findings at their places in the source, for the tools in which people work: SARIF
 * for code scanning, annotations of GitHub's workflows, and lines that editors jump to. */
#pragma once

#include "report/report.h"

#include <jansson.h>
#include <stdio.h>

/* Findings that are expected to save at least this share of the time are warnings, others notes. */
#define WN_ANNOTATION_WARNING 0.05

/**
 * Builds a SARIF 2.1.0 log with one run: a result for each finding, with a rule and its help, the
 * place, the places of its parts, and a fingerprint of rule, file and function, which depends
 * neither on the schedule nor on line numbers; limitations of the recording are notifications. A
 * finding about the whole program is at the place with the most work.
 *
 * @param root  absolute folder that paths are relative to; others are absolute or as the compiler
 * recorded them.
 * @param out   owned by the caller, release with json_decref().
 * @return WN_OK · WN_E_NOMEM
 * Cost     O(findings). Threads  pure; looks for the source files.
 * Source   OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0, 2020; GitHub,
 * "SARIF support for code scanning" (locations, help and fingerprints that it requires).
 */
WN_MUST_CHECK wn_status wn_report_sarif(const struct wn_report *r, const char *root, json_t **out,
                                        wn_err *err);

/**
 * Writes a workflow command for each finding: "::warning file=a.c,line=3,title=TITLE::MESSAGE".
 *
 * @return WN_OK · WN_E_IO (errno has the reason)
 * Cost     O(findings). Threads  as above.
 * Source   GitHub, "Workflow commands for GitHub Actions".
 */
WN_MUST_CHECK wn_status wn_report_github(const struct wn_report *r, const char *root, FILE *to,
                                         wn_err *err);

/**
 * Writes "a.c:3: warning: TITLE: MESSAGE" for each finding, and a note for each further place, as
 * compilers do. Findings without a place in the source are left out.
 *
 * @return as wn_report_github()
 */
WN_MUST_CHECK wn_status wn_report_quickfix(const struct wn_report *r, const char *root, FILE *to,
                                           wn_err *err);
