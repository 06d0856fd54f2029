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

/* The code of a verb that has come so far: that of the counts, if it is none of its own. */
int counts_code(const struct counts_run *run, int code);

#endif /* WN_CLI_COUNTS_H */
