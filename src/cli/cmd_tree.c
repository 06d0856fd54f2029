/* SPDX-License-Identifier: MIT */
/* cmd_tree.c - winnow tree: prints the grain graph of a recording folded into groups, with the
 * important ones expanded. */
#include "base/error.h"
#include "cli/cmd.h"
#include "cli/counts.h"
#include "cli/job_ranks.h"
#include "cli/metric_options.h"
#include "cli/opening.h"
#include "cli/pager.h"
#include "cli/progress.h"
#include "cli/rank_column.h"
#include "cli/runs.h"
#include "report/json.h"
#include "report/tree_view.h"

#include <inttypes.h>

struct tree_options {
	bool has_no_pager;
	struct opening opening;
	bool is_json;
	bool is_raw;
	uint64_t lines; /* 0 = the default */
	const char *color, *rank;
	struct counts_options counts;
	struct option_list metrics;
};

static const struct option_spec options[] = {
    OPENING_OPTIONS(struct tree_options, opening),
    {"lines", 'n', OPTION_NUMBER, "N",
     "show at most N nodes (default: 24; 200 with --depth, --problem or --critical)",
     offsetof(struct tree_options, lines)},
    {"json", 0, OPTION_FLAG, NULL, "print JSON, schema winnow.tree/1",
     offsetof(struct tree_options, is_json)},
    COUNTS_OPTIONS(struct tree_options, counts,
                   "sums, parallelism and critical path by work, time or a counter"),
    METRIC_OPTIONS(struct tree_options, metrics),
    {"rank", 0, OPTION_STRING, "N", "for the directory of a job: rank N",
     offsetof(struct tree_options, rank)},
    RAW_OPTION(struct tree_options),
    COLOR_OPTION(struct tree_options),
    PAGER_OPTION(struct tree_options),
    {0},
};

static const char *const examples[] = {
    "winnow tree fib.winnow",
    "winnow tree fib.winnow P0.s0.1/F0 --depth 2",
    "winnow tree fib.winnow --critical",
    NULL,
};

/* Explicitly requested parts may be longer than a screen. */
#define LINES_REQUESTED 200u

/* An unknown id is a usage error. */
static int
complain(const char *file, const wn_err *err, wn_status st)
{
	char place[40] = "";
	if (err->offset != WN_NO_OFFSET)
		snprintf(place, sizeof place, "byte %" PRIu64 ": ", err->offset);
	message("%s: %s%s", file, place, err->msg);
	return st == WN_E_ARG ? CLI_USAGE : CLI_FAILURE;
}

static int
print_tree(const char *file, const struct wn_report_tree *r, const struct tree_options *given,
           const struct wn_text_style *style)
{
	json_t *json = NULL;
	wn_err err;
	wn_status st;
	pager_begin();
	if (given->is_json) {
		st = wn_report_tree_json(r, &json, &err);
		if (st == WN_OK)
			st = wn_report_json_write(json, stdout, &err);
		json_decref(json);
	} else {
		st = wn_report_tree_text(r, style, stdout, &err);
	}
	if (st == WN_OK)
		return CLI_OK;
	return st == WN_E_IO ? run_complain_of_output(&err) : complain(file, &err, st);
}

static int
show(const char *file, const struct tree_options *given,
     const struct wn_report_tree_options *wanted, const struct wn_text_style *style)
{
	struct wn_trace *trace;
	struct wn_report_tree *r;
	wn_err err = {.offset = WN_NO_OFFSET};
	wn_status st = wn_trace_open(file, &trace, &err);
	if (st != WN_OK)
		return run_complain(file, st, &err, "");
	int code = metric_options_check(wanted->metrics, trace);
	if (code != CLI_OK) {
		wn_trace_close(trace);
		return code;
	}
	st = wn_report_tree_build(trace, wanted, &r, &err);
	code = st == WN_OK ? print_tree(file, r, given, style) : complain(file, &err, st);
	if (code == CLI_OK)
		code = run_report_damage(file, trace, "the tree is");
	if (st == WN_OK)
		wn_report_tree_free(r);
	wn_trace_close(trace);
	return code;
}

/* --- jobs --- */

/* Least lines of a rank: its root, and what is below. */
#define RANK_LINES_LEAST 4u

struct ranks_view {
	struct job_folder folder;
	struct wn_report_tree_options wanted;
	struct wn_text_style style;
	json_t *list;              /* with --json */
	size_t n_shown, n_unknown; /* unknown: ranks without the requested part */
	int code;
};

static wn_status
show_tree_of_rank(struct ranks_view *v, uint32_t rank, const struct wn_report_tree *r, wn_err *err)
{
	if (v->list) {
		json_t *tree = NULL;
		wn_status st = wn_report_tree_json(r, &tree, err);
		if (st != WN_OK)
			return st;
		json_t *item = json_pack("{s:I,s:o}", "rank", (json_int_t)rank, "tree", tree);
		return json_array_append_new(v->list, item) == 0 ? WN_OK : wn_no_memory(err);
	}
	FILE *column = rank_column_open(stdout, RANK_COLUMN_TEXT, rank, v->n_shown == 0);
	if (!column)
		return wn_no_memory(err);
	if (v->n_shown == 0)
		printf("%*s\n", RANK_COLUMN_WIDTH - 2, "rank");
	wn_status st = wn_report_tree_text(r, &v->style, column, err);
	fclose(column);
	return st;
}

