/* SPDX-License-Identifier: MIT */
/* runs.h - opens recordings, builds their reports, and prints errors. */
#pragma once

#include "report/diff.h"
#include "report/report.h"
#include "report/text.h"
#include "trace/trace_complete.h"

struct run {
	const char *file;
	struct wn_trace *trace;
	struct wn_report *report;
};

/* Opens a recording and builds its report. CLI_OK, or CLI_FAILURE after a message. Release with
 * run_close() in any case. */
int run_open(const char *file, const struct wn_options *options, struct run *out);
/* The same in two steps, for options that depend on the recording. */
int run_open_trace(const char *file, struct run *out);
int run_build(const struct wn_options *options, struct run *out);
void run_close(struct run *run);

/* Opens a reference, compares a run with it, and adds the findings of the comparison to the run.
 * CLI_OK, or CLI_FAILURE after a message. Release the reference with run_close() and the comparison
 * with wn_diff_free() in any case. */
int run_compare(const char *file, struct wn_report *report, const char *reference,
                const struct wn_options *options, struct run *out, struct wn_diff **diff);

/* Prints why a recording cannot be used, and what to do; if_empty is added for one without events.
 * CLI_USAGE for a user metric, else CLI_FAILURE. */
int run_complain(const char *file, wn_status st, const wn_err *err, const char *if_empty);

/* CLI_DAMAGED after a message if something was skipped; else CLI_OK. */
int run_print_damage(const struct run *run);

/* Prints what was skipped of a recording, and what the output is based on: "the tree is". */
void run_print_loss(const char *file, const struct wn_damage *d, const char *rest);

/* Prints what was skipped, and whether events were dropped. CLI_DAMAGED if so, else CLI_OK. */
int run_report_damage(const char *file, const struct wn_trace *trace, const char *rest);

/* Prints the line on whether a recording is complete, the same in all verbs that have it. */
void run_print_verdict(struct wn_verdict verdict);

/* Returns the style for standard output, with colours as --color says (NULL: not given). */
struct wn_text_style run_style(const char *color);

/* Prints why an output failed. A closed pipe is not an error; discards the rest of the buffer.
 * Returns CLI_FAILURE. */
int run_complain_of_output(const wn_err *err);

/* Returns the exit code of an output, after a message if it failed. */
int run_output_code(wn_status st, const wn_err *err);
