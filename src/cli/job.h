/* SPDX-License-Identifier: MIT */
/* job.h - the directory of a job (doc/jobs.md), as `record` and `run` use it: for the rank that
 * they start, or for a launcher that starts ranks. */
#pragma once

#include "cli/launch.h"
#include "cli/recorder_channel.h"
#include "job/process.h"

enum job_mode {
	JOB_NONE,     /* one file, not a directory */
	JOB_RANK,     /* this process starts one rank, or a program without one */
	JOB_LAUNCHER, /* the program starts ranks, whose recorders write the directory */
};

struct job {
	enum job_mode mode;
	bool is_selected; /* by --ranks */
	struct wn_rank rank;
	const char *name; /* the directory as the user wrote it */
	char key[WN_JOB_KEY_BYTES];
	char dir[WN_JOB_PATH_BYTES]; /* that was entered, absolute */
	char manifest_path[WN_JOB_PATH_BYTES];
	char trace_path[WN_JOB_PATH_BYTES]; /* JOB_RANK */
	struct wn_process process;
	struct wn_manifest manifest;
};

/* Decides by the name of the output, the program and the environment. `output` may be NULL. */
void job_choose(const char *output, const char *program, const char *ranks, struct job *job);

/**
 * Creates the directory or joins it, and claims this process's rank. Prints a line if another job
 * has the directory.
 *
 * @param argv  of the program; has_no_command: it is not stored
 * @param why   filled on failure: what is not possible, e.g. "No space left on device"
 */
bool job_prepare(char *const *argv, bool has_no_command, struct job *job, char *why,
                 size_t why_bytes);

/* JOB_RANK: completes the manifest. `report` may be NULL, if nothing was to be recorded. */
void job_end(struct job *job, const struct launch_outcome *ran,
             const struct channel_report *report);

/* JOB_LAUNCHER: adds the traces of ranks that could not report, as they ran on other nodes. False
 * if out of memory. */
bool job_add_traces(const struct job *job, struct channel_report *report);

/* Does this process print the closing line? One of many ranks does, and each that has failed. */
bool job_prints(const struct job *job);

/* What the closing line is about: "job.winnow.d: rank 3 of 8, killed by signal 9" or "job.winnow.d:
 * 8 of 8 ranks". */
void job_label(const struct job *job, int wait_status, char *out, size_t out_bytes);
