/* SPDX-License-Identifier: MIT */
/* reader.c - opens a trace: checks the header, finds and orders the valid blocks. */
#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "trace/encode.h"
#include "trace/hash.h"
#include "trace/image.h"
#include "trace/ticks.h"
#include "trace/trace_private.h"

#include <sys/mman.h>

__extension__ typedef unsigned __int128 wide;

#define FORGET_BYTES (UINT64_C(16) << 20) /* whole slots: offsets are multiples of a slot */

wn_status
trace_check_header(struct wn_trace *t, const void *bytes, size_t n_bytes, wn_err *err)
{
	struct wn_trace_header *h = &t->header;
	if (n_bytes < sizeof h->magic || memcmp(bytes, WN_TRACE_MAGIC, sizeof h->magic) != 0)
		return wn_fail(err, WN_E_FORMAT, 0,
		               "not a Winnow trace (no magic number at byte 0)");
	if (n_bytes < sizeof *h)
		return wn_fail(err, WN_E_FORMAT, n_bytes,
		               "the file ends at byte %zu, inside the %zu-byte header", n_bytes,
		               sizeof *h);
	memcpy(h, bytes, sizeof *h);
	if (h->version_major != WN_TRACE_VERSION_MAJOR)
		return wn_fail(err, WN_E_VERSION, 8,
		               "trace format version %u.%u; this winnow reads version %u",
		               h->version_major, h->version_minor, WN_TRACE_VERSION_MAJOR);
	if (h->header_bytes != WN_HEADER_BYTES || h->slot_bytes != WN_SLOT_BYTES ||
	    h->static_hash != wn_header_hash(h))
		return wn_fail(err, WN_E_FORMAT, 12,
		               "the header at byte 0 is damaged (hash mismatch)");
	h->command[sizeof h->command - 1] = '\0';
	h->runtime[sizeof h->runtime - 1] = '\0';
	return WN_OK;
}

void
trace_block_header(const struct wn_trace *t, const struct block_ref *ref,
                   struct wn_block_header *out)
{
	memcpy(out, t->bytes + ref->offset, sizeof *out);
}

static bool
is_all_zero(const struct wn_block_header *h)
{
	static const struct wn_block_header zero;
	return memcmp(h, &zero, sizeof zero) == 0;
}

/* Checks rules V4 and V5 for one slot. */
static bool
believe_slot(struct wn_trace *t, uint64_t offset, struct wn_block_header *h)
{
	uint64_t left_bytes = t->size_bytes - offset;
	uint64_t room_bytes = left_bytes < WN_SLOT_BYTES ? left_bytes : WN_SLOT_BYTES;
	if (h->magic != WN_BLOCK_MAGIC || h->salt != t->header.salt || h->kind < WN_BLOCK_WINDOW ||
	    h->kind > WN_BLOCK_TABLE || h->used_bytes < sizeof *h || h->used_bytes > room_bytes)
		return false;
	if (h->kind != WN_BLOCK_PROCESS && h->kind != WN_BLOCK_TABLE &&
	    h->thread_index >= TRACE_THREADS_MAX)
		return false;
	if (h->kind == WN_BLOCK_WINDOW)
		return true;
	const uint8_t *payload = t->bytes + offset + sizeof *h;
	return h->hash == wn_block_hash(h, payload, h->used_bytes - sizeof *h);
}

void
trace_note_calibration(struct wn_trace *t, uint64_t mono_ns, uint64_t tick)
{
	if (mono_ns > t->cal_mono_ns && tick > t->cal_tick) {
		t->cal_mono_ns = mono_ns;
		t->cal_tick = tick;
	}
}

static wn_status
add_block(struct wn_trace *t, uint64_t offset, const struct wn_block_header *h, wn_err *err)
{
	if (h->kind == WN_BLOCK_PROCESS) {
		const uint8_t *payload = t->bytes + offset + sizeof *h;
		return process_read(t, payload, t->bytes + offset + h->used_bytes, err);
	}
	if (h->kind == WN_BLOCK_TABLE) {
		if (wn_grow(&t->table_blocks, &t->table_blocks_capacity, t->n_table_blocks + 1,
		            sizeof *t->table_blocks) != 0)
			return wn_no_memory(err);
		t->table_blocks[t->n_table_blocks++] =
		    (struct block_ref){offset, 0, h->sequence, h->used_bytes, true, 0, 0};
		return WN_OK;
	}
	if (wn_grow(&t->blocks, &t->blocks_capacity, t->n_blocks + 1, sizeof *t->blocks) != 0)
		return wn_no_memory(err);
	t->blocks[t->n_blocks++] = (struct block_ref){
	    offset,       h->thread_index, h->sequence, h->used_bytes, h->kind == WN_BLOCK_SEALED,
	    h->n_regions, h->n_ids};
	t->damage.n_dropped += h->n_dropped_after;
	trace_note_calibration(t, h->mono_ns, h->mono_tick);
	return WN_OK;
}

