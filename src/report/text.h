/* SPDX-License-Identifier: MIT */
/*
 * text.h - a report as text that fits a terminal, read from the top down: what happened, how much
 * could run at once, where the time went, what to change, which places, which problems, and what is
 * not known.
 */
#ifndef WN_REPORT_TEXT_H
#define WN_REPORT_TEXT_H

#include "report/report.h"

#include <stdio.h>

#define WN_TEXT_WIDTH_MIN  80
#define WN_TEXT_WIDTH_MAX  120
#define WN_TEXT_WIDTH_NONE 1000000 /* no line is broken */

struct wn_text_style {
	int width; /* columns; no line is longer */
	bool is_coloured;
	bool is_utf8; /* bars and texts of the program may use it */
	bool is_raw;  /* times in nanoseconds; always so where the unit is another one */
	size_t n_top; /* findings and places to list; 0 = 5 and 10 */
};

/*
 * The style that suits a stream: its terminal's width (COLUMNS counts first; 100 where there is
 * none), kept within 80 and 120; colour only on a terminal that has it and without NO_COLOR; UTF-8
 * as the locale's variables say.
 */
struct wn_text_style wn_text_style_for(FILE *to);

/**
 * Writes the report.
 *
 * @return WN_OK · WN_E_IO (a write failed; errno says why) · WN_E_NOMEM
 * Cost     O(places). Threads  pure.
 */
WN_MUST_CHECK wn_status wn_report_text(const struct wn_report *r, const struct wn_text_style *style,
                                       FILE *to, wn_err *err);

/**
 * Writes the first sentences of the report: how the run went, and the worst finding. One line for
 * each kind of them, whatever its length; nothing of a group or of an imported table.
 *
 * @return as wn_report_text()
 */
WN_MUST_CHECK wn_status wn_report_text_headline(const struct wn_report *r, FILE *to, wn_err *err);

/**
 * Writes one row of [P5]'s table 1, with its header: program, grains, nodes of the reduced graph,
 * theta of all grains and of those with a problem of parallel benefit, each with what it saves, and
 * nodes of the tree. "-" where there is no such number.
 *
 * @return as wn_report_text() · WN_E_LIMIT · WN_E_INVARIANT, as wn_theta_of()
 * Cost     O(n). Threads  as wn_theta_of().
 */
WN_MUST_CHECK wn_status wn_report_text_theta(const struct wn_report *r,
                                             const struct wn_text_style *style, FILE *to,
                                             wn_err *err);

#endif /* WN_REPORT_TEXT_H */
