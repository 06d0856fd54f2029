/* SPDX-License-Identifier: MIT */
/*
 * runs.h - recordings to compare: opened and reported on, with what there is to say if that fails.
 */
#ifndef WN_CLI_RUNS_H
#define WN_CLI_RUNS_H

#include "report/report.h"

struct run {
	const char *file;
	struct wn_trace *trace;
	struct wn_report *report;
};

/* Opens a recording and builds its report. CLI_OK, or CLI_FAILURE when it has said why not. Release
 * with run_close() in any case. */
int run_open(const char *verb, const char *file, const struct wn_options *options, struct run *out);
void run_close(struct run *run);

/* CLI_DAMAGED if something had to be skipped, and says so; else CLI_OK. */
int run_say_damage(const char *verb, const struct run *run);

/* Says why an output failed. A reader that has gone away is no news; what is left in the buffer is
 * given up. Returns CLI_FAILURE. */
int run_complain_of_output(const char *verb, const wn_err *err);

#endif /* WN_CLI_RUNS_H */
