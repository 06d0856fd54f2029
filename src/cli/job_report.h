/* SPDX-License-Identifier: MIT */
/* job_report.h - `winnow report` of a job: its directory, or a summary. */
#ifndef WN_CLI_JOB_REPORT_H
#define WN_CLI_JOB_REPORT_H

#include "cli/gates.h"
#include "cli/job_analyse.h"

struct job_report_options {
	bool is_json;
	const char *share; /* "I/N", or NULL */
	uint64_t wait_s;   /* 0 = the default */
	struct wn_text_style *style;
	bool is_coloured; /* also for a launcher, whose pipe may look like a terminal */
	const struct gates *gates;
};

/* A job with its report. */
struct job_opened {
	struct job_folder folder; /* path NULL: the job is a summary */
	struct job_result result;
	struct wn_steps *steps; /* [n_steps] of the ranks; NULL: not of all */
	size_t n_steps;
	struct wn_job_report *report; /* NULL: this process is not the first one */
};

/* Whether it is the directory of a job, or a summary. */
bool job_is_one(const char *path);

/* Analyses a job, or reads its summary. CLI_OK, or CLI_FAILURE after a message. Release with
 * job_close() in any case. `options` NULL: all of it here. */
int job_open(const char *verb, const char *path, const struct job_report_options *options,
             struct job_opened *out);
void job_close(struct job_opened *job);

/* Prints the report of a job. Returns the exit code. */
int job_report(const char *verb, const char *path, const struct job_report_options *options);

/* Compares two jobs. Returns the exit code. */
int job_diff(const char *verb, char *const *paths, const struct job_report_options *options);

/* Writes the merged summary of traces of ranks and of summaries. Returns the exit code. */
int job_write_summary(const char *verb, int n, char **files, const char *out);

#endif /* WN_CLI_JOB_REPORT_H */
