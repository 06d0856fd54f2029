/* SPDX-License-Identifier: MIT */
/*
 * image.h - the bytes of a trace, as the reader sees them. Private to this folder.
 */
#ifndef WN_TRACE_IMAGE_H
#define WN_TRACE_IMAGE_H

#include "trace/trace_format.h"
#include "winnow/base.h"

#include <stdbool.h>

/* The file, and behind it, from the next slot on, the windows that are not in it (rule V13). */
struct image {
	const uint8_t *bytes;
	size_t n_bytes;
	size_t file_bytes; /* of these */
	bool is_copy;      /* memory, not the file */
	bool has_lost_windows;
	struct wn_trace_header newest; /* newer than the file's, if its salt is the same */
};

/* Maps a file; of a dead process's windows are saved in it first, if that is possible. To be
 * unmapped by munmap(2). WN_OK · WN_E_IO · WN_E_FORMAT */
wn_status image_map(const char *path, struct image *out, wn_err *err);

#endif /* WN_TRACE_IMAGE_H */
