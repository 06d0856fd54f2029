/* SPDX-License-Identifier: MIT */
/*
 * finish.c - saves the windows to their slots and seals them; stores the end of the process in the
 * header.
 *
 * Windows in memory are written to their slots of the file, and the memory is freed once the
 * header no longer refers to it; when the file is a copy of the trace, the memory stays, as the
 * original needs it. No instant loses data: a reader that finds a window in both places takes the
 * longer one (V7).
 *
 * A window occupies its whole slot, however little it contains, and slots of threads that have
 * ended contain nothing useful: bytes that no reader needs become holes. Slots keep their
 * positions. This is done only if the process is certainly gone, because a running process relies
 * on its reserved space.
 *
 * Sealing in place is safe at every instant: the hash is written before the kind that makes it
 * count. The file is not mapped: on a full disk, writing to its holes may raise SIGBUS. If the
 * clocks were last compared very early, they are compared again now: the time stamp counter
 * continues after the process ended.
 */
#include "base/clock.h"
#include "base/error.h"
#include "base/file_limit.h"
#include "base/mem.h"
#include "trace/encode.h"
#include "trace/hash.h"
#include "trace/segments.h"
#include "trace/ticks.h"
#include "trace/trace_finish.h"
#include "trace/trace_outline.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define HOLE_BYTES 4096u /* a page: file systems free whole pages only */

static bool
read_at(int fd, void *out, size_t n_bytes, uint64_t offset)
{
	return pread(fd, out, n_bytes, (off_t)offset) == (ssize_t)n_bytes;
}

static bool
write_at(int fd, const void *bytes, size_t n_bytes, uint64_t offset)
{
	if (!wn_file_may_grow_to(offset + n_bytes)) {
		errno = EFBIG;
		return false;
	}
	return pwrite(fd, bytes, n_bytes, (off_t)offset) == (ssize_t)n_bytes;
}

/* Frees a byte range that no reader needs. Has no effect on file systems without holes. */
static void
punch_hole(int fd, uint64_t begin, uint64_t end)
{
	begin = (begin + HOLE_BYTES - 1) / HOLE_BYTES * HOLE_BYTES;
	if (begin < end)
		fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)begin,
		          (off_t)(end - begin));
}

struct finish {
	int fd;
	uint8_t *slot; /* buffer for one slot */
	uint64_t salt;
	bool is_gone; /* no process uses the file */
};

/* Writes the payload first: a slot without its header is not valid. */
static bool
save_window(const struct finish *f, const struct wn_block_header *window, uint32_t home)
{
	struct wn_block_header *h = (struct wn_block_header *)(void *)f->slot;
	uint64_t at = WN_HEADER_BYTES + (uint64_t)home * WN_SLOT_BYTES;
	uint32_t used_bytes = segments_copy(window, f->slot);
	if (used_bytes == 0) {
		if (f->is_gone)
			punch_hole(f->fd, at, at + WN_SLOT_BYTES);
		return true;
	}
	if (h->magic != WN_BLOCK_MAGIC || h->kind != WN_BLOCK_WINDOW || h->salt != f->salt)
		return true;
	h->kind = WN_BLOCK_SEALED;
	h->hash = wn_block_hash(h, h + 1, used_bytes - sizeof *h);
	return write_at(f->fd, h + 1, used_bytes - sizeof *h, at + sizeof *h) &&
	       write_at(f->fd, h, sizeof *h, at);
}

/* Returns true if all windows are in the file. */
static bool
save_windows(const struct finish *f, const struct segments *s)
{
	bool is_ok = true;
	size_t n_windows = segments_n_windows(s);
	for (size_t i = 0; i < n_windows; i++) {
		uint32_t home;
		const struct wn_block_header *window = segments_window(s, i, &home);
		if (window)
			is_ok &= save_window(f, window, home);
	}
	return is_ok;
}

