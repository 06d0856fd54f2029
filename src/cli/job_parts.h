/* SPDX-License-Identifier: MIT */
/* job_parts.h - the merged summary of one process's share, s/KEY.I.sum, where KEY is the launcher's
 * name for the processes that analyse a job. The first process reads these instead of the summaries
 * of all ranks, and removes them. */
#pragma once

#include "cli/job_analyse.h"

/* Writes the part of this process. A part that cannot be written is left out: then the first
 * process reads the summaries of its ranks. */
void job_part_write(const struct job_folder *folder, const struct job_share *share,
                    const struct wn_ranks *s);

/**
 * Opens the part of process `index`, and removes its file.
 *
 * @param is_stale  set if it cannot be used: ranks of other shares, or traces that have changed
 * since
 * @return false: it is not there, or stale; else release with wn_ranks_fini()
 */
bool job_part_open(const struct job_folder *folder, const struct job_share *share, uint32_t index,
                   struct wn_ranks *out, bool *is_stale);

/* Returns the index of a rank in the folder, or folder->n. */
size_t job_folder_index(const struct job_folder *folder, uint32_t rank);
