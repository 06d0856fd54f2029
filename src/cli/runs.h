/* SPDX-License-Identifier: MIT */
/*
 * runs.h - recordings, opened and reported on; what there is to say if that fails.
 */
#ifndef WN_CLI_RUNS_H
#define WN_CLI_RUNS_H

#include "report/diff.h"
#include "report/report.h"
#include "report/text.h"
#include "trace/trace_complete.h"

struct run {
	const char *file;
	struct wn_trace *trace;
	struct wn_report *report;
};

/* Opens a recording and builds its report. CLI_OK, or CLI_FAILURE when it has said why not. Release
 * with run_close() in any case. */
int run_open(const char *verb, const char *file, const struct wn_options *options, struct run *out);
/* The same in two steps, for options that depend on the recording. */
int run_open_trace(const char *verb, const char *file, struct run *out);
int run_build(const char *verb, const struct wn_options *options, struct run *out);
void run_close(struct run *run);

/* Opens a reference, compares a run with it, and adds to the run's findings what only the
 * comparison shows. CLI_OK, or CLI_FAILURE when it has said why not. Release the reference with
 * run_close() and what differs with wn_diff_free() in any case. */
int run_compare(const char *verb, const char *file, struct wn_report *report, const char *reference,
                const struct wn_options *options, struct run *out, struct wn_diff **diff);

/* Says why a recording cannot be used, and what to do; if_empty is added of one that never had an
 * event. CLI_USAGE if it is a metric of the user, else CLI_FAILURE. */
int run_complain(const char *verb, const char *file, wn_status st, const wn_err *err,
                 const char *if_empty);

/* CLI_DAMAGED if something had to be skipped, and says so; else CLI_OK. */
int run_say_damage(const char *verb, const struct run *run);

/* Says what was skipped of a recording, and what is of what is left: "the tree is". */
void run_say_loss(const char *verb, const char *file, const struct wn_damage *d, const char *rest);

/* The same if something was skipped; and whether events were dropped. CLI_DAMAGED if so, else
 * CLI_OK. */
int run_tell_damage(const char *verb, const char *file, const struct wn_trace *trace,
                    const char *rest);

/* Prints the line on whether a recording is complete, the same in all verbs that have it. */
void run_print_verdict(struct wn_verdict verdict);

/* Reads what --color was given, NULL for nothing. False: it is no such word, which it says. */
bool run_parse_color(const char *verb, const char *color, struct wn_text_style *style);

/* Says why an output failed. A reader that has gone away is no news; what is left in the buffer is
 * given up. Returns CLI_FAILURE. */
int run_complain_of_output(const char *verb, const wn_err *err);

#endif /* WN_CLI_RUNS_H */
