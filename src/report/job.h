/* SPDX-License-Identifier: MIT */
/* job.h - the report of a job: all ranks of an MPI program with OpenMP threads, from the merged
 * summary of their traces. Definitions: doc/metrics.md, "Jobs". */
#pragma once

#include "ranks/binding.h"
#include "ranks/clocks.h"
#include "ranks/exchange.h"
#include "ranks/groups.h"
#include "ranks/outliers.h"
#include "ranks/pop.h"
#include "ranks/summary.h"
#include "report/text.h"

#include <jansson.h>

#define WN_ABSENT_BYTES 160

/* A rank of the job that is not in its summary. */
struct wn_job_absent {
	uint32_t rank;
	char why[WN_ABSENT_BYTES];
};

/* What the summary does not contain. */
struct wn_job_input {
	const char *name;    /* of the directory or file, as given */
	const char *command; /* NULL: that of the first rank */
	uint64_t size; /* ranks of the job; 0 = unknown: those in the summary, and absent ones */
	const struct wn_job_absent *absent; /* [n_absent] by rank */
	size_t n_absent;
	const struct wn_steps *steps; /* [ranks of the summary] to be matched; NULL: unknown */
};

/* A finding of ranks, for the job. */
struct wn_job_finding {
	const struct wn_rank_finding *f;
	const struct wn_rank_place *place; /* NULL: the whole program */
	uint64_t
	    saving_ns; /* expected of the job; an upper bound unless the time in MPI is known */
};

struct wn_job_report {
	struct wn_job_input in;   /* borrowed */
	const struct wn_ranks *s; /* borrowed */
	struct wn_pop_values pop;
	uint64_t n_ranks;         /* of the job: in.size or what is known */
	uint64_t ns[WN_TIME_N];   /* summed over ranks */
	bool is_known[WN_TIME_N]; /* of all ranks */
	uint64_t not_running_ns;  /* threads of ranks that began later or ended earlier than the
	                             longest */
	uint64_t thread_ns;       /* T R: the sum of both */
	uint32_t n_hosts, n_apps; /* different ones; at least 1 */
	uint32_t n_incomplete, n_damaged, n_withheld, n_renamed,
	    n_failed;                         /* ranks; failed: ended by a signal or a status */
	uint32_t first_failed;                /* index of the one that ended first */
	uint32_t least_threads, most_threads; /* of a rank */
	struct wn_job_finding *findings; /* largest saving of the job first, below 1 % left out */
	size_t n_findings;
	struct wn_outlier *outliers;
	size_t n_outliers;
	uint32_t *group_of; /* [ranks] */
	struct wn_rank_group groups[WN_GROUPS_MAX];
	size_t n_groups;
	struct wn_binding_finding bindings[WN_BINDING_N];
	size_t n_bindings;
	struct wn_clocks clocks;
	uint64_t *begin_ns;  /* [ranks] first event, after that of the first rank */
	char unmatched[160]; /* why messages are not matched; "": they are */
	uint64_t n_messages, n_collectives;
	bool has_path;            /* messages are matched, and clocks related */
	struct wn_rank_path path; /* its shares are by rank */
	uint32_t *calls;          /* [header->n_calls] indices, most time first */
	uint32_t *places;         /* [header->n_places] indices, most work first */
	char **labels;            /* [header->n_places] "solve.f90:120", by index */
};

/**
 * Computes the report of a job.
 *
 * @param s   must outlive the report; with at least one rank.
 * @param in  its contents must outlive the report.
 * @param out written only on success; release with wn_job_report_free().
 * @return WN_OK · WN_E_NOMEM · WN_E_EMPTY (no ranks)
 * Cost     O(ranks log ranks + findings * ranks). Threads  pure.
 */
WN_MUST_CHECK wn_status wn_job_report_build(const struct wn_ranks *s, const struct wn_job_input *in,
                                            struct wn_job_report **out, wn_err *err);
void wn_job_report_free(struct wn_job_report *job);

/* Returns the label of a place; "" for NULL. */
const char *wn_job_label(const struct wn_job_report *job, const struct wn_rank_place *place);

/* Returns the share of the critical path across ranks that the rank with this index has, or NULL.
 */
const struct wn_path_share *wn_job_path_share(const struct wn_job_report *job, size_t rank);

/** Writes a mistake in binding as a sentence without a full stop: "4 ranks (0 to 3) of vm share 2
 * CPUs (0-1) for 8 threads; 4 ranks in all". */
void wn_job_binding_text(const struct wn_job_report *job, const struct wn_binding_finding *b,
                         char *text, size_t size);

/* The command line of a job: as given, or the first rank's. */
const char *wn_job_report_command(const struct wn_job_report *job);

/**
 * Writes the report as text: on one screen, or with style->sections all of it.
 * @return WN_OK · WN_E_IO (errno has the reason) · WN_E_NOMEM
 */
WN_MUST_CHECK wn_status wn_job_report_text(const struct wn_job_report *job,
                                           const struct wn_text_style *style, FILE *to,
                                           wn_err *err);

/* Builds the report as JSON, schema winnow.job_report/1; release with json_decref(). */
WN_MUST_CHECK wn_status wn_job_report_json(const struct wn_job_report *job, json_t **out,
                                           wn_err *err);
