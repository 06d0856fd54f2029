/* SPDX-License-Identifier: MIT */
/*
 * segments.h - the windows of a trace that are still in the memory of the process that recorded it.
 * Private to this folder.
 */
#ifndef WN_TRACE_SEGMENTS_H
#define WN_TRACE_SEGMENTS_H

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
	bool is_lost; /* one that the header names is not there, and was not saved */
};

/* Attaches the segments that the header names, to read them (rule V13). Never fails: what cannot be
 * had is lost. The windows can change at any time while the process runs. */
void segments_open(const struct wn_trace_header *h, struct segments *out);

void segments_close(struct segments *s);

/* Takes from the first segment what is newer in its header than in the file's. */
void segments_update(const struct segments *s, struct wn_trace_header *h);

/* True if no process has them attached but this one. */
bool segments_are_idle(const struct segments *s);

/* False if the path in one of them leads to another file than `fd` that is a trace of the same
 * recording: `fd` is then a copy of that trace. */
bool segments_belong_to(const struct segments *s, int fd);

/* Marks them to be freed as soon as no process has them attached. */
void segments_remove(const struct segments *s);

/* How many windows there may be, and one of them; NULL if it has never been in use. Its slot in the
 * file is *home. */
size_t segments_n_windows(const struct segments *s);
const struct wn_block_header *segments_window(const struct segments *s, size_t i, uint32_t *home);

/* Copies a window that may be changing: its block as it was at one instant. Returns used bytes, or
 * 0 if it is empty or does not hold still, as when the thread writes it to the file. */
uint32_t segments_copy(const struct wn_block_header *window, void *slot);

/* Bytes of the file's slots up to here, for windows that follow it. */
static inline uint64_t
segments_align(uint64_t file_bytes)
{
	return (file_bytes + WN_SLOT_BYTES - 1) / WN_SLOT_BYTES * WN_SLOT_BYTES;
}

#endif /* WN_TRACE_SEGMENTS_H */
