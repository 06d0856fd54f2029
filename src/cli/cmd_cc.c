/* SPDX-License-Identifier: MIT */
/*
 * cmd_cc.c - winnow cc, c++, fc: compile and link so that the program can be recorded where its
 * runtime shows nothing. The three are one verb; the compiler is named, and its sources say their
 * language.
 */
#include "cli/cmd.h"
#include "cli/library.h"
#include "instrument/instrument.h"

#include <string.h>
#include <unistd.h>

struct cc_options {
	bool is_opari;
	bool is_verbose;
	bool keeps_files;
};

static const struct option_spec options[] = {
    {"opari", 0, OPTION_FLAG, NULL, "instrument the sources with OPARI2",
     offsetof(struct cc_options, is_opari)},
    {"keep", 'k', OPTION_FLAG, NULL, "keep the intermediate files, and say where",
     offsetof(struct cc_options, keeps_files)},
    {"verbose", 'v', OPTION_FLAG, NULL, "print each command that is run",
     offsetof(struct cc_options, is_verbose)},
    {0},
};

static const char *const examples[] = {
    "winnow cc --opari -- gcc -O2 -fopenmp solver.c -o solver",
    "winnow fc --opari -- gfortran -fopenmp -c grid.f90",
    "make CC='winnow cc --opari -- gcc'",
    NULL,
};

/* It lies beside the recorder. */
static bool
find_library(char out[PATH_MAX])
{
	if (!library_find(out))
		return false;
	char *slash = strrchr(out, '/');
	size_t room = (size_t)(out + PATH_MAX - slash - 1);
	return snprintf(slash + 1, room, "%s", POMP2_FILE) < (int)room && access(out, R_OK) == 0;
}

static int
run(const void *values, int n_operands, char **operands)
{
	const struct cc_options *given = values;
	char library[PATH_MAX];
	wn_err err = {0};
	int exit_code = 0;
	(void)n_operands;
	if (!given->is_opari) {
		say("cc", "say how: --opari instruments with OPARI2");
		return CLI_USAGE;
	}
	if (!find_library(library)) {
		say("cc", "%s is not beside " LIBRARY_FILE "; build or install Winnow again",
		    POMP2_FILE);
		return CLI_FAILURE;
	}
	struct instrument_request request = {
	    .command = operands,
	    .library = library,
	    .is_verbose = given->is_verbose,
	    .keeps_files = given->keeps_files,
	};
	wn_status st = instrument_run(&request, &exit_code, &err);
	if (st == WN_OK)
		return exit_code;
	say("cc", "%s", err.msg);
	return st == WN_E_ARG ? CLI_USAGE : CLI_FAILURE;
}

#define ABOUT                                                                                      \
	"What PROG was told on the command line is what happens, and its sources are "             \
	"instrumented\n"                                                                           \
	"on the way; commands without -fopenmp run as they are. Exit status: the compiler's; 2 "   \
	"if\n"                                                                                     \
	"a source holds what OPARI2 cannot take, 1 if a tool is missing."

#define CC_VERB(c_name, text)                                                                      \
	const struct cmd c_name = {                                                                \
	    .name = text,                                                                          \
	    .one_line = "Compiles so that any OpenMP program can be recorded",                     \
	    .usage = "[--] COMPILER [ARG]...",                                                     \
	    .about = ABOUT,                                                                        \
	    .examples = examples,                                                                  \
	    .options = options,                                                                    \
	    .options_bytes = sizeof(struct cc_options),                                            \
	    .takes_program = true,                                                                 \
	    .min_operands = 1,                                                                     \
	    .max_operands = CMD_ANY_NUMBER,                                                        \
	    .run = run,                                                                            \
	}

CC_VERB(cmd_cc, "cc");
CC_VERB(cmd_cxx, "c++");
CC_VERB(cmd_fc, "fc");
