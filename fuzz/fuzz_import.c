/* SPDX-License-Identifier: MIT */
/*
 * fuzz_import.c - the first byte says which view of the result to make; the rest is a table or a
 * graph to be imported. What is accepted must be a trace that nothing is wrong with. A first byte
 * of 255 stands for a trace: the second one is the view, what follows are table blocks, each
 *     sequence | length, 2 bytes | that many bytes of records
 * with right hashes.
 */
#include "harness.h"

#include "base/mem.h"
#include "import/import.h"
#include "trace/hash.h"
#include "trace/trace_table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS_MAX  4u
#define PAYLOAD_MAX (WN_SLOT_BYTES - sizeof(struct wn_block_header))

static void
run_blocks(const uint8_t *bytes, size_t n)
{
	static uint8_t file[WN_HEADER_BYTES + BLOCKS_MAX * (size_t)WN_SLOT_BYTES];
	struct wn_trace_header header = {.version_major = WN_TRACE_VERSION_MAJOR,
	                                 .version_minor = WN_TRACE_VERSION_MINOR,
	                                 .header_bytes = WN_HEADER_BYTES,
	                                 .slot_bytes = WN_SLOT_BYTES,
	                                 .clock_kind = WN_CLOCK_CYCLES,
	                                 .salt = 42};
	const uint8_t *end = bytes + n;
	unsigned view = n ? *bytes++ : 0;
	uint32_t n_blocks = 0;
	memset(file, 0, sizeof file);
	while (n_blocks < BLOCKS_MAX && end - bytes >= 3) {
		struct wn_block_header h = {.magic = WN_BLOCK_MAGIC,
		                            .kind = WN_BLOCK_TABLE,
		                            .salt = 42,
		                            .thread_index = UINT32_MAX,
		                            .sequence = bytes[0],
		                            .cpu = UINT32_MAX};
		size_t length = bytes[1] | (size_t)bytes[2] << 8;
		bytes += 3;
		length = length < PAYLOAD_MAX ? length : PAYLOAD_MAX;
		length = length < (size_t)(end - bytes) ? length : (size_t)(end - bytes);
		uint8_t *slot = file + WN_HEADER_BYTES + n_blocks++ * (size_t)WN_SLOT_BYTES;
		h.used_bytes = (uint32_t)(sizeof h + length);
		h.hash = wn_block_hash(&h, bytes, length);
		memcpy(slot, &h, sizeof h);
		memcpy(slot + sizeof h, bytes, length);
		bytes += length;
	}
	memcpy(header.magic, WN_TRACE_MAGIC, sizeof header.magic);
	header.static_hash = wn_header_hash(&header);
	header.state = WN_STATE_CLOSED;
	memcpy(file, &header, sizeof header);
	harness_run(file, WN_HEADER_BYTES + n_blocks * (size_t)WN_SLOT_BYTES, view);
}

static void
run_import(const uint8_t *bytes, size_t n, unsigned view)
{
	struct wn_import_options options = {.hz = view & 1 ? 0 : 1000000000};
	struct wn_import_result result;
	wn_err err = {.msg = ""};
	static uint8_t out[16u << 20];
	FILE *to = fmemopen(out, sizeof out, "w");
	if (!to)
		return;
	wn_status st = wn_import_bytes("in", (const char *)bytes, n, &options, to, &result, &err);
	if (st != WN_OK && strncmp(err.msg, "in:", 3) != 0)
		harness_give_up("a refusal without a place", err.msg);
	for (size_t i = 0; i < result.n_notes; i++)
		harness_sum += strlen(result.notes[i].text);
	wn_import_result_fini(&result);
	fclose(to);
	const struct wn_trace_header *header = (const void *)out;
	if (st == WN_OK) {
		size_t n_bytes = header->end_bytes;
		harness_run(out, n_bytes, view);
		memset(out, 0, n_bytes);
	}
	if (wn_mem_live() != 0)
		harness_give_up("an import", "memory is left");
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
	if (size_bytes == 0)
		return 0;
	if (bytes[0] == 255)
		run_blocks(bytes + 1, size_bytes - 1);
	else
		run_import(bytes + 1, size_bytes - 1, bytes[0]);
	return 0;
}
