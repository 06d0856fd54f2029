/* SPDX-License-Identifier: MIT */
/* cmd_characterize.c - winnow characterize: how runs differ and which are similar; the best
 * cut-off. */
#include "base/error.h"
#include "cli/characterize_files.h"
#include "cli/cmd.h"
#include "cli/counts.h"
#include "cli/pager.h"
#include "cli/runs.h"
#include "report/characterize.h"
#include "report/cutoffs.h"
#include "report/json.h"
#include "report/properties.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct characterize_options {
	bool has_no_pager;
	bool is_json;
	bool is_cutoffs;
	bool by_median;
	bool is_raw;
	const char *table, *csv, *svg, *weight, *ward, *keep, *clusters, *color;
	struct option_list counts;
};

#define AT(field) offsetof(struct characterize_options, field)

static const struct option_spec options[] = {
    {"cutoffs", 0, OPTION_FLAG, NULL, "recommend a cut-off, in which the runs differ",
     AT(is_cutoffs)},
    {"median", 0, OPTION_FLAG, NULL, "compare cut-offs by medians over tasks (default: means)",
     AT(by_median)},
    {"table", 0, OPTION_STRING, "FILE", "analyse a table (CSV) instead of runs", AT(table)},
    {"weight", 0, OPTION_STRING, "COLUMN",
     "of critical path and work: instructions (default), work, time", AT(weight)},
    {"counts", 0, OPTION_LIST, "FILE",
     "transfer the counters of FILE to the runs of the same command; repeatable", AT(counts)},
    {"keep", 0, OPTION_STRING, "SHARE",
     "keep components for this share of the variance (default: 0.85)", AT(keep)},
    {"ward", 0, OPTION_STRING, "WHICH=D2|D", "Ward's method (default: D2)", AT(ward)},
    {"clusters", 'k', OPTION_STRING, "K", "cut into K clusters (default: 5)", AT(clusters)},
    {"json", 0, OPTION_FLAG, NULL, "print JSON, schema winnow.characterize/1 or winnow.cutoffs/1",
     AT(is_json)},
    {"csv", 0, OPTION_STRING, "FILE", "also write properties, scores and clusters as CSV", AT(csv)},
    {"svg", 0, OPTION_STRING, "PREFIX", "also draw PREFIX-scree.svg and other pictures", AT(svg)},
    RAW_OPTION(struct characterize_options),
    COLOR_OPTION(struct characterize_options),
    PAGER_OPTION(struct characterize_options),
    {0},
};

static const char *const examples[] = {
    "winnow characterize *.counts.winnow --svg study",
    "winnow characterize a.winnow b.winnow --counts a.counts.winnow",
    "winnow characterize --cutoffs 4=fib-4.winnow 8=fib-8.winnow 12=fib-12.winnow",
    "winnow characterize --table USArrests.csv --clusters 4",
    NULL,
};

struct job {
	const struct characterize_options *given;
	struct wn_text_style style;
	struct wn_characterize_options how;
	const char *weight;
};

/* --- options --- */

static bool
parse_keep(struct job *job)
{
	const char *text = job->given->keep;
	char *end;
	if (!text)
		return true;
	double share = strtod(text, &end);
	bool is_number = end != text;
	if (is_number && (*end == '%' || share > 1)) {
		share /= 100;
		end += *end == '%';
	}
	job->how.keep = share;
	if (is_number && !*end && share > 0 && share <= 1)
		return true;
	message("--keep '%s': not a share above 0 and up to 1, such as 0.85", text);
	return false;
}

static bool
parse_clusters(struct job *job)
{
	const char *text = job->given->clusters;
	char *end;
	if (!text)
		return true;
	errno = 0;
	unsigned long long k = strtoull(text, &end, 10);
	job->how.n_clusters = (size_t)k;
	if (isdigit((unsigned char)*text) && !*end && k > 0 && !errno)
		return true;
	message("--clusters '%s': not a whole number from 1 on", text);
	return false;
}

