/* SPDX-License-Identifier: MIT */
/*
 * channel.h - the first line of the file through which recorders report to `winnow record`.
 *
 * WINNOW_BACK identifies that file by the launcher's process and descriptor number. Both can refer
 * to something else by the time a recorder uses them. So a recorder writes only to a memory file
 * that is sealed against shrinking and starts with this line, which identifies the recording.
 */
#pragma once

#include "trace/hash.h"

#include <stdio.h>
#include <string.h>

#define WN_CHANNEL_LINE_BYTES 32u

/* Formats the line for the recording to `out_path`; it ends in a newline and a NUL. */
static inline void
wn_channel_line(char line[WN_CHANNEL_LINE_BYTES + 1], const char *out_path)
{
	uint64_t hash = XXH3_64bits(out_path, strlen(out_path));
	snprintf(line, WN_CHANNEL_LINE_BYTES + 1, "winnow-channel %016llx\n",
	         (unsigned long long)hash);
}
