/* SPDX-License-Identifier: MIT */
/*
 * channel.h - the first line of the file through which recorders report to `winnow record`.
 *
 * WINNOW_BACK names that file by the launcher's process and descriptor number. Both can belong to
 * something else by the time a recorder uses them. So a recorder writes only to a memory file that
 * is sealed against shrinking and starts with this line, which names the recording.
 */
#ifndef WN_TRACE_CHANNEL_H
#define WN_TRACE_CHANNEL_H

#include "trace/hash.h"

#include <stdio.h>
#include <string.h>

#define WN_CHANNEL_LINE_BYTES 32u

/* The line, which ends in a newline and is NUL-terminated, for the recording to `out_path`. */
static inline void
wn_channel_line(char line[WN_CHANNEL_LINE_BYTES + 1], const char *out_path)
{
	uint64_t hash = XXH3_64bits(out_path, strlen(out_path));
	snprintf(line, WN_CHANNEL_LINE_BYTES + 1, "winnow-channel %016llx\n",
	         (unsigned long long)hash);
}

#endif /* WN_TRACE_CHANNEL_H */
