/* SPDX-License-Identifier: MIT */
/* cmd_count.c - winnow count: runs a program and counts the instructions of each grain. */
#include "cli/cmd.h"
#include "cli/engine.h"
#include "cli/newfile.h"
#include "cli/outfile.h"
#include "cli/record.h"

#include <errno.h>
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
	bool has_sharing;
	bool has_no_command;
	bool is_verbose;
};

#define AT(field) offsetof(struct count_options, field)

static const struct option_spec options[] = {
    {"output", 'o', OPTION_STRING, "FILE",
     "write to FILE (default: PROG.counts.winnow in this folder)", AT(output)},
    {"no-footprint", 0, OPTION_FLAG, NULL,
     "do not track the cache lines and addresses that each grain touches: faster",
     AT(has_no_footprint)},
    {"sharing", 0, OPTION_FLAG, NULL,
     "find cache lines that parallel grains write: false sharing and contention; native engine "
     "only",
     AT(has_sharing)},
    {"engine", 0, OPTION_STRING, "NAME=auto|native|qemu",
     "count in the program's own process (native), in an emulator (qemu), or native where "
     "possible",
     AT(engine)},
    {"source", 0, OPTION_STRING, "NAME=auto|ompt|ompt-grain|libgomp|pomp2",
     "record by this source only", AT(source)},
    {"check", 0, OPTION_STRING, "FILE",
     "count all instructions a second time, one by one, and write both sums to FILE: slow",
     AT(check)},
    {"no-command", 0, OPTION_FLAG, NULL, "do not store PROG's arguments in the trace",
     AT(has_no_command)},
    {"verbose", 'v', OPTION_FLAG, NULL, "print beforehand by which source PROG can be recorded",
     AT(is_verbose)},
    {0},
};

static const char *const examples[] = {
    "winnow count ./fib 25",
    "OMP_NUM_THREADS=2 winnow count --no-footprint -o fib.counts.winnow ./fib 25",
    NULL,
};

/* The file of --check, which the engine fills inside the program. Its path is absolute, since the
 * program may change its folder, and temporary, so that an existing file stays until the new one is
 * complete. */
struct check_file {
	struct newfile file;
	char path[PATH_MAX]; /* to be filled */
};

/* Returns an exit status. */
static int
prepare_check(const char *given, struct check_file *check)
{
	struct newfile *f = &check->file;
	if (outfile_has_trace(given))
		return USAGE_ERROR("--check %s: is a recording; not overwritten", given);
	if (newfile_open_named(given, f) == 0) {
		if (realpath(f->temp[0] ? f->temp : f->path, check->path))
			return CLI_OK;
		int error = errno;
		newfile_discard(f);
		errno = error;
	}
	return FAILURE("--check %s: cannot be written: %s; the program is not run", given,
	               strerror(errno));
}

/* Moves it to its place, or discards it if empty because no process ended normally. */
static int
finish_check(const char *given, struct check_file *check, bool has_run)
{
	struct stat info;
	bool is_filled =
	    fstat(fileno(check->file.to), &info) != 0 || !S_ISREG(info.st_mode) || info.st_size > 0;
	if (is_filled && newfile_commit(&check->file) != 0)
		return FAILURE("--check %s: cannot be written: %s", given, strerror(errno));
	if (is_filled)
		return CLI_OK;
	newfile_discard(&check->file);
	if (has_run)
		message(
		    "--check %s: nothing was written, because no counted process ended normally",
		    given);
	return CLI_OK;
}

static int
run(const void *values, int n_operands, char **operands)
{
	const struct count_options *given = values;
	(void)n_operands;
	struct check_file check;
	struct engine_options engine = {
	    .keeps_no_footprint = given->has_no_footprint,
	    .logs_sharing = given->has_sharing,
	    .check_path = given->check ? check.path : NULL,
	};
	struct record_request request = {
	    .output = given->output,
	    .source = given->source,
	    .has_no_command = given->has_no_command,
	    .is_verbose = given->is_verbose,
	    .argv = operands,
	    .engine = &engine,
	};
	struct record_outcome outcome;
	if (given->engine)
		engine.kind = engine_of_name(given->engine);
	int code = given->check ? prepare_check(given->check, &check) : CLI_OK;
	if (code != CLI_OK)
		return code;
	record_program(&request, &outcome);
	if (given->check)
		code = finish_check(given->check, &check, outcome.trace[0] != '\0');
	return outcome.exit_code ? outcome.exit_code : code;
}

const struct cmd cmd_count = {
    .name = "count",
    .one_line = "Count the instructions of each grain of a program",
    .usage = "[--] PROG [ARG]...",
    .about = "Runs the unmodified program, several times slower, and records it. Counts of "
	     "instructions,\nof memory reads and writes, including the stack's, and of the memory "
	     "that each grain touches\nare exact; times are not the program's. Without --engine "
	     "native (x86-64) it needs qemu-user.",
    .examples = examples,
    .options = options,
    .options_bytes = sizeof(struct count_options),
    .takes_program = true,
    .min_operands = 1,
    .max_operands = CMD_ANY_NUMBER,
    .run = run,
};