/* Rejects options that belong to the other mode. */
static bool
check_use(const struct characterize_options *given, int n_operands)
{
	if (given->table && (n_operands > 0 || given->is_cutoffs)) {
		message("--table FILE: not together with %s",
		        given->is_cutoffs ? "--cutoffs" : "runs");
		return false;
	}
	if (!given->table && n_operands == 0) {
		message("no runs given: RUN..., or --table FILE");
		return false;
	}
	const char *option = !given->is_cutoffs ? NULL
	                     : given->csv       ? "--csv"
	                     : given->weight    ? "--weight"
	                     : given->counts.n  ? "--counts"
	                     : given->keep      ? "--keep"
	                     : given->ward      ? "--ward"
	                     : given->clusters  ? "--clusters"
	                                        : NULL;
	if (option)
		message("%s: not with --cutoffs", option);
	else if (given->table && given->weight)
		message("--weight: only for runs; a table has its own columns");
	else if (given->table && given->counts.n)
		message("--counts: only for runs; a table has its own columns");
	else if (given->by_median && !given->is_cutoffs)
		message("--median: only with --cutoffs");
	else if ((given->csv && !*given->csv) || (given->svg && !*given->svg))
		message("%s names no file", given->csv && !*given->csv ? "--csv" : "--svg");
	else
		return true;
	return false;
}

/* Parses FILE, or NAME=FILE if no file has that whole name. */
static const char *
split_operand(const char *operand, char name[WN_REPORT_COMMAND_BYTES])
{
	const char *equals = strchr(operand, '=');
	name[0] = '\0';
	if (!equals || equals == operand || access(operand, F_OK) == 0)
		return operand;
	snprintf(name, WN_REPORT_COMMAND_BYTES, "%.*s", (int)(equals - operand), operand);
	return equals + 1;
}

/* --- printing --- */

static int
print(const struct job *job, const struct wn_characterize_view *v)
{
	json_t *json = NULL;
	wn_err err = {.msg = ""};
	wn_status st = WN_OK;
	if (job->given->is_json)
		st = wn_characterize_json(v, &json, &err);
	if (st == WN_OK) {
		pager_begin();
		st = job->given->is_json ? wn_report_json_write_exactly(json, stdout, &err)
		                         : wn_characterize_text(v, &job->style, stdout, &err);
	}
	json_decref(json);
	return run_output_code(st, &err);
}

static int
analyse(const struct job *job, const struct wn_cases *cases, const char *const *files,
        const struct wn_case_counts *counts)
{
	struct wn_characterization *r;
	wn_err err = {.msg = ""};
	wn_status st = wn_characterize(cases, &job->how, &r, &err);
	if (st != WN_OK)
		return FAILURE("%s", err.msg);
	struct wn_characterize_view v = {.result = r,
	                                 .is_table = job->given->table != NULL,
	                                 .weight = job->given->table ? NULL : job->weight,
	                                 .files = files,
	                                 .counts = counts};
	int code = print(job, &v);
	if (code == CLI_OK && job->given->csv)
		code = characterize_write_csv(job->given->csv, r);
	if (code == CLI_OK && job->given->svg)
		code = characterize_draw(job->given->svg, r);
	wn_characterization_free(r);
	return code;
}

/* --- a table --- */

static int
analyse_table(const struct job *job)
{
	const char *path = job->given->table;
	struct wn_cases cases = {0};
	wn_err err = {.msg = ""};
	FILE *from = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
	if (!from)
		return FAILURE("%s: %s", path, strerror(errno));
	wn_status st = wn_cases_read(from, &cases, &err);
	if (from != stdin)
		fclose(from);
	int code = CLI_FAILURE;
	if (st == WN_OK)
		code = analyse(job, &cases, NULL, NULL);
	else
		message("%s: %s%s", path, err.msg,
		        st == WN_E_EMPTY ? "; names must be in its first line and first column"
		                         : "");
	wn_cases_fini(&cases);
	return code;
}

/* --- runs --- */

/* Callback for one open run. */
typedef wn_status run_fn(void *user, const char *name, const struct run *run, wn_err *err);

/* Opens one recording with its matching counts. */
static int
use_run(const struct job *job, struct counts_pool *pool, char *operand, run_fn *use, void *user)
{
	struct wn_options metrics = wn_options_default();
	char name[WN_REPORT_COMMAND_BYTES];
	struct run one;
	struct counts_run counts = {0};
	wn_err err = {.msg = "", .offset = WN_NO_OFFSET};
	const char *file = split_operand(operand, name);
	int code = run_open_trace(file, &one);
	if (code == CLI_OK)
		code = counts_pool_choose(pool, one.trace, job->weight, &counts, &metrics);
	if (code == CLI_OK)
		code = run_build(&metrics, &one);
	if (code == CLI_OK && use(user, name, &one, &err) != WN_OK) {
		code = FAILURE("%s: %s", file, err.msg);
	}
	if (code == CLI_OK)
		code = run_print_damage(&one);
	run_close(&one);
	counts_close(&counts);
	return code;
}

