/* SPDX-License-Identifier: MIT */
/* cmd_run.c - winnow run: records a program, then reports on the recording. */
#include "cli/cmd.h"
#include "cli/run_report.h"
#include "cli/series.h"

#include <stdlib.h>

struct run_options {
	struct recording_options recording; /* first: RECORDING_OPTION() */
	const char *report;
	struct option_list fail_if;
	bool is_viewed;
};

static const struct option_spec options[] = {
    RECORDING_OPTION("output", 'o', OPTION_STRING, "FILE",
                     "keep the trace in FILE (default: PROG.winnow in this folder)",
                     request.output),
    RECORDING_OPTIONS_WHAT,
    {"report", 0, OPTION_STRING, "FILE",
     "write the report to FILE, - for standard output (default: standard error)",
     offsetof(struct run_options, report)},
    {"fail-if", 0, OPTION_LIST, "EXPR",
     "exit with 4 if EXPR holds, as in winnow report; repeatable",
     offsetof(struct run_options, fail_if)},
    {"view", 0, OPTION_FLAG, NULL, "also write the page, and open it in a browser",
     offsetof(struct run_options, is_viewed)},
    RECORDING_OPTIONS_HOW,
    {0},
};

static const char *const examples[] = {
    "winnow run ./fib 30",
    "winnow run -o run1.winnow -- ./solver --steps 10",
    "winnow run --threads 1,2,4 --repeat 3 ./solver",
    "winnow run --fail-if 'parallelism < 4' --report report.txt ./solver",
    NULL,
};

static int
run_series(const struct record_request *request, const struct run_options *given,
           struct run_report *report)
{
	struct paths traces = {0};
	int code =
	    series_record(request, given->recording.threads, given->recording.n_repeat, &traces);
	if (traces.n > 0)
		(void)run_report_print(report, &traces);
	else
		run_report_discard(report);
	paths_fini(&traces);
	return code;
}

/* A report changes the exit code only where conditions are given and the program succeeded. */
static int
run_once(const struct record_request *request, struct run_report *report)
{
	struct record_outcome outcome;
	record_program(request, &outcome);
	if (!outcome.trace[0]) {
		run_report_discard(report);
		return outcome.exit_code;
	}
	int code = run_report_print(report, &(struct paths){(char *[]){outcome.trace}, 1, 1});
	return outcome.exit_code == CLI_OK && report->fail_if->n ? code : outcome.exit_code;
}

static int
run(const void *values, int n_operands, char **operands)
{
	const struct run_options *given = values;
	(void)n_operands;
	struct record_request request = given->recording.request;
	request.is_reported = request.calibrates = true;
	request.argv = operands;
	struct run_report report = {.output = given->report,
	                            .fail_if = &given->fail_if,
	                            .is_viewed = given->is_viewed,
	                            .has_counters = request.counters || getenv("WINNOW_COUNTERS")};
	bool is_series = given->recording.threads || given->recording.n_repeat;
	if (!run_report_prepare(&report, is_series))
		return CLI_USAGE;
	return is_series ? run_series(&request, given, &report) : run_once(&request, &report);
}

const struct cmd cmd_run = {
    .name = "run",
    .one_line = "Record a program, then report what is slow and why",
    .usage = "[--] PROG [ARG]...",
    .about = "The program's input, output and exit status pass through (128+n when signal n ended\n"
	     "it). The report goes to standard error, after the program's own output; of several\n"
	     "processes it is on the "
	     "one with the most time in parallel regions. With --threads, the recordings are in a\n"
	     "folder, PROG.series, and the report shows how the program scales.",
    .examples = examples,
    .options = options,
    .options_bytes = sizeof(struct run_options),
    .takes_program = true,
    .min_operands = 1,
    .max_operands = CMD_ANY_NUMBER,
    .run = run,
};
