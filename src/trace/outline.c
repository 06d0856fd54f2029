/* SPDX-License-Identifier: MIT */
#include "trace/trace_outline.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "trace/hash.h"
#include "trace/segments.h"
#include "trace/ticks.h"
#include "trace/trace_private.h"
#include "trace/trace_tally.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Shorter baselines of the two clocks do not give a reliable rate. */
#define BASELINE_NS 100000u

/* A trace whose block headers are known, with one block at a time in memory. */
struct outline {
	struct wn_trace t; /* t.bytes is the block */
	int fd;
	uint8_t *block;
};

static wn_status
fail_io(wn_err *err, const char *what)
{
	return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "cannot %s: %s", what, strerror(errno));
}

wn_status
wn_trace_open_header(const char *path, int flags, struct wn_trace_header *header, int *fd,
                     wn_err *err)
{
	struct wn_trace t = {0};
	char bytes[sizeof t.header];
	int opened = open(path, flags | O_CLOEXEC | O_NONBLOCK);
	if (opened < 0)
		return fail_io(err, flags & O_RDWR ? "open for writing" : "open");
	ssize_t n = pread(opened, bytes, sizeof bytes, 0);
	wn_status st = n < 0 ? fail_io(err, "read") : trace_check_header(&t, bytes, (size_t)n, err);
	if (st != WN_OK) {
		close(opened);
		return st;
	}
	*header = t.header;
	*fd = opened;
	return WN_OK;
}

/* Rule V5. A full disk may leave a block's header without its payload. */
static bool
has_its_hash(struct outline *o, const struct block_ref *ref)
{
	struct wn_block_header h;
	if (!ref->is_sealed)
		return true;
	if (pread(o->fd, o->block, ref->used_bytes, (off_t)ref->offset) != (ssize_t)ref->used_bytes)
		return false;
	memcpy(&h, o->block, sizeof h);
	return h.hash == wn_block_hash(&h, o->block + sizeof h, ref->used_bytes - sizeof h);
}

/* Drops invalid blocks at the ends of threads. Returns the number dropped; if it is not 0, there
 * are new last blocks. */
static size_t
drop_broken_ends(struct outline *o, uint32_t *last)
{
	struct wn_trace *t = &o->t;
	size_t kept = 0, n = t->n_blocks;
	for (size_t i = 0; i < n; i++)
		last[t->blocks[i].thread] = 0;
	for (size_t i = 0; i < n; i++)
		if (t->blocks[i].sequence > last[t->blocks[i].thread])
			last[t->blocks[i].thread] = t->blocks[i].sequence;
	for (size_t i = 0; i < n; i++) {
		const struct block_ref *ref = &t->blocks[i];
		if (ref->sequence < last[ref->thread] || has_its_hash(o, ref)) {
			t->blocks[kept++] = *ref;
			continue;
		}
		t->damage.n_bad_blocks++;
		if (ref->offset < t->damage.first_bad_offset)
			t->damage.first_bad_offset = ref->offset;
	}
	t->n_blocks = kept;
	return n - kept;
}

/* Verifies only the last blocks, as only these are read: before the blocks are ordered, since a
 * window counts if the sealed block of its number is invalid (V6). */
static wn_status
prove_ends(struct outline *o, wn_err *err)
{
	uint32_t n_threads = 0;
	for (size_t i = 0; i < o->t.n_blocks; i++)
		if (o->t.blocks[i].thread >= n_threads)
			n_threads = o->t.blocks[i].thread + 1;
	uint32_t *last = wn_calloc(n_threads, sizeof *last);
	if (!last)
		return wn_no_memory(err);
	while (drop_broken_ends(o, last) > 0)
		;
	wn_free(last);
	return WN_OK;
}

/* Rule V4. A slot that was never written is no block. */
static bool
is_block(const struct wn_trace *t, const struct wn_block_header *h, uint64_t room_bytes)
{
	return h->magic == WN_BLOCK_MAGIC && h->salt == t->header.salt &&
	       (h->kind == WN_BLOCK_WINDOW || h->kind == WN_BLOCK_SEALED) &&
	       h->thread_index < TRACE_THREADS_MAX && h->used_bytes >= sizeof *h &&
	       h->used_bytes <= room_bytes;
}

static wn_status
read_block_headers(struct outline *o, wn_err *err)
{
	struct wn_trace *t = &o->t;
	for (uint64_t at = WN_HEADER_BYTES; at + sizeof(struct wn_block_header) <= t->size_bytes;
	     at += WN_SLOT_BYTES) {
		struct wn_block_header h;
		uint64_t left_bytes = t->size_bytes - at;
		if (pread(o->fd, &h, sizeof h, (off_t)at) != (ssize_t)sizeof h)
			return fail_io(err, "read");
		if (!is_block(t, &h, left_bytes < WN_SLOT_BYTES ? left_bytes : WN_SLOT_BYTES))
			continue;
		if (wn_grow(&t->blocks, &t->blocks_capacity, t->n_blocks + 1, sizeof *t->blocks))
			return wn_no_memory(err);
		t->blocks[t->n_blocks++] = (struct block_ref){at,
		                                              h.thread_index,
		                                              h.sequence,
		                                              h.used_bytes,
		                                              h.kind == WN_BLOCK_SEALED,
		                                              h.n_regions,
		                                              h.n_ids};
		t->damage.n_dropped += h.n_dropped_after;
		trace_note_calibration(t, h.mono_ns, h.mono_tick);
	}
	return WN_OK;
}

