/* SPDX-License-Identifier: MIT */
/* text.h - writes a report as text that fits a terminal: on one screen of 24 lines, or in sections:
 * what happened, the available parallelism, where the time went, findings, places, problems and
 * limitations, in this order. */
#pragma once

#include "report/report.h"

#include <stdio.h>

#define WN_TEXT_WIDTH_MIN  80
#define WN_TEXT_WIDTH_MAX  120
#define WN_TEXT_WIDTH_NONE 1000000 /* do not break lines */

/* Sections of the report, in their order. */
#define WN_TEXT_SECTIONS(X)                                                                        \
	X(HEAD, head)                                                                              \
	X(PARALLELISM, parallelism)                                                                \
	X(TIME, time)                                                                              \
	X(FINDINGS, findings)                                                                      \
	X(PLACES, places)                                                                          \
	X(PROBLEMS, problems)                                                                      \
	X(COUNTERS, counters)                                                                      \
	X(LOCKS, locks)                                                                            \
	X(MPI, mpi)                                                                                \
	X(NAMES, names)                                                                            \
	X(LIMITATIONS, limitations)
enum wn_text_section {
#define WN_TEXT_SECTION(NAME, name) WN_TEXT_##NAME,
	WN_TEXT_SECTIONS(WN_TEXT_SECTION)
#undef WN_TEXT_SECTION
	    WN_TEXT_SECTION_N
};
#define WN_TEXT_ALL ((1u << WN_TEXT_SECTION_N) - 1)

/* Lines of the brief report. */
#define WN_TEXT_BRIEF_LINES 24

struct wn_text_style {
	int width;        /* columns; the maximum length of a line */
	bool is_terminal; /* a person reads it at once: the verdict is the last line */
	bool is_coloured;
	bool is_utf8;      /* allow UTF-8 in bars and the program's texts */
	bool is_raw;       /* times in nanoseconds; always set if the unit differs */
	size_t n_top;      /* findings and places to list; 0 = 5 and 10 */
	unsigned sections; /* bits 1 << enum wn_text_section; 0 = the brief report */
};

/* Returns the style for a stream: the width of the terminal (COLUMNS has priority; 80 without a
 * terminal), limited to 80..120; colour only on a terminal that supports it and without NO_COLOR;
 * UTF-8 according to the locale's variables. */
struct wn_text_style wn_text_style_for(FILE *to);

/**
 * Writes the report.
 *
 * @return WN_OK · WN_E_IO (a write failed; errno has the reason) · WN_E_NOMEM
 * Cost     O(places). Threads  pure.
 */
WN_MUST_CHECK wn_status wn_report_text(const struct wn_report *r, const struct wn_text_style *style,
                                       FILE *to, wn_err *err);

/**
 * Writes the first sentences of the report: the outcome of the run, and the worst finding. Each is
 * one line of any length, the worst finding last; nothing for a group or an imported table.
 *
 * @return as wn_report_text()
 */
WN_MUST_CHECK wn_status wn_report_text_headline(const struct wn_report *r, FILE *to, wn_err *err);

/**
 * Writes one row of [P5]'s table 1, with its header: program, grains, nodes of the reduced graph,
 * theta of all grains and of those with a problem of parallel benefit, each with its saving, and
 * nodes of the tree. "-" if a number is not available.
 *
 * @return as wn_report_text() · WN_E_LIMIT · WN_E_INVARIANT, as wn_theta_of()
 * Cost     O(n). Threads  as wn_theta_of().
 */
WN_MUST_CHECK wn_status wn_report_text_theta(const struct wn_report *r,
                                             const struct wn_text_style *style, FILE *to,
                                             wn_err *err);
