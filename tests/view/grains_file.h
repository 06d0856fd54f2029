/* SPDX-License-Identifier: MIT */
/*
 * grains_file.h - opens and validates run.grains natively, and reads its columns, to test what
 * src/view writes; the page has a reader of its own (viewer/app/directory.ts). Every length and
 * number is validated before use, and errors are described in a sentence. Also used by fuzz/ and
 * bench/.
 */
#ifndef WN_TESTS_GRAINS_FILE_H
#define WN_TESTS_GRAINS_FILE_H

#include "grains/column.h"
#include "grains/shape.h"
#include "winnow/base.h"

struct wn_inflate;

struct wn_grains_file {
	struct wn_grains_head head;
	struct wn_grains_part *parts;   /* [head.n_parts] */
	struct wn_grains_block *blocks; /* [head.n_blocks] */
	uint32_t n_chunks;
	uint32_t first_chunk; /* index in parts; chunks are consecutive */
	bool is_cut;          /* the file is truncated; parts beyond its end cannot be read */
	char *index;          /* [head.index_raw_bytes] and a NUL; not validated */

	const uint8_t *bytes;
	uint64_t n_bytes;
	void *mapping;
	struct wn_inflate *inflate;
};

/**
 * Opens a file and validates head and directory.
 * @return WN_OK · WN_E_IO · WN_E_FORMAT · WN_E_VERSION · WN_E_NOMEM
 * Cost  that of the index and the directory. One thread at a time uses it.
 */
WN_MUST_CHECK wn_status wn_grains_open(const char *path, struct wn_grains_file **out, wn_err *err);
/* The same for bytes in memory, which must outlive it. */
WN_MUST_CHECK wn_status wn_grains_open_bytes(const void *bytes, size_t n,
                                             struct wn_grains_file **out, wn_err *err);
void wn_grains_close(struct wn_grains_file *file);

/* The block of a column in a part; NULL: it has none. Cost  O(blocks of the part). */
const struct wn_grains_block *wn_grains_block_of(const struct wn_grains_part *part,
                                                 const struct wn_grains_block *blocks,
                                                 uint32_t column);

/**
 * Reads one column of a part that is not a chunk, or that needs no reference values.
 *
 * @param base     as for wn_grains_unpack(); NULL: nothing.
 * @param v        [rows of the column]
 * @param missing  [(rows + 7) / 8] all bits set if there is no such column, it has no value, or
 *                 was left out.
 * @return WN_OK · WN_E_FORMAT (damaged, cut off) · WN_E_NOMEM
 */
WN_MUST_CHECK wn_status wn_grains_read(struct wn_grains_file *file,
                                       const struct wn_grains_part *part, uint32_t column,
                                       const struct wn_grains_base *base, uint64_t *v,
                                       uint8_t *missing, wn_err *err);

/* An open chunk: its tree, and the reference columns. */
struct wn_grains_chunk {
	struct wn_grains_file *file;
	const struct wn_grains_part *part;
	struct wn_grains_shape shape;
	struct wn_grains_expected expected;      /* of groups */
	uint64_t *id, *sync, *n_children, *work; /* [n_grains] reference columns */
	uint8_t *kind;
};

/**
 * Opens the k-th chunk.
 * @return WN_OK · WN_E_ARG (left out of the file) · WN_E_FORMAT · WN_E_NOMEM
 * Cost  O(nodes).
 */
WN_MUST_CHECK wn_status wn_grains_chunk_open(struct wn_grains_file *file, uint32_t k,
                                             struct wn_grains_chunk **out, wn_err *err);
void wn_grains_chunk_close(struct wn_grains_chunk *chunk);

/* Reads any column of a chunk, otherwise as wn_grains_read(). */
WN_MUST_CHECK wn_status wn_grains_chunk_read(struct wn_grains_chunk *chunk, uint32_t column,
                                             uint64_t *v, uint8_t *missing, wn_err *err);

#endif /* WN_TESTS_GRAINS_FILE_H */
