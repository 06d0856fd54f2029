/* SPDX-License-Identifier: MIT */
#include "grains/write.h"

#include "base/error.h"
#include "base/mem.h"
#include "grains/deflate.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define COPY_BYTES (1u << 20)

struct wn_grains_writer {
	pthread_mutex_t lock; /* of wn_grains_put() */
	FILE *spool;
	struct wn_grains_part *parts; /* at: position in the spool */
	size_t n_parts, parts_capacity;
	struct wn_grains_block *blocks; /* at: position in the spool */
	size_t n_blocks, blocks_capacity;
	uint64_t spool_bytes;
	bool is_sorted;
};

/* --- encoding a part --- */

void
wn_grains_encoder_begin(struct wn_grains_encoder *e, enum wn_grains_part_kind kind, uint32_t number,
                        int level)
{
	if (e->deflate && e->level != level) {
		wn_deflate_free(e->deflate);
		e->deflate = NULL;
	}
	e->level = level;
	e->n_blocks = 0;
	e->n_bytes = 0;
	e->part = (struct wn_grains_part){
	    .kind = (uint8_t)kind, .number = number, .parent = WN_GRAINS_NONE};
}

void
wn_grains_encoder_fini(struct wn_grains_encoder *e)
{
	WN_FREE_ALL(e->blocks, e->bytes, e->raw);
	wn_deflate_free(e->deflate);
	*e = (struct wn_grains_encoder){0};
}

/* Returns rows and code of a column. */
static struct wn_grains_column_info
info_of(const struct wn_grains_encoder *e, uint32_t column)
{
	const struct wn_grains_column_info *known = wn_grains_column_info(column);
	struct wn_grains_column_info info = {.number = (uint16_t)column, .code = WN_CODE_DOUBLE};
	if (known)
		return *known;
	if (column >= WN_COLUMN_WORST)
		info.rows = WN_ROWS_SUMMARY;
	else if (column >= WN_COLUMN_PROBLEM)
		info.rows = e->part.kind == WN_PART_CHUNKS ? WN_ROWS_TABLE : WN_ROWS_SUMMARY;
	else
		info.rows = WN_ROWS_GRAIN;
	if (column >= WN_COLUMN_PROBLEM && column < WN_COLUMN_WORST)
		info.code = WN_CODE_PLAIN;
	return info;
}

/* Deflates e->raw and appends it to e->bytes. */
static wn_status
append(struct wn_grains_encoder *e, size_t n_raw, struct wn_grains_block *block, wn_err *err)
{
	size_t bound = wn_deflate_bound(e->deflate, n_raw), n;
	if (e->n_bytes + bound > WN_GRAINS_PART_MAX)
		return wn_fail(err, WN_E_LIMIT, WN_NO_OFFSET,
		               "%zu bytes are too many for one part of the file",
		               e->n_bytes + bound);
	if (wn_grow(&e->bytes, &e->bytes_capacity, e->n_bytes + bound, 1) != 0)
		return wn_no_memory(err);
	n = wn_deflate_planes(e->deflate, e->raw, n_raw, e->part.rows[block->rows],
	                      e->bytes + e->n_bytes, bound);
	block->at = e->n_bytes;
	block->bytes = (uint32_t)n;
	block->crc = wn_deflate_crc(e->raw, n_raw);
	e->n_bytes += n;
	return WN_OK;
}

wn_status
wn_grains_encode(struct wn_grains_encoder *e, uint32_t column, const struct wn_grains_base *base,
                 uint64_t *v, const uint8_t *missing, wn_err *err)
{
	struct wn_grains_column_info info = info_of(e, column);
	struct wn_grains_block block = {
	    .column = info.number, .rows = info.rows, .code = info.code, .at = e->n_bytes};
	size_t n = e->part.rows[info.rows], most = wn_grains_raw_bytes_max(n);
	wn_status st = WN_OK;
	if (!e->deflate && !(e->deflate = wn_deflate_new(e->level)))
		return wn_no_memory(err);
	if (wn_grow(&e->raw, &e->raw_capacity, most, 1) != 0 ||
	    wn_grow(&e->blocks, &e->blocks_capacity, e->n_blocks + 1, sizeof *e->blocks) != 0)
		return wn_no_memory(err);
	wn_grains_pack(info.code, base, v, missing, n, e->raw, &block.width, &block.state);
	size_t n_raw = wn_grains_raw_bytes(block.width, block.state, n);
	if (n_raw)
		st = append(e, n_raw, &block, err);
	if (st == WN_OK)
		e->blocks[e->n_blocks++] = block;
	return st;
}

