/* SPDX-License-Identifier: MIT */
/* cmd_import.c - winnow import: converts task tables and graphs of the R prototype to traces. */
#include "base/plural.h"
#include "cli/cmd.h"
#include "cli/newfile.h"
#include "cli/outfile.h"
#include "cli/progress.h"
#include "import/import.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct import_options {
	const char *output, *instructions;
	uint64_t hz;
	bool is_quiet;
};

#define AT(field) offsetof(struct import_options, field)

static const struct option_spec options[] = {
    {"output", 'o', OPTION_STRING, "OUT", "write the trace to OUT (default: IN.winnow)",
     AT(output)},
    {"instructions", 0, OPTION_STRING, "FILE", "an instruction-level profile of the same run",
     AT(instructions)},
    {"hz", 0, OPTION_NUMBER, "N", "cycles per second: times become nanoseconds", AT(hz)},
    {"quiet", 'q', OPTION_FLAG, NULL, "print only errors", AT(is_quiet)},
    {0},
};

static const char *const examples[] = {
    "winnow import task-stats.processed -o fib.winnow && winnow report fib.winnow",
    "winnow import grain-graph.graphml",
    NULL,
};

/* "dir/fib.csv" -> "dir/fib.winnow"; other suffixes stay. */
static char *
default_name(const char *in)
{
	static const char *const endings[] = {".csv", ".graphml"};
	size_t n = strlen(in);
	char *out = malloc(n + sizeof ".winnow");
	if (!out)
		return NULL;
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		size_t m = strlen(endings[i]);
		if (n > m && strcmp(in + n - m, endings[i]) == 0)
			n -= m;
	}
	memcpy(out, in, n);
	memcpy(out + n, ".winnow", sizeof ".winnow");
	return out;
}

/* Never replaces a file that is not a trace. */
static bool
may_write(const char *out)
{
	struct stat info;
	if (stat(out, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0 ||
	    outfile_has_trace(out))
		return true;
	message("%s: exists and is not a trace; nothing imported", out);
	return false;
}

static int
print_result(const char *out, const struct import_options *given,
             const struct wn_import_result *result)
{
	for (size_t i = 0; i < result->n_notes; i++)
		if (result->notes[i].is_loss || !given->is_quiet)
			message("%s", result->notes[i].text);
	if (out && !given->is_quiet)
		message("%s: %" PRIu64 " grain%s, times in %s%s", out, result->n_rows,
		        wn_plural(result->n_rows), result->is_ns ? "ns" : "cycles",
		        result->is_damaged ? "; not all was usable" : "");
	return result->is_damaged ? CLI_DAMAGED : CLI_OK;
}

/* An existing file stays until the new one is complete. */
static int
import(const char *in, const char *out, const struct import_options *given)
{
	struct wn_import_options o = {given->instructions, given->hz};
	struct wn_import_result result = {0};
	struct newfile f;
	wn_err err = {.msg = ""};
	if (newfile_open(out, &f) != 0)
		return FAILURE("%s: %s; nothing imported", out, strerror(errno));
	progress_step("importing");
	wn_status st = wn_import(in, &o, f.to, &result, &err);
	if (st != WN_OK) {
		newfile_discard(&f);
	} else if (newfile_commit(&f) != 0) {
		st = WN_E_IO;
		snprintf(err.msg, sizeof err.msg, "%.150s: %s", out, strerror(errno));
	}
	int code = print_result(st == WN_OK ? out : NULL, given, &result);
	if (st != WN_OK) {
		code = FAILURE("%s; nothing imported", err.msg);
	}
	wn_import_result_fini(&result);
	return code;
}

static int
run(const void *values, int n_operands, char **operands)
{
	const struct import_options *given = values;
	(void)n_operands;
	if (outfile_has_trace(operands[0]))
		return USAGE_ERROR("%s: is a recording already; winnow report reads it",
		                   operands[0]);
	char *name = given->output ? NULL : default_name(operands[0]);
	const char *out = given->output ? given->output : name;
	int code = CLI_FAILURE;
	if (!out)
		message("out of memory");
	else
		code = may_write(out) ? import(operands[0], out, given) : CLI_USAGE;
	free(name);
	return code;
}

const struct cmd cmd_import = {
    .name = "import",
    .one_line = "Convert tables and graphs of the R prototype into a recording",
    .usage = "FILE",
    .about =
	"Reads task tables (CSV), raw, processed or merged, and GraphML. All other verbs read\n"
	"the result. Exits with 3 if part of FILE could not be used, with 1 if nothing could.",
    .examples = examples,
    .options = options,
    .options_bytes = sizeof(struct import_options),
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
};
