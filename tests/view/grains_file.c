/* SPDX-License-Identifier: MIT */
#include "tests/view/grains_file.h"

#include "base/error.h"
#include "base/mem.h"
#include "grains/deflate.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- head --- */

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

/* Reads and validates a head: the beginning of a file of `file_bytes`, which may be fewer than in
 * the head, as long as index and directory are complete. */
static wn_status
check_head(const uint8_t *bytes, size_t n, uint64_t file_bytes, struct wn_grains_head *out,
           wn_err *err)
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

/* --- directory --- */

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

/* Validates an inflated directory: parts and blocks are in the file, chunks are consecutive and
 * cover the whole tree, and no block is larger than DEFLATE can produce. */
static wn_status
check_directory(const struct wn_grains_head *head, const uint8_t *raw, struct wn_grains_part *parts,
                struct wn_grains_block *blocks, wn_err *err)
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

/* --- file --- */

/* Inflates bytes at a position that has been checked to be in the file. */
static wn_status
inflate_at(struct wn_grains_file *f, uint64_t at, size_t n, void *raw, size_t n_raw, uint32_t crc,
           wn_err *err)
{
	if (!wn_inflate(f->inflate, f->bytes + at, n, raw, n_raw) ||
	    wn_deflate_crc(raw, n_raw) != crc)
		return wn_fail(err, WN_E_FORMAT, at, "damaged: bytes that do not inflate");
	return WN_OK;
}

static void
find_chunks(struct wn_grains_file *f)
{
	for (uint32_t k = 0; k < f->head.n_parts; k++) {
		if (f->parts[k].kind != WN_PART_CHUNK)
			continue;
		if (f->n_chunks++ == 0)
			f->first_chunk = k;
	}
}

static wn_status
read_front(struct wn_grains_file *f, wn_err *err)
{
	const struct wn_grains_head *head = &f->head;
	uint8_t *raw = NULL;
	size_t n_head =
	    f->n_bytes < WN_GRAINS_HEAD_BYTES_MAX ? (size_t)f->n_bytes : WN_GRAINS_HEAD_BYTES_MAX;
	wn_status st = check_head(f->bytes, n_head, f->n_bytes, &f->head, err);
	if (st != WN_OK)
		return st;
	f->is_cut = f->n_bytes < head->file_bytes;
	f->inflate = wn_inflate_new();
	f->index = wn_calloc((size_t)head->index_raw_bytes + 1, 1);
	f->parts = wn_calloc(head->n_parts, sizeof *f->parts);
	f->blocks = wn_calloc(head->n_blocks, sizeof *f->blocks);
	raw = wn_calloc(head->directory_raw_bytes, 1);
	if (!f->inflate || !f->index || !f->parts || !f->blocks || !raw)
		WN_TRY(wn_no_memory(err));
	WN_TRY(inflate_at(f, head->index_at, head->index_bytes, f->index, head->index_raw_bytes,
	                  head->index_crc, err));
	WN_TRY(inflate_at(f, head->directory_at, head->directory_bytes, raw,
	                  head->directory_raw_bytes, head->directory_crc, err));
	WN_TRY(check_directory(head, raw, f->parts, f->blocks, err));
	find_chunks(f);
out:
	wn_free(raw);
	return st;
}

static wn_status
open_new(struct wn_grains_file *f, struct wn_grains_file **out, wn_err *err)
{
	wn_status st = read_front(f, err);
	if (st == WN_OK)
		*out = f;
	else
		wn_grains_close(f);
	return st;
}

wn_status
wn_grains_open_bytes(const void *bytes, size_t n, struct wn_grains_file **out, wn_err *err)
{
	struct wn_grains_file *f = wn_calloc(1, sizeof *f);
	if (!f)
		return wn_no_memory(err);
	f->bytes = bytes;
	f->n_bytes = n;
	return open_new(f, out, err);
}

static wn_status
map(const char *path, struct wn_grains_file *f, wn_err *err)
{
	struct stat info;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is_there = fd >= 0 && fstat(fd, &info) == 0;
	if (is_there && !S_ISREG(info.st_mode)) {
		close(fd);
		return wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET, "no regular file");
	}
	if (is_there && info.st_size > 0) {
		f->n_bytes = (uint64_t)info.st_size;
		f->mapping = mmap(NULL, (size_t)f->n_bytes, PROT_READ, MAP_PRIVATE, fd, 0);
		is_there = f->mapping != MAP_FAILED;
	}
	int error = errno;
	if (fd >= 0)
		close(fd);
	if (!is_there) {
		f->mapping = NULL;
		return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s", strerror(error));
	}
	f->bytes = f->mapping ? f->mapping : (const uint8_t *)"";
	return WN_OK;
}

