/* SPDX-License-Identifier: MIT */
/* segments.h - attaches the windows of a trace that are still in the memory of the recording
 * process. Private to this folder. */
#pragma once

#include "trace/trace_format.h"

#include <stdbool.h>

struct segments {
	size_t n; /* attached */
	struct {
		const struct wn_segment *at;
		int32_t id;
		uint32_t number;
		uint32_t n_windows;
	} s[WN_SEGMENTS_MAX];
	bool is_lost; /* a segment named by the header is missing, and was not saved */
};

/* Attaches the segments that the header names for reading (rule V13). Never fails: segments that
 * cannot be attached are lost. The windows can change at any time while the process runs. */
void segments_open(const struct wn_trace_header *h, struct segments *out);

void segments_close(struct segments *s);

/* Copies the newer fields of the first segment's header over those of the file's. */
void segments_update(const struct segments *s, struct wn_trace_header *h);

/* Returns true if only this process has them attached. */
bool segments_are_idle(const struct segments *s);

/* Returns false if the path in one of them leads to a file other than `fd` that is a trace of the
 * same recording: `fd` is then a copy of that trace. */
bool segments_belong_to(const struct segments *s, int fd);

/* Marks them for removal when the last process detaches. */
void segments_remove(const struct segments *s);

/* The number of possible windows, and one of them; NULL if it was never in use. Its slot in the
 * file is *home. */
size_t segments_n_windows(const struct segments *s);
const struct wn_block_header *segments_window(const struct segments *s, size_t i, uint32_t *home);

/* Copies a window that may be changing: its block as it was at one instant. Returns used bytes, or
 * 0 if it is empty or keeps changing, as while the thread writes it to the file. */
uint32_t segments_copy(const struct wn_block_header *window, void *slot);

/* Rounds the file's size up to whole slots, for the windows that follow. */
static inline uint64_t
segments_align(uint64_t file_bytes)
{
	return (file_bytes + WN_SLOT_BYTES - 1) / WN_SLOT_BYTES * WN_SLOT_BYTES;
}
