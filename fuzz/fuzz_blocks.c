/* SPDX-License-Identifier: MIT */
/*
 * fuzz_blocks.c - an input is a small description of a trace; the file made of it has right hashes,
 * so that every mutation gets past rules V3 to V5 and reaches the records.
 *
 *   input:  flags of the header (2 bits), view (6 bits)
 *           then blocks: thread (4 bits), kind (2 bits), keep counters (2 bits) | sequence step |
 *           length, 2 bytes | that many bytes of records
 *           a process block of thread 15 is none: its records are an offset in the header, in units
 *           of 8 bytes, and what to put there
 *           a process block of thread 14 names counters: for each, two bytes, its number and its
 * name (counter_names below; the highest bit: it counts ns)
 */
#include "harness.h"

#include "trace/hash.h"

#include <stdbool.h>
#include <string.h>

#define BLOCKS_MAX  16u
#define THREADS_N   16u
#define PAYLOAD_MAX (WN_SLOT_BYTES - sizeof(struct wn_block_header))

struct input {
	const uint8_t *next, *end;
};

static uint8_t
take(struct input *in)
{
	return in->next < in->end ? *in->next++ : 0;
}

static void
fill_header(struct wn_trace_header *h, uint8_t flags)
{
	memset(h, 0, sizeof *h);
	memcpy(h->magic, WN_TRACE_MAGIC, sizeof h->magic);
	h->version_major = WN_TRACE_VERSION_MAJOR;
	h->version_minor = flags & 1;
	h->header_bytes = WN_HEADER_BYTES;
	h->slot_bytes = WN_SLOT_BYTES;
	/* a time stamp counter would be calibrated for 20 ms on every run */
	h->clock_kind = WN_CLOCK_MONOTONIC_NS;
	h->salt = 42;
	h->static_hash = wn_header_hash(h);
	h->state = flags & 2 ? WN_STATE_CLOSED : WN_STATE_RECORDING;
}

/* Counters that follow from the block before on the same thread keep the stream free of gaps. */
static void
count_before(struct wn_block_header *h, const struct wn_block_header *before)
{
	h->sequence = before->sequence + 1;
	h->n_ids = before->n_ids;
	h->n_regions = before->n_regions;
	h->first_tick = before->first_tick + 1;
}

/* Those that columns and problems are made of, and one that they are not. */
static const char *const counter_names[] = {
    "cycles",        "instructions",    "stalled_cycles", "L1_misses",   "L1_loads",   "L2_misses",
    "L2_references", "LLC_misses",      "LLC_references", "dTLB_misses", "dTLB_loads", "mem_reads",
    "mem_writes",    "footprint_lines", "footprint_lost", "task_clock",  "work_ns",
};
#define COUNTER_NAMES_N (sizeof counter_names / sizeof *counter_names)

static uint8_t *
put_counter(uint8_t *at, uint8_t number, uint8_t name)
{
	static const char by[] = "fuzz";
	const char *text = counter_names[(name & 127) % COUNTER_NAMES_N];
	struct wn_counter_record c = {.number = number,
	                              .name_bytes = (uint16_t)strlen(text),
	                              .unit_bytes = name >> 7 ? 2 : 0,
	                              .by_bytes = sizeof by - 1};
	struct wn_process_record r = {WN_PROCESS_COUNTER, (uint32_t)sizeof c + c.name_bytes +
	                                                      c.unit_bytes + c.by_bytes};
	memcpy(at, &r, sizeof r);
	memcpy(at + sizeof r, &c, sizeof c);
	uint8_t *to = at + sizeof r + sizeof c;
	memcpy(to, text, c.name_bytes);
	memcpy(to + c.name_bytes, "ns", c.unit_bytes);
	memcpy(to + c.name_bytes + c.unit_bytes, by, c.by_bytes);
	return at + sizeof r + ((r.bytes + 7u) & ~7u);
}

/* A block that tells no more than which counters there are. */
static void
name_counters(uint8_t *slot)
{
	struct wn_block_header *h = (void *)slot;
	uint8_t told[2 * WN_COUNTERS_MAX];
	size_t n = h->used_bytes - sizeof *h;
	n = (n < sizeof told ? n : sizeof told) / 2 * 2;
	memcpy(told, slot + sizeof *h, n);
	memset(slot + sizeof *h, 0, h->used_bytes - sizeof *h);
	uint8_t *at = slot + sizeof *h;
	for (size_t i = 0; i < n; i += 2)
		at = put_counter(at, told[i], told[i + 1]);
	h->used_bytes = (uint32_t)(at - slot);
	h->hash = wn_block_hash(h, h + 1, h->used_bytes - sizeof *h);
}