wn_status
wn_grains_encode_same(struct wn_grains_encoder *e, uint32_t column, bool are_missing, wn_err *err)
{
	struct wn_grains_column_info info = info_of(e, column);
	bool has_rows = e->part.rows[info.rows] > 0;
	if (wn_grow(&e->blocks, &e->blocks_capacity, e->n_blocks + 1, sizeof *e->blocks) != 0)
		return wn_no_memory(err);
	e->blocks[e->n_blocks++] = (struct wn_grains_block){
	    .column = info.number,
	    .rows = info.rows,
	    .code = info.code,
	    .at = e->n_bytes,
	    .state = are_missing && has_rows ? WN_STATE_NONE : WN_STATE_ALL};
	return WN_OK;
}

/* --- the spool --- */

wn_status
wn_grains_writer_new(FILE *spool, struct wn_grains_writer **out, wn_err *err)
{
	struct wn_grains_writer *w = wn_calloc(1, sizeof *w);
	if (!w)
		return wn_no_memory(err);
	w->spool = spool;
	pthread_mutex_init(&w->lock, NULL);
	*out = w;
	return WN_OK;
}

void
wn_grains_writer_free(struct wn_grains_writer *w)
{
	if (!w)
		return;
	pthread_mutex_destroy(&w->lock);
	WN_FREE_ALL(w->parts, w->blocks, w);
}

static wn_status
io_error(wn_err *err)
{
	return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s", errno ? strerror(errno) : "write error");
}

static wn_status
put(struct wn_grains_writer *w, const struct wn_grains_encoder *e, wn_err *err)
{
	if (w->n_parts + 1 > WN_GRAINS_PARTS_MAX ||
	    w->n_blocks + e->n_blocks > WN_GRAINS_BLOCKS_MAX)
		return wn_fail(err, WN_E_LIMIT, WN_NO_OFFSET, "too many parts for one file");
	if (wn_grow(&w->parts, &w->parts_capacity, w->n_parts + 1, sizeof *w->parts) != 0 ||
	    wn_grow(&w->blocks, &w->blocks_capacity, w->n_blocks + e->n_blocks,
	            sizeof *w->blocks) != 0)
		return wn_no_memory(err);
	errno = 0;
	if (e->n_bytes && fwrite(e->bytes, 1, e->n_bytes, w->spool) != e->n_bytes)
		return io_error(err);
	struct wn_grains_part *part = &w->parts[w->n_parts++];
	*part = e->part;
	part->at = w->spool_bytes;
	part->bytes = (uint32_t)e->n_bytes;
	part->n_blocks = (uint32_t)e->n_blocks;
	part->first_block = (uint32_t)w->n_blocks;
	for (size_t i = 0; i < e->n_blocks; i++) {
		w->blocks[w->n_blocks] = e->blocks[i];
		w->blocks[w->n_blocks++].at += w->spool_bytes;
	}
	w->spool_bytes += e->n_bytes;
	w->is_sorted = false;
	return WN_OK;
}

wn_status
wn_grains_put(struct wn_grains_writer *w, const struct wn_grains_encoder *e, wn_err *err)
{
	pthread_mutex_lock(&w->lock);
	wn_status st = put(w, e, err);
	pthread_mutex_unlock(&w->lock);
	return st;
}

/* --- the file --- */

/* Order in the file: first the data of the first picture, then the data of large pictures. */
static unsigned
rank(const struct wn_grains_part *part)
{
	static const uint8_t ranks[] = {
	    [WN_PART_SITES] = 0,  [WN_PART_THREADS] = 1, [WN_PART_TIER] = 2,
	    [WN_PART_CHUNKS] = 3, [WN_PART_REGIONS] = 5, [WN_PART_STRETCHES] = 6,
	    [WN_PART_LOOPS] = 7,  [WN_PART_GATES] = 8,   [WN_PART_ABOVE] = 9,
	    [WN_PART_CHUNK] = 10, [WN_PART_NONE] = 11};
	return part->kind == WN_PART_TIER && part->number > 0 ? 4 : ranks[part->kind];
}

static bool
is_first(const struct wn_grains_part *part)
{
	return rank(part) < 4;
}

