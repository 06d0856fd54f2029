/* SPDX-License-Identifier: MIT */
/* text_private.h - the parts of the text, each in a file of its own. Private to this folder. */
#pragma once

#include "report/terminal.h"
#include "report/units.h"

/* text_head.c: the run in one or two sentences; the same in few lines, without a verdict; the
 * verdict; the available parallelism. */
void text_headline(struct terminal *s, const struct wn_report *r);
void text_brief_head(struct terminal *s, const struct wn_report *r);
void text_verdict(struct terminal *s, const struct wn_report *r);
void text_parallelism(struct terminal *s, const struct wn_report *r);

/* text_weight.c: the same by weight, if requested. */
void text_weight(struct terminal *s, const struct wn_report *r);

/* text_imported.c: the same for an imported table, which lacks times. */
void text_imported(struct terminal *s, const struct wn_report *r, bool is_verdict_last);
void text_imported_verdict(struct terminal *s, const struct wn_report *r);

/* text_group.c: the head for one group. */
void text_group(struct terminal *s, const struct wn_report *r);

/* text_time.c: where the threads' time went; its title, and one line of it. */
void text_time(struct terminal *s, const struct wn_report *r);
void text_time_title(struct terminal *s, const struct wn_report *r);
/* Names the files that the CPU time was in, where a library has much of it. */
void text_modules(struct terminal *s, const struct wn_report *r);
void text_time_line(struct terminal *s, const struct wn_report *r, const char *title, uint64_t ns,
                    enum wn_time_kind kind);

/* One line, of any whole. */
void text_time_share(struct terminal *s, const char *title, uint64_t ns, uint64_t of_ns,
                     enum wn_time_kind kind);

/* text_brief.c: the report on one screen. */
void text_brief(struct terminal *s, const struct wn_report *r);

/* text_findings.c: findings, worst first; their title, which names another order. */
void text_findings(struct terminal *s, const struct wn_report *r);
void text_findings_title(struct terminal *s, const struct wn_report *r);

/* text_places.c: tables of places, problems and user metrics. */
void text_places(struct terminal *s, const struct wn_report *r);
void text_problems(struct terminal *s, const struct wn_report *r);
void text_metrics(struct terminal *s, const struct wn_report *r);

/* text_counters.c: counters other than the clock. */
void text_counters(struct terminal *s, const struct wn_report *r);

/* text_sharing.c: false sharing and contention, if they were looked for. */
void text_sharing(struct terminal *s, const struct wn_report *r);

/* text_named.c: lock contention; labels of the program. */
void text_mutexes(struct terminal *s, const struct wn_report *r);
void text_mpi(struct terminal *s, const struct wn_report *r);
void text_marks(struct terminal *s, const struct wn_report *r);
void text_labels(struct terminal *s, const struct wn_report *r);

/* text_fidelity.c: limitations of the recording. */
void text_fidelity(struct terminal *s, const struct wn_report *r);

/* A blank line and a title. */
void text_title(struct terminal *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Prints a name, its value and an explanation in columns, wrapping the explanation. */
struct text_widths {
	int name, value;
};
void text_row(struct terminal *s, const struct text_widths *widths, const char *name,
              const char *value, const char *text);
