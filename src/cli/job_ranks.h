/* SPDX-License-Identifier: MIT */
/* job_ranks.h - finds the ranks of a job in its directory (doc/jobs.md), and keeps their summaries
 * up to date. A summary is stale if its trace or its manifest has changed since. */
#pragma once

#include "job/directory.h"
#include "ranks/manifest_read.h"
#include "report/job.h"

#include <sys/stat.h>

/* A rank of the job, with the files of its last attempt. */
struct job_rank {
	uint32_t rank, attempt;
	bool has_manifest, has_trace;
};

struct job_folder {
	const char *path;                  /* as given */
	char summaries[WN_JOB_PATH_BYTES]; /* directory with s/: that of the job, or a temporary one
	                                    */
	bool is_temporary;
	struct wn_job_file file; /* zero if there is no job.json */
	struct job_rank *ranks;  /* by rank: all of the job, or as many as have files */
	size_t n;
};

/* Whether it is the directory of a job: it has job.json or r/, or is named *.winnow.d. */
bool job_folder_is_one(const char *path);

/* Finds the ranks, or those that are `index` modulo `n_shares`; only of all ranks is it a failure
 * if there is none, and are other entries of the directory named. CLI_OK, or CLI_FAILURE after a
 * message. Release with job_folder_close() in any case. */
int job_folder_open(const char *path, uint32_t index, uint32_t n_shares, struct job_folder *out);
void job_folder_close(struct job_folder *folder);

/* Path of a file of a rank's last attempt. */
void job_folder_path(const struct job_folder *folder, const struct job_rank *rank,
                     enum wn_job_part part, char out[WN_JOB_PATH_BYTES]);

/* Finds the trace of rank `text`, a number. CLI_OK, or a code after a message. */
int job_folder_trace(const char *path, const char *text, char out[WN_JOB_PATH_BYTES]);

/**
 * Opens the summary of a rank if it is up to date. Of a rank whose trace is gone any will do; one
 * that was computed while the rank ran is up to date only where it was computed just now.
 * @return false: there is none; else release with wn_ranks_fini()
 */
bool job_summary_open(const struct job_folder *folder, const struct job_rank *rank, bool is_new,
                      struct wn_ranks *out);

/**
 * Computes the summary of a rank from its trace, and writes it unless it cannot.
 *
 * @param why  [WN_ABSENT_BYTES] filled on failure: why the rank is not in the report
 */
bool job_summary_write(const struct job_folder *folder, const struct job_rank *rank, char *why);

/* Writes a summary to a file that appears when it is complete. False, and errno: it is not written.
 */
bool job_summary_save(const char *path, const struct wn_ranks *s);

/* When a file was modified, as summaries have it. */
uint64_t job_mtime_ns(const struct stat *info);

/* The same for any trace, into memory: its rank is that of its manifest or its name. */
int job_summary_of(const char *trace, struct wn_ranks *out);

/* Why a rank has neither a trace nor a summary. */
void job_rank_explain(const struct job_folder *folder, const struct job_rank *rank,
                      char why[WN_ABSENT_BYTES]);
