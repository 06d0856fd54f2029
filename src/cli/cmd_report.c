/* SPDX-License-Identifier: MIT */
/*
 * cmd_report.c - winnow report: what is slow in a recorded run, where, why, and what to change.
 */
#include "cli/cmd.h"
#include "cli/counts.h"
#include "cli/metric_options.h"
#include "cli/runs.h"
#include "cli/series.h"
#include "report/gate.h"
#include "report/info.h"
#include "report/json.h"
#include "report/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct report_options {
	bool is_json;
	bool is_theta;
	const char *group, *against;
	bool is_raw;
	bool is_compat;
	bool is_pb_exec;
	bool is_info;
	bool is_verbose;
	struct option_list show;
	const char *form, *overlap;
	struct counts_options counts;
	uint64_t top;
	const char *color;
	struct option_list fail_if;
	struct option_list metrics;
};

#define SECTION_NAME(NAME, name) #name,
#define SECTION_WORD(NAME, name) #name "|"
static const char *const section_names[WN_TEXT_SECTION_N] = {WN_TEXT_SECTIONS(SECTION_NAME)};

static const struct option_spec options[] = {
    {"verbose", 'v', OPTION_FLAG, NULL, "print all sections instead of one screen",
     offsetof(struct report_options, is_verbose)},
    {"show", 0, OPTION_LIST, "SECTION=" WN_TEXT_SECTIONS(SECTION_WORD),
     "print this section; repeatable", offsetof(struct report_options, show)},
    {"json", 0, OPTION_FLAG, NULL, "print JSON, schema winnow.report/1",
     offsetof(struct report_options, is_json)},
    {"group", 'g', OPTION_STRING, "ID", "only what is inside ID, as winnow tree names it",
     offsetof(struct report_options, group)},
    {"against", 0, OPTION_STRING, "REF", "find work inflation: a recording on fewer threads",
     offsetof(struct report_options, against)},
    {"fail-if", 0, OPTION_LIST, "EXPR", "exit with 4 if EXPR holds, e.g. parallelism<4; repeatable",
     offsetof(struct report_options, fail_if)},
    {"theta", 0, OPTION_FLAG, NULL, "print only how large the graph is, folded and unfolded",
     offsetof(struct report_options, is_theta)},
    METRIC_OPTIONS(struct report_options, metrics),
    {"top", 0, OPTION_NUMBER, "N", "list N findings and N places (default: 5 and 10)",
     offsetof(struct report_options, top)},
    {"raw", 0, OPTION_FLAG, NULL, "times in nanoseconds", offsetof(struct report_options, is_raw)},
    {"color", 0, OPTION_STRING, "WHEN=auto|always|never", "use colours",
     offsetof(struct report_options, color)},
    {"compat", 0, OPTION_FLAG, NULL, "span and joins as in aggregated grain graphs",
     offsetof(struct report_options, is_compat)},
    {"form", 0, OPTION_STRING, "FORM=reduced|fragments",
     "form of imported tables for span and path", offsetof(struct report_options, form)},
    COUNTS_OPTIONS(struct report_options, counts,
                   "path and parallelism by work, time or a counter; of tables: a column"),
    {"overlap", 0, OPTION_STRING, "TYPE=any|within",
     "when a fragment counts in a bin: on any overlap, or where it covers the bin",
     offsetof(struct report_options, overlap)},
    {"info", 0, OPTION_FLAG, NULL, "of imported tables: the R prototype's summary",
     offsetof(struct report_options, is_info)},
    {"pb-exec", 0, OPTION_FLAG, NULL, "parallel benefit of execution time instead of work",
     offsetof(struct report_options, is_pb_exec)},
    {0},
};

static const char *const examples[] = {
    "winnow report fib.winnow",
    "winnow report -v fib.winnow",
    "winnow report fib.winnow --json | jq .totals",
    "winnow report fib.winnow --fail-if 'parallelism < 4'",
    NULL,
};

/* Parses the expressions of --fail-if before all other work. */
struct gates {
	struct wn_gate *items;
	size_t n;
	bool needs_whole_graph;
};

static bool
parse_gates(const struct option_list *list, struct gates *out)
{
	char why[WN_GATE_SAID_BYTES];
	out->n = 0;
	out->items = calloc(list->n + 1, sizeof *out->items);
	if (!out->items) {
		message("report", "out of memory");
		return false;
	}
	for (; out->n < list->n; out->n++) {
		if (wn_gate_parse(list->items[out->n], &out->items[out->n], why)) {
			out->needs_whole_graph |= out->items[out->n].needs_whole_graph;
			continue;
		}
		message("report", "--fail-if '%s': %s; see winnow help report", list->items[out->n],
		        why);
		return false;
	}
	return true;
}

