/* SPDX-License-Identifier: MIT */
/*
 * cmd_count.c - winnow count: run a program so that what each grain's instructions do is counted.
 */
#include "cli/cmd.h"
#include "cli/engine.h"
#include "cli/record.h"

struct count_options {
	const char *output;
	const char *source;
	const char *check;
	const char *engine;
	bool has_no_footprint;
	bool is_verbose;
};

static const struct option_spec options[] = {
    {"output", 'o', OPTION_STRING, "FILE",
     "write to FILE (default: PROG.counts.winnow in this folder)",
     offsetof(struct count_options, output)},
    {"no-footprint", 0, OPTION_FLAG, NULL,
     "do not keep which cache lines and addresses each grain touches: quicker",
     offsetof(struct count_options, has_no_footprint)},
    {"engine", 0, OPTION_STRING, "NAME",
     "count by native, in the program's own process, or by qemu, in an emulator (default: auto,\n"
     "native where it can)",
     offsetof(struct count_options, engine)},
    {"source", 0, OPTION_STRING, "NAME",
     "record by auto, ompt, libgomp or pomp2 (default: whatever PROG shows)",
     offsetof(struct count_options, source)},
    {"check", 0, OPTION_STRING, "FILE",
     "count all instructions a second time, one by one, and write both sums to FILE: slow",
     offsetof(struct count_options, check)},
    {"verbose", 'v', OPTION_FLAG, NULL, "say beforehand by which source PROG can be recorded",
     offsetof(struct count_options, is_verbose)},
    {0},
};

static const char *const examples[] = {
    "winnow count ./fib 25",
    "OMP_NUM_THREADS=2 winnow count --no-footprint -o fib.counts.winnow ./fib 25",
    NULL,
};

static int
run(const void *values, int n_operands, char **operands)
{
	const struct count_options *given = values;
	(void)n_operands;
	struct engine_options engine = {
	    .keeps_no_footprint = given->has_no_footprint,
	    .check_path = given->check,
	};
	struct record_request request = {
	    .verb = "count",
	    .output = given->output,
	    .source = given->source,
	    .is_verbose = given->is_verbose,
	    .argv = operands,
	    .engine = &engine,
	};
	struct record_outcome outcome;
	if (given->engine && !engine_of_name(given->engine, &engine.kind)) {
		say("count", "--engine %s: is not auto, native or qemu", given->engine);
		return CLI_USAGE;
	}
	record_program(&request, &outcome);
	return outcome.exit_code;
}

const struct cmd cmd_count = {
    .name = "count",
    .one_line = "Counts a program's instructions, grain by grain",
    .usage = "[--] PROG [ARG]...",
    .about =
	"The program is run as it is, several times slower, and recorded: instructions, reads and\n"
	"writes of memory, the stack's among them, and how much memory each grain touches are "
	"exact;\n"
	"its times are not the program's. Without --engine native (x86-64) it needs qemu-user.",
    .examples = examples,
    .options = options,
    .options_bytes = sizeof(struct count_options),
    .takes_program = true,
    .min_operands = 1,
    .max_operands = CMD_ANY_NUMBER,
    .run = run,
};
