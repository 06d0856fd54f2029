/* SPDX-License-Identifier: MIT */
/* cmd_diff.c - winnow diff: compares recordings. */
#include "cli/cmd.h"
#include "cli/document.h"
#include "cli/gates.h"
#include "cli/job_report.h"
#include "cli/metric_options.h"
#include "cli/pager.h"
#include "cli/progress.h"
#include "cli/runs.h"
#include "cli/series.h"
#include "export/union.h"
#include "report/diff.h"
#include "report/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct diff_options {
	bool has_no_pager;
	bool is_json;
	bool is_raw;
	bool is_threads_only;
	bool has_full_names;
	bool has_similarity;
	uint64_t top;
	const char *format, *output;
	uint64_t max_nodes; /* 0 = the default */
	const char *color, *group, *deviation, *rounds, *weight;
	struct option_list fail_if;
	struct option_list metrics;
};

#define AT(field) offsetof(struct diff_options, field)

static const struct option_spec options[] = {
    {"json", 0, OPTION_FLAG, NULL, "print JSON, schema winnow.diff/1", AT(is_json)},
    {"format", 'f', OPTION_STRING, "FORMAT=graphml|csv",
     "write both runs as one graph or table instead: groups as graphml, grains as csv", AT(format)},
    {"output", 'o', OPTION_STRING, "OUT", "write them to OUT (default: standard output)",
     AT(output)},
    {"max-nodes", 0, OPTION_NUMBER, "N", "graphml: draw up to N nodes (default: 200000)",
     AT(max_nodes)},
    {"full-names", 0, OPTION_FLAG, NULL, "graphml and csv: do not shorten names",
     AT(has_full_names)},
    {"group", 0, OPTION_STRING, "ID", "only the contents of a group or grain", AT(group)},
    {"top", 0, OPTION_NUMBER, "N", "list N places and groups (default: 10)", AT(top)},
    RAW_OPTION(struct diff_options),
    COLOR_OPTION(struct diff_options),
    {"deviation", 0, OPTION_STRING, "N",
     "a grain is a problem if it works N times as long (default: 2)", AT(deviation)},
    {"similarity", 0, OPTION_FLAG, NULL, "print how similar the structures are",
     AT(has_similarity)},
    {"wl-h", 0, OPTION_STRING, "N", "rounds of its Weisfeiler-Lehman kernel (default: 5)",
     AT(rounds)},
    {"threads-only", 0, OPTION_FLAG, NULL,
     "refuse runs that differ in more than the number of threads", AT(is_threads_only)},
    {"fail-if", 0, OPTION_LIST, "EXPR",
     "exit with 4 if EXPR holds, e.g. work_ratio>1.1; repeatable", AT(fail_if)},
    {"weight", 0, OPTION_STRING, "WEIGHT",
     "also compare paths and parallelism by time or a counter", AT(weight)},
    METRIC_OPTIONS(struct diff_options, metrics),
    PAGER_OPTION(struct diff_options),
    {0},
};

static const char *const examples[] = {
    "winnow diff one-thread.winnow eight-threads.winnow",
    "winnow diff 1.winnow 2.winnow 4.winnow 8.winnow",
    "winnow diff A.winnow B.winnow --fail-if 'work_ratio > 1.1 and is_clear'",
    NULL,
};

struct job {
	const struct diff_options *given;
	struct wn_text_style style;
	struct gates gates;
	struct wn_diff_options diff;
	unsigned n_rounds;
	wn_status (*write)(const struct wn_union *u, FILE *to, wn_err *err); /* or NULL */
};

static bool
parse_deviation(struct job *job)
{
	const char *text = job->given->deviation;
	char *end;
	if (!text)
		return true;
	job->diff.threshold = strtod(text, &end);
	if (end != text && !*end && isfinite(job->diff.threshold) && job->diff.threshold > 0)
		return true;
	message("--deviation '%s': not a number above 0", text);
	return false;
}

static bool
parse_rounds(struct job *job)
{
	const char *text = job->given->rounds;
	char *end;
	job->n_rounds = WN_WL_ROUNDS;
	if (!text)
		return true;
	unsigned long n = strtoul(text, &end, 10);
	job->n_rounds = (unsigned)n;
	if (*text >= '0' && *text <= '9' && !*end && n <= WN_WL_ROUNDS_MAX)
		return true;
	message("--wl-h '%s': not a number from 0 to %u", text, WN_WL_ROUNDS_MAX);
	return false;
}

