/* SPDX-License-Identifier: MIT */
/* cmd_report.c - winnow report: what is slow in a recorded run, where, why, and what to change. */
#include "cli/cmd.h"
#include "cli/counts.h"
#include "cli/gates.h"
#include "cli/job_report.h"
#include "cli/metric_options.h"
#include "cli/pager.h"
#include "cli/progress.h"
#include "cli/runs.h"
#include "cli/series.h"
#include "report/annotations.h"
#include "report/info.h"
#include "report/json.h"
#include "report/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct report_options {
	bool has_no_pager;
	bool is_json;
	const char *format;
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
	const char *rank, *share, *summary;
	uint64_t wait_s;
};

#define SECTION_NAME(NAME, name) #name,
#define SECTION_WORD(NAME, name) #name "|"
static const char *const section_names[WN_TEXT_SECTION_N] = {WN_TEXT_SECTIONS(SECTION_NAME)};

#define AT(field) offsetof(struct report_options, field)

static const struct option_spec options[] = {
    {"verbose", 'v', OPTION_FLAG, NULL, "print all sections instead of one screen", AT(is_verbose)},
    {"show", 0, OPTION_LIST, "SECTION=" WN_TEXT_SECTIONS(SECTION_WORD),
     "print this section; repeatable", AT(show)},
    {"json", 0, OPTION_FLAG, NULL, "print JSON, schema winnow.report/1", AT(is_json)},
    {"format", 'f', OPTION_STRING, "FORMAT=text|json|sarif|github|quickfix",
     "print findings for code scanning, for GitHub's workflows, or for an editor", AT(format)},
    {"group", 'g', OPTION_STRING, "ID", "only the contents of ID, as winnow tree names it",
     AT(group)},
    {"against", 0, OPTION_STRING, "REF", "find work inflation: a recording on fewer threads",
     AT(against)},
    {"fail-if", 0, OPTION_LIST, "EXPR", "exit with 4 if EXPR holds, e.g. parallelism<4; repeatable",
     AT(fail_if)},
    {"theta", 0, OPTION_FLAG, NULL, "print only how large the graph is, folded and unfolded",
     AT(is_theta)},
    METRIC_OPTIONS(struct report_options, metrics),
    {"top", 0, OPTION_NUMBER, "N", "list N findings and N places (default: 5 and 10)", AT(top)},
    RAW_OPTION(struct report_options),
    COLOR_OPTION(struct report_options),
    {"compat", 0, OPTION_FLAG, NULL, "span and joins as in aggregated grain graphs", AT(is_compat)},
    {"form", 0, OPTION_STRING, "FORM=reduced|fragments",
     "form of imported tables for span and path", AT(form)},
    COUNTS_OPTIONS(struct report_options, counts,
                   "path and parallelism by work, time or a counter; of tables: a column"),
    {"overlap", 0, OPTION_STRING, "TYPE=any|within",
     "when a fragment counts in a bin: on any overlap, or where it covers the bin", AT(overlap)},
    {"info", 0, OPTION_FLAG, NULL, "for imported tables: the R prototype's summary", AT(is_info)},
    {"rank", 0, OPTION_STRING, "N", "for the directory of a job: the report of rank N", AT(rank)},
    {"summary", 0, OPTION_STRING, "OUT",
     "write the summary of ranks to OUT; FILEs may be summaries", AT(summary)},
    {"share", 0, OPTION_STRING, "I/N",
     "for a job: analyse the ranks that are I modulo N; 0 reports all of them", AT(share)},
    {"wait", 0, OPTION_NUMBER, "S",
     "for a job: share 0 takes the ranks that have no summary after S seconds (default: 10)",
     AT(wait_s)},
    {"pb-exec", 0, OPTION_FLAG, NULL, "parallel benefit of execution time instead of work",
     AT(is_pb_exec)},
    PAGER_OPTION(struct report_options),
    {0},
};

static const char *const examples[] = {
    "winnow report fib.winnow",
    "winnow report -v fib.winnow",
    "winnow report fib.winnow --json | jq .totals",
    "winnow report fib.winnow --fail-if 'parallelism < 4'",
    "winnow report job.winnow.d",
    NULL,
};

/* Parses two options with keywords: false for an unknown one. */
static bool
parse_words(const struct report_options *given, struct wn_options *out)
{
	out->fragments = given->form && strcmp(given->form, "fragments") == 0;
	if (given->counts.weight && out->fragments) {
		message("--weight is of the reduced form; leave out --form fragments");
		return false;
	}
	out->within = given->overlap && strcmp(given->overlap, "within") == 0;
	return true;
}

