/* SPDX-License-Identifier: MIT */
/* series.h - scaling series: records a program on several numbers of threads, and reports on such
 * recordings. A series is a folder with the recordings tTHREADS-rRUN.winnow, or a list of files. */
#pragma once

#include "cli/record.h"
#include "metrics/metrics.h"
#include "report/text.h"

#include <stddef.h>

/* What the options of `run` and `record` have in common. */
struct recording_options {
	struct record_request request;
	const char *threads; /* with n_repeat: of a series */
	uint64_t n_repeat;
};

#define RECORDING_OPTION(name, letter, type, argument, help, field)                                \
	{                                                                                          \
		name, letter, type, argument, help, offsetof(struct recording_options, field)      \
	}
#define RECORDING_OPTIONS_WHAT                                                                     \
	RECORDING_OPTION("source", 0, OPTION_STRING, "NAME=auto|ompt|ompt-grain|libgomp|pomp2",    \
	                 "record by this source only", request.source),                            \
	    RECORDING_OPTION("counters", 0, OPTION_STRING, "LIST",                                 \
	                     "count these for each grain, e.g. cycles,instructions "               \
	                     "(winnow doctor lists them)",                                         \
	                     request.counters),                                                    \
	    RECORDING_OPTION("threads", 0, OPTION_STRING, "LIST",                                  \
	                     "record on each of these numbers of threads, e.g. 1,2,4 or 1..4",     \
	                     threads),                                                             \
	    RECORDING_OPTION("repeat", 0, OPTION_NUMBER, "N",                                      \
	                     "record each number of --threads N times", n_repeat),                 \
	    RECORDING_OPTION("ranks", 0, OPTION_STRING, "LIST",                                    \
	                     "record these ranks of a job, e.g. 0,7,100-110 or 0-/16",             \
	                     request.ranks)
#define RECORDING_OPTIONS_HOW                                                                      \
	RECORDING_OPTION("paused", 0, OPTION_FLAG, NULL,                                           \
	                 "record nothing until PROG starts it (winnow-mark(3))",                   \
	                 request.is_paused),                                                       \
	    RECORDING_OPTION("no-command", 0, OPTION_FLAG, NULL,                                   \
	                     "do not store PROG's arguments in the trace",                         \
	                     request.has_no_command),                                              \
	    RECORDING_OPTION("keep-going", 'k', OPTION_FLAG, NULL,                                 \
	                     "run PROG even if it cannot be recorded, and return its status",      \
	                     request.keeps_going),                                                 \
	    RECORDING_OPTION("verbose", 'v', OPTION_FLAG, NULL,                                    \
	                     "print beforehand by which source PROG can be recorded",              \
	                     request.is_verbose)

struct paths {
	char **items;
	size_t n, capacity;
};
void paths_fini(struct paths *paths);

/* Records the program of `request` once for each number of `threads` (a list such as "1,2,4" or
 * "1..4") in each of `n_repeat` rounds (0 = 1). Even rounds run in opposite order, so that a
 * machine that becomes slower does not look like scaling. request->output is the folder; NULL =
 * PROG.series in the current folder. Adds the recordings to `traces`. Returns the exit status of
 * the first run that failed, or CLI_OK; a signal from the terminal ends the series. */
int series_record(const struct record_request *request, const char *threads, uint64_t n_repeat,
                  struct paths *traces);

/* Adds files, and the recordings of folders of series. False after a message. */
bool series_expand(int n_operands, char **operands, struct paths *out);
/* Tests for a folder with recordings of a series. */
bool series_has_recordings(const char *folder);

/* Whether the operands of `report` are a series: several, or a folder. */
bool series_is_one(int n_operands, char **operands);

/* Prints the scaling diagnosis of recordings and folders of them. Returns the exit code. */
int series_report(int n_operands, char **operands, const struct wn_options *metrics, bool is_json,
                  const struct wn_text_style *style);
