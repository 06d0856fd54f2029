/* SPDX-License-Identifier: MIT */
/* path.h - parts of path names; small files, as in /proc. Inline: the recorder links no library. */
#pragma once

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* Returns what follows the last slash, the whole path if it has none. */
static inline const char *
wn_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Reads the start of a file, NUL-terminated. Returns its length; 0 if it cannot be read. */
static inline size_t
wn_read_start(const char *path, char *out, size_t out_bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, out, out_bytes - 1) : 0;
	if (fd >= 0)
		close(fd);
	out[n > 0 ? n : 0] = '\0';
	return n > 0 ? (size_t)n : 0;
}

/* Reads the first line, without its end; false if there is none. */
static inline bool
wn_read_line(const char *path, char *out, size_t out_bytes)
{
	size_t n = wn_read_start(path, out, out_bytes);
	out[strcspn(out, "\n")] = '\0';
	return n > 0;
}