wn_status
wn_grains_open(const char *path, struct wn_grains_file **out, wn_err *err)
{
	struct wn_grains_file *f = wn_calloc(1, sizeof *f);
	if (!f)
		return wn_no_memory(err);
	wn_status st = map(path, f, err);
	if (st == WN_OK)
		return open_new(f, out, err);
	wn_grains_close(f);
	return st;
}

void
wn_grains_close(struct wn_grains_file *f)
{
	if (!f)
		return;
	if (f->mapping)
		munmap(f->mapping, (size_t)f->n_bytes);
	wn_inflate_free(f->inflate);
	wn_free(f->index);
	wn_free(f->parts);
	wn_free(f->blocks);
	wn_free(f);
}

/* Returns the rows of a column in a part; for families they are in the block only. */
static size_t
n_rows(const struct wn_grains_part *part, const struct wn_grains_block *block, uint32_t column)
{
	const struct wn_grains_column_info *info = wn_grains_column_info(column);
	if (info)
		return part->rows[info->rows];
	return block ? part->rows[block->rows] : 0;
}

wn_status
wn_grains_read(struct wn_grains_file *f, const struct wn_grains_part *part, uint32_t column,
               const struct wn_grains_base *base, uint64_t *v, uint8_t *missing, wn_err *err)
{
	const struct wn_grains_block *block = wn_grains_block_of(part, f->blocks, column);
	size_t n = n_rows(part, block, column), n_raw;
	uint8_t *raw;
	wn_status st = WN_OK;
	if (!block) {
		wn_grains_unpack(WN_CODE_PLAIN, NULL, NULL, 0, WN_STATE_NONE, n, v, missing);
		return WN_OK;
	}
	n_raw = wn_grains_raw_bytes(block->width, block->state, n);
	if (n_raw && (block->at > f->n_bytes || block->bytes > f->n_bytes - block->at))
		return wn_fail(err, WN_E_FORMAT, f->n_bytes, "cut off: copied in part, perhaps");
	raw = wn_calloc(n_raw, 1);
	if (!raw)
		return wn_no_memory(err);
	if (n_raw)
		st = inflate_at(f, block->at, block->bytes, raw, n_raw, block->crc, err);
	if (st == WN_OK)
		wn_grains_unpack(block->code, base, raw, block->width, block->state, n, v, missing);
	wn_free(raw);
	return st;
}

/* --- chunks --- */

static bool
chunk_room(struct wn_grains_chunk *c)
{
	struct wn_grains_shape *s = &c->shape;
	size_t n_groups = s->n_groups;
	c->kind = wn_calloc(s->n_nodes, 1);
	s->kind = c->kind;
	s->parent = wn_calloc(s->n_nodes, sizeof *s->parent);
	s->end = wn_calloc(s->n_nodes, sizeof *s->end);
	s->row = wn_calloc(s->n_nodes, sizeof *s->row);
	s->owner_row = wn_calloc(s->n_grains, sizeof *s->owner_row);
	c->id = wn_calloc(s->n_grains, sizeof *c->id);
	c->sync = wn_calloc(s->n_grains, sizeof *c->sync);
	c->n_children = wn_calloc(s->n_grains, sizeof *c->n_children);
	c->work = wn_calloc(s->n_grains, sizeof *c->work);
	c->expected.owner = wn_calloc(n_groups, sizeof *c->expected.owner);
	c->expected.siblings_sum = wn_calloc(n_groups, sizeof *c->expected.siblings_sum);
	c->expected.siblings_max = wn_calloc(n_groups, sizeof *c->expected.siblings_max);
	c->expected.siblings_n = wn_calloc(n_groups, sizeof *c->expected.siblings_n);
	return c->kind && s->parent && s->end && s->row && s->owner_row && c->id && c->sync &&
	       c->n_children && c->work && c->expected.owner && c->expected.siblings_sum &&
	       c->expected.siblings_max && c->expected.siblings_n;
}

static wn_status
read_shape(struct wn_grains_chunk *c, wn_err *err)
{
	struct wn_grains_shape *s = &c->shape;
	size_t n = s->n_nodes;
	uint64_t *v = wn_calloc(n, sizeof *v);
	uint8_t *missing = wn_calloc((n + 7) / 8, 1);
	wn_status st = v && missing ? WN_OK : wn_no_memory(err);
	if (st == WN_OK)
		st = wn_grains_read(c->file, c->part, WN_COLUMN_NODE_KIND, NULL, v, missing, err);
	for (size_t i = 0; i < n && st == WN_OK; i++)
		c->kind[i] = v[i] > UINT8_MAX ? UINT8_MAX : (uint8_t)v[i];
	if (st == WN_OK)
		st = wn_grains_read(c->file, c->part, WN_COLUMN_CLOSES, NULL, v, missing, err);
	if (st == WN_OK && (!wn_grains_shape(s, v, c->part->n_open) ||
	                    s->n_left_open != c->part->rows[WN_ROWS_SUMMARY]))
		st = wn_fail(err, WN_E_FORMAT, c->part->at, "damaged: chunk %u is no tree",
		             c->part->number);
	wn_free(v);
	wn_free(missing);
	return st;
}

