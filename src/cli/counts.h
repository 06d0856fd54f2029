/* SPDX-License-Identifier: MIT */
/*
 * counts.h - the options of verbs whose grains may weigh something else than time, and may have
 * counts that another run of the same program has made.
 */
#ifndef WN_CLI_COUNTS_H
#define WN_CLI_COUNTS_H

#include "cli/options.h"
#include "metrics/metrics.h"

struct counts_options {
	const char *weight, *file;
};

/* clang-format off */
#define COUNTS_OPTIONS(type, field, weight_help) \
	{"weight", 0, OPTION_STRING, "WEIGHT", weight_help, offsetof(type, field.weight)}, \
	{"counts", 0, OPTION_STRING, "FILE", \
	 "carry the counters of FILE, another run of the same, to these grains", \
	 offsetof(type, field.file)}
/* clang-format on */

/* The run that was counted. All zero is none. */
struct counts_run {
	struct wn_trace *trace;
	struct wn_graph *graph;
	int code; /* CLI_DAMAGED: something of it had to be skipped, which was said; else CLI_OK */
};

/* Opens what is given, if anything is, and puts it and the weight into `out`. CLI_OK, or
 * CLI_FAILURE when it has said why not. Release with counts_close() after what was made of `out`,
 * in any case. */
int counts_open(const char *verb, const struct counts_options *given, struct counts_run *run,
                struct wn_options *out);
void counts_close(struct counts_run *run);

/* Counted runs for several runs: a run's are those of the same command and build
 * (wn_carry_check()). */
struct counts_pool {
	struct counted_file *files;
	size_t n;
	int code; /* CLI_DAMAGED: something of one had to be skipped, which was said; else CLI_OK */
};

/* Opens the files of a list. CLI_OK, or CLI_FAILURE when it has said why not. Release with
 * counts_pool_close() in any case. */
int counts_pool_open(const char *verb, const struct option_list *files, struct counts_pool *out);
void counts_pool_close(struct counts_pool *pool);

/* Puts the counts of a run into `run` and `out`, none if no file fits; with them `weight`, if it is
 * one of their counters, for only with its counts a run can be weighed by what they bring. CLI_OK,
 * or CLI_FAILURE or CLI_USAGE (two files fit) when it has said why not. Release `run` with
 * counts_close() after what was made of `out`, in any case, and before the pool. */
int counts_pool_choose(const char *verb, struct counts_pool *pool, const struct wn_trace *of,
                       const char *weight, struct counts_run *run, struct wn_options *out);

/* After all runs: CLI_OK, or CLI_FAILURE when it has said which file was of none of them. */
int counts_pool_check(const char *verb, const struct counts_pool *pool);

/* The code of a verb that has come so far: that of the counts, if it is none of its own. */
int counts_code(const struct counts_run *run, int code);

#endif /* WN_CLI_COUNTS_H */
