/* SPDX-License-Identifier: MIT */
/* counts.h - options of verbs whose grains may have another weight than time, or counts transferred
 * from another run of the same program. */
#pragma once

#include "cli/options.h"
#include "metrics/metrics.h"

struct counts_options {
	const char *weight, *file;
};

/* clang-format off */
#define COUNTS_OPTIONS(type, field, weight_help) \
	{"weight", 0, OPTION_STRING, "WEIGHT", weight_help, offsetof(type, field.weight)}, \
	{"counts", 0, OPTION_STRING, "FILE", \
	 "transfer the counters of FILE, another run of the program, to these grains", \
	 offsetof(type, field.file)}
/* clang-format on */

/* The counted run. All zeros: none. */
struct counts_run {
	struct wn_trace *trace;
	struct wn_graph *graph;
	int code; /* CLI_DAMAGED: some of it was skipped, with a message; else CLI_OK */
};

/* Opens the given file, if any, and stores it and the weight in `out`. CLI_OK, or CLI_FAILURE after
 * a message. Release with counts_close() after the results of `out`, in any case. */
int counts_open(const struct counts_options *given, struct counts_run *run, struct wn_options *out);
void counts_close(struct counts_run *run);

/* Counted runs for several runs: a run uses those of the same command and build (wn_carry_check()).
 */
struct counts_pool {
	struct counted_file *files;
	size_t n;
	int code; /* CLI_DAMAGED: some of one was skipped, with a message; else CLI_OK */
};

/* Opens the files of a list. CLI_OK, or CLI_FAILURE after a message. Release with
 * counts_pool_close() in any case. */
int counts_pool_open(const struct option_list *files, struct counts_pool *out);
void counts_pool_close(struct counts_pool *pool);

/* Stores the counts of a run in `run` and `out`, none if no file matches; and `weight`, if it is
 * one of their counters, which only runs with counts can use. CLI_OK, or CLI_FAILURE or CLI_USAGE
 * (two files match) after a message. Release `run` with counts_close() after the results of `out`,
 * in any case, and before the pool. */
int counts_pool_choose(struct counts_pool *pool, const struct wn_trace *of, const char *weight,
                       struct counts_run *run, struct wn_options *out);

/* After all runs: CLI_OK, or CLI_FAILURE after naming the file that matched none. */
int counts_pool_check(const struct counts_pool *pool);

/* Returns the exit code so far, or that of the counts if it is CLI_OK. */
int counts_code(const struct counts_run *run, int code);
