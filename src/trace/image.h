/* SPDX-License-Identifier: MIT */
/* image.h - the bytes of a trace as the reader sees them. Private to this folder. */
#pragma once

#include "trace/trace_format.h"
#include "winnow/base.h"

#include <stdbool.h>

/* The file, followed from the next slot on by the windows that are not in it (rule V13). */
struct image {
	const uint8_t *bytes;
	size_t n_bytes;
	size_t file_bytes; /* size of the file's part */
	bool is_copy;      /* memory instead of a mapping of the file */
	bool has_lost_windows;
	struct wn_trace_header newest; /* newer than the file's header, if its salt is the same */
};

/* Maps a file; first saves the windows of a dead process to it, if possible. The caller unmaps it
 * by munmap(2). WN_OK · WN_E_IO · WN_E_FORMAT */
wn_status image_map(const char *path, struct image *out, wn_err *err);
