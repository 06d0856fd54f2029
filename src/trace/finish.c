/* SPDX-License-Identifier: MIT */
/*
 * finish.c - seal the windows in place, store the end of the process in the header.
 *
 * Sealing in place is safe at every instant: the hash is written before the kind that makes it
 * count. If the clocks were last compared very early, they are compared again now: the time stamp
 * counter runs on after the process.
 */
#include "base/error.h"
#include "trace/encode.h"
#include "trace/hash.h"
#include "trace/trace_finish.h"
#include "trace/trace_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void
seal_slot(uint8_t *slot, size_t room_bytes, uint64_t salt)
{
	struct wn_block_header *h = (struct wn_block_header *)(void *)slot;
	uint32_t used_bytes = atomic_load_explicit(&h->used_bytes, memory_order_relaxed);
	if (h->magic != WN_BLOCK_MAGIC || h->kind != WN_BLOCK_WINDOW || h->salt != salt ||
	    used_bytes < sizeof *h || used_bytes > room_bytes)
		return;
	struct wn_block_header sealed;
	memcpy(&sealed, h, sizeof sealed);
	sealed.kind = WN_BLOCK_SEALED;
	h->hash = wn_block_hash(&sealed, h + 1, used_bytes - sizeof *h);
	h->kind = WN_BLOCK_SEALED;
}

static void
store_end(struct wn_trace_header *h, int wait_status, uint64_t wall_ns)
{
	h->wait_status = wait_status;
	h->wall_ns = wall_ns;
	h->finished = 1;
#if defined(__x86_64__)
	if (h->clock_kind == WN_CLOCK_TSC && h->last_tick == h->start_tick) {
		struct timespec now;
		clock_gettime(CLOCK_MONOTONIC, &now);
		h->last_mono_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
		h->last_tick = __builtin_ia32_rdtsc();
	}
#endif
}

wn_status
wn_trace_finish(const char *path, int wait_status, uint64_t wall_ns, wn_err *err)
{
	struct wn_trace *trace;
	struct stat info;
	wn_status st = wn_trace_open(path, &trace, err); /* all checks of the header */
	if (st != WN_OK)
		return st;
	wn_trace_close(trace);

	int fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "cannot open for writing: %s",
		               strerror(errno));
	uint8_t *bytes = MAP_FAILED;
	if (fstat(fd, &info) == 0)
		bytes = mmap(NULL, (size_t)info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (bytes == MAP_FAILED) {
		st = wn_fail(err, WN_E_IO, WN_NO_OFFSET, "cannot map: %s", strerror(errno));
		close(fd);
		return st;
	}
	struct wn_trace_header *h = (struct wn_trace_header *)(void *)bytes;
	size_t size_bytes = (size_t)info.st_size;
	for (size_t at = WN_HEADER_BYTES; at + sizeof(struct wn_block_header) <= size_bytes;
	     at += WN_SLOT_BYTES) {
		size_t room_bytes =
		    size_bytes - at < WN_SLOT_BYTES ? size_bytes - at : WN_SLOT_BYTES;
		seal_slot(bytes + at, room_bytes, h->salt);
	}
	store_end(h, wait_status, wall_ns);
	munmap(bytes, size_bytes);
	close(fd);
	return WN_OK;
}
