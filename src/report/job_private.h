/* SPDX-License-Identifier: MIT */
/* job_private.h - shared by text and JSON of a job. Private to this folder. */
#pragma once

#include "report/job.h"

struct json_maker;

#define JOB_LIST_BYTES 256

/* Idle time of all threads of a rank, in regions and outside. */
uint64_t job_rank_idle_ns(const struct wn_rank_row *rank);

/* Writes numbers that rise, as "0-15,17,32-63"; a list that does not fit ends in "...". */
void job_list(const uint32_t *ranks, size_t n, char *out, size_t out_bytes);

/* The ranks of a group as such a list. False: out of memory. */
bool job_group_list(const struct wn_job_report *r, size_t group, char *out, size_t out_bytes);

/* Returns the indices of n records, to be freed: those with the largest uint64_t at offset `key_at`
 * first. NULL: out of memory. */
uint32_t *job_largest_first(const void *records, size_t n, size_t record_bytes, size_t key_at);

/* The key `job` of JSON. */
json_t *job_head(struct json_maker *j, const struct wn_job_report *r);