/* Processes the recordings one by one and reports each unusable one. Damage: CLI_DAMAGED. */
static int
for_each_run(const struct job *job, struct counts_pool *pool, int n, char **operands, run_fn *use,
             void *user)
{
	int code = CLI_OK, damage = pool->code;
	for (int i = 0; i < n; i++) {
		int its = use_run(job, pool, operands[i], use, user);
		if (its == CLI_DAMAGED)
			damage = its;
		else if (its != CLI_OK)
			code = its;
	}
	if (code == CLI_OK)
		code = counts_pool_check(pool);
	return code == CLI_OK ? damage : code;
}

/* "./fib 30 8" is "fib 30 8": the program's folder does not matter. */
static const char *
short_command(const char *command)
{
	const char *space = strchr(command, ' '), *start = command;
	for (const char *at = command; *at && at != space; at++)
		if (*at == '/' && at[1] && at + 1 != space)
			start = at + 1;
	return start;
}

struct case_table {
	struct wn_cases cases;
	struct wn_case_counts *counts; /* [runs] */
	const char *weight;
	bool has_weight; /* some run has them */
};

/* Names the first thing that was not counted, or programs started by exec. */
static void
note_missing(const char *const *lines, size_t n, uint64_t n_execs, struct wn_case_counts *out)
{
	if (n > 0)
		snprintf(out->missing, sizeof out->missing, "%s", lines[0]);
	else if (n_execs > 0)
		snprintf(out->missing, sizeof out->missing, "programs started by exec: %" PRIu64,
		         n_execs);
}

static void
note_counts(const struct wn_report *r, struct wn_case_counts *out)
{
	const struct wn_graph *g = r->graph;
	const char *const *missing;
	*out = (struct wn_case_counts){.file = NULL};
	if (g->carried) {
		out->file = r->metrics->options.counts_file;
		out->carried = *g->carried;
		note_missing(g->carried->missing, g->carried->n_missing, g->carried->n_execs, out);
	} else {
		size_t n = wn_trace_counters_missing(g->trace, &missing);
		note_missing(missing, n, wn_trace_header(g->trace)->n_execs, out);
	}
	const struct wn_counts *counts = wn_counts_named(g, "instructions");
	if (counts && counts->by)
		snprintf(out->by, sizeof out->by, "%s", counts->by);
	if (r->emulator)
		snprintf(out->emulator, sizeof out->emulator, "%s", r->emulator);
}

static wn_status
add_run(void *user, const char *name, const struct run *run, wn_err *err)
{
	struct case_table *g = user;
	double values[WN_PROPERTY_N];
	wn_status st = wn_properties(run->report, g->weight, values, err);
	if (st != WN_OK)
		return st;
	g->has_weight = g->has_weight || !isnan(values[WN_PROPERTY_CRITICAL_PATH]);
	note_counts(run->report, &g->counts[g->cases.n]);
	return wn_cases_add(&g->cases, *name ? name : short_command(run->report->command), values,
	                    err);
}

static int
analyse_runs(const struct job *job, int n, char **operands)
{
	struct case_table g = {.weight = job->weight};
	struct counts_pool pool = {0};
	wn_err err = {.msg = ""};
	wn_status st = WN_OK;
	const char **files = calloc((size_t)n, sizeof *files);
	g.counts = calloc((size_t)n, sizeof *g.counts);
	for (int p = 0; p < WN_PROPERTY_N && st == WN_OK; p++)
		st = wn_cases_add_variable(&g.cases, wn_property_names[p].name, &err);
	int code = CLI_FAILURE, damage = CLI_OK;
	if (st != WN_OK || !files || !g.counts) {
		message("out of memory");
		goto out;
	}
	for (int i = 0; i < n; i++) {
		char name[WN_REPORT_COMMAND_BYTES];
		files[i] = split_operand(operands[i], name);
	}
	code = counts_pool_open(&job->given->counts, &pool);
	if (code == CLI_OK)
		code = for_each_run(job, &pool, n, operands, add_run, &g);
	if (code == CLI_DAMAGED) {
		damage = code;
		code = CLI_OK;
	}
	if (code == CLI_OK && job->given->weight && !g.has_weight) {
		code = USAGE_ERROR("--weight '%s': no run has it; all have work, and time",
		                   job->weight);
	}
	if (code == CLI_OK)
		code = analyse(job, &g.cases, files, g.counts);
out:
	counts_pool_close(&pool);
	wn_cases_fini(&g.cases);
	free(g.counts);
	free(files);
	return code == CLI_OK ? damage : code;
}

