/* SPDX-License-Identifier: MIT */
/* cmd_cc.c - winnow cc, c++, fc: compiles a program so that it reports what its runtime does not:
 * chunks of static loops and instruction counts, through plug-ins, or all constructs, through
 * OPARI2. The three verbs share the code; the source files determine the language. */
#include "cli/cmd.h"
#include "cli/library.h"
#include "instrument/instrument.h"

#include <string.h>
#include <unistd.h>

struct cc_options {
	bool is_opari;
	bool prints_flags;
	bool is_verbose;
	bool keeps_files;
	bool counts;
	bool has_footprint;
};

#define AT(field) offsetof(struct cc_options, field)

static const struct option_spec options[] = {
    {"opari", 0, OPTION_FLAG, NULL, "instrument the sources with OPARI2", AT(is_opari)},
    {"count", 0, OPTION_FLAG, NULL, "make the program count what it executes (clang)", AT(counts)},
    {"footprint", 0, OPTION_FLAG, NULL,
     "with --count: also count distinct cache lines and addresses", AT(has_footprint)},
    {"flags", 0, OPTION_FLAG, NULL, "print the compiler's flags, and stop", AT(prints_flags)},
    {"keep", 'k', OPTION_FLAG, NULL, "keep the intermediate files, and print their folder",
     AT(keeps_files)},
    {"verbose", 'v', OPTION_FLAG, NULL, "print each command that is run", AT(is_verbose)},
    {0},
};

static const char *const examples[] = {
    "winnow cc -- gcc -O2 -fopenmp solver.c -o solver",
    "make CFLAGS=\"-O2 -fopenmp $(winnow cc --flags gcc)\"",
    "winnow cc --opari -- gcc -O2 -fopenmp solver.c -o solver",
    "winnow cc --count --footprint -- clang -O2 -fopenmp solver.c -o solver",
    "winnow fc --opari -- gfortran -fopenmp -c grid.f90",
    "make CC='winnow cc --opari -- gcc'",
    NULL,
};

/* All of these are in the recorder's folder. */
static bool
find_folder(char out[PATH_MAX])
{
	if (!library_find(out))
		return false;
	*strrchr(out, '/') = '\0';
	return true;
}

static bool
find_library(char out[PATH_MAX])
{
	if (!find_folder(out))
		return false;
	size_t used = strlen(out), room = PATH_MAX - used;
	return snprintf(out + used, room, "/%s", POMP2_FILE) < (int)room && access(out, R_OK) == 0;
}

static enum instrument_count
count_of(const struct cc_options *given)
{
	return !given->counts         ? INSTRUMENT_COUNT_NOTHING
	       : given->has_footprint ? INSTRUMENT_COUNT_FOOTPRINT
	                              : INSTRUMENT_COUNT_INSTRUCTIONS;
}

/* `operands` is empty for the system's own compiler. */
static wn_status
print_flags(const struct cc_options *given, const char *folder, char **operands, int n_operands,
            wn_err *err)
{
	char flag[PATH_MAX + 32], counting[PATH_MAX + 32] = "";
	const char *compiler = n_operands > 0 ? operands[0] : "cc";
	wn_status st = WN_OK;
	if (given->counts)
		st = instrument_count_flag(compiler, folder, count_of(given), counting,
		                           sizeof counting, err);
	if (st == WN_OK)
		st = instrument_plugin_flag(compiler, folder, flag, sizeof flag, err);
	if (st == WN_OK)
		printf("%s%s%s\n", counting, *counting ? " " : "", flag);
	return st;
}

/* Checks for incompatible options; true after a message. */
static bool
complain(const struct cc_options *given, int n_operands)
{
	const char *wrong = NULL;
	if (!given->prints_flags && n_operands == 0)
		wrong = "no compiler given; see 'winnow cc --help'";
	else if (given->is_opari && given->prints_flags)
		wrong = "--opari and --flags: OPARI2 is not a flag of a compiler; give only one of "
			"them";
	else if (given->is_opari && given->counts)
		wrong = "--opari and --count: OPARI2 counts nothing; give only one of them";
	else if (given->has_footprint && !given->counts)
		wrong = "--footprint: only with --count";
	if (wrong)
		message("%s", wrong);
	return wrong != NULL;
}

static int
run(const void *values, int n_operands, char **operands)
{
	const struct cc_options *given = values;
	char library[PATH_MAX];
	wn_err err = {0};
	int exit_code = 0;
	wn_status st;
	if (complain(given, n_operands))
		return CLI_USAGE;
	if (!(given->is_opari ? find_library : find_folder)(library))
		return FAILURE("%s is not there; build or install Winnow again",
		               given->is_opari ? POMP2_FILE : LIBRARY_FILE);
	struct instrument_request request = {
	    .command = operands,
	    .library = library,
	    .is_verbose = given->is_verbose,
	    .keeps_files = given->keeps_files,
	    .counts = count_of(given),
	};
	if (given->prints_flags)
		st = print_flags(given, library, operands, n_operands, &err);
	else if (given->is_opari)
		st = instrument_run(&request, &exit_code, &err);
	else
		st = instrument_run_plugin(&request, &exit_code, &err);
	if (st == WN_OK)
		return exit_code;
	message("%s", err.msg);
	return st == WN_E_ARG ? CLI_USAGE : CLI_FAILURE;
}

#define ABOUT                                                                                      \
	"Gives the compiler a plug-in, so that each chunk of a static loop reports when it "       \
	"begins;\n"                                                                                \
	"the program runs without Winnow. With --opari the sources are "                           \
	"instrumented\n"                                                                           \
	"instead, for runtimes that cannot be recorded. Commands without -fopenmp run as "         \
	"they are,\n"                                                                              \
	"unless --count makes the program count its instructions, by kind, and memory accesses.\n" \
	"Exit status: the compiler's; 2 if OPARI2 cannot instrument a source or there is "         \
	"no\nplug-in for the compiler, 1 if a tool is missing."

#define CC_VERB(c_name, text)                                                                      \
	const struct cmd c_name = {                                                                \
	    .name = text,                                                                          \
	    .one_line = "Compile so that more of a program can be recorded",                       \
	    .usage = "[--] COMPILER [ARG]...",                                                     \
	    .about = ABOUT,                                                                        \
	    .examples = examples,                                                                  \
	    .options = options,                                                                    \
	    .options_bytes = sizeof(struct cc_options),                                            \
	    .takes_program = true,                                                                 \
	    .min_operands = 0,                                                                     \
	    .max_operands = CMD_ANY_NUMBER,                                                        \
	    .run = run,                                                                            \
	}

CC_VERB(cmd_cc, "cc");
CC_VERB(cmd_cxx, "c++");
CC_VERB(cmd_fc, "fc");