/* Returns false if the file cannot be written. */
static bool
seal_slot(const struct finish *f, uint64_t at, size_t room_bytes)
{
	struct wn_block_header *h = (struct wn_block_header *)(void *)f->slot;
	if (!read_at(f->fd, h, sizeof *h, at))
		return true;
	uint32_t used_bytes = atomic_load_explicit(&h->used_bytes, memory_order_relaxed);
	if (h->magic != WN_BLOCK_MAGIC || h->kind != WN_BLOCK_WINDOW || h->salt != f->salt ||
	    used_bytes > room_bytes)
		return true;
	if (f->is_gone)
		punch_hole(f->fd, at + (used_bytes ? used_bytes : sizeof *h), at + room_bytes);
	if (used_bytes < sizeof *h ||
	    !read_at(f->fd, h + 1, used_bytes - sizeof *h, at + sizeof *h))
		return true;
	h->kind = WN_BLOCK_SEALED;
	h->hash = wn_block_hash(h, h + 1, used_bytes - sizeof *h);
	return write_at(f->fd, &h->hash, sizeof h->hash,
	                at + offsetof(struct wn_block_header, hash)) &&
	       write_at(f->fd, &h->kind, sizeof h->kind,
	                at + offsetof(struct wn_block_header, kind));
}

static bool
seal_slots(const struct finish *f, uint64_t size_bytes)
{
	bool is_ok = true;
	for (uint64_t at = WN_HEADER_BYTES;
	     is_ok && at + sizeof(struct wn_block_header) <= size_bytes; at += WN_SLOT_BYTES) {
		uint64_t left_bytes = size_bytes - at;
		is_ok = seal_slot(f, at,
		                  left_bytes < WN_SLOT_BYTES ? (size_t)left_bytes : WN_SLOT_BYTES);
	}
	return is_ok;
}

static void
store_end(struct wn_trace_header *h, const struct wn_trace_end *end)
{
	if (end) {
		h->wait_status = end->wait_status;
		h->wall_ns = end->wall_ns;
		h->finished = 1;
	}
	if (wn_ticks_are_of(h) && h->last_tick == h->start_tick) {
		h->last_mono_ns = wn_now_ns(CLOCK_MONOTONIC);
		h->last_tick = wn_ticks();
	}
}

static wn_status
finish_file(int fd, uint8_t *slot, const struct wn_trace_end *end, bool is_gone, wn_err *err)
{
	struct wn_trace_header h;
	struct segments segments;
	struct stat info;
	if (fstat(fd, &info) != 0 || !read_at(fd, &h, sizeof h, 0))
		return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "cannot read: %s", strerror(errno));
	segments_open(&h, &segments);
	segments_update(&segments, &h);
	struct finish f = {.fd = fd,
	                   .slot = slot,
	                   .salt = h.salt,
	                   .is_gone = is_gone || end || h.state == WN_STATE_CLOSED};
	bool is_ok = save_windows(&f, &segments) && seal_slots(&f, (uint64_t)info.st_size);
	store_end(&h, end);
	if (is_ok && !segments.is_lost)
		h.n_segments = 0;
	if (!write_at(fd, (uint8_t *)&h + WN_HEADER_STATIC_BYTES, sizeof h - WN_HEADER_STATIC_BYTES,
	              WN_HEADER_STATIC_BYTES))
		is_ok = false;
	wn_status st =
	    is_ok ? WN_OK
		  : wn_fail(err, WN_E_IO, WN_NO_OFFSET, "cannot write: %s", strerror(errno));
	if (is_ok && segments_belong_to(&segments, fd))
		segments_remove(&segments);
	segments_close(&segments);
	return st;
}

wn_status
wn_trace_finish(const char *path, const struct wn_trace_end *end, wn_err *err)
{
	struct wn_trace_header header;
	int fd;
	wn_status st = wn_trace_open_header(path, O_RDWR, &header, &fd, err);
	if (st != WN_OK)
		return st;
	uint8_t *slot = wn_calloc(WN_SLOT_BYTES, 1);
	st = slot ? finish_file(fd, slot, end, false, err) : wn_no_memory(err);
	wn_free(slot);
	close(fd);
	return st;
}

