/* SPDX-License-Identifier: MIT */
/* cmd_record.c - winnow record: runs a program and records its tasks and loop chunks. */
#include "cli/cmd.h"
#include "cli/series.h"

static const struct option_spec options[] = {
    RECORDING_OPTION("output", 'o', OPTION_STRING, "FILE",
                     "write to FILE (default: PROG.winnow in this folder)", request.output),
    RECORDING_OPTIONS_WHAT,
    RECORDING_OPTIONS_HOW,
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
	const struct recording_options *given = values;
	(void)n_operands;
	struct record_request request = given->request;
	request.argv = operands;
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
    .options_bytes = sizeof(struct recording_options),
    .takes_program = true,
    .min_operands = 1,
    .max_operands = CMD_ANY_NUMBER,
    .run = run,
};
