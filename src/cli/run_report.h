/* SPDX-License-Identifier: MIT */
/* run_report.h - the report that follows `winnow run`: `winnow report`, and `winnow view --open`,
 * as processes of their own, so that their failures do not change what the program does. */
#pragma once

#include "cli/newfile.h"
#include "cli/options.h"
#include "cli/series.h"

struct run_report {
	const char *output; /* --report; NULL: standard error, "-": standard output */
	const struct option_list *fail_if; /* --fail-if, of one recording */
	bool is_viewed;                    /* --view, of one recording */
	bool has_counters;                 /* the recording has columns of counters */
	struct newfile file;               /* private */
};

/* Checks the conditions and creates the file, before the program runs. False after a message; else
 * call run_report_print() or run_report_discard(). */
bool run_report_prepare(struct run_report *r, bool is_series);

/* Reports on recordings, and shows the page. Returns the exit code of the report. */
int run_report_print(struct run_report *r, const struct paths *traces);

/* There is nothing to report on. */
void run_report_discard(struct run_report *r);