/* --- cut-offs --- */

/* Returns NAME of NAME=FILE; NAN if absent. False: it is no number. */
static bool
read_cutoff(const char *name, double *out)
{
	char *end;
	*out = NAN;
	if (!*name)
		return true;
	*out = strtod(name, &end);
	return !*end && isfinite(*out);
}

/* Runs before any file is opened. */
static bool
check_cutoffs(int n, char **operands)
{
	for (int i = 0; i < n; i++) {
		char name[WN_REPORT_COMMAND_BYTES];
		double at;
		split_operand(operands[i], name);
		if (read_cutoff(name, &at))
			continue;
		message("%s: '%s' is no number; with --cutoffs, NAME of NAME=FILE is the cut-off",
		        operands[i], name);
		return false;
	}
	return true;
}

static wn_status
add_cutoff(void *user, const char *name, const struct run *run, wn_err *err)
{
	double at;
	if (run->report->emulator)
		return wn_fail(
		    err, WN_E_ARG, WN_NO_OFFSET,
		    "it was counted by %s and has no times of tasks; winnow record records them",
		    run->report->emulator);
	return read_cutoff(name, &at) ? wn_cutoffs_add(user, run->file, at, run->report, err)
	                              : WN_E_ARG;
}

static int
print_cutoffs(const struct job *job, const struct wn_cutoffs *c)
{
	json_t *json = NULL;
	wn_err err = {.msg = ""};
	wn_status st = WN_OK;
	if (job->given->is_json)
		st = wn_cutoffs_json(c, &json, &err);
	if (st == WN_OK) {
		pager_begin();
		st = job->given->is_json ? wn_report_json_write_exactly(json, stdout, &err)
		                         : wn_cutoffs_text(c, &job->style, stdout, &err);
	}
	json_decref(json);
	int code = run_output_code(st, &err);
	return code == CLI_OK && job->given->svg ? characterize_draw_cutoffs(job->given->svg, c)
	                                         : code;
}

static int
analyse_cutoffs(const struct job *job, int n, char **operands)
{
	struct wn_cutoffs c = {.by_mean = !job->given->by_median};
	struct counts_pool none = {0};
	wn_err err = {.msg = ""};
	if (!check_cutoffs(n, operands))
		return CLI_USAGE;
	int code = for_each_run(job, &none, n, operands, add_cutoff, &c), damage = CLI_OK;
	if (code == CLI_DAMAGED) {
		damage = code;
		code = CLI_OK;
	}
	wn_status st = code == CLI_OK ? wn_cutoffs_end(&c, &err) : WN_OK;
	if (st != WN_OK) {
		message("%s", err.msg);
		code = st == WN_E_ARG ? CLI_USAGE : CLI_FAILURE;
	}
	if (code == CLI_OK)
		code = print_cutoffs(job, &c);
	wn_cutoffs_fini(&c);
	return code == CLI_OK ? damage : code;
}

static int
run(const void *values, int n_operands, char **operands)
{
	struct job job = {.given = values,
	                  .style = run_style(((const struct characterize_options *)values)->color)};
	const struct characterize_options *given = values;
	job.style.is_raw = given->is_raw;
	if (given->ward && strcmp(given->ward, "D") == 0)
		job.how.ward = WN_WARD_D;
	job.weight = given->weight ? given->weight : "instructions";
	if (!check_use(given, n_operands) || !parse_keep(&job) || !parse_clusters(&job))
		return CLI_USAGE;
	if (given->table)
		return analyse_table(&job);
	return given->is_cutoffs ? analyse_cutoffs(&job, n_operands, operands)
	                         : analyse_runs(&job, n_operands, operands);
}

const struct cmd cmd_characterize = {
    .name = "characterize",
    .one_line = "Find what distinguishes runs, or which cut-off to choose",
    .usage = "[NAME=]RUN...",
    .about = "Ten properties of each run (winnow count measures most of them), principal\n"
	     "components, clusters. With --cutoffs: what tasks do, cost and let idle, run by run.",
    .examples = examples,
    .options = options,
    .options_bytes = sizeof(struct characterize_options),
    .takes_program = false,
    .min_operands = 0,
    .max_operands = CMD_ANY_NUMBER,
    .run = run,
};
