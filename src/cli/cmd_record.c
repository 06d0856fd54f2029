/* SPDX-License-Identifier: MIT */
/*
 * cmd_record.c - winnow record: runs a program and records its tasks and loop chunks.
 */
#include "cli/cmd.h"
#include "cli/series.h"

struct record_options {
	const char *output;
	const char *source;
	const char *counters;
	bool is_paused;
	bool has_no_command;
	bool is_verbose;
	const char *threads;
	const char *ranks;
	uint64_t n_repeat;
};

static const struct option_spec options[] = {
    {"output", 'o', OPTION_STRING, "FILE", "write to FILE (default: PROG.winnow in this folder)",
     offsetof(struct record_options, output)},
    {"source", 0, OPTION_STRING, "NAME=auto|ompt|ompt-grain|libgomp|pomp2",
     "record by this source only", offsetof(struct record_options, source)},
    {"counters", 0, OPTION_STRING, "LIST",
     "count these for each grain, e.g. cycles,instructions (winnow doctor lists them)",
     offsetof(struct record_options, counters)},
    SERIES_OPTIONS(struct record_options),
    {"ranks", 0, OPTION_STRING, "LIST", "record these ranks of a job, e.g. 0,7,100-110 or 0-/16",
     offsetof(struct record_options, ranks)},
    {"paused", 0, OPTION_FLAG, NULL, "record nothing until PROG asks for it (winnow-mark(3))",
     offsetof(struct record_options, is_paused)},
    {"no-command", 0, OPTION_FLAG, NULL, "do not keep PROG's arguments in the trace",
     offsetof(struct record_options, has_no_command)},
    {"verbose", 'v', OPTION_FLAG, NULL, "say beforehand by which source PROG can be recorded",
     offsetof(struct record_options, is_verbose)},
    {0},
};

static const char *const examples[] = {
    "winnow record ./fib 30",
    "winnow record -o run1.winnow -- python3 fit.py --fast",
    NULL,
};

static int
run(const void *values, int n_operands, char **operands)
{
	const struct record_options *given = values;
	(void)n_operands;
	struct record_request request = {
	    .verb = "record",
	    .output = given->output,
	    .source = given->source,
	    .counters = given->counters,
	    .ranks = given->ranks,
	    .is_paused = given->is_paused,
	    .has_no_command = given->has_no_command,
	    .is_verbose = given->is_verbose,
	    .argv = operands,
	};
	if (given->threads || given->n_repeat) {
		struct paths traces = {0};
		int code = series_record(&request, given->threads, given->n_repeat, &traces);
		paths_fini(&traces);
		return code;
	}
	struct record_outcome outcome;
	record_program(&request, &outcome);
	return outcome.exit_code;
}

const struct cmd cmd_record = {
    .name = "record",
    .one_line = "Record a program's tasks and loop chunks",
    .usage = "[--] PROG [ARG]...",
    .about = "The program's input, output and exit status pass through (128+n when signal n ended\n"
	     "it). A program that starts others leaves one trace for each: FILE, FILE.PID, ...\n"
	     "With --threads the recordings are in a folder, PROG.series.",
    .examples = examples,
    .options = options,
    .options_bytes = sizeof(struct record_options),
    .takes_program = true,
    .min_operands = 1,
    .max_operands = CMD_ANY_NUMBER,
    .run = run,
};