/* Parses two options with keywords: false for an unknown one. */
static bool
parse_words(const struct report_options *given, struct wn_options *out)
{
	out->fragments = given->form && strcmp(given->form, "fragments") == 0;
	if (given->counts.weight && out->fragments) {
		message("report", "--weight is of the reduced form; leave out --form fragments");
		return false;
	}
	out->within = given->overlap && strcmp(given->overlap, "within") == 0;
	if (given->form && !out->fragments && strcmp(given->form, "reduced") != 0) {
		message("report", "--form '%s': not one of reduced, fragments", given->form);
		return false;
	}
	if (given->overlap && !out->within && strcmp(given->overlap, "any") != 0) {
		message("report", "--overlap '%s': not one of any, within", given->overlap);
		return false;
	}
	return true;
}

/* Sets the bits of the sections to print: all, too, for options whose results are in tables. */
static bool
parse_sections(const struct report_options *given, unsigned *out)
{
	char known[160];
	size_t used = 0;
	bool has_tables = given->top || given->metrics.n || given->counts.file ||
	                  given->counts.weight || given->is_compat;
	*out = given->is_verbose || (has_tables && given->show.n == 0) ? WN_TEXT_ALL : 0;
	for (size_t i = 0; i < given->show.n; i++) {
		int section = 0;
		while (section < WN_TEXT_SECTION_N &&
		       strcmp(given->show.items[i], section_names[section]) != 0)
			section++;
		if (section < WN_TEXT_SECTION_N) {
			*out |= 1u << section;
			continue;
		}
		for (section = 0; section < WN_TEXT_SECTION_N; section++)
			used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
			                         section ? ", " : "", section_names[section]);
		message("report", "--show '%s': not one of %s", given->show.items[i], known);
		return false;
	}
	return true;
}

static int
complain(const char *file, wn_status st, const wn_err *err)
{
	return run_complain("report", file, st, err,
	                    ": winnow doctor PROG says what can be recorded");
}

/* Prints the conditions that hold. Returns the exit code. */
static int
check_gates(const char *file, const struct gates *gates, const struct wn_report *r,
            const json_t *report)
{
	int code = CLI_OK;
	for (size_t i = 0; i < gates->n; i++) {
		char said[WN_GATE_SAID_BYTES];
		enum wn_gate_result result;
		const char *text = gates->items[i].text;
		wn_err err;
		wn_status st =
		    wn_gate_check(&gates->items[i], report, r->metrics, &result, said, &err);
		if (st != WN_OK)
			return complain(file, st, &err);
		switch (result) {
		case WN_GATE_OPEN:
			break;
		case WN_GATE_CROSSED:
			message("report", "%s: --fail-if '%s' holds: %s", file, text, said);
			if (code != CLI_USAGE && code != CLI_FAILURE)
				code = CLI_THRESHOLD;
			break;
		case WN_GATE_NOT_MEASURED:
			message("report", "%s: --fail-if '%s' cannot be decided: %s", file, text,
			        said);
			if (code != CLI_USAGE)
				code = CLI_FAILURE;
			break;
		case WN_GATE_UNKNOWN:
			message("report", "--fail-if '%s': %s", text, said);
			code = CLI_USAGE;
			break;
		}
	}
	return code;
}

static int
print_report(const char *file, const struct wn_report *r, const struct report_options *given,
             const struct gates *gates, const struct wn_text_style *style)
{
	json_t *json = NULL;
	wn_err err;
	wn_status st = WN_OK;
	if (given->is_json || gates->n > 0)
		st = wn_report_json(r, &json, &err);
	if (st != WN_OK)
		return complain(file, st, &err);
	int gate_code = check_gates(file, gates, r, json);
	if (gate_code != CLI_USAGE)
		st = given->is_info    ? wn_report_info(r, stdout, &err)
		     : given->is_json  ? wn_report_json_write(json, stdout, &err)
		     : given->is_theta ? wn_report_text_theta(r, style, stdout, &err)
		                       : wn_report_text(r, style, stdout, &err);
	json_decref(json);
	if (st == WN_E_IO)
		return run_complain_of_output("report", &err);
	if (st != WN_OK)
		return complain(file, st, &err);
	return gate_code;
}

