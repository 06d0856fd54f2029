/* SPDX-License-Identifier: MIT */
/*
 * cmd_count.c - winnow count: run a program in an emulator that counts what each grain's
 * instructions do.
 */
#include "cli/cmd.h"
#include "cli/emulate.h"
#include "cli/record.h"

struct count_options {
	const char *output;
	const char *source;
	const char *check;
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
	struct emulate_options emulate = {
	    .keeps_no_footprint = given->has_no_footprint,
	    .check_path = given->check,
	};
	struct record_request request = {
	    .verb = "count",
	    .output = given->output,
	    .source = given->source,
	    .is_verbose = given->is_verbose,
	    .argv = operands,
	    .emulate = &emulate,
	};
	struct record_outcome outcome;
	record_program(&request, &outcome);
	return outcome.exit_code;
}

const struct cmd cmd_count = {
    .name = "count",
    .one_line = "Counts a program's instructions, grain by grain, in an emulator",
    .usage = "[--] PROG [ARG]...",
    .about =
	"The program is run by QEMU as it is, several times slower, and recorded: instructions,\n"
	"reads and writes of memory, the stack's among them, and how much memory each grain\n"
	"touches are exact; its times are the emulator's. Needs qemu-user.",
    .examples = examples,
    .options = options,
    .options_bytes = sizeof(struct count_options),
    .takes_program = true,
    .min_operands = 1,
    .max_operands = CMD_ANY_NUMBER,
    .run = run,
};
