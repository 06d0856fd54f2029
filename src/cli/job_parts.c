/* SPDX-License-Identifier: MIT */
#include "cli/job_parts.h"

#include "base/file_info.h"
#include "base/order.h"

#include <stdio.h>
#include <unistd.h>

static bool
path_of(const struct job_folder *folder, const struct job_share *share, uint32_t index,
        char out[WN_JOB_PATH_BYTES])
{
	return share->key[0] &&
	       snprintf(out, WN_JOB_PATH_BYTES, "%s/s/%s.%u.sum", folder->summaries, share->key,
	                index) < (int)WN_JOB_PATH_BYTES;
}

void
job_part_write(const struct job_folder *folder, const struct job_share *share,
               const struct wn_ranks *s)
{
	char path[WN_JOB_PATH_BYTES];
	if (path_of(folder, share, share->index, path))
		(void)job_summary_save(path, s);
}

size_t
job_folder_index(const struct job_folder *folder, uint32_t rank)
{
	size_t i = wn_first_from(folder->ranks, folder->n, sizeof *folder->ranks,
	                         offsetof(struct job_rank, rank), rank);
	return i < folder->n && folder->ranks[i].rank == rank ? i : folder->n;
}

/* Size and time only: the process that wrote the part has looked at the rest. */
static bool
is_current(const struct job_folder *folder, const struct wn_rank_row *row)
{
	char path[WN_JOB_PATH_BYTES];
	struct stat info;
	size_t i = job_folder_index(folder, row->rank);
	if (i == folder->n)
		return false;
	if (!folder->ranks[i].has_trace)
		return true;
	job_folder_path(folder, &folder->ranks[i], WN_JOB_TRACE, path);
	return wn_stat(path, &info) == 0 && (uint64_t)info.st_size == row->source.trace_bytes &&
	       job_mtime_ns(&info) == row->source.trace_mtime_ns;
}

bool
job_part_open(const struct job_folder *folder, const struct job_share *share, uint32_t index,
              struct wn_ranks *out, bool *is_stale)
{
	char path[WN_JOB_PATH_BYTES];
	wn_err err;
	*is_stale = false;
	if (!path_of(folder, share, index, path) || access(path, F_OK) != 0)
		return false;
	*is_stale = wn_ranks_open(path, out, &err) != WN_OK;
	unlink(path);
	if (*is_stale)
		return false;
	for (size_t i = 0; i < out->header->n_ranks && !*is_stale; i++)
		*is_stale =
		    out->ranks[i].rank % share->n != index || !is_current(folder, &out->ranks[i]);
	if (*is_stale)
		wn_ranks_fini(out);
	return !*is_stale;
}