/* Adds findings that need another run. */
static int
add_findings_against(const char *file, const char *against, const struct wn_options *metrics,
                     struct wn_report *r)
{
	struct run reference;
	struct wn_diff *diff;
	int code = run_compare("report", file, r, against, metrics, &reference, &diff);
	if (code == CLI_OK)
		(void)run_say_damage("report", &reference);
	wn_diff_free(diff);
	run_close(&reference);
	return code;
}

static int
report_on(const char *file, const struct report_options *given, const struct wn_options *metrics,
          const struct gates *gates, const struct wn_text_style *style)
{
	struct wn_trace *trace;
	struct wn_report *r;
	wn_err err;
	wn_status st = wn_trace_open(file, &trace, &err);
	if (st != WN_OK)
		return complain(file, st, &err);
	int code;
	st = given->group ? wn_report_build_group(trace, metrics, given->group, &r, &err)
	                  : wn_report_build(trace, metrics, &r, &err);
	if (st != WN_OK) {
		code = complain(file, st, &err);
	} else if (given->against &&
	           (code = add_findings_against(file, given->against, metrics, r)) != CLI_OK) {
		wn_report_free(r);
	} else {
		code = print_report(file, r, given, gates, style);
		if (code != CLI_USAGE && wn_report_is_damaged(r)) {
			run_say_loss("report", file, wn_trace_damage(trace), "the report is");
			code = code == CLI_OK ? CLI_DAMAGED : code;
		}
		wn_report_free(r);
	}
	wn_trace_close(trace);
	return code;
}

/* Rejects options for one run. */
static bool
may_be_series(const struct report_options *given)
{
	const char *option = given->group           ? "--group"
	                     : given->against       ? "--against"
	                     : given->fail_if.n     ? "--fail-if"
	                     : given->is_theta      ? "--theta"
	                     : given->is_info       ? "--info"
	                     : given->counts.file   ? "--counts"
	                     : given->counts.weight ? "--weight"
	                                            : NULL;
	if (option)
		message("report", "%s is about one recording, not a series", option);
	return !option;
}

static int
run(const void *values, int n_operands, char **operands)
{
	const struct report_options *given = values;
	struct wn_options metrics = wn_options_default();
	struct wn_metric_defs defs = {0};
	struct gates gates = {0};
	struct wn_text_style style = run_style(given->color);
	style.is_raw = given->is_raw;
	style.n_top = given->top;
	if (given->group && (given->is_theta || given->against || given->counts.weight)) {
		message("report", "--group: %s is about the whole run",
		        given->is_theta  ? "--theta"
		        : given->against ? "--against"
		                         : "--weight");
		return CLI_USAGE;
	}
	bool is_series = series_is_one(n_operands, operands);
	if (is_series && !may_be_series(given))
		return CLI_USAGE;
	metrics.compat = given->is_compat;
	metrics.pb_exec = given->is_pb_exec;
	struct counts_run counts = {0};
	int code = CLI_USAGE;
	if (parse_gates(&given->fail_if, &gates) && parse_sections(given, &style.sections) &&
	    parse_words(given, &metrics) &&
	    (code = metric_options_read("report", &given->metrics, &defs, &metrics)) == CLI_OK) {
		if (is_series) {
			code = series_report("report", n_operands, operands, &metrics,
			                     given->is_json, &style);
			goto out;
		}
		metrics.needs_whole_graph = gates.needs_whole_graph || given->against;
		code = counts_open("report", &given->counts, &counts, &metrics);
		if (code == CLI_OK)
			code = counts_code(&counts,
			                   report_on(operands[0], given, &metrics, &gates, &style));
	}
out:
	counts_close(&counts);
	wn_metric_defs_fini(&defs);
	free(gates.items);
	return code;
}

const struct cmd cmd_report = {
    .name = "report",
    .one_line = "Report what is slow in a recording, where, why and what to change",
    .usage = "FILE...",
    .about =
	"Several FILEs, or the folder that run --threads writes, are a scaling series: the report\n"
	"says how the program scales, and where more threads lose time.\n"
	"--fail-if takes conditions on the numbers of --json, as parallelism < 4, and on all\n"
	"grains, as count(work_ns < 1us) > 1000: winnow-metrics(5) has the language.\n"
	"Exit status: 0 all is well, 1 no report, 2 usage, 3 FILE is damaged and the report is of\n"
	"the rest, 4 an EXPR of --fail-if holds.",
    .examples = examples,
    .options = options,
    .options_bytes = sizeof(struct report_options),
    .takes_program = false,
    .min_operands = 1,
    .max_operands = CMD_ANY_NUMBER,
    .run = run,
};