/* Reads a thread's last block with a cursor, as if the file began with it. */
static wn_status
read_last_block(struct outline *o, uint32_t thread, wn_err *err)
{
	struct wn_trace *t = &o->t;
	struct block_ref *ref = &t->blocks[t->first_block[thread + 1] - 1];
	struct wn_cursor c = {.trace = t, .thread = thread};
	struct wn_damage damage = t->damage;
	struct wn_block_header h;
	ssize_t n = pread(o->fd, o->block, ref->used_bytes, (off_t)ref->offset);
	if (n != (ssize_t)ref->used_bytes)
		return fail_io(err, "read");
	memcpy(&h, o->block, sizeof h);
	ref->offset = 0;
	c.block = t->first_block[thread + 1] - 1;
	c.block_end = c.block + 1;
	if (ending_read(&c, &h, &t->ending) < 0)
		return wn_no_memory(err);
	t->damage = damage; /* the missing blocks before this one are not a gap */
	return WN_OK;
}

static wn_status
read_endings(struct outline *o, wn_err *err)
{
	struct wn_trace *t = &o->t;
	wn_status st = WN_OK;
	for (uint32_t i = 0; st == WN_OK && i < t->n_threads; i++) {
		if (t->first_block[i] == t->first_block[i + 1]) {
			t->ending.n_threads_missing++;
			continue;
		}
		st = read_last_block(o, i, err);
	}
	if (t->header.n_threads > t->n_threads)
		t->ending.n_threads_missing += t->header.n_threads - t->n_threads;
	return st;
}

/* On the machine that wrote the trace, the current clocks give a long enough baseline. */
static void
calibrate(struct wn_trace *t)
{
	if (wn_ticks_are_of(&t->header) && t->cal_mono_ns < t->header.start_mono_ns + BASELINE_NS &&
	    t->header.last_mono_ns < t->header.start_mono_ns + BASELINE_NS) {
		uint64_t now_ns = wn_now_ns(CLOCK_MONOTONIC);
		trace_note_calibration(t, now_ns, wn_ticks());
	}
	trace_calibrate(t);
}

static uint64_t
ticks_to_ns(const struct wn_trace *t, uint64_t ticks)
{
	return wn_trace_ns(t, t->header.start_tick + ticks);
}

/* Whether windows are still in memory: of a running process, or of one whose end was not observed.
 */
static bool
has_lost_windows(const struct wn_trace_header *h)
{
	struct segments segments;
	if (h->n_segments == 0)
		return false;
	segments_open(h, &segments);
	bool is_lost = segments.is_lost;
	segments_close(&segments);
	return is_lost;
}

static wn_status
outline_read(struct outline *o, struct wn_outline *out, wn_err *err)
{
	struct wn_trace *t = &o->t;
	wn_status st;
	t->cal_mono_ns = t->header.start_mono_ns;
	t->cal_tick = t->header.start_tick;
	t->damage.first_bad_offset = WN_NO_OFFSET;
	WN_TRY(read_block_headers(o, err));
	WN_TRY(prove_ends(o, err));
	blocks_order(t);
	WN_TRY(blocks_index(t, err));
	WN_TRY(read_endings(o, err));
	calibrate(t);
	t->damage.n_dropped += t->header.n_dropped;
	t->damage.is_cut = t->header.end_bytes > t->size_bytes || t->header.was_cut; /* V10 */
	t->damage.has_lost_windows = has_lost_windows(&t->header);
	out->header = t->header;
	out->event_bytes = t->event_bytes - t->n_blocks * sizeof(struct wn_block_header);
	out->n_grains = t->ending.n_grains;
	out->region_ns = ticks_to_ns(t, t->ending.region_ticks);
	wn_trace_facts(t, &out->facts);
out:
	return st;
}

/* Before version 1.4 headers have no totals. */
static wn_status
read_all(const char *path, struct wn_outline *out, wn_err *err)
{
	struct wn_trace *trace;
	struct wn_tally tally = {0};
	wn_status st = wn_trace_open(path, &trace, err);
	if (st != WN_OK)
		return st;
	st = wn_trace_tally(trace, &tally, err);
	out->n_grains = tally.n_grains;
	out->region_ns = tally.region_ns;
	wn_trace_close(trace);
	return st;
}

wn_status
wn_trace_outline(const char *path, struct wn_outline *out, wn_err *err)
{
	struct outline *o = wn_calloc(1, sizeof *o);
	struct wn_outline found = {0};
	struct stat info;
	wn_status st;
	if (!o)
		return wn_no_memory(err);
	o->fd = -1;
	o->block = wn_calloc(WN_SLOT_BYTES, 1);
	o->t.bytes = o->block;
	st = o->block ? wn_trace_open_header(path, O_RDONLY, &o->t.header, &o->fd, err)
	              : wn_no_memory(err);
	if (st == WN_OK && fstat(o->fd, &info) != 0)
		st = fail_io(err, "look at it");
	if (st == WN_OK) {
		o->t.size_bytes = (size_t)info.st_size;
		found.file_bytes = (uint64_t)info.st_size;
		/* some file systems report 0 until the data is written out */
		found.disk_bytes = (uint64_t)(info.st_blocks ? info.st_blocks * 512 : info.st_size);
		st = outline_read(o, &found, err);
	}
	if (st == WN_OK && o->t.header.version_minor < WN_TRACE_MINOR_TOTALS)
		st = read_all(path, &found, err);
	if (o->fd >= 0)
		close(o->fd);
	sites_free(&o->t);
	WN_FREE_ALL(o->t.blocks, o->t.first_block, o->t.n_ids, o->t.n_regions, o->block, o);
	if (st == WN_OK)
		*out = found;
	return st;
}