/* Returns the bits of the sections to print: all, too, for options whose results are in tables. */
static unsigned
sections_of(const struct report_options *given)
{
	bool has_tables = given->top || given->metrics.n || given->counts.file ||
	                  given->counts.weight || given->is_compat;
	unsigned sections =
	    given->is_verbose || (has_tables && given->show.n == 0) ? WN_TEXT_ALL : 0;
	for (size_t i = 0; i < given->show.n; i++)
		for (int section = 0; section < WN_TEXT_SECTION_N; section++)
			if (strcmp(given->show.items[i], section_names[section]) == 0)
				sections |= 1u << section;
	return sections;
}

static bool
is_format(const struct report_options *given, const char *format)
{
	return given->format && strcmp(given->format, format) == 0;
}

/* Tests for a format of findings at their places. */
static bool
is_annotated(const struct report_options *given)
{
	return given->format && !is_format(given, "text") && !is_format(given, "json");
}

/* Returns the folder that paths are relative to: the top of the repository that contains the
 * current folder, if there is one. An editor knows only the current folder. */
static void
find_root(bool is_editor, char root[PATH_MAX])
{
	char path[PATH_MAX + 8];
	if (!getcwd(root, PATH_MAX))
		snprintf(root, PATH_MAX, "/");
	for (size_t n = is_editor ? 0 : strlen(root); n > 0; n--) {
		snprintf(path, sizeof path, "%.*s/.git", (int)n, root);
		if ((root[n] == '\0' || root[n] == '/') && access(path, F_OK) == 0) {
			root[n] = '\0';
			return;
		}
	}
}

static wn_status
write_annotations(const struct wn_report *r, const struct report_options *given, wn_err *err)
{
	char root[PATH_MAX];
	json_t *log = NULL;
	find_root(is_format(given, "quickfix"), root);
	if (is_format(given, "github"))
		return wn_report_github(r, root, stdout, err);
	if (is_format(given, "quickfix"))
		return wn_report_quickfix(r, root, stdout, err);
	wn_status st = wn_report_sarif(r, root, &log, err);
	if (st == WN_OK)
		st = wn_report_json_write(log, stdout, err);
	json_decref(log);
	return st;
}

static int
complain(const char *file, wn_status st, const wn_err *err)
{
	return run_complain(file, st, err, ": winnow doctor PROG shows what can be recorded");
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
	pager_begin();
	int gate_code = gates_check(file, gates, json, r->metrics);
	if (gate_code != CLI_USAGE)
		st = is_annotated(given) ? write_annotations(r, given, &err)
		     : given->is_info    ? wn_report_info(r, stdout, &err)
		     : given->is_json    ? wn_report_json_write(json, stdout, &err)
		     : given->is_theta   ? wn_report_text_theta(r, style, stdout, &err)
		                         : wn_report_text(r, style, stdout, &err);
	json_decref(json);
	if (st == WN_E_IO)
		return run_complain_of_output(&err);
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
	int code = run_compare(file, r, against, metrics, &reference, &diff);
	if (code == CLI_OK)
		(void)run_print_damage(&reference);
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
			run_print_loss(file, wn_trace_damage(trace), "the report is");
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
	const char *option = is_annotated(given)    ? "--format"
	                     : given->group         ? "--group"
	                     : given->against       ? "--against"
	                     : given->fail_if.n     ? "--fail-if"
	                     : given->is_theta      ? "--theta"
	                     : given->is_info       ? "--info"
	                     : given->counts.file   ? "--counts"
	                     : given->counts.weight ? "--weight"
	                                            : NULL;
	if (option)
		message("%s is about one recording, not a series", option);
	return !option;
}

/* Rejects options for one run, and those that a job lacks. */
static bool
may_be_job(const struct report_options *given, int n_operands)
{
	const char *option = is_annotated(given)    ? "--format"
	                     : given->group         ? "--group"
	                     : given->against       ? "--against"
	                     : given->is_theta      ? "--theta"
	                     : given->is_info       ? "--info"
	                     : given->is_compat     ? "--compat"
	                     : given->is_pb_exec    ? "--pb-exec"
	                     : given->form          ? "--form"
	                     : given->overlap       ? "--overlap"
	                     : given->counts.file   ? "--counts"
	                     : given->counts.weight ? "--weight"
	                     : given->metrics.n     ? "--metric"
	                     : given->show.n        ? "--show"
	                                            : NULL;
	if (option)
		message("%s is about one recording, not a job; --rank N selects one", option);
	else if (n_operands != 1)
		message("one job at a time; winnow diff compares two");
	return !option && n_operands == 1;
}

