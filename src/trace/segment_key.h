/* SPDX-License-Identifier: MIT */
/* segment_key.h - the keys of the shared memory segments in which processes record. A segment
 * outlives its process. If the process is killed before it writes to the segment, only the key
 * identifies it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define WN_SEGMENT_KEY 0x574e0000 /* "WN"; the lower half is any free number */

/* The key for a number. */
static inline int32_t
wn_segment_key(uint64_t number)
{
	return (int32_t)(WN_SEGMENT_KEY | (number & 0xffff));
}

static inline bool
wn_is_segment_key(int64_t key)
{
	return (key & ~(int64_t)0xffff) == WN_SEGMENT_KEY;
}
