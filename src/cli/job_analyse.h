/* SPDX-License-Identifier: MIT */
/* job_analyse.h - analyses the ranks of a job in parallel, without communication but by files:
 * every process brings the summaries of its share of the ranks up to date, and the first one merges
 * all of them. Ranks whose summary no process writes are taken by the first process. */
#pragma once

#include "cli/job_ranks.h"

/* The share of this process: ranks that are `index` modulo n. */
struct job_share {
	uint32_t index, n; /* n = 1: all of them */
	uint32_t n_local;  /* processes of the job that share this node's CPUs; 0 = unknown */
	char key[WN_JOB_KEY_BYTES]; /* the launcher's name of these processes; "" = unknown */
	uint32_t wait_s; /* the first process takes all ranks when no summary appears for so long */
};

#define JOB_WAIT_S 10u

/* Finds the share: "I/N", or NULL for that of the launcher that started this process. False after a
 * message: it is no share. */
bool job_share_find(const char *text, uint64_t wait_s, struct job_share *out);

/* The merged summary, and the ranks that are not in it. */
struct job_result {
	struct wn_ranks ranks; /* bytes NULL: this process is not the first one */
	struct wn_job_absent *absent;
	size_t n_absent;
	uint32_t n_without_trace; /* ranks of which only the summary is left */
};

/**
 * Brings the share up to date; in the first process, merges all. On one machine all CPUs are used,
 * by processes, so that a trace that ends an analysis costs its own rank only.
 *
 * @param folder  its summaries go to a temporary directory if the job's is read-only
 * @return CLI_OK, or CLI_FAILURE after a message; release with job_result_fini() in any case
 */
int job_analyse(struct job_folder *folder, const struct job_share *share, struct job_result *out);
void job_result_fini(struct job_result *result);