/* Hashing reads the whole file: releases pages, so that a large file is never in memory at once. */
static void
forget_read(const struct wn_trace *t, uint64_t offset)
{
	if (offset % FORGET_BYTES == 0 && offset <= t->file_bytes)
		trace_forget_bytes(t, offset - FORGET_BYTES, FORGET_BYTES);
}

static wn_status
find_blocks(struct wn_trace *t, wn_err *err)
{
	wn_status st = WN_OK;
	uint64_t offset = WN_HEADER_BYTES;
	for (; st == WN_OK && offset + sizeof(struct wn_block_header) <= t->size_bytes;
	     offset += WN_SLOT_BYTES) {
		struct wn_block_header h;
		forget_read(t, offset);
		memcpy(&h, t->bytes + offset, sizeof h);
		if (h.used_bytes == 0 && (is_all_zero(&h) || h.magic == WN_BLOCK_MAGIC))
			continue;
		if (believe_slot(t, offset, &h)) {
			st = add_block(t, offset, &h, err);
			continue;
		}
		t->damage.n_bad_blocks++;
		if (offset < t->damage.first_bad_offset)
			t->damage.first_bad_offset = offset;
	}
	return st;
}

/* Estimates the rate from 20 ms of both clocks on this machine: right if the trace was recorded on
 * it. */
static uint64_t
guess_ns_mult(void)
{
	if (!WN_HAS_TICKS)
		return UINT64_C(1) << 32;
	uint64_t begin_ns = wn_now_ns(CLOCK_MONOTONIC), first_tick = wn_ticks(), passed_ns;
	do {
		passed_ns = wn_now_ns(CLOCK_MONOTONIC) - begin_ns;
	} while (passed_ns < 20000000);
	uint64_t ticks = wn_ticks() - first_tick;
	return ticks ? (passed_ns << 32) / ticks : UINT64_C(1) << 32;
}

void
trace_calibrate(struct wn_trace *t)
{
	const struct wn_trace_header *h = &t->header;
	trace_note_calibration(t, h->last_mono_ns, h->last_tick);
	t->ns_mult = UINT64_C(1) << 32;
	if (h->clock_kind != WN_CLOCK_TICKS)
		return;
	uint64_t ns = t->cal_mono_ns > h->start_mono_ns ? t->cal_mono_ns - h->start_mono_ns : 0;
	uint64_t ticks = t->cal_tick > h->start_tick ? t->cal_tick - h->start_tick : 0;
	/* below 100 us, the delay between reading the two clocks dominates */
	double rate = ticks ? (double)ns / (double)ticks : 0;
	if (ns < 100000 || rate < 0.01 || rate > 100) {
		bool is_stated = h->tick_hz >= WN_TICKS_HZ_MIN && h->tick_hz <= WN_TICKS_HZ_MAX;
		t->ns_mult =
		    is_stated ? (uint64_t)(((wide)1000000000 << 32) / h->tick_hz) : guess_ns_mult();
		t->clock_is_guess = !is_stated;
		return;
	}
	t->ns_mult = (uint64_t)(((wide)ns << 32) / ticks);
}

/* Takes over from the header what is not in the file itself: windows in memory, lost bytes (V10,
 * V13). */
static void
take_memory(struct wn_trace *t, const struct image *m)
{
	struct wn_trace_header *h = &t->header;
	t->damage.has_lost_windows = m->has_lost_windows;
	if (m->newest.salt == h->salt)
		memcpy((uint8_t *)h + WN_HEADER_STATIC_BYTES,
		       (const uint8_t *)&m->newest + WN_HEADER_STATIC_BYTES,
		       sizeof *h - WN_HEADER_STATIC_BYTES);
	else
		for (uint32_t i = 0; i < h->n_segments && i < WN_SEGMENTS_MAX; i++)
			t->damage.has_lost_windows |= h->segment_id[i] != WN_SEGMENT_SAVED;
	t->damage.is_cut = h->end_bytes > t->file_bytes || h->was_cut;
	h->runtime[sizeof h->runtime - 1] = '\0';
}

