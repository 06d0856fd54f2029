/* SPDX-License-Identifier: MIT */
/*
 * fuzz_blocks.c - an input is a small description of a trace; the file made of it has right hashes,
 * so that every mutation gets past rules V3 to V5 and reaches the records.
 *
 *   input:  flags of the header, 1 byte
 *           then blocks: thread (4 bits), kind (2 bits), keep counters (2 bits) | sequence step |
 *           length, 2 bytes | that many bytes of records
 */
#include "harness.h"

#include "trace/hash.h"

#include <stdlib.h>
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

static void
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
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
	static struct wn_block_header last[THREADS_N];
	struct input in = {bytes, bytes + size_bytes};
	struct wn_trace_header header;
	uint32_t n = 0;
	memset(last, 0, sizeof last);
	fill_header(&header, take(&in));
	uint8_t *file = calloc(WN_HEADER_BYTES + BLOCKS_MAX * (size_t)WN_SLOT_BYTES, 1);
	if (!file)
		return 0;
	for (; n < BLOCKS_MAX && in.next < in.end; n++)
		make_block(&in, file + WN_HEADER_BYTES + n * (size_t)WN_SLOT_BYTES, last);
	header.n_slots = n;
	header.n_threads = THREADS_N;
	memcpy(file, &header, sizeof header);
	harness_run(file, WN_HEADER_BYTES + n * (size_t)WN_SLOT_BYTES);
	free(file);
	return 0;
}
