/* SPDX-License-Identifier: MIT */
/*
 * write.h - writes columns as run.grains.
 *
 * Parts are encoded one by one, if necessary by several encoders at once, and put into a spool: a
 * file of their bytes in any order. When all sizes are known, the file is written front to back,
 * without the blocks to be left out.
 */
#pragma once

#include "grains/column.h"
#include "winnow/base.h"

#include <stdio.h>

/* The encoder of one part, used by one thread. Initialise with zeros; release with
 * wn_grains_encoder_fini(). */
struct wn_deflate;
struct wn_grains_encoder {
	struct wn_grains_part part; /* set by the caller except at, bytes and n_blocks */
	struct wn_grains_block *blocks;
	size_t n_blocks, blocks_capacity;
	uint8_t *bytes;
	size_t n_bytes, bytes_capacity;
	uint8_t *raw; /* scratch */
	size_t raw_capacity;
	struct wn_deflate *deflate;
	int level;
};

/* Resets it for the next part; keeps its memory. level: of DEFLATE, 1 to 12. */
void wn_grains_encoder_begin(struct wn_grains_encoder *e, enum wn_grains_part_kind kind,
                             uint32_t number, int level);
void wn_grains_encoder_fini(struct wn_grains_encoder *e);

/**
 * Adds a column, with the code of columns.def; for families see `column`.
 *
 * @param column   number in columns.def, or of a family (then: code DOUBLE, or PLAIN for
 *                 problems).
 * @param v        [e->part.rows[of the column]] overwritten, as wn_grains_pack() does.
 * @param base, missing  as for wn_grains_pack(); may be NULL.
 * @return WN_OK · WN_E_NOMEM · WN_E_LIMIT (the part is too large)
 * Cost     O(rows).
 */
WN_MUST_CHECK wn_status wn_grains_encode(struct wn_grains_encoder *e, uint32_t column,
                                         const struct wn_grains_base *base, uint64_t *v,
                                         const uint8_t *missing, wn_err *err);

/* The same for a column whose rows are all missing; or else all 0, as is their reference value. */
WN_MUST_CHECK wn_status wn_grains_encode_same(struct wn_grains_encoder *e, uint32_t column,
                                              bool are_missing, wn_err *err);

struct wn_grains_writer;

/* Creates a writer with an empty spool, which must be open for reading and writing and remains the
 * caller's. */
WN_MUST_CHECK wn_status wn_grains_writer_new(FILE *spool, struct wn_grains_writer **out,
                                             wn_err *err);
void wn_grains_writer_free(struct wn_grains_writer *w);

/**
 * Appends an encoded part to the spool. Several threads may do so; the file does not depend on
 * the order.
 * @return WN_OK · WN_E_NOMEM · WN_E_IO · WN_E_LIMIT
 */
WN_MUST_CHECK wn_status wn_grains_put(struct wn_grains_writer *w, const struct wn_grains_encoder *e,
                                      wn_err *err);

/* Returns the parts so far in the order of the file, and their blocks from first_block on. */
struct wn_grains_part *wn_grains_writer_parts(struct wn_grains_writer *w, size_t *n);
struct wn_grains_block *wn_grains_writer_blocks(struct wn_grains_writer *w, size_t *n);

/* Leaves a block out of the file. A block without bytes stays. */
void wn_grains_leave_out(struct wn_grains_part *part, struct wn_grains_block *block);

/* Numbers of the run for the head. */
struct wn_grains_run {
	uint32_t n_nodes, n_grains, chunk_grains;
};

/* Receives the file's bytes in order. */
struct wn_grains_sink {
	wn_status (*write)(void *user, const void *bytes, size_t n, wn_err *err);
	/* Called where the output may be split: after the first picture's bytes, and after each
	 * part. May be NULL. */
	wn_status (*cut)(void *user, wn_err *err);
	void *user;
};

/**
 * Writes the whole file.
 *
 * @param index  [n_index] JSON.
 * @return WN_OK · WN_E_NOMEM · WN_E_IO · WN_E_LIMIT, or what the sink returns
 * Cost  O(bytes); a copy of the directory and of 1 MiB is held meanwhile.
 */
WN_MUST_CHECK wn_status wn_grains_write(struct wn_grains_writer *w, const struct wn_grains_run *run,
                                        const char *index, size_t n_index,
                                        const struct wn_grains_sink *sink, wn_err *err);

/* Returns the size of the file without its parts: head, directory, and the deflated index.
 * Cost  O(n_index). */
WN_MUST_CHECK wn_status wn_grains_size(struct wn_grains_writer *w, const char *index,
                                       size_t n_index, uint64_t *out, wn_err *err);