static wn_status
open_bytes(struct wn_trace *t, const struct image *m, wn_err *err)
{
	wn_status st;
	t->damage.first_bad_offset = WN_NO_OFFSET;
	WN_TRY(trace_check_header(t, t->bytes, t->size_bytes, err));
	take_memory(t, m);
	t->cal_mono_ns = t->header.start_mono_ns;
	t->cal_tick = t->header.start_tick;
	WN_TRY(find_blocks(t, err));
	trace_switches_order(t);
	trace_refuse_threads(t);
	blocks_order(t);
	WN_TRY(blocks_index(t, err));
	WN_TRY(trace_refuse_ids(t, err));
	if (t->n_threads == 0 && t->n_table_blocks) {
		blocks_order_table(t);
		WN_TRY(table_index(t, err));
	}
	WN_TRY(trace_count_ids(t, err));
	if (t->header.n_threads > t->n_threads)
		t->ending.n_threads_missing += t->header.n_threads - t->n_threads;
	trace_calibrate(t);
	t->damage.n_dropped += t->header.n_dropped;
out:
	return st;
}

/* Opens a mapped trace. The mapping (may be NULL) becomes the trace's, and is unmapped on failure.
 */
static wn_status
open_image(const struct image *m, void *mapping, struct wn_trace **out, wn_err *err)
{
	struct wn_trace *t = wn_calloc(1, sizeof *t);
	if (!t && mapping)
		munmap(mapping, m->n_bytes);
	if (!t)
		return wn_no_memory(err);
	t->bytes = m->bytes;
	t->mapping = mapping;
	t->is_copy = m->is_copy;
	t->size_bytes = m->n_bytes;
	t->file_bytes = m->file_bytes;
	wn_status st = open_bytes(t, m, err);
	if (st != WN_OK) {
		wn_trace_close(t);
		return st;
	}
	*out = t;
	return WN_OK;
}

wn_status
wn_trace_open_bytes(const void *bytes, size_t size_bytes, struct wn_trace **out, wn_err *err)
{
	struct image m = {.bytes = bytes, .n_bytes = size_bytes, .file_bytes = size_bytes};
	return open_image(&m, NULL, out, err);
}

wn_status
wn_trace_open(const char *path, struct wn_trace **out, wn_err *err)
{
	struct image m;
	struct wn_trace *t;
	wn_status st = image_map(path, &m, err);
	if (st != WN_OK)
		return st;
	st = open_image(&m, (void *)(uintptr_t)m.bytes, &t, err);
	if (st != WN_OK)
		return st;
	trace_forget_bytes(t, 0, m.file_bytes);
	*out = t;
	return WN_OK;
}

/* Lets the system reclaim pages that have been read; they are read again on access. */
void
trace_forget_bytes(const struct wn_trace *t, uint64_t offset, size_t n_bytes)
{
	if (t->mapping && !t->is_copy && offset % 4096 == 0 && offset < t->file_bytes)
		madvise((uint8_t *)t->mapping + offset, n_bytes, MADV_DONTNEED);
}

void
wn_trace_close(struct wn_trace *t)
{
	if (!t)
		return;
	process_free(t);
	sites_free(t);
	wn_free(t->blocks);
	wn_free(t->table_blocks);
	table_free(t->table);
	WN_FREE_ALL(t->first_block, t->n_ids, t->n_regions);
	if (t->mapping)
		munmap(t->mapping, t->size_bytes);
	wn_free(t);
}

const struct wn_trace_header *
wn_trace_header(const struct wn_trace *t)
{
	return &t->header;
}

uint32_t
wn_trace_n_threads(const struct wn_trace *t)
{
	return t->n_threads;
}

uint64_t
wn_trace_n_ids(const struct wn_trace *t, uint32_t thread)
{
	return thread < t->n_threads ? t->n_ids[thread] : 0;
}

uint32_t
wn_trace_n_regions(const struct wn_trace *t, uint32_t thread)
{
	return thread < t->n_threads ? t->n_regions[thread] : 0;
}

uint32_t
wn_trace_os_tid(const struct wn_trace *t, uint32_t thread)
{
	struct wn_block_header h;
	if (thread >= t->n_threads || t->first_block[thread] == t->first_block[thread + 1])
		return 0;
	trace_block_header(t, &t->blocks[t->first_block[thread]], &h);
	return h.os_tid;
}

const struct wn_damage *
wn_trace_damage(const struct wn_trace *t)
{
	return &t->damage;
}

uint64_t
wn_trace_file_bytes(const struct wn_trace *t)
{
	return t->file_bytes;
}

uint64_t
wn_trace_event_bytes(const struct wn_trace *t)
{
	return t->event_bytes;
}

struct wn_clock
wn_trace_clock(const struct wn_trace *t)
{
	return (struct wn_clock){t->header.start_tick, t->ns_mult};
}

uint64_t
wn_trace_ns(const struct wn_trace *t, uint64_t tick)
{
	return wn_clock_ns(wn_trace_clock(t), tick);
}

bool
wn_trace_clock_is_guess(const struct wn_trace *t)
{
	return t->clock_is_guess;
}
