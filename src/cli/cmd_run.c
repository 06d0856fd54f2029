/* SPDX-License-Identifier: MIT */
/*
 * cmd_run.c - winnow run: records a program, then reports on the recording.
 *
 * The report runs as a separate process, `winnow report FILE`, after the program, so that its
 * output follows the program's and its failures do not change the program's exit status.
 */
#include "cli/cmd.h"
#include "cli/series.h"

struct run_options {
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
    {"output", 'o', OPTION_STRING, "FILE",
     "keep the trace in FILE (default: PROG.winnow in this folder)",
     offsetof(struct run_options, output)},
    {"source", 0, OPTION_STRING, "NAME=auto|ompt|ompt-grain|libgomp|pomp2",
     "record by this source only", offsetof(struct run_options, source)},
    {"counters", 0, OPTION_STRING, "LIST",
     "count these for each grain, e.g. cycles,instructions (winnow doctor lists them)",
     offsetof(struct run_options, counters)},
    SERIES_OPTIONS(struct run_options),
    {"ranks", 0, OPTION_STRING, "LIST", "record these ranks of a job, e.g. 0,7,100-110 or 0-/16",
     offsetof(struct run_options, ranks)},
    {"paused", 0, OPTION_FLAG, NULL, "record nothing until PROG asks for it (winnow-mark(3))",
     offsetof(struct run_options, is_paused)},
    {"no-command", 0, OPTION_FLAG, NULL, "do not keep PROG's arguments in the trace",
     offsetof(struct run_options, has_no_command)},
    {"verbose", 'v', OPTION_FLAG, NULL, "say beforehand by which source PROG can be recorded",
     offsetof(struct run_options, is_verbose)},
    {0},
};

static const char *const examples[] = {
    "winnow run ./fib 30",
    "winnow run -o run1.winnow -- ./solver --steps 10",
    "winnow run --threads 1,2,4 --repeat 3 ./solver",
    NULL,
};

static int
run(const void *values, int n_operands, char **operands)
{
	const struct run_options *given = values;
	(void)n_operands;
	struct record_request request = {
	    .verb = "run",
	    .output = given->output,
	    .source = given->source,
	    .counters = given->counters,
	    .ranks = given->ranks,
	    .is_paused = given->is_paused,
	    .has_no_command = given->has_no_command,
	    .is_verbose = given->is_verbose,
	    .is_reported = true,
	    .argv = operands,
	};
	if (given->threads || given->n_repeat) {
		struct paths traces = {0};
		int code = series_record(&request, given->threads, given->n_repeat, &traces);
		series_start_report("run", &traces);
		paths_fini(&traces);
		return code;
	}
	struct record_outcome outcome;
	record_program(&request, &outcome);
	if (outcome.trace[0])
		series_start_report("run", &(struct paths){(char *[]){outcome.trace}, 1, 1});
	return outcome.exit_code;
}

const struct cmd cmd_run = {
    .name = "run",
    .one_line = "Record a program, then report what is slow and why",
    .usage = "[--] PROG [ARG]...",
    .about = "The program's input, output and exit status pass through (128+n when signal n ended\n"
	     "it). The report follows the program's own output; of several processes it is on the\n"
	     "one with the most time in parallel regions. With --threads, the recordings are in a\n"
	     "folder, PROG.series, and the report says how the program scales.",
    .examples = examples,
    .options = options,
    .options_bytes = sizeof(struct run_options),
    .takes_program = true,
    .min_operands = 1,
    .max_operands = CMD_ANY_NUMBER,
    .run = run,
};