/* False: it is for the header. */
static bool
make_block(struct input *in, uint8_t *slot, struct wn_block_header last[THREADS_N])
{
	struct wn_block_header h = {.magic = WN_BLOCK_MAGIC, .salt = 42, .cpu = UINT32_MAX};
	uint8_t first = take(in), step = take(in);
	uint32_t length = take(in);
	length |= (uint32_t)take(in) << 8;
	if (length > PAYLOAD_MAX)
		length = PAYLOAD_MAX;
	if (length > (size_t)(in->end - in->next))
		length = (uint32_t)(in->end - in->next);
	h.thread_index = first & 15;
	h.kind = (uint16_t)(first >> 4 & 3);
	if (h.kind == 0)
		h.kind = WN_BLOCK_SEALED;
	if (last[h.thread_index].magic)
		count_before(&h, &last[h.thread_index]);
	h.sequence += step & 3;
	h.n_ids += first >> 6 & 1 ? step : 0;
	h.n_regions += first >> 7 ? step : 0;
	h.depth = step >> 4 & 1;
	h.current_task = (uint64_t)(step >> 5) << 32 | (step & 15);
	h.used_bytes = (uint32_t)sizeof h + length;
	if (h.kind != WN_BLOCK_WINDOW)
		h.hash = wn_block_hash(&h, in->next, length);
	if (h.kind != WN_BLOCK_PROCESS)
		last[h.thread_index] = h;
	memcpy(slot, &h, sizeof h);
	if (length)
		memcpy(slot + sizeof h, in->next, length);
	in->next += length;
	if (h.kind == WN_BLOCK_PROCESS && h.thread_index == THREADS_N - 2)
		name_counters(slot);
	return h.kind != WN_BLOCK_PROCESS || h.thread_index != THREADS_N - 1;
}

/* Neither what rules V1 to V3 need, nor the kind of clock. The reader ends texts itself. */
static void
patch_header(struct wn_trace_header *h, const uint8_t *slot)
{
	const struct wn_block_header *b = (const void *)slot;
	size_t n = b->used_bytes - sizeof *b;
	if (n < 2)
		return;
	const uint8_t *patch = slot + sizeof *b;
	size_t at = 8 * (size_t)patch[0];
	if (at < offsetof(struct wn_trace_header, start_realtime_ns))
		return;
	if (at + n - 1 > offsetof(struct wn_trace_header, reserved2))
		return;
	memcpy((uint8_t *)h + at, patch + 1, n - 1);
	h->static_hash = wn_header_hash(h);
}

static void
clear_block(uint8_t *slot)
{
	memset(slot, 0, ((struct wn_block_header *)(void *)slot)->used_bytes);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
	/* kept all zeros between inputs: clearing what one used is cheaper than a new one */
	static uint8_t file[WN_HEADER_BYTES + BLOCKS_MAX * (size_t)WN_SLOT_BYTES];
	static struct wn_block_header last[THREADS_N];
	struct input in = {bytes, bytes + size_bytes};
	struct wn_trace_header header;
	uint32_t n = 0;
	memset(last, 0, sizeof last);
	uint8_t flags = take(&in);
	fill_header(&header, flags);
	while (n < BLOCKS_MAX && in.next < in.end) {
		uint8_t *slot = file + WN_HEADER_BYTES + n * (size_t)WN_SLOT_BYTES;
		if (make_block(&in, slot, last)) {
			n++;
		} else {
			patch_header(&header, slot);
			clear_block(slot);
		}
	}
	header.n_slots = n;
	header.n_threads = THREADS_N;
	memcpy(file, &header, sizeof header);
	harness_run(file, WN_HEADER_BYTES + n * (size_t)WN_SLOT_BYTES, flags >> 2);
	while (n-- > 0)
		clear_block(file + WN_HEADER_BYTES + n * (size_t)WN_SLOT_BYTES);
	return 0;
}