/* Selects the format by --format, or by the suffix of OUT. */
static bool
parse_format(struct job *job)
{
	const char *format = job->given->format, *out = job->given->output;
	const char *dot = out ? strrchr(out, '.') : NULL;
	if (!format && !out)
		return true;
	if (!format)
		format = dot ? dot + 1 : "";
	job->write = strcmp(format, "graphml") == 0 ? wn_export_union
	             : strcmp(format, "csv") == 0   ? wn_export_union_csv
	                                            : NULL;
	if (!job->write)
		message(
		    "the name of the output does not give the format; add --format graphml or csv");
	return job->write != NULL;
}

static int
print(const struct job *job, const struct wn_diff *d)
{
	json_t *json = NULL;
	wn_err err;
	wn_status st = WN_OK;
	if (job->given->is_json || job->gates.n > 0)
		st = wn_diff_json(d, job->given->top, &json, &err);
	int code = st == WN_OK ? gates_check(NULL, &job->gates, json, d->run[1]->metrics) : CLI_OK;
	if (st == WN_OK && code != CLI_USAGE) {
		pager_begin();
		st = job->given->is_json ? wn_report_json_write(json, stdout, &err)
		                         : wn_diff_text(d, &job->style, stdout, &err);
	}
	json_decref(json);
	if (st == WN_E_IO)
		return run_complain_of_output(&err);
	if (st != WN_OK)
		return FAILURE("%s", err.msg);
	return code;
}

#define DEFAULT_MAX_NODES 200000u

/* Input of a document. */
struct both {
	const struct job *job;
	const struct wn_union *u;
};

static wn_status
write_both(const void *user, FILE *to, wn_err *err)
{
	const struct both *both = user;
	return both->job->write(both->u, to, err);
}

static int
write_union(const struct job *job, const struct wn_diff *d)
{
	struct wn_union u = {.changes = &d->changes,
	                     .is_inside = {d->is_inside[0], d->is_inside[1]}};
	struct wn_export *x[2] = {NULL, NULL};
	wn_err err = {.msg = ""};
	uint64_t limit = job->given->max_nodes ? job->given->max_nodes : DEFAULT_MAX_NODES;
	wn_status st = WN_OK;
	int code = CLI_FAILURE;
	if (job->write == wn_export_union && wn_union_nodes(&u) > limit)
		return FAILURE("%llu nodes are too many for a drawing; raise --max-nodes, or use "
		               "--group or --format csv",
		               (unsigned long long)wn_union_nodes(&u));
	for (int side = 0; st == WN_OK && side < 2; side++) {
		st = wn_export_new(d->run[side]->graph, WN_FORM_REDUCED, &x[side], &err);
		u.x[side] = x[side];
		if (st == WN_OK)
			choose_names(side ? "B" : "A", x[side]->names, job->given->has_full_names);
	}
	if (st != WN_OK)
		message("%s", err.msg);
	else if (job->given->output)
		code = document_write(job->given->output, write_both, &(struct both){job, &u});
	else if ((st = job->write(&u, stdout, &err)) == WN_E_IO)
		code = run_complain_of_output(&err);
	else if (st != WN_OK)
		message("%s", err.msg);
	else
		code = CLI_OK;
	wn_export_free(x[0]);
	wn_export_free(x[1]);
	return code;
}

/* Describes differences besides the threads, or NULL. */
static const char *
more_than_threads(const struct wn_diff *d)
{
	return d->other_command == WN_DIFF_YES   ? "the command"
	       : d->other_code == WN_DIFF_YES    ? "the code"
	       : d->other_runtime == WN_DIFF_YES ? "the runtime"
	       : d->other_source == WN_DIFF_YES  ? "the source of the recording"
	       : d->other_structure              ? "the structure of what was made"
	                                         : NULL;
}

static int
compare(const struct job *job, const struct run runs[2])
{
	struct wn_diff *d;
	wn_err err = {.msg = ""};
	const char *unit = wn_trace_unit(runs[0].report->trace);
	if (strcmp(unit, wn_trace_unit(runs[1].report->trace)) != 0)
		return USAGE_ERROR(
		    "one run counts in cycles, the other in ns; winnow import --hz converts");
	progress_step("comparing the runs");
	wn_status st = wn_diff_build(runs[0].report, runs[1].report, &job->diff, &d, &err);
	if (st != WN_OK) {
		message("%s", err.msg);
		return st == WN_E_ARG ? CLI_USAGE : CLI_FAILURE;
	}
	if (job->given->has_similarity &&
	    wn_diff_find_similarity(d, job->n_rounds, &err) != WN_OK) {
		message("%s", err.msg);
		wn_diff_free(d);
		return CLI_FAILURE;
	}
	const char *more = job->given->is_threads_only ? more_than_threads(d) : NULL;
	int code = CLI_FAILURE;
	if (more)
		message(
		    "%s and %s: %s differs; --threads-only accepts only another number of threads",
		    runs[0].file, runs[1].file, more);
	else
		code = job->write ? write_union(job, d) : print(job, d);
	wn_diff_free(d);
	return code;
}

