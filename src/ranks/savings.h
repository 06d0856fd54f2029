/* SPDX-License-Identifier: MIT */
/* savings.h - what a job can save if a finding of its ranks is fixed. */
#pragma once

#include "ranks/summary.h"

/**
 * Returns what the job saves: the reduction of the longest time of a rank outside MPI, if each rank
 * saves what the finding says. Ranks that wait for one another save nothing together. If the time
 * in MPI is not known, it is not known either for whom ranks wait: then the largest saving of a
 * rank, which is an upper bound.
 *
 * @param is_bound  true: the time in MPI is not known.
 * Cost     O(ranks). Threads  pure. Source  doc/metrics.md, "Jobs".
 */
uint64_t wn_job_saving(const struct wn_ranks *s, const struct wn_rank_finding *f, bool is_bound);