/* A living process holds a lock on the file, and has its segments attached. */
static bool
is_abandoned(int fd)
{
	struct wn_trace_header h;
	struct segments s;
	if (!read_at(fd, &h, sizeof h, 0) || memcmp(h.magic, WN_TRACE_MAGIC, sizeof h.magic) != 0 ||
	    h.n_segments == 0 || flock(fd, LOCK_EX | LOCK_NB) != 0)
		return false;
	segments_open(&h, &s);
	bool is_abandoned = s.n > 0 && segments_are_idle(&s);
	segments_close(&s);
	return is_abandoned;
}

void
wn_trace_settle(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat info;
	uint8_t *slot = NULL;
	if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && is_abandoned(fd) &&
	    (slot = wn_calloc(WN_SLOT_BYTES, 1)))
		(void)finish_file(fd, slot, NULL, true,
		                  NULL); /* otherwise the reader reads the memory */
	wn_free(slot);
	if (fd >= 0)
		close(fd);
}

wn_status
wn_trace_store_execs(const char *path, uint64_t n_execs, wn_err *err)
{
	struct wn_trace_header header;
	int fd;
	wn_status st = wn_trace_open_header(path, O_RDWR, &header, &fd, err);
	if (st != WN_OK)
		return st;
	if (!write_at(fd, &n_execs, sizeof n_execs, offsetof(struct wn_trace_header, n_execs)))
		st = wn_fail(err, WN_E_IO, WN_NO_OFFSET, "cannot write: %s", strerror(errno));
	close(fd);
	return st;
}

/* Appends a slot. The header that counts it is written last. */
static bool
append_slot(int fd, struct wn_trace_header *h, const struct wn_block_header *block)
{
	struct stat info;
	if (fstat(fd, &info) != 0)
		return false;
	uint64_t n_slots = atomic_load_explicit(&h->n_slots, memory_order_relaxed);
	uint64_t at = WN_HEADER_BYTES + n_slots * WN_SLOT_BYTES;
	while (at < (uint64_t)info.st_size)
		at += WN_SLOT_BYTES;
	uint32_t used_bytes = atomic_load_explicit(&block->used_bytes, memory_order_relaxed);
	if (!write_at(fd, block, used_bytes, at))
		return false;
	uint32_t slots = (uint32_t)((at - WN_HEADER_BYTES) / WN_SLOT_BYTES + 1);
	uint64_t end_bytes = at + used_bytes;
	return write_at(fd, &slots, sizeof slots, offsetof(struct wn_trace_header, n_slots)) &&
	       write_at(fd, &end_bytes, sizeof end_bytes,
	                offsetof(struct wn_trace_header, end_bytes));
}

wn_status
wn_trace_append(const char *path, enum wn_process_type type, const void *payload, size_t n_bytes,
                wn_err *err)
{
	struct wn_trace_header header;
	struct wn_process_record r = {(uint32_t)type, (uint32_t)n_bytes};
	size_t used_bytes = (sizeof(struct wn_block_header) + sizeof r + n_bytes + 7) & ~(size_t)7;
	int fd;
	if (used_bytes > WN_SLOT_BYTES)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "too long for a block");
	wn_status st = wn_trace_open_header(path, O_RDWR, &header, &fd, err);
	if (st != WN_OK)
		return st;
	struct wn_block_header *block = wn_calloc(WN_SLOT_BYTES, 1);
	if (!block) {
		close(fd);
		return wn_no_memory(err);
	}
	*block = (struct wn_block_header){.magic = WN_BLOCK_MAGIC,
	                                  .kind = WN_BLOCK_PROCESS,
	                                  .salt = header.salt,
	                                  .thread_index = UINT32_MAX,
	                                  .used_bytes = (uint32_t)used_bytes};
	memcpy(block + 1, &r, sizeof r);
	memcpy((uint8_t *)(block + 1) + sizeof r, payload, n_bytes);
	block->hash = wn_block_hash(block, block + 1, used_bytes - sizeof *block);
	if (!append_slot(fd, &header, block))
		st = wn_fail(err, WN_E_IO, WN_NO_OFFSET, "cannot write: %s", strerror(errno));
	wn_free(block);
	close(fd);
	return st;
}
