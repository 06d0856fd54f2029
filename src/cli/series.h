/* SPDX-License-Identifier: MIT */
/*
 * series.h - scaling series: records a program on several numbers of threads, and reports on such
 * recordings. A series is a folder with the recordings tTHREADS-rRUN.winnow, or a list of files.
 */
#ifndef WN_CLI_SERIES_H
#define WN_CLI_SERIES_H

#include "cli/record.h"
#include "metrics/metrics.h"
#include "report/text.h"

#include <stddef.h>

/* The options of `run` and `record` that ask for a series. */
#define SERIES_OPTIONS(type)                                                                       \
	{"threads",                                                                                \
	 0,                                                                                        \
	 OPTION_STRING,                                                                            \
	 "LIST",                                                                                   \
	 "record on each of these numbers of threads, e.g. 1,2,4 or 1..4",                         \
	 offsetof(type, threads)},                                                                 \
	{                                                                                          \
		"repeat", 0, OPTION_NUMBER, "N", "record each number of --threads N times",        \
		    offsetof(type, n_repeat)                                                       \
	}

struct paths {
	char **items;
	size_t n, capacity;
};
void paths_fini(struct paths *paths);

/*
 * Records the program of `request` once for each number of `threads` (a list such as "1,2,4" or
 * "1..4") in each of `n_repeat` rounds (0 = 1). Even rounds run in opposite order, so that a
 * machine that becomes slower does not look like scaling. request->output is the folder; NULL =
 * PROG.series in the current folder. Adds the recordings to `traces`. Returns the exit status of
 * the first run that failed, or CLI_OK; a signal from the terminal ends the series.
 */
int series_record(const struct record_request *request, const char *threads, uint64_t n_repeat,
                  struct paths *traces);

/* Adds files, and the recordings of folders of series. False after a message. */
bool series_expand(const char *verb, int n_operands, char **operands, struct paths *out);
/* Tests for a folder with recordings of a series. */
bool series_has_recordings(const char *folder);

/* Whether the operands of `report` are a series: several, or a folder. */
bool series_is_one(int n_operands, char **operands);

/* Prints the scaling diagnosis of recordings and folders of them. Returns the exit code. */
int series_report(const char *verb, int n_operands, char **operands,
                  const struct wn_options *metrics, bool is_json,
                  const struct wn_text_style *style);

#endif /* WN_CLI_SERIES_H */
