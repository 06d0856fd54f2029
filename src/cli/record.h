/* SPDX-License-Identifier: MIT */
/* record.h - the common part of `record` and `run`. */
#pragma once

#include "cli/engine.h"

#include <limits.h>
#include <stdbool.h>

struct record_request {
	const char *output;   /* NULL = PROG.winnow in the current folder */
	const char *source;   /* value of --source; NULL = WINNOW_SOURCE, or auto */
	const char *counters; /* value of --counters; NULL = WINNOW_COUNTERS */
	const char *ranks;    /* value of --ranks; NULL = all */
	bool is_paused;       /* record nothing until the program enables recording */
	bool has_no_command;  /* do not store the arguments */
	bool is_verbose;
	bool keeps_going; /* run the program also where it cannot be recorded; return its status */
	bool is_reported; /* a report on one of the traces follows: name it */
	bool calibrates;  /* measures what recording costs, where there is no profile of that */
	char **argv;      /* the program and its arguments, NULL-terminated */
	/* Counts its instructions, or does not run it. NULL: no counting */
	const struct engine_options *engine;
};

struct record_outcome {
	int exit_code;        /* the program's own, once it has started */
	bool has_run;         /* the program was started */
	bool is_unrecorded;   /* nothing was recorded */
	bool is_stopped;      /* by the terminal, or by a signal to winnow */
	char trace[PATH_MAX]; /* the directory of the job, or the trace with the most time in
	                         parallel regions; "": there is nothing to report on */
};

/* Runs the program and records it. It does not start if it does not exist, if the output file must
 * not be replaced, or, unless it is to keep going, if it is clear that it cannot be recorded.
 * Prints one line at the end. The exit code of a program that succeeds without a recording is
 * CLI_UNRECORDED, unless it is to keep going. */
void record_program(const struct record_request *request, struct record_outcome *outcome);

/* Checks the options and finds the program, for several runs of it. False after a message. */
bool record_can_start(const struct record_request *request);
