/* SPDX-License-Identifier: MIT */
/*
 * column.h - one column of a part of run.grains: numbers to coded byte planes and back. What is
 * deflated, and by whom, is of no matter here: this also runs in the page, where the browser
 * inflates. The format: grains/format.h.
 */
#ifndef WN_GRAINS_COLUMN_H
#define WN_GRAINS_COLUMN_H

#include "grains/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the code of a column refers to; all zero for codes that refer to nothing. */
struct wn_grains_base {
	const uint32_t *owner_row; /* [n] WN_CODE_OWNER: shape.h */
	const uint64_t *source;    /* [n] WN_CODE_OWNER: the values referred to; NULL: its own */
	const uint64_t *expected;  /* [n] WN_CODE_EXPECTED: shape.h; NULL: all 0 */
};

/* What a column is, as columns.def has it; NULL: no such number. Cost  O(1). Pure. */
struct wn_grains_column_info {
	uint16_t number, source;
	uint8_t rows, code;
	const char *name;
};
const struct wn_grains_column_info *wn_grains_column_info(uint32_t number);

/* Bytes of n rows once they are inflated. */
static inline size_t
wn_grains_raw_bytes(uint8_t width, uint8_t state, size_t n)
{
	size_t bitmap = state == WN_STATE_SOME ? (n + 7) / 8 : 0;
	return state >= WN_STATE_NONE ? 0 : bitmap + width * n;
}

/* The most that n rows can become. */
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
 * Codes n values.
 *
 * @param v        [n] doubles by their bits. Overwritten: by what wn_grains_unpack() gives for
 * them.
 * @param missing  [(n + 7) / 8] bitmap of rows that have no value; NULL: all have one. Bits after
 *                 the last row are 0.
 * @param raw      [wn_grains_raw_bytes_max(n)] receives wn_grains_raw_bytes() of width and state.
 *
 * Cost     O(n). Threads  pure.
 * Source   format.h, BLOCK.
 * Oracle   tests/property/prop_column.c
 */
void wn_grains_pack(uint8_t code, const struct wn_grains_base *base, uint64_t *v,
                    const uint8_t *missing, size_t n, uint8_t *raw, uint8_t *width, uint8_t *state);

/**
 * The other way round. The bytes must be as many as wn_grains_raw_bytes() says.
 *
 * @param owner_row, source, expected  of `base`: as when it was packed; owner_row[i] is below i, or
 *                 WN_GRAINS_NONE.
 * @param v        [n] a missing one stands as what was expected of it.
 * @param missing  [(n + 7) / 8] or NULL.
 *
 * Cost     O(n). Threads  pure.
 */
void wn_grains_unpack(uint8_t code, const struct wn_grains_base *base, const uint8_t *raw,
                      uint8_t width, uint8_t state, size_t n, uint64_t *v, uint8_t *missing);

/* CRC-32 of bytes, going on from `crc` (0 at first). Cost  O(n), about a nanosecond a byte. */
uint32_t wn_grains_crc(uint32_t crc, const void *bytes, size_t n);

/* Head, part and block, to their bytes and back; reading looks at nothing but numbers. */
void wn_grains_put_head(uint8_t out[WN_GRAINS_HEAD_BYTES], const struct wn_grains_head *head);
void wn_grains_get_head(const uint8_t *bytes, struct wn_grains_head *head);
void wn_grains_put_part(uint8_t out[WN_GRAINS_PART_BYTES], const struct wn_grains_part *part);
void wn_grains_get_part(const uint8_t *bytes, struct wn_grains_part *part);
void wn_grains_put_block(uint8_t out[WN_GRAINS_BLOCK_BYTES], const struct wn_grains_block *block);
void wn_grains_get_block(const uint8_t *bytes, struct wn_grains_block *block);

#endif /* WN_GRAINS_COLUMN_H */
