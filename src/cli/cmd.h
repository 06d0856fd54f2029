/* SPDX-License-Identifier: MIT */
/*
 * cmd.h - a verb is one constant of this type in src/cli/cmd_VERB.c.
 *
 * To add a verb: write cmd_VERB.c with `const struct cmd cmd_VERB`, add its line to verbs.def and
 * its file to meson.build. Nothing else lists the verbs. Its page is man/winnow-VERB.1, its tests
 * are in tests/cli/VERB/.
 *
 * cmd_VERB.c holds, in this order: the options struct, the option table, the examples, its
 * functions, the run function, the constant.
 */
#pragma once

#include "cli/exit.h"
#include "cli/message.h"
#include "cli/options.h"

#include <stdbool.h>
#include <stddef.h>

#define CMD_ANY_NUMBER (-1)

struct cmd {
	const char *name;
	const char *one_line;              /* short description, no full stop */
	const char *usage;                 /* the operands, e.g. "FILE" */
	const char *about;                 /* further lines of help, or NULL */
	const char *const *examples;       /* command lines, NULL-terminated */
	const struct option_spec *options; /* terminated by a line of zeros */
	size_t options_bytes; /* size of the options struct, which is zero-initialized */
	bool takes_program;   /* the operands are another program's command line */
	/* where in the options struct the words after `--` go, a struct operands; then the operands
	 * are those before it. 0: nowhere */
	size_t program_offset;
	int min_operands;
	int max_operands; /* or CMD_ANY_NUMBER */
	/* `options` is the struct described by the table. Returns the exit code (exit.h). */
	int (*run)(const void *options, int n_operands, char **operands);
};