/* Reads the reference columns. If one is not in the file, the columns that need it are not either.
 */
static wn_status
read_sources(struct wn_grains_chunk *c, wn_err *err)
{
	const struct {
		uint32_t column;
		uint64_t *v;
	} sources[] = {{WN_COLUMN_ID, c->id},
	               {WN_COLUMN_SYNC, c->sync},
	               {WN_COLUMN_N_CHILDREN, c->n_children},
	               {WN_COLUMN_WORK, c->work}};
	uint8_t *missing = wn_calloc((c->shape.n_grains + 7) / 8, 1);
	wn_status st = missing ? WN_OK : wn_no_memory(err);
	for (size_t i = 0; i < sizeof sources / sizeof *sources && st == WN_OK; i++)
		st = wn_grains_read(c->file, c->part, sources[i].column, NULL, sources[i].v,
		                    missing, err);
	if (st == WN_OK)
		wn_grains_expect(&c->shape, c->id, c->work, &c->expected);
	wn_free(missing);
	return st;
}

wn_status
wn_grains_chunk_open(struct wn_grains_file *f, uint32_t k, struct wn_grains_chunk **out,
                     wn_err *err)
{
	const struct wn_grains_part *part = &f->parts[f->first_chunk + k];
	const struct wn_grains_block *kinds =
	    wn_grains_block_of(part, f->blocks, WN_COLUMN_NODE_KIND);
	struct wn_grains_chunk *c;
	wn_status st;
	if (!kinds || kinds->state == WN_STATE_LEFT_OUT)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "chunk %u was left out of this file",
		               k);
	c = wn_calloc(1, sizeof *c);
	if (!c)
		return wn_no_memory(err);
	c->file = f;
	c->part = part;
	c->shape.n_nodes = part->rows[WN_ROWS_NODE];
	c->shape.n_grains = part->rows[WN_ROWS_GRAIN];
	c->shape.n_groups = part->rows[WN_ROWS_GROUP];
	st = chunk_room(c) ? read_shape(c, err) : wn_no_memory(err);
	if (st == WN_OK)
		st = read_sources(c, err);
	if (st == WN_OK)
		*out = c;
	else
		wn_grains_chunk_close(c);
	return st;
}

void
wn_grains_chunk_close(struct wn_grains_chunk *c)
{
	if (!c)
		return;
	void *all[] = {c->kind,
	               c->shape.parent,
	               c->shape.end,
	               c->shape.row,
	               c->shape.owner_row,
	               c->id,
	               c->sync,
	               c->n_children,
	               c->work,
	               c->expected.owner,
	               c->expected.siblings_sum,
	               c->expected.siblings_max,
	               c->expected.siblings_n};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		wn_free(all[i]);
	wn_free(c);
}

static struct wn_grains_base
base_of(const struct wn_grains_chunk *c, uint32_t column)
{
	struct wn_grains_base base = {0};
	const struct wn_grains_column_info *info = wn_grains_column_info(column);
	if (!info)
		return base;
	if (info->rows == WN_ROWS_GRAIN) {
		base.owner_row = c->shape.owner_row;
		base.source = info->source == info->number           ? NULL
		              : info->source == WN_COLUMN_ID         ? c->id
		              : info->source == WN_COLUMN_SYNC       ? c->sync
		              : info->source == WN_COLUMN_N_CHILDREN ? c->n_children
		                                                     : NULL;
	}
	base.expected = info->number == WN_COLUMN_GROUP_OWNER    ? c->expected.owner
	                : info->number == WN_COLUMN_SIBLINGS_SUM ? c->expected.siblings_sum
	                : info->number == WN_COLUMN_SIBLINGS_MAX ? c->expected.siblings_max
	                : info->number == WN_COLUMN_SIBLINGS_N   ? c->expected.siblings_n
	                                                         : NULL;
	return base;
}

wn_status
wn_grains_chunk_read(struct wn_grains_chunk *c, uint32_t column, uint64_t *v, uint8_t *missing,
                     wn_err *err)
{
	struct wn_grains_base base = base_of(c, column);
	return wn_grains_read(c->file, c->part, column, &base, v, missing, err);
}
