/* SPDX-License-Identifier: MIT */
#include "grains/read.h"

#include "base/error.h"

#include <string.h>

static wn_status
damaged(wn_err *err, uint64_t offset, const char *what)
{
	return wn_fail(err, WN_E_FORMAT, offset, "damaged: %s", what);
}

static uint32_t
last_number(const uint8_t *bytes, size_t end)
{
	return (uint32_t)bytes[end - 4] | (uint32_t)bytes[end - 3] << 8 |
	       (uint32_t)bytes[end - 2] << 16 | (uint32_t)bytes[end - 1] << 24;
}

static wn_status
check_version(const struct wn_grains_head *head, wn_err *err)
{
	if (head->major == WN_GRAINS_MAJOR)
		return WN_OK;
	return wn_fail(err, WN_E_VERSION, 8,
	               "format %u.%u, which this winnow does not read; it reads %u", head->major,
	               head->minor, WN_GRAINS_MAJOR);
}

/* Returns whether [at, at + n) is after the head and inside the file. */
static bool
is_inside(const struct wn_grains_head *head, uint64_t at, uint64_t n, uint64_t file_bytes)
{
	return at >= head->head_bytes && at <= file_bytes && n <= file_bytes - at;
}

static wn_status
check_places(const struct wn_grains_head *head, uint64_t file_bytes, wn_err *err)
{
	uint64_t n_directory = (uint64_t)head->n_parts * WN_GRAINS_PART_BYTES +
	                       (uint64_t)head->n_blocks * WN_GRAINS_BLOCK_BYTES;
	if (head->file_bytes == 0)
		return wn_fail(err, WN_E_FORMAT, 16, "its writer did not finish");
	if (!is_inside(head, head->index_at, head->index_bytes, file_bytes) ||
	    !is_inside(head, head->directory_at, head->directory_bytes, file_bytes))
		return wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET,
		               "cut off before its directory ends: copied in part, perhaps");
	if (head->index_raw_bytes > WN_GRAINS_INDEX_MAX ||
	    head->index_raw_bytes / WN_GRAINS_INFLATES_TO > head->index_bytes)
		return damaged(err, 36, "an index that cannot be so long");
	if (head->n_parts > WN_GRAINS_PARTS_MAX || head->n_blocks > WN_GRAINS_BLOCKS_MAX ||
	    head->directory_raw_bytes != n_directory ||
	    n_directory / WN_GRAINS_INFLATES_TO > head->directory_bytes)
		return damaged(err, 56, "a directory of another length than its parts need");
	if (head->n_grains > head->n_nodes || head->n_nodes > WN_GRAINS_NODES_MAX ||
	    head->chunk_grains == 0 || head->chunk_grains > WN_GRAINS_PART_ROWS_MAX)
		return damaged(err, 72, "numbers of grains that cannot be");
	if (head->parts_at > head->file_bytes || head->first_bytes > head->file_bytes)
		return damaged(err, 88, "parts behind the end of the file");
	return WN_OK;
}

wn_status
wn_grains_check_head(const uint8_t *bytes, size_t n, uint64_t file_bytes,
                     struct wn_grains_head *out, wn_err *err)
{
	wn_status st;
	if (n < WN_GRAINS_MAGIC_BYTES || memcmp(bytes, WN_GRAINS_MAGIC, WN_GRAINS_MAGIC_BYTES) != 0)
		return wn_fail(err, WN_E_FORMAT, 0, "no file of grains");
	if (n < WN_GRAINS_HEAD_BYTES)
		return wn_fail(err, WN_E_FORMAT, n, "cut off in its head");
	wn_grains_get_head(bytes, out);
	if ((st = check_version(out, err)) != WN_OK)
		return st;
	if (out->head_bytes < WN_GRAINS_HEAD_BYTES || out->head_bytes > WN_GRAINS_HEAD_BYTES_MAX)
		return damaged(err, 12, "a head of another length");
	if (n < out->head_bytes)
		return wn_fail(err, WN_E_FORMAT, n, "cut off in its head");
	if (wn_grains_crc(0, bytes, out->head_bytes - 4) != last_number(bytes, out->head_bytes))
		return damaged(err, 0, "the head's checksum");
	return check_places(out, file_bytes, err);
}

/* --- the directory --- */

struct reading {
	const struct wn_grains_head *head;
	const uint8_t *raw;
	struct wn_grains_part *parts;
	struct wn_grains_block *blocks;
	uint32_t n_blocks;             /* so far */
	uint64_t n_nodes, n_grains;    /* of chunks so far */
	uint32_t n_chunks, last_chunk; /* among parts */
};

static wn_status
wrong_part(const struct reading *r, uint32_t k, const char *what, wn_err *err)
{
	return wn_fail(err, WN_E_FORMAT, r->head->directory_at, "damaged: part %u of %u: %s", k,
	               r->head->n_parts, what);
}

/* Returns the rows that a column must have; WN_ROWS_N: an unknown column, which is skipped. */
static uint8_t
rows_of(const struct wn_grains_part *part, uint16_t column)
{
	const struct wn_grains_column_info *info = wn_grains_column_info(column);
	if (info)
		return info->rows;
	switch (column / WN_GRAINS_FAMILY * WN_GRAINS_FAMILY) {
	case WN_COLUMN_EXTRA:
		return WN_ROWS_GRAIN;
	case WN_COLUMN_PROBLEM:
		return part->kind == WN_PART_CHUNKS ? WN_ROWS_TABLE : WN_ROWS_SUMMARY;
	case WN_COLUMN_WORST:
		return WN_ROWS_SUMMARY;
	default:
		return WN_ROWS_N;
	}
}

