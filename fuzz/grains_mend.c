/* SPDX-License-Identifier: MIT */
#include "fuzz/grains_mend.h"

#include "grains/column.h"
#include "grains/deflate.h"

#include <stdlib.h>
#include <string.h>

uint8_t *
grains_inflate_at(struct wn_inflate *i, const uint8_t *bytes, size_t n, uint64_t at, size_t n_bytes,
                  size_t n_raw)
{
	if (at > n || n_bytes > n - at || n_raw > 1u << 22)
		return NULL;
	uint8_t *raw = malloc(n_raw + 1);
	if (raw && wn_inflate(i, bytes + at, n_bytes, raw, n_raw))
		return raw;
	free(raw);
	return NULL;
}

static void
mend_block(struct wn_inflate *i, const uint8_t *bytes, size_t n, const struct wn_grains_part *part,
           uint8_t *at_block, uint64_t at)
{
	struct wn_grains_block b;
	wn_grains_get_block(at_block, &b);
	if (b.rows >= WN_ROWS_N || b.width > 8)
		return;
	size_t n_raw = wn_grains_raw_bytes(b.width, b.state, part->rows[b.rows]);
	uint8_t *raw = grains_inflate_at(i, bytes, n, at, b.bytes, n_raw);
	if (!raw)
		return;
	b.crc = wn_deflate_crc(raw, n_raw);
	wn_grains_put_block(at_block, &b);
	free(raw);
}

static void
mend_blocks(struct wn_inflate *i, const uint8_t *bytes, size_t n, const struct wn_grains_head *head,
            uint8_t *directory)
{
	size_t at_block = (size_t)head->n_parts * WN_GRAINS_PART_BYTES;
	for (uint32_t k = 0; k < head->n_parts; k++) {
		struct wn_grains_part part;
		wn_grains_get_part(directory + (size_t)k * WN_GRAINS_PART_BYTES, &part);
		uint64_t at = head->parts_at + part.at;
		for (uint32_t b = 0; b < part.n_blocks; b++) {
			struct wn_grains_block block;
			if (at_block + WN_GRAINS_BLOCK_BYTES > head->directory_raw_bytes)
				return;
			wn_grains_get_block(directory + at_block, &block);
			mend_block(i, bytes, n, &part, directory + at_block, at);
			at += block.bytes;
			at_block += WN_GRAINS_BLOCK_BYTES;
		}
	}
}

/* The directory goes back where it was if that takes as many bytes, as it does uncompressed. */
static void
mend_directory(struct wn_inflate *i, uint8_t *bytes, size_t n, struct wn_grains_head *head)
{
	struct wn_deflate *d = wn_deflate_new(0);
	uint8_t *raw = grains_inflate_at(i, bytes, n, head->directory_at, head->directory_bytes,
	                                 head->directory_raw_bytes);
	if (raw && d &&
	    (uint64_t)head->n_parts * WN_GRAINS_PART_BYTES <= head->directory_raw_bytes) {
		mend_blocks(i, bytes, n, head, raw);
		size_t bound = wn_deflate_bound(d, head->directory_raw_bytes);
		uint8_t *out = malloc(bound);
		size_t n_out = out ? wn_deflate(d, raw, head->directory_raw_bytes, out, bound) : 0;
		if (n_out == head->directory_bytes)
			memcpy(bytes + head->directory_at, out, n_out);
		free(out);
		free(raw);
		raw = grains_inflate_at(i, bytes, n, head->directory_at, head->directory_bytes,
		                        head->directory_raw_bytes);
	}
	if (raw)
		head->directory_crc = wn_deflate_crc(raw, head->directory_raw_bytes);
	free(raw);
	wn_deflate_free(d);
}

void
grains_mend(uint8_t *bytes, size_t n)
{
	struct wn_grains_head head;
	struct wn_inflate *i = wn_inflate_new();
	wn_grains_get_head(bytes, &head);
	mend_directory(i, bytes, n, &head);
	uint8_t *index =
	    grains_inflate_at(i, bytes, n, head.index_at, head.index_bytes, head.index_raw_bytes);
	if (index)
		head.index_crc = wn_deflate_crc(index, head.index_raw_bytes);
	free(index);
	/* with the checksum; a head that says it is longer keeps what it has */
	uint8_t magic[WN_GRAINS_MAGIC_BYTES];
	memcpy(magic, bytes, sizeof magic);
	wn_grains_put_head(bytes, &head);
	memcpy(bytes, magic, sizeof magic);
	wn_inflate_free(i);
}