static int
compare_two(const struct job *job, char **files, const struct wn_options *metrics)
{
	struct run runs[2] = {{0}, {0}};
	int code = run_open(files[0], metrics, &runs[0]);
	if (code == CLI_OK)
		code = run_open(files[1], metrics, &runs[1]);
	if (code == CLI_OK)
		code = compare(job, runs);
	for (int i = 0; i < 2; i++) {
		bool is_used = runs[1].report && code != CLI_USAGE;
		int damage = is_used ? run_print_damage(&runs[i]) : CLI_OK;
		code = code == CLI_OK ? damage : code;
	}
	run_close(&runs[0]);
	run_close(&runs[1]);
	return code;
}

/* Rejects options for two runs. */
static bool
may_be_series(const struct diff_options *given)
{
	const char *option = given->group             ? "--group"
	                     : given->deviation       ? "--deviation"
	                     : given->fail_if.n       ? "--fail-if"
	                     : given->is_threads_only ? "--threads-only"
	                     : given->has_similarity  ? "--similarity"
	                     : given->format          ? "--format"
	                     : given->output          ? "--output"
	                     : given->weight          ? "--weight"
	                                              : NULL;
	if (option)
		message("%s: only for two recordings", option);
	return !option;
}

/* Compares two jobs of several ranks. */
static int
compare_jobs(struct job *job, int n_operands, char **operands)
{
	const struct diff_options *given = job->given;
	const struct job_report_options wanted = {
	    .is_json = given->is_json, .style = &job->style, .gates = &job->gates};
	const char *option = given->group             ? "--group"
	                     : given->deviation       ? "--deviation"
	                     : given->is_threads_only ? "--threads-only"
	                     : given->has_similarity  ? "--similarity"
	                     : given->format          ? "--format"
	                     : given->output          ? "--output"
	                     : given->weight          ? "--weight"
	                     : given->metrics.n       ? "--metric"
	                                              : NULL;
	if (option)
		message("%s: only for recordings, not for jobs", option);
	else if (n_operands != 2 || !job_is_one(operands[0]) || !job_is_one(operands[1]))
		message("a job is compared with one other job");
	else if (gates_parse(&given->fail_if, &job->gates))
		return job_diff(operands, &wanted);
	return CLI_USAGE;
}

static int
run(const void *values, int n_operands, char **operands)
{
	struct job job = {.given = values};
	struct wn_options metrics;
	struct wn_metric_defs defs = {0};
	int code = CLI_USAGE;
	bool is_series = n_operands > 2;
	job.style = run_style(job.given->color);
	job.style.is_raw = job.given->is_raw;
	job.style.n_top = job.given->top;
	job.diff.group = job.given->group;
	for (int i = 0; i < n_operands; i++)
		if (job_is_one(operands[i])) {
			code = compare_jobs(&job, n_operands, operands);
			gates_fini(&job.gates);
			return code;
		}
	metrics = wn_options_default();
	metrics.weight = job.given->weight;
	if ((!is_series || may_be_series(job.given)) &&
	    gates_parse(&job.given->fail_if, &job.gates) && parse_deviation(&job) &&
	    parse_rounds(&job) && parse_format(&job) &&
	    (code = metric_options_read(&job.given->metrics, &defs, &metrics)) == CLI_OK) {
		metrics.needs_whole_graph = !is_series;
		code = is_series ? series_report(n_operands, operands, &metrics, job.given->is_json,
		                                 &job.style)
		                 : compare_two(&job, operands, &metrics);
	}
	wn_metric_defs_fini(&defs);
	gates_fini(&job.gates);
	return code;
}

const struct cmd cmd_diff = {
    .name = "diff",
    .one_line = "Compare two recordings",
    .usage = "A B [C]...",
    .about = "A is the reference. Grains are matched by lineage, places by names. More than two "
	     "are a\n"
	     "scaling series, as for winnow report. NAME OP NUMBER is an\n"
	     "EXPR of --fail-if, where NAME is a number of --json. Exit status: 0 compared, 1 not\n"
	     "compared, 2 usage, 3 A or B is damaged and the rest was compared, 4 an EXPR holds.",
    .examples = examples,
    .options = options,
    .options_bytes = sizeof(struct diff_options),
    .takes_program = false,
    .min_operands = 2,
    .max_operands = CMD_ANY_NUMBER,
    .run = run,
};