/* False: the output ended. A rank that cannot be shown is named and left out. */
static bool
show_rank(struct ranks_view *v, const struct job_rank *rank)
{
	char path[WN_JOB_PATH_BYTES];
	struct wn_trace *trace = NULL;
	struct wn_report_tree *r = NULL;
	wn_err err = {.offset = WN_NO_OFFSET};
	job_folder_path(&v->folder, rank, WN_JOB_TRACE, path);
	wn_status st = wn_trace_open(path, &trace, &err);
	if (st == WN_OK)
		st = wn_report_tree_build(trace, &v->wanted, &r, &err);
	if (st == WN_OK)
		st = show_tree_of_rank(v, rank->rank, r, &err);
	if (st == WN_OK) {
		v->n_shown++;
		int damage = run_report_damage(path, trace, "the tree is");
		v->code = v->code == CLI_OK ? damage : v->code;
	} else if (st != WN_E_IO || r == NULL) {
		message("%s: %s; the rank is left out", path, err.msg);
		if (st == WN_E_ARG)
			v->n_unknown++;
		else
			v->code = CLI_DAMAGED;
	}
	wn_report_tree_free(r);
	wn_trace_close(trace);
	return st != WN_E_IO || r == NULL;
}

static int
print_list(struct ranks_view *v)
{
	wn_err err = {.msg = ""};
	json_t *o = json_pack("{s:s,s:O}", "schema", "winnow.job_tree/1", "ranks", v->list);
	wn_status st = o ? wn_report_json_write(o, stdout, &err) : wn_no_memory(&err);
	json_decref(o);
	return st == WN_OK ? v->code : run_complain_of_output(&err);
}

/* The trees of all ranks, one after the other, with a column of the rank. */
static int
show_job(const char *path, const struct tree_options *given,
         const struct wn_report_tree_options *wanted, const struct wn_text_style *style)
{
	struct ranks_view v = {.wanted = *wanted, .style = *style};
	bool goes_on = true;
	int code = job_folder_open(path, 0, 1, &v.folder);
	size_t n = 0;
	for (size_t i = 0; i < v.folder.n; i++)
		n += v.folder.ranks[i].has_trace;
	if (v.wanted.unfold.n_lines == 0 && n > 1) {
		v.wanted.unfold.n_lines = (uint32_t)(WN_TEXT_BRIEF_LINES / n);
		if (v.wanted.unfold.n_lines < RANK_LINES_LEAST)
			v.wanted.unfold.n_lines = RANK_LINES_LEAST;
	}
	pager_begin();
	v.style.width -= RANK_COLUMN_WIDTH;
	v.list = given->is_json ? json_array() : NULL;
	for (size_t i = 0; code == CLI_OK && goes_on && i < v.folder.n; i++)
		if (v.folder.ranks[i].has_trace)
			goes_on = show_rank(&v, &v.folder.ranks[i]);
	if (v.n_shown == 0 && v.n_unknown)
		v.code = CLI_USAGE;
	if (code == CLI_OK)
		code = v.list ? print_list(&v) : v.code;
	json_decref(v.list);
	job_folder_close(&v.folder);
	return code;
}

static int
run(const void *values, int n_operands, char **operands)
{
	const struct tree_options *given = values;
	struct wn_options metrics = wn_options_default();
	metrics.on_step = progress_step;
	struct wn_metric_defs defs = {0};
	struct wn_text_style style = run_style(given->color);
	struct wn_report_tree_options wanted = {
	    .unfold = {.id = n_operands > 1 ? operands[1] : NULL},
	    .metrics = &metrics,
	};
	wanted.unfold.n_lines = given->lines > UINT32_MAX           ? UINT32_MAX
	                        : given->lines                      ? (uint32_t)given->lines
	                        : opening_is_given(&given->opening) ? LINES_REQUESTED
	                                                            : 0;
	style.is_raw = given->is_raw;
	struct counts_run counts = {0};
	char trace[WN_JOB_PATH_BYTES];
	const char *file = operands[0];
	int code = given->rank ? job_folder_trace(file, given->rank, trace) : CLI_OK;
	if (code != CLI_OK)
		return code;
	file = given->rank ? trace : file;
	bool is_job = job_folder_is_one(file);
	code = CLI_USAGE;
	if (opening_read(&given->opening, &wanted.unfold) &&
	    (code = metric_options_read(&given->metrics, &defs, &metrics)) == CLI_OK &&
	    (code = counts_open(&given->counts, &counts, &metrics)) == CLI_OK)
		code = is_job ? show_job(file, given, &wanted, &style)
		              : counts_code(&counts, show(file, given, &wanted, &style));
	counts_close(&counts);
	wn_metric_defs_fini(&defs);
	return code;
}

const struct cmd cmd_tree = {
    .name = "tree",
    .one_line = "Print the grains of a recording, folded into groups",
    .usage = "FILE [ID]",
    .about = "ID is a grain or a group, as the lines name them; without it everything is shown. "
	     "Groups\nare expanded towards the worst problems, or by --depth, --problem or "
	     "--critical. Of the\n"
	     "directory of a job the trees of all ranks are printed, with a column of the rank.",
    .examples = examples,
    .options = options,
    .options_bytes = sizeof(struct tree_options),
    .min_operands = 1,
    .max_operands = 2,
    .run = run,
};
