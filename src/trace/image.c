/* SPDX-License-Identifier: MIT */
/* image.c - maps a trace file into memory, with the windows that its process has not saved. */
#include "trace/image.h"

#include "base/error.h"
#include "trace/segments.h"
#include "trace/trace_finish.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define OPEN_ATTEMPTS 4

/* Touching a hole of a file in memory (tmpfs) allocates memory, and raises SIGBUS if none is left.
 */
static bool
may_not_be_mapped(int fd, const struct stat *info)
{
	struct statfs system;
	return info->st_blocks < info->st_size / 512 && fstatfs(fd, &system) == 0 &&
	       system.f_type == TMPFS_MAGIC;
}

/* Fills `copy` with the file's data; its holes stay zero. */
static void
copy_file(int fd, uint8_t *copy, size_t size_bytes)
{
	off_t at = 0;
	while ((at = lseek(fd, at, SEEK_DATA)) >= 0) {
		off_t end = lseek(fd, at, SEEK_HOLE);
		ssize_t n = 1;
		for (; n > 0 && at < end && (size_t)at < size_bytes; at += n)
			n = pread(fd, copy + at, size_bytes - (size_t)at, at);
		if (n <= 0)
			break;
	}
}

/* Copies windows before the file size is read: a window that the process writes to the file
 * meanwhile is then found in at least one of the two places. */
static void
copy_windows(const struct segments *segments, uint8_t *slots, size_t n_slots)
{
	for (size_t i = 0; i < n_slots; i++) {
		uint32_t home;
		const struct wn_block_header *window = segments_window(segments, i, &home);
		if (window && segments_copy(window, slots + i * WN_SLOT_BYTES) == 0)
			memset(slots + i * WN_SLOT_BYTES, 0, WN_SLOT_BYTES);
	}
}

static uint8_t *
map_memory(size_t n_bytes)
{
	void *map = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE,
	                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return map == MAP_FAILED ? NULL : map;
}

/* Returns the mapped file, or a copy of it with room for windows. NULL and errno on failure. */
static uint8_t *
map_file(int fd, const struct stat *info, size_t n_bytes, bool *is_copy)
{
	size_t file_bytes = (size_t)info->st_size;
	*is_copy = may_not_be_mapped(fd, info);
	if (!*is_copy && n_bytes == file_bytes) {
		void *map = mmap(NULL, n_bytes, PROT_READ, MAP_PRIVATE, fd, 0);
		return map == MAP_FAILED ? NULL : map;
	}
	uint8_t *image = map_memory(n_bytes);
	if (image && *is_copy)
		copy_file(fd, image, file_bytes);
	else if (image &&
	         mmap(image, file_bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) == MAP_FAILED) {
		munmap(image, n_bytes);
		return NULL;
	}
	return image;
}

static wn_status
map_with_windows(int fd, const struct segments *segments, struct image *m, wn_err *err)
{
	struct stat info;
	size_t n_windows = segments_n_windows(segments);
	size_t window_bytes = n_windows * WN_SLOT_BYTES;
	uint8_t *windows = n_windows ? map_memory(window_bytes) : NULL;
	if (windows)
		copy_windows(segments, windows, n_windows);
	bool is_ok = (windows || !n_windows) && fstat(fd, &info) == 0 && info.st_size > 0;
	if (is_ok) {
		m->file_bytes = m->n_bytes = (size_t)info.st_size;
		if (n_windows)
			m->n_bytes = segments_align(m->file_bytes) + window_bytes;
		uint8_t *image = map_file(fd, &info, m->n_bytes, &m->is_copy);
		is_ok = image != NULL;
		if (is_ok && windows)
			is_ok = mremap(windows, window_bytes, window_bytes,
			               MREMAP_MAYMOVE | MREMAP_FIXED,
			               image + (m->n_bytes - window_bytes)) != MAP_FAILED;
		m->bytes = image;
	}
	return is_ok ? WN_OK
	             : wn_fail(err, WN_E_IO, WN_NO_OFFSET, "cannot map: %s", strerror(errno));
}

static bool
read_header(int fd, struct wn_trace_header *h)
{
	return pread(fd, h, sizeof *h, 0) == (ssize_t)sizeof *h &&
	       memcmp(h->magic, WN_TRACE_MAGIC, sizeof h->magic) == 0;
}

/* Returns whether the file now names other segments than the header that was read before. */
static bool
has_moved_windows(int fd, const struct wn_trace_header *h)
{
	struct wn_trace_header now;
	return read_header(fd, &now) &&
	       (now.n_segments != h->n_segments ||
	        memcmp(now.segment_id, h->segment_id, sizeof now.segment_id) != 0);
}

/* Attaches the segments that the header names, and takes the newest header, before the file size
 * is read, so that the file has all that the header refers to. Missing segments may have been
 * removed since the header was read, by another reader or by the process, which both update the
 * header first. */
static void
open_segments(int fd, const char *path, struct segments *segments, struct image *m)
{
	struct wn_trace_header h;
	memset(segments, 0, sizeof *segments);
	if (!read_header(fd, &h) || h.n_segments == 0)
		return;
	wn_trace_settle(path);
	if (!read_header(fd, &h))
		return;
	segments_open(&h, segments);
	for (int i = 0; i < OPEN_ATTEMPTS && segments->is_lost && has_moved_windows(fd, &h); i++) {
		segments_close(segments);
		if (!read_header(fd, &h))
			return;
		segments_open(&h, segments);
	}
	segments_update(segments, &h);
	m->newest = h;
	m->has_lost_windows = segments->is_lost;
}

wn_status
image_map(const char *path, struct image *m, wn_err *err)
{
	struct stat info;
	struct segments segments;
	wn_status st = WN_OK;
	memset(m, 0, sizeof *m);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "cannot open: %s", strerror(errno));
	if (fstat(fd, &info) != 0)
		st = wn_fail(err, WN_E_IO, WN_NO_OFFSET, "cannot look at it: %s", strerror(errno));
	else if (!S_ISREG(info.st_mode))
		st = wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET,
		             "not a regular file, so not a Winnow trace");
	else if (info.st_size == 0)
		st = wn_fail(err, WN_E_FORMAT, 0, "the file is empty, so not a Winnow trace");
	if (st == WN_OK) {
		open_segments(fd, path, &segments, m);
		st = map_with_windows(fd, &segments, m, err);
		segments_close(&segments);
	}
	close(fd);
	return st;
}
