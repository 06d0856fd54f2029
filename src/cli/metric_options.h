/* SPDX-License-Identifier: MIT */
/*
 * metric_options.h - options for user metrics and thresholds.
 *
 *     --metric 'NAME = EXPR'      --bad, --threshold NUMBER, --propagate belong to the one before
 *     --metrics FILE              the same in a file: winnow-metrics(5)
 *     --threshold 'TYPE<NUMBER'   of a built-in problem type
 *
 * A verb has `struct option_list metrics` in its options struct, METRIC_OPTIONS(struct, metrics) in
 * its table, and calls metric_options_read() first.
 */
#pragma once

#include "cli/options.h"
#include "metrics/define.h"

/* clang-format off */
#define METRIC_OPTIONS(type, field) \
	{"metric", 0, OPTION_ORDERED, "METRIC", \
	 "define a metric, 'NAME = EXPR'; repeatable", offsetof(type, field)}, \
	{"bad", 0, OPTION_ORDERED, "WHICH=low|high|none", \
	 "its bad values (default: none)", offsetof(type, field)}, \
	{"threshold", 0, OPTION_ORDERED, "EXPR", \
	 "its threshold; or the threshold of a problem, e.g. parallel_benefit<2", offsetof(type, field)}, \
	{"propagate", 0, OPTION_ORDERED, "RULE=sum|min|max|median|mean|any|again|none", \
	 "how groups fold it", offsetof(type, field)}, \
	{"metrics", 0, OPTION_ORDERED, "FILE", \
	 "define the metrics of FILE; repeatable", offsetof(type, field)}
/* clang-format on */

/*
 * Reads the options in order, and the files they name, before any recording.
 *
 * defs: starts as zeros; released with wn_metric_defs_fini() in any case.
 * out: its thresholds are set, and its metrics to `defs`, if there are any.
 * Returns CLI_OK, CLI_USAGE (an invalid definition), or CLI_FAILURE (a file cannot be read).
 */
int metric_options_read(const struct option_list *given, struct wn_metric_defs *defs,
                        struct wn_options *out);

/* Checks the names in expressions, which may be columns of the open recording, before the graph is
 * built (reports check them themselves). Returns CLI_OK, or CLI_USAGE after a message. */
int metric_options_check(const struct wn_options *options, const struct wn_trace *trace);