/* Reports a job. */
static int
report_job(const struct report_options *given, const char *path, struct wn_text_style *style)
{
	struct gates gates = {0};
	struct job_report_options wanted = {.is_json = given->is_json,
	                                    .share = given->share,
	                                    .wait_s = given->wait_s,
	                                    .style = style,
	                                    .is_coloured =
	                                        given->color && strcmp(given->color, "always") == 0,
	                                    .gates = &gates};
	int code = CLI_USAGE;
	if (gates_parse(&given->fail_if, &gates)) {
		style->sections = given->is_verbose || given->top ? WN_TEXT_ALL : 0;
		code = job_report(path, &wanted);
	}
	gates_fini(&gates);
	return code;
}

/* Finds the trace of one rank of a job. */
static int
select_rank(const struct report_options *given, int n_operands, char **operands,
            char trace[WN_JOB_PATH_BYTES])
{
	if (n_operands == 1)
		return job_folder_trace(operands[0], given->rank, trace);
	return USAGE_ERROR("--rank is for the directory of one job");
}

/* Reports one recording, or a series of them. */
static int
report_recordings(const struct report_options *given, int n_operands, char **operands,
                  struct wn_text_style style)
{
	struct wn_options metrics = wn_options_default();
	struct wn_metric_defs defs = {0};
	struct gates gates = {0};
	bool is_series = series_is_one(n_operands, operands);
	if (is_series && !may_be_series(given))
		return CLI_USAGE;
	style.sections = sections_of(given);
	metrics.compat = given->is_compat;
	metrics.on_step = progress_step;
	metrics.pb_exec = given->is_pb_exec;
	struct counts_run counts = {0};
	int code = CLI_USAGE;
	if (gates_parse(&given->fail_if, &gates) && parse_words(given, &metrics) &&
	    (code = metric_options_read(&given->metrics, &defs, &metrics)) == CLI_OK) {
		if (is_series) {
			code =
			    series_report(n_operands, operands, &metrics, given->is_json, &style);
			goto out;
		}
		metrics.needs_whole_graph = gates.needs_whole_graph || given->against;
		code = counts_open(&given->counts, &counts, &metrics);
		if (code == CLI_OK)
			code = counts_code(&counts,
			                   report_on(operands[0], given, &metrics, &gates, &style));
	}
out:
	counts_close(&counts);
	wn_metric_defs_fini(&defs);
	gates_fini(&gates);
	return code;
}

static int
run(const void *values, int n_operands, char **operands)
{
	struct report_options own = *(const struct report_options *)values;
	const struct report_options *given = &own;
	char trace[WN_JOB_PATH_BYTES], *selected[] = {trace};
	struct wn_text_style style = run_style(given->color);
	style.is_raw = given->is_raw;
	style.n_top = given->top;
	own.is_json |= is_format(given, "json");
	if (given->summary)
		return job_write_summary(n_operands, operands, given->summary);
	int code = given->rank ? select_rank(given, n_operands, operands, trace) : CLI_OK;
	if (code != CLI_OK)
		return code;
	operands = given->rank ? selected : operands;
	if (job_is_one(operands[0]))
		return may_be_job(given, n_operands) ? report_job(given, operands[0], &style)
		                                     : CLI_USAGE;
	const char *whole = given->is_theta        ? "--theta"
	                    : given->against       ? "--against"
	                    : given->counts.weight ? "--weight"
	                    : is_annotated(given)  ? "--format"
	                                           : NULL;
	if (!given->group || !whole)
		return report_recordings(given, n_operands, operands, style);
	return USAGE_ERROR("--group: %s is about the whole run", whole);
}

const struct cmd cmd_report = {
    .name = "report",
    .one_line = "Report what is slow in a recording, where, why and what to change",
    .usage = "FILE...",
    .about =
	"Several FILEs, or the folder that run --threads writes, are a scaling series: the "
	"report\nshows how the program scales, and where more threads lose time. A directory of a "
	"job of\n"
	"several ranks, or a summary, gives the report of the job; with a launcher in front, as\n"
	"mpirun -n 8 winnow report job.winnow.d, its processes share the ranks.\n"
	"--fail-if takes conditions on the numbers of --json, as parallelism < 4, and on all\n"
	"grains, as count(work_ns < 1us) > 1000: winnow-metrics(5) has the language.\n"
	"Exit status: 0 success, 1 no report, 2 usage, 3 FILE is damaged and the report is of\n"
	"the rest, 4 an EXPR of --fail-if holds.",
    .examples = examples,
    .options = options,
    .options_bytes = sizeof(struct report_options),
    .takes_program = false,
    .min_operands = 1,
    .max_operands = CMD_ANY_NUMBER,
    .run = run,
};
