/* SPDX-License-Identifier: MIT */
/* cmd_similar.c - winnow similar: finds similar groups of a recording. */
#include "cli/cmd.h"
#include "cli/pager.h"
#include "cli/runs.h"
#include "report/json.h"
#include "report/similar.h"

#include <stdlib.h>

struct similar_options {
	bool has_no_pager;
	bool is_json;
	bool is_raw;
	uint64_t top;
	const char *rounds;
};

static const struct option_spec options[] = {
    {"json", 0, OPTION_FLAG, NULL, "print JSON, schema winnow.similar/1",
     offsetof(struct similar_options, is_json)},
    {"top", 0, OPTION_NUMBER, "N", "list N shapes and groups (default: 10)",
     offsetof(struct similar_options, top)},
    {"wl-h", 0, OPTION_STRING, "N", "rounds of the Weisfeiler-Lehman kernel (default: 5)",
     offsetof(struct similar_options, rounds)},
    RAW_OPTION(struct similar_options),
    PAGER_OPTION(struct similar_options),
    {0},
};

static const char *const examples[] = {
    "winnow similar fib.winnow",
    "winnow similar fib.winnow P0.s0.1/L",
    NULL,
};

static int
print(const struct similar_options *given, const struct wn_similar *s)
{
	struct wn_text_style style = run_style(NULL);
	wn_err err = {.msg = ""};
	json_t *json = NULL;
	wn_status st = WN_OK;
	style.is_raw = given->is_raw;
	style.n_top = given->top;
	if (given->is_json)
		st = wn_similar_json(s, given->top, &json, &err);
	if (st == WN_OK) {
		pager_begin();
		st = given->is_json ? wn_report_json_write(json, stdout, &err)
		                    : wn_similar_text(s, &style, stdout, &err);
	}
	json_decref(json);
	return run_output_code(st, &err);
}

static int
look(const struct similar_options *given, const struct wn_tree *t, const char *id,
     unsigned n_rounds)
{
	struct wn_similar_options options_of = {WN_NO_TREE_NODE, n_rounds};
	struct wn_similar *s;
	wn_err err = {.msg = ""};
	wn_status st = id ? wn_tree_find(t, id, &options_of.group, &err) : WN_OK;
	if (st == WN_OK)
		st = wn_similar_build(t, &options_of, &s, &err);
	if (st != WN_OK) {
		message("%s", err.msg);
		return st == WN_E_ARG ? CLI_USAGE : CLI_FAILURE;
	}
	int code = print(given, s);
	wn_similar_free(s);
	return code;
}

static bool
parse_rounds(const char *text, unsigned *out)
{
	char *end;
	*out = WN_WL_ROUNDS;
	if (!text)
		return true;
	unsigned long n = strtoul(text, &end, 10);
	*out = (unsigned)n;
	if (*text >= '0' && *text <= '9' && !*end && n <= WN_WL_ROUNDS_MAX)
		return true;
	message("--wl-h '%s': not a number from 0 to %u", text, WN_WL_ROUNDS_MAX);
	return false;
}

static int
run(const void *values, int n_operands, char **operands)
{
	const struct similar_options *given = values;
	struct wn_options metrics = wn_options_default();
	struct run one = {0};
	struct wn_tree *t = NULL;
	unsigned n_rounds;
	if (!parse_rounds(given->rounds, &n_rounds))
		return CLI_USAGE;
	metrics.needs_whole_graph = true;
	int code = run_open(operands[0], &metrics, &one);
	if (code == CLI_OK) {
		wn_err err = {.msg = ""};
		if (wn_tree_build(one.report->graph, 0, &t, &err) == WN_OK) {
			code = look(given, t, n_operands > 1 ? operands[1] : NULL, n_rounds);
		} else {
			code = FAILURE("%s: %s", operands[0], err.msg);
		}
		int damage = code != CLI_USAGE ? run_print_damage(&one) : CLI_OK;
		code = code == CLI_OK ? damage : code;
	}
	wn_tree_free(t);
	run_close(&one);
	return code;
}

const struct cmd cmd_similar = {
    .name = "similar",
    .one_line = "Find groups of a recording that are alike",
    .usage = "FILE [ID]",
    .about = "Without ID: groups of one shape. With it: those of its shape, the nearest others.",
    .examples = examples,
    .options = options,
    .options_bytes = sizeof(struct similar_options),
    .takes_program = false,
    .min_operands = 1,
    .max_operands = 2,
    .run = run,
};
