/* SPDX-License-Identifier: MIT */
/* column.h - encodes a column of a part of run.grains as byte planes, and decodes it. Compression
 * is done elsewhere: this code also runs in the page, where the browser inflates. The format:
 * grains/format.h. */
#pragma once

#include "grains/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The reference values of a column's code; all zero for codes without them. */
struct wn_grains_base {
	const uint32_t *owner_row; /* [n] WN_CODE_OWNER: shape.h */
	const uint64_t *source;    /* [n] WN_CODE_OWNER: the column referred to; NULL: its own */
	const uint64_t *expected;  /* [n] WN_CODE_EXPECTED: shape.h; NULL: all 0 */
};

/* Returns a column's definition in columns.def; NULL: no such number. Cost  O(1). Pure. */
struct wn_grains_column_info {
	uint16_t number, source;
	uint8_t rows, code;
	const char *name;
};
const struct wn_grains_column_info *wn_grains_column_info(uint32_t number);

/* Size of n rows after inflating. */
static inline size_t
wn_grains_raw_bytes(uint8_t width, uint8_t state, size_t n)
{
	size_t bitmap = state == WN_STATE_SOME ? (n + 7) / 8 : 0;
	return state >= WN_STATE_NONE ? 0 : bitmap + width * n;
}

/* Upper bound of that size. */
static inline size_t
wn_grains_raw_bytes_max(size_t n)
{
	return (n + 7) / 8 + 8 * n;
}

static inline bool
wn_grains_is_missing(const uint8_t *bitmap, size_t i)
{
	return bitmap[i / 8] >> (i % 8) & 1;
}

/**
 * Encodes n values.
 *
 * @param v        [n] doubles as bit patterns. Overwritten with the values that wn_grains_unpack()
 * returns.
 * @param missing  [(n + 7) / 8] bitmap of rows without a value; NULL: all have one. Bits after the
 *                 last row are 0.
 * @param raw      [wn_grains_raw_bytes_max(n)] receives wn_grains_raw_bytes() for width and state.
 *
 * Cost     O(n). Threads  pure.
 * Source   format.h, BLOCK.
 * Oracle   tests/property/prop_column.c
 */
void wn_grains_pack(uint8_t code, const struct wn_grains_base *base, uint64_t *v,
                    const uint8_t *missing, size_t n, uint8_t *raw, uint8_t *width, uint8_t *state);

/**
 * Decodes a column. The size must match wn_grains_raw_bytes().
 *
 * @param owner_row, source, expected  of `base`: as for packing; owner_row[i] is below i, or
 *                 WN_GRAINS_NONE.
 * @param v        [n] a missing value is set to its reference value.
 * @param missing  [(n + 7) / 8] or NULL.
 *
 * Cost     O(n). Threads  pure.
 */
void wn_grains_unpack(uint8_t code, const struct wn_grains_base *base, const uint8_t *raw,
                      uint8_t width, uint8_t state, size_t n, uint64_t *v, uint8_t *missing);

/* Extends the CRC-32 `crc` (0 at first) by n bytes. Cost  O(n), about a nanosecond a byte. */
uint32_t wn_grains_crc(uint32_t crc, const void *bytes, size_t n);

/* Convert head, part and block to bytes and back; reading validates nothing. */
void wn_grains_put_head(uint8_t out[WN_GRAINS_HEAD_BYTES], const struct wn_grains_head *head);
void wn_grains_get_head(const uint8_t *bytes, struct wn_grains_head *head);
void wn_grains_put_part(uint8_t out[WN_GRAINS_PART_BYTES], const struct wn_grains_part *part);
void wn_grains_get_part(const uint8_t *bytes, struct wn_grains_part *part);
void wn_grains_put_block(uint8_t out[WN_GRAINS_BLOCK_BYTES], const struct wn_grains_block *block);
void wn_grains_get_block(const uint8_t *bytes, struct wn_grains_block *block);
