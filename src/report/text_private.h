/* SPDX-License-Identifier: MIT */
/*
 * text_private.h - the parts of the text, each in a file of its own. Private to this folder.
 */
#ifndef WN_REPORT_TEXT_PRIVATE_H
#define WN_REPORT_TEXT_PRIVATE_H

#include "report/terminal.h"
#include "report/units.h"

/* text_head.c: the run in a sentence or two; how much could run at once. */
void text_headline(struct terminal *s, const struct wn_report *r);
void text_parallelism(struct terminal *s, const struct wn_report *r);

/* text_weight.c: the same by a weight, if one was asked for. */
void text_weight(struct terminal *s, const struct wn_report *r);

/* text_imported.c: the same of an imported table, which tells no time. */
void text_imported(struct terminal *s, const struct wn_report *r);

/* text_group.c: of one group, instead of all that. */
void text_group(struct terminal *s, const struct wn_report *r);

/* text_time.c: where the threads' time went. */
void text_time(struct terminal *s, const struct wn_report *r);

/* text_findings.c: what to change, worst first. */
void text_findings(struct terminal *s, const struct wn_report *r);

/* text_places.c: tables of places, of problems, of the user's metrics. False: out of memory. */
bool text_places(struct terminal *s, const struct wn_report *r);
bool text_problems(struct terminal *s, const struct wn_report *r);
bool text_metrics(struct terminal *s, const struct wn_report *r);

/* text_counters.c: what was counted beside the clock. False: out of memory. */
bool text_counters(struct terminal *s, const struct wn_report *r);

/* text_named.c: where tasks excluded one another; what the program named. False: out of memory. */
bool text_mutexes(struct terminal *s, const struct wn_report *r);
bool text_marks(struct terminal *s, const struct wn_report *r);
bool text_labels(struct terminal *s, const struct wn_report *r);

/* text_fidelity.c: what is not known. */
void text_fidelity(struct terminal *s, const struct wn_report *r);

/* A blank line and a title. */
void text_title(struct terminal *s, const char *title);

/* A name, its value, and what that is: in columns, the text over as many lines as it needs. */
struct text_widths {
	int name, value;
};
void text_row(struct terminal *s, const struct text_widths *widths, const char *name,
              const char *value, const char *text);

#endif /* WN_REPORT_TEXT_PRIVATE_H */
