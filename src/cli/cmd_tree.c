/* SPDX-License-Identifier: MIT */
/*
 * cmd_tree.c - winnow tree: prints the grain graph of a recording folded into groups, with the
 * important ones expanded.
 */
#include "cli/cmd.h"
#include "cli/counts.h"
#include "cli/metric_options.h"
#include "cli/opening.h"
#include "cli/runs.h"
#include "report/json.h"
#include "report/tree_view.h"

#include <inttypes.h>

struct tree_options {
	struct opening opening;
	bool is_json;
	bool is_raw;
	uint64_t lines; /* 0 = the default */
	const char *color;
	struct counts_options counts;
	struct option_list metrics;
};

static const struct option_spec options[] = {
    OPENING_OPTIONS(struct tree_options, opening),
    {"lines", 'n', OPTION_NUMBER, "N",
     "show at most N nodes (default: 24, and 200 with an aim of yours)",
     offsetof(struct tree_options, lines)},
    {"json", 0, OPTION_FLAG, NULL, "print JSON, schema winnow.tree/1",
     offsetof(struct tree_options, is_json)},
    COUNTS_OPTIONS(struct tree_options, counts,
                   "sums, parallelism and critical path by work, time or a counter"),
    METRIC_OPTIONS(struct tree_options, metrics),
    {"raw", 0, OPTION_FLAG, NULL, "times in nanoseconds", offsetof(struct tree_options, is_raw)},
    {"color", 0, OPTION_STRING, "WHEN=auto|always|never", "use colours",
     offsetof(struct tree_options, color)},
    {0},
};

static const char *const examples[] = {
    "winnow tree fib.winnow",
    "winnow tree fib.winnow P0.s0.1/F0 --depth 2",
    "winnow tree fib.winnow --critical",
    NULL,
};

/* Explicitly requested parts may be longer than a screen. */
#define LINES_ASKED 200u

/* An unknown id is a usage error. */
static int
complain(const char *file, const wn_err *err, wn_status st)
{
	char place[40] = "";
	if (err->offset != WN_NO_OFFSET)
		snprintf(place, sizeof place, "byte %" PRIu64 ": ", err->offset);
	message("tree", "%s: %s%s", file, place, err->msg);
	return st == WN_E_ARG ? CLI_USAGE : CLI_FAILURE;
}

static int
print_tree(const char *file, const struct wn_report_tree *r, const struct tree_options *given,
           const struct wn_text_style *style)
{
	json_t *json = NULL;
	wn_err err;
	wn_status st;
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
	return st == WN_E_IO ? run_complain_of_output("tree", &err) : complain(file, &err, st);
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
		return complain(file, &err, st);
	int code = metric_options_check("tree", wanted->metrics, trace);
	if (code != CLI_OK) {
		wn_trace_close(trace);
		return code;
	}
	st = wn_report_tree_build(trace, wanted, &r, &err);
	code = st == WN_OK ? print_tree(file, r, given, style) : complain(file, &err, st);
	if (code == CLI_OK)
		code = run_tell_damage("tree", file, trace, "the tree is");
	if (st == WN_OK)
		wn_report_tree_free(r);
	wn_trace_close(trace);
	return code;
}

static int
run(const void *values, int n_operands, char **operands)
{
	const struct tree_options *given = values;
	struct wn_options metrics = wn_options_default();
	struct wn_metric_defs defs = {0};
	struct wn_text_style style = run_style(given->color);
	struct wn_report_tree_options wanted = {
	    .unfold = {.id = n_operands > 1 ? operands[1] : NULL},
	    .metrics = &metrics,
	};
	wanted.unfold.n_lines = given->lines > UINT32_MAX           ? UINT32_MAX
	                        : given->lines                      ? (uint32_t)given->lines
	                        : opening_is_given(&given->opening) ? LINES_ASKED
	                                                            : 0;
	style.is_raw = given->is_raw;
	struct counts_run counts = {0};
	int code = CLI_USAGE;
	if (opening_read("tree", &given->opening, &wanted.unfold) &&
	    (code = metric_options_read("tree", &given->metrics, &defs, &metrics)) == CLI_OK &&
	    (code = counts_open("tree", &given->counts, &counts, &metrics)) == CLI_OK)
		code = counts_code(&counts, show(operands[0], given, &wanted, &style));
	counts_close(&counts);
	wn_metric_defs_fini(&defs);
	return code;
}

const struct cmd cmd_tree = {
    .name = "tree",
    .one_line = "Print the grains of a recording, folded into groups",
    .usage = "FILE [ID]",
    .about =
	"ID is a grain or a group, as the lines name them; without it everything is shown. Groups\n"
	"are open towards the worst problems, or as --depth, --problem or --critical say.",
    .examples = examples,
    .options = options,
    .options_bytes = sizeof(struct tree_options),
    .min_operands = 1,
    .max_operands = 2,
    .run = run,
};
