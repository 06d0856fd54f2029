/* SPDX-License-Identifier: MIT */
/*
 * record.h - the work that `record` and `run` share.
 */
#ifndef WN_CLI_RECORD_H
#define WN_CLI_RECORD_H

#include "cli/engine.h"

#include <limits.h>
#include <stdbool.h>

struct record_request {
	const char *verb;     /* for messages */
	const char *output;   /* NULL = PROG.winnow in the current folder */
	const char *source;   /* as --source has it; NULL = as WINNOW_SOURCE has it, or auto */
	const char *counters; /* as --counters has it; NULL = as WINNOW_COUNTERS has it */
	bool is_paused;       /* record nothing until the program asks for it */
	bool has_no_command;  /* the arguments are not kept */
	bool is_verbose;
	bool is_reported; /* a report on one of the traces follows: say which */
	char **argv;      /* the program and its arguments, NULL at the end */
	/* Its instructions are counted, or it does not run. NULL: no */
	const struct engine_options *engine;
};

struct record_outcome {
	int exit_code;        /* the program's own, once it has started */
	char trace[PATH_MAX]; /* the one with the most time in parallel regions, or "" */
};

/*
 * Runs the program and records it. What cannot be recorded still runs: only a program that does not
 * exist, or an output file that must not be replaced, keep it from starting. Says one line at the
 * end.
 */
void record_program(const struct record_request *request, struct record_outcome *outcome);

#endif /* WN_CLI_RECORD_H */
