/* SPDX-License-Identifier: MIT */
/*
 * cmd_count.c - winnow count: run a program so that what each grain's instructions do is counted.
 */
#include "cli/cmd.h"
#include "cli/engine.h"
#include "cli/outfile.h"
#include "cli/record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct count_options {
	const char *output;
	const char *source;
	const char *check;
	const char *engine;
	bool has_no_footprint;
	bool has_no_command;
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
    {"no-command", 0, OPTION_FLAG, NULL, "do not keep PROG's arguments in the trace",
     offsetof(struct count_options, has_no_command)},
    {"verbose", 'v', OPTION_FLAG, NULL, "say beforehand by which source PROG can be recorded",
     offsetof(struct count_options, is_verbose)},
    {0},
};

static const char *const examples[] = {
    "winnow count ./fib 25",
    "OMP_NUM_THREADS=2 winnow count --no-footprint -o fib.counts.winnow ./fib 25",
    NULL,
};

/* The file that --check is to fill, empty and with its whole path: who fills it is in the program,
 * which may go to another folder, and has nobody to complain to. An exit status. */
static int
prepare_check(const char *given, char path[PATH_MAX])
{
	if (outfile_has_trace(given)) {
		message("count", "--check %s: is a recording; left as it is", given);
		return CLI_USAGE;
	}
	int fd = open(given, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd >= 0 && realpath(given, path)) {
		close(fd);
		return CLI_OK;
	}
	message("count", "--check %s: cannot be written: %s; the program is not run", given,
	        strerror(errno));
	if (fd >= 0)
		close(fd);
	return CLI_FAILURE;
}

/* It was not filled: no process came to its end. */
static void
report_unchecked(const char *path, bool has_run)
{
	struct stat info;
	if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size > 0)
		return;
	unlink(path);
	if (has_run)
		message("count",
		        "--check %s: nothing was written, as nothing that counts came to its "
		        "end",
		        path);
}

static int
run(const void *values, int n_operands, char **operands)
{
	const struct count_options *given = values;
	(void)n_operands;
	char check[PATH_MAX];
	struct engine_options engine = {
	    .keeps_no_footprint = given->has_no_footprint,
	    .check_path = given->check ? check : NULL,
	};
	struct record_request request = {
	    .verb = "count",
	    .output = given->output,
	    .source = given->source,
	    .has_no_command = given->has_no_command,
	    .is_verbose = given->is_verbose,
	    .argv = operands,
	    .engine = &engine,
	};
	struct record_outcome outcome;
	if (given->engine && !engine_of_name(given->engine, &engine.kind)) {
		message("count", "--engine %s: is not auto, native or qemu", given->engine);
		return CLI_USAGE;
	}
	int code = given->check ? prepare_check(given->check, check) : CLI_OK;
	if (code != CLI_OK)
		return code;
	record_program(&request, &outcome);
	if (given->check)
		report_unchecked(check, outcome.trace[0] != '\0');
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