static int
by_rank(const void *a, const void *b)
{
	const struct wn_grains_part *x = a, *y = b;
	if (rank(x) != rank(y))
		return rank(x) < rank(y) ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

struct wn_grains_part *
wn_grains_writer_parts(struct wn_grains_writer *w, size_t *n)
{
	if (!w->is_sorted && w->n_parts)
		qsort(w->parts, w->n_parts, sizeof *w->parts, by_rank);
	w->is_sorted = true;
	*n = w->n_parts;
	return w->parts;
}

struct wn_grains_block *
wn_grains_writer_blocks(struct wn_grains_writer *w, size_t *n)
{
	*n = w->n_blocks;
	return w->blocks;
}

void
wn_grains_leave_out(struct wn_grains_part *part, struct wn_grains_block *block)
{
	if (block->bytes == 0)
		return;
	part->flags |= WN_PART_LEFT_OUT;
	part->bytes -= block->bytes;
	block->state = WN_STATE_LEFT_OUT;
	block->width = 0;
	block->bytes = 0;
	block->crc = 0;
}

/* Head, index and directory to be written. */
struct front {
	struct wn_grains_head head;
	uint8_t *index, *directory; /* deflated */
	struct wn_deflate *deflate;
};

static void
front_fini(struct front *f)
{
	wn_free(f->index);
	wn_free(f->directory);
	wn_deflate_free(f->deflate);
}

static wn_status
deflate_whole(struct front *f, const void *raw, size_t n_raw, uint8_t **out, uint32_t *n_bytes,
              wn_err *err)
{
	size_t bound = wn_deflate_bound(f->deflate, n_raw);
	if (bound > WN_GRAINS_PART_MAX)
		return wn_fail(err, WN_E_LIMIT, WN_NO_OFFSET, "%zu bytes are too many for an index",
		               n_raw);
	wn_free(*out);
	*out = wn_calloc(bound + 1, 1);
	if (!*out)
		return wn_no_memory(err);
	*n_bytes = (uint32_t)wn_deflate(f->deflate, raw, n_raw, *out, bound);
	return WN_OK;
}

/* Lists parts by final position, from the first one on, and their blocks. Sets the head's numbers
 * that follow from it; file_bytes and first_bytes still exclude the bytes before the parts. */
static uint8_t *
directory_of(struct wn_grains_writer *w, size_t *n_bytes, struct wn_grains_head *head)
{
	size_t n_parts;
	uint64_t at = 0;
	struct wn_grains_part *parts = wn_grains_writer_parts(w, &n_parts);
	*n_bytes = n_parts * WN_GRAINS_PART_BYTES + w->n_blocks * WN_GRAINS_BLOCK_BYTES;
	uint8_t *raw = wn_calloc(*n_bytes + 1, 1);
	if (!raw)
		return NULL;
	uint8_t *block_at = raw + n_parts * WN_GRAINS_PART_BYTES;
	for (size_t i = 0; i < n_parts; i++) {
		struct wn_grains_part part = parts[i];
		part.at = at;
		wn_grains_put_part(raw + i * WN_GRAINS_PART_BYTES, &part);
		for (uint32_t k = 0; k < part.n_blocks; k++, block_at += WN_GRAINS_BLOCK_BYTES)
			wn_grains_put_block(block_at, &w->blocks[part.first_block + k]);
		at += part.bytes;
		if (is_first(&part))
			head->first_bytes = at;
	}
	head->n_parts = (uint32_t)n_parts;
	head->n_blocks = (uint32_t)w->n_blocks;
	head->file_bytes = at;
	head->left_out_bytes = w->spool_bytes - at;
	return raw;
}

static wn_status
make_directory(struct wn_grains_writer *w, struct front *f, wn_err *err)
{
	size_t n_raw;
	struct wn_grains_head *head = &f->head;
	uint8_t *raw = directory_of(w, &n_raw, head);
	if (!raw)
		return wn_no_memory(err);
	wn_status st = deflate_whole(f, raw, n_raw, &f->directory, &head->directory_bytes, err);
	head->directory_raw_bytes = (uint32_t)n_raw;
	head->directory_crc = wn_deflate_crc(raw, n_raw);
	wn_free(raw);
	return st;
}

static wn_status
front_make(struct wn_grains_writer *w, struct front *f, const struct wn_grains_run *run,
           const char *index, size_t n_index, wn_err *err)
{
	struct wn_grains_head *head = &f->head;
	wn_status st = WN_OK;
	if (n_index > WN_GRAINS_INDEX_MAX)
		return wn_fail(err, WN_E_LIMIT, WN_NO_OFFSET, "%zu bytes are too many for an index",
		               n_index);
	*head = (struct wn_grains_head){.major = WN_GRAINS_MAJOR,
	                                .minor = WN_GRAINS_MINOR,
	                                .head_bytes = WN_GRAINS_HEAD_BYTES,
	                                .index_at = WN_GRAINS_HEAD_BYTES,
	                                .index_raw_bytes = (uint32_t)n_index,
	                                .index_crc = wn_deflate_crc(index, n_index),
	                                .n_nodes = run->n_nodes,
	                                .n_grains = run->n_grains,
	                                .chunk_grains = run->chunk_grains};
	f->deflate = wn_deflate_new(6);
	if (!f->deflate)
		return wn_no_memory(err);
	WN_TRY(deflate_whole(f, index, n_index, &f->index, &head->index_bytes, err));
	WN_TRY(make_directory(w, f, err));
	head->directory_at = head->index_at + head->index_bytes;
	head->parts_at = head->directory_at + head->directory_bytes;
	head->file_bytes += head->parts_at;
	head->first_bytes += head->parts_at;
out:
	return st;
}

/* Copies blocks from the spool to the sink; contiguous ones at once. */
static wn_status
copy(struct wn_grains_writer *w, uint64_t at, uint64_t n, uint8_t *buffer,
     const struct wn_grains_sink *sink, wn_err *err)
{
	wn_status st = WN_OK;
	errno = 0;
	if (n && fseeko(w->spool, (off_t)at, SEEK_SET) != 0)
		return io_error(err);
	while (n && st == WN_OK) {
		size_t some = n < COPY_BYTES ? (size_t)n : COPY_BYTES;
		if (fread(buffer, 1, some, w->spool) != some)
			return io_error(err);
		st = sink->write(sink->user, buffer, some, err);
		n -= some;
	}
	return st;
}

static wn_status
copy_part(struct wn_grains_writer *w, const struct wn_grains_part *part, uint8_t *buffer,
          const struct wn_grains_sink *sink, wn_err *err)
{
	uint64_t at = part->at, n = 0;
	wn_status st = WN_OK;
	for (uint32_t i = 0; i < part->n_blocks && st == WN_OK; i++) {
		const struct wn_grains_block *block = &w->blocks[part->first_block + i];
		if (block->bytes && block->at != at + n) {
			st = copy(w, at, n, buffer, sink, err);
			at = block->at;
			n = 0;
		}
		n += block->bytes;
	}
	return st == WN_OK ? copy(w, at, n, buffer, sink, err) : st;
}

static wn_status
write_all(struct wn_grains_writer *w, const struct front *f, uint8_t *buffer,
          const struct wn_grains_sink *sink, wn_err *err)
{
	uint8_t head[WN_GRAINS_HEAD_BYTES];
	size_t n_parts;
	const struct wn_grains_part *parts = wn_grains_writer_parts(w, &n_parts);
	wn_status st;
	wn_grains_put_head(head, &f->head);
	WN_TRY(sink->write(sink->user, head, sizeof head, err));
	WN_TRY(sink->write(sink->user, f->index, f->head.index_bytes, err));
	WN_TRY(sink->write(sink->user, f->directory, f->head.directory_bytes, err));
	for (size_t i = 0; i < n_parts; i++) {
		WN_TRY(copy_part(w, &parts[i], buffer, sink, err));
		bool is_more_of_first =
		    is_first(&parts[i]) && i + 1 < n_parts && is_first(&parts[i + 1]);
		if (sink->cut && !is_more_of_first && (parts[i].bytes || is_first(&parts[i])))
			WN_TRY(sink->cut(sink->user, err));
	}
out:
	return st;
}

wn_status
wn_grains_write(struct wn_grains_writer *w, const struct wn_grains_run *run, const char *index,
                size_t n_index, const struct wn_grains_sink *sink, wn_err *err)
{
	struct front f = {0};
	uint8_t *buffer = wn_calloc(COPY_BYTES, 1);
	wn_status st = buffer ? front_make(w, &f, run, index, n_index, err) : wn_no_memory(err);
	if (st == WN_OK)
		st = write_all(w, &f, buffer, sink, err);
	front_fini(&f);
	wn_free(buffer);
	return st;
}

wn_status
wn_grains_size(struct wn_grains_writer *w, const char *index, size_t n_index, uint64_t *out,
               wn_err *err)
{
	struct front f = {0};
	struct wn_grains_run run = {0};
	wn_status st = front_make(w, &f, &run, index, n_index, err);
	if (st == WN_OK)
		*out = f.head.parts_at;
	front_fini(&f);
	return st;
}