static const char *
fault_of_block(const struct wn_grains_part *part, const struct wn_grains_block *b)
{
	uint8_t rows = rows_of(part, b->column);
	if (b->rows >= WN_ROWS_N || b->width > 8 || b->code >= WN_CODE_N || b->state >= WN_STATE_N)
		return "a column of a form that there is not";
	if (rows != WN_ROWS_N && b->rows != rows)
		return "a column of other rows than it has";
	size_t n_raw = wn_grains_raw_bytes(b->width, b->state, part->rows[b->rows]);
	if (n_raw == 0)
		return b->bytes ? "bytes of a column that needs none" : NULL;
	if (n_raw / WN_GRAINS_INFLATES_TO > b->bytes)
		return "a column that cannot be so long";
	return NULL;
}

static const char *
read_blocks(struct reading *r, struct wn_grains_part *part)
{
	const uint8_t *at = r->raw + (size_t)r->head->n_parts * WN_GRAINS_PART_BYTES;
	uint64_t n = 0;
	if (part->n_blocks > r->head->n_blocks - r->n_blocks)
		return "more columns than there are";
	part->first_block = r->n_blocks;
	for (uint32_t i = 0; i < part->n_blocks; i++, r->n_blocks++) {
		struct wn_grains_block *b = &r->blocks[r->n_blocks];
		wn_grains_get_block(at + (size_t)r->n_blocks * WN_GRAINS_BLOCK_BYTES, b);
		const char *fault = fault_of_block(part, b);
		if (fault)
			return fault;
		b->at = part->at + n;
		n += b->bytes;
	}
	return n == part->bytes ? NULL : "columns of other lengths than the part";
}

/* Chunks come in order, and each begins where the previous one ended. */
static const char *
check_chunk(struct reading *r, const struct wn_grains_part *part)
{
	uint32_t k = (uint32_t)(part - r->parts);
	uint32_t n = part->rows[WN_ROWS_GRAIN];
	uint64_t left = r->head->n_grains - r->n_grains;
	if (r->n_chunks > 0 && r->last_chunk + 1 != k)
		return "a chunk apart from the others";
	r->last_chunk = k;
	if (part->number != r->n_chunks++ || part->first_node != r->n_nodes ||
	    part->first_grain != r->n_grains)
		return "a chunk that does not follow the one before";
	if (n != (left < r->head->chunk_grains ? left : r->head->chunk_grains) || n == 0)
		return "a chunk of another number of grains";
	if (part->rows[WN_ROWS_NODE] - n != part->rows[WN_ROWS_GROUP] ||
	    part->rows[WN_ROWS_NODE] < n)
		return "a chunk of another number of nodes";
	if (part->n_open > part->first_node ||
	    (part->n_open == 0) != (part->parent == WN_GRAINS_NONE) ||
	    (part->n_open && part->parent >= part->first_node))
		return "a chunk inside a group that there is not";
	r->n_grains += n;
	r->n_nodes += part->rows[WN_ROWS_NODE];
	return r->n_nodes <= r->head->n_nodes ? NULL : "more nodes than there are";
}

static const char *
read_part(struct reading *r, struct wn_grains_part *part)
{
	uint64_t room = r->head->file_bytes - r->head->parts_at;
	for (int i = 0; i < WN_ROWS_N; i++)
		if (part->rows[i] > WN_GRAINS_PART_ROWS_MAX)
			return "too many rows";
	if (part->at > room || part->bytes > room - part->at || part->bytes > WN_GRAINS_PART_MAX)
		return "behind the end of the file";
	part->at += r->head->parts_at;
	const char *fault = read_blocks(r, part);
	if (!fault && part->kind == WN_PART_CHUNK)
		fault = check_chunk(r, part);
	return fault;
}

wn_status
wn_grains_check_directory(const struct wn_grains_head *head, const uint8_t *raw,
                          struct wn_grains_part *parts, struct wn_grains_block *blocks, wn_err *err)
{
	struct reading r = {.head = head, .raw = raw, .parts = parts, .blocks = blocks};
	if (wn_grains_crc(0, raw, head->directory_raw_bytes) != head->directory_crc)
		return damaged(err, head->directory_at, "the directory's checksum");
	for (uint32_t k = 0; k < head->n_parts; k++) {
		wn_grains_get_part(raw + (size_t)k * WN_GRAINS_PART_BYTES, &parts[k]);
		const char *fault = read_part(&r, &parts[k]);
		if (fault)
			return wrong_part(&r, k, fault, err);
	}
	if (r.n_blocks != head->n_blocks || r.n_grains != head->n_grains ||
	    r.n_nodes != head->n_nodes)
		return damaged(err, head->directory_at, "chunks that are not the whole tree");
	return WN_OK;
}

const struct wn_grains_block *
wn_grains_block_of(const struct wn_grains_part *part, const struct wn_grains_block *blocks,
                   uint32_t column)
{
	for (uint32_t i = 0; i < part->n_blocks; i++)
		if (blocks[part->first_block + i].column == column)
			return &blocks[part->first_block + i];
	return NULL;
}
