/* SPDX-License-Identifier: MIT */
/* job_report.h - the verbs of a job, which is a directory or a summary: report, diff, export, view.
 */
#pragma once

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
int job_open(const char *path, const struct job_report_options *options, struct job_opened *out);
void job_close(struct job_opened *job);

/* Prints the report of a job. Returns the exit code. */
int job_report(const char *path, const struct job_report_options *options);

/* Compares two jobs. Returns the exit code. */
int job_diff(char *const *paths, const struct job_report_options *options);

/* Writes the merged summary of traces of ranks and of summaries. Returns the exit code. */
int job_write_summary(int n, char **files, const char *out);

/* job_export.c: writes the table of `winnow export --format csv`, with a column of the rank in
 * front, of all ranks with a trace, one after the other. Ranks whose trace cannot be used are named
 * and left out. Returns the exit code. */
struct wn_options;
int job_export_csv(const char *path, const char *output, bool has_full_names,
                   const struct wn_options *options);

/* job_view.c: writes "job" for "job.winnow.d", "job.winnow.d/" and "job.sum", where pages are put
 * by default. */
void job_view_stem(const char *path, char *out, size_t out_bytes);

/* Writes the page of a job to `out`; "-": standard output. Returns the exit code. */
int job_view(const char *path, const char *out);

/* Serves the page instead of writing it. */
struct serve_options;
int job_view_serve(const char *path, const struct serve_options *given);
