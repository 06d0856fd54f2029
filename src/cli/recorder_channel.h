/* SPDX-License-Identifier: MIT */
/*
 * recorder_channel.h - the channel by which recorders report to the launcher.
 *
 * A file in memory that each recording process appends one line to:
 *     start PID SOURCE PATH      a trace was opened; SOURCE is ompt, libgomp or pomp2
 *     fail PID ERRNO WHAT        a trace could not be opened
 * One process may report several sources of one trace. PID is that of our /proc.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define CHANNEL_ELSEWHERE (-1) /* of a process that cannot report here, perhaps of another node */

struct channel_trace {
	long pid; /* 0 = not known; CHANNEL_ELSEWHERE */
	const char *path;
};

struct channel_report {
	struct channel_trace *traces; /* `out_path` first, others as reported; no path twice */
	size_t n_traces;
	size_t n_failed;
	long failed_pid; /* the first failure */
	int failed_errno;
	char failed_what[128];

	char *text, *more; /* private: texts with the paths; an index of them by hash */
	size_t *index;
	size_t index_n;
};

/* Creates the file, and writes to `path` the name by which other processes open it; -1 on failure.
 */
int channel_open(char path[64]);

/* Marks the file as the channel of the recording to `out_path`: recorders write to no other file.
 * False and errno on failure. */
bool channel_announce(int fd, const char *out_path);

/* Reads the channel. Accepts only traces of the recording `out_path`. A process in a container may
 * be unable to report: without a report of `out_path` or of a failure, uses the file itself, unless
 * another recording has it (is_shared). The report points to `out_path`. Linear in the number of
 * lines. False if out of memory; call channel_fini() in any case. */
bool channel_read(int fd, const char *out_path, bool is_shared, struct channel_report *report);

/* Adds traces that no process has reported. `paths`: each with a NUL, and another NUL; allocated,
 * and then the report's. False if out of memory. */
bool channel_add_elsewhere(struct channel_report *report, char *paths);

void channel_fini(struct channel_report *report);
