/* SPDX-License-Identifier: MIT */
/*
 * read.h - reads run.grains from any source: every length and number is validated before use, and
 * errors are described in a sentence. Needs no file: it also runs in the page.
 */
#ifndef WN_GRAINS_READ_H
#define WN_GRAINS_READ_H

#include "grains/column.h"
#include "winnow/base.h"

/**
 * Reads and validates a head.
 *
 * @param bytes       [n] the beginning of the file; WN_GRAINS_HEAD_BYTES_MAX of it are enough.
 * @param file_bytes  actual file size; if it is less than in the head, the file was truncated,
 *                    which is no error as long as index and directory are complete.
 * @return WN_OK · WN_E_FORMAT · WN_E_VERSION
 * Cost     O(1). Threads  pure. Oracle  tests/view/test_hostile.c, fuzz/fuzz_grains.c
 */
WN_MUST_CHECK wn_status wn_grains_check_head(const uint8_t *bytes, size_t n, uint64_t file_bytes,
                                             struct wn_grains_head *out, wn_err *err);

/**
 * Reads and validates an inflated directory: parts and blocks are in the file, chunks are
 * consecutive and cover the whole tree, and no block is larger than DEFLATE can produce.
 *
 * @param raw     [head->directory_raw_bytes]
 * @param parts   [head->n_parts] at: in the file
 * @param blocks  [head->n_blocks] at: in the file
 * @return WN_OK · WN_E_FORMAT
 * Cost     O(parts + blocks). Threads  pure.
 */
WN_MUST_CHECK wn_status wn_grains_check_directory(const struct wn_grains_head *head,
                                                  const uint8_t *raw, struct wn_grains_part *parts,
                                                  struct wn_grains_block *blocks, wn_err *err);

/* Returns the block of a column in a part; NULL: it has none. Cost  O(blocks of the part). */
const struct wn_grains_block *wn_grains_block_of(const struct wn_grains_part *part,
                                                 const struct wn_grains_block *blocks,
                                                 uint32_t column);

#endif /* WN_GRAINS_READ_H */
