/* SPDX-License-Identifier: MIT */
/* store.c - stores parts of a container: encoded columns as they are, and rows for those that
 * pictures need. Every part is validated before use. */
#include "base/error.h"
#include "base/mem.h"
#include "page/problem_bits.h"
#include "page/snapshot.h"

#include <string.h>

static wn_status
damaged(wn_err *err, const struct page_part *part, const char *why)
{
	return wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET, "the file is damaged: %s %u %s",
	               part->kind == WN_PART_TIER ? "tier" : "chunk", part->number, why);
}

static struct part *
part_of(struct page *p, uint8_t kind, uint32_t number)
{
	if (kind == WN_PART_TIER && number < 2)
		return &p->tiers[number];
	if (kind == WN_PART_CHUNK && number < p->run.n_chunks)
		return &p->chunks[number].part;
	return NULL;
}

wn_status
page_part(struct page *p, const struct page_part *part, wn_err *err)
{
	struct part *own = part_of(p, part->kind, part->number);
	if (!own)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "there is no such part");
	for (int k = 0; k < WN_ROWS_N; k++)
		if (part->rows[k] > WN_GRAINS_PART_ROWS_MAX)
			return damaged(err, part, "is too large");
	own->is = *part;
	if (part->kind != WN_PART_CHUNK)
		return WN_OK;
	struct page_chunk *c = &p->chunks[part->number];
	c->first_node = part->first_node;
	c->n_nodes = part->rows[WN_ROWS_NODE];
	c->first_grain = part->first_grain;
	c->n_grains = part->rows[WN_ROWS_GRAIN];
	c->parent = part->parent;
	/* in order, each once, and all nodes are used */
	bool is_first = part->number == 0, is_last = part->number + 1 == p->run.n_chunks;
	uint32_t before = is_first ? 0 : c[-1].first_node + c[-1].n_nodes;
	uint32_t left = p->run.n_nodes - part->first_node;
	if (part->number != p->n_parts++ || part->first_node != before ||
	    part->first_node >= p->run.n_nodes || c->n_nodes > left || c->n_nodes == 0 ||
	    (is_last && c->n_nodes != left))
		return damaged(err, part, "does not follow the one before");
	if (c->n_nodes != c->n_grains + part->rows[WN_ROWS_GROUP])
		return damaged(err, part, "has nodes of no kind");
	return WN_OK;
}

wn_status
page_put(struct page *p, const struct page_block *block, wn_err *err)
{
	struct part *part = p->looks_at ? p->looks_at : part_of(p, block->kind, block->number);
	if (!part || block->rows >= WN_ROWS_N || block->width > 8 || block->state >= WN_STATE_N)
		return wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET,
		               "the file is damaged: no block is so");
	const struct wn_grains_column_info *info = wn_grains_column_info(block->column);
	size_t n = part->is.rows[block->rows];
	if (block->n_bytes != wn_grains_raw_bytes(block->width, block->state, n) ||
	    (info && info->rows != block->rows))
		return damaged(err, &part->is, "has a column of another length");
	for (size_t i = 0; i < part->n_blocks; i++)
		if (part->blocks[i].column == block->column)
			return WN_OK; /* it is loaded */
	if (wn_grow(&part->blocks, &part->capacity, part->n_blocks + 1, sizeof *part->blocks) != 0)
		return wn_no_memory(err);
	struct block *own = &part->blocks[part->n_blocks];
	*own = (struct block){block->column, block->rows, block->width,  block->code,
	                      block->state,  NULL,        block->n_bytes};
	if (block->n_bytes) {
		if (!(own->bytes = wn_calloc(block->n_bytes, 1)))
			return wn_no_memory(err);
		memcpy(own->bytes, block->bytes, block->n_bytes);
	}
	part->n_blocks++;
	return WN_OK;
}

/* ---------------------------------------------------------------------------- columns */

static const struct block *
block_of(const struct part *part, uint16_t column)
{
	for (size_t i = 0; i < part->n_blocks; i++)
		if (part->blocks[i].column == column)
			return &part->blocks[i];
	return NULL;
}

static wn_status
unpack(const struct part *part, const struct wn_grains_shape *shape, const struct block *b,
       const uint64_t *source, uint64_t **values, uint8_t **missing, wn_err *err)
{
	size_t n = part->is.rows[b->rows];
	struct wn_grains_base base = {
	    .owner_row = shape && b->rows == WN_ROWS_GRAIN ? shape->owner_row : NULL,
	    .source = source};
	*values = wn_calloc(n, sizeof **values);
	*missing = wn_calloc((n + 7) / 8, 1);
	if (!*values || !*missing) {
		wn_free(*values);
		wn_free(*missing);
		*values = NULL;
		*missing = NULL;
		return wn_no_memory(err);
	}
	if (b->state == WN_STATE_NONE || b->state == WN_STATE_LEFT_OUT)
		memset(*missing, 0xff, (n + 7) / 8);
	else
		wn_grains_unpack(b->code, &base, b->bytes, b->width, b->state, n, *values,
		                 *missing);
	return WN_OK;
}

wn_status
store_column(const struct page *p, const struct part *part, const struct wn_grains_shape *shape,
             uint16_t column, uint64_t **values, uint8_t **missing, wn_err *err)
{
	(void)p;
	const struct block *b = block_of(part, column), *other = NULL;
	const struct wn_grains_column_info *info = wn_grains_column_info(column);
	uint64_t *source = NULL;
	uint8_t *source_missing = NULL;
	wn_status st = WN_OK;
	*values = NULL;
	*missing = NULL;
	if (!b)
		return WN_E_EMPTY;
	/* a difference column refers to one that is not a difference itself, except to its own */
	if (info && b->code == WN_CODE_OWNER && info->source != column)
		other = block_of(part, info->source);
	if (other && (other->rows != b->rows || other->code == WN_CODE_OWNER))
		return damaged(err, &part->is, "has a column that refers to another in vain");
	if (other)
		st = unpack(part, shape, other, NULL, &source, &source_missing, err);
	if (st == WN_OK)
		st = unpack(part, shape, b, source, values, missing, err);
	wn_free(source);
	wn_free(source_missing);
	return st;
}

/* ---------------------------------------------------------------------------- rows SUMMARY */

static const uint16_t summary_columns[] = {
    WN_COLUMN_NODE,     WN_COLUMN_SIZE,      WN_COLUMN_GROUP_KIND, WN_COLUMN_N_MEMBERS,
    WN_COLUMN_N_GRAINS, WN_COLUMN_SUM_WORK,  WN_COLUMN_SPAN,       WN_COLUMN_N_CRITICAL,
    WN_COLUMN_SHAPE,    WN_COLUMN_MAIN_SITE, WN_COLUMN_N_PROBLEM,  WN_COLUMN_BEST,
};
static const uint16_t chunk_columns[] = {
    WN_COLUMN_NODE_KIND, WN_COLUMN_CLOSES, WN_COLUMN_KIND,     WN_COLUMN_FLAGS,
    WN_COLUMN_SITE,      WN_COLUMN_WORK,   WN_COLUMN_PROBLEMS,
}; /* the first two are the tree, the last holds problem bits */
/* not part of rows, but drawn on demand */
static const uint16_t kept_columns[] = {
    WN_COLUMN_ID,
    WN_COLUMN_N_PREDECESSORS,
    WN_COLUMN_PREDECESSOR,
};

static bool
is_among(const uint16_t *columns, size_t n, uint16_t column)
{
	for (size_t i = 0; i < n; i++)
		if (columns[i] == column)
			return true;
	return false;
}

bool
page_is_for_pictures(uint8_t kind, uint16_t column)
{
	bool is_count =
	    column >= WN_COLUMN_PROBLEM && column < WN_COLUMN_PROBLEM + PAGE_PROBLEMS_MAX;
	bool is_summary =
	    is_count ||
	    is_among(summary_columns, sizeof summary_columns / sizeof *summary_columns, column);
	if (kind == WN_PART_TIER)
		return is_summary;
	bool is_kept = is_among(kept_columns, sizeof kept_columns / sizeof *kept_columns, column);
	return kind == WN_PART_CHUNK &&
	       (is_summary || is_kept ||
	        is_among(chunk_columns, sizeof chunk_columns / sizeof *chunk_columns, column));
}

static uint32_t
least(uint64_t value)
{
	return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

static void
set_summary(const struct page *p, struct row *r, uint16_t column, uint64_t v)
{
	switch (column) {
	case WN_COLUMN_NODE:
		r->node = least(v);
		break;
	case WN_COLUMN_SIZE: /* after the node */
		r->end = least(v) > UINT32_MAX - r->node ? UINT32_MAX : r->node + least(v);
		break;
	case WN_COLUMN_GROUP_KIND:
		r->kind = v <= ROW_SIBLING ? (uint8_t)v : ROW_GRAIN;
		break;
	case WN_COLUMN_N_MEMBERS:
		r->n_members = least(v);
		break;
	case WN_COLUMN_N_GRAINS:
		r->n_grains = least(v);
		break;
	case WN_COLUMN_SUM_WORK:
		r->work_ns = v;
		break;
	case WN_COLUMN_SPAN:
		r->span_ns = v;
		break;
	case WN_COLUMN_BEST:
		r->best_ns = v;
		break;
	case WN_COLUMN_N_CRITICAL:
		r->flags = v ? PAGE_NODE_CRITICAL : 0;
		break;
	case WN_COLUMN_SHAPE:
		r->shape = v + 1;
		break;
	case WN_COLUMN_MAIN_SITE:
		r->site = least(v);
		r->colour = page_colour(p, r->site);
		break;
	default:
		break;
	}
}

static void
free_counts(struct part *part)
{
	for (size_t k = 0; k < PARTS_OF_COUNTS; k++)
		wn_free(part->counts[k]);
	memset(part->counts, 0, sizeof part->counts);
}

static bool
set_count(struct part *part, uint32_t problem, uint32_t n, uint32_t row, uint32_t count)
{
	uint32_t **own = &part->counts[problem];
	if (!*own && count && !(*own = wn_calloc(n, sizeof **own)))
		return false;
	if (*own)
		(*own)[row] = count;
	return true;
}

static wn_status
read_summary(const struct page *p, struct part *part, wn_err *err)
{
	uint32_t n = part->is.rows[WN_ROWS_SUMMARY];
	wn_status st = WN_OK;
	if (n == 0)
		return WN_OK;
	/* nodes ascend, so each row takes at least a byte, which bounds the allocation */
	const struct block *nodes = block_of(part, WN_COLUMN_NODE);
	if (n > 1 && (!nodes || nodes->n_bytes < n))
		return damaged(err, &part->is, "has a group that cannot be");
	struct row *rows = wn_calloc(n, sizeof *rows);
	if (!rows)
		st = wn_no_memory(err);
	free_counts(part);
	for (size_t k = 0; st == WN_OK && k < part->n_blocks; k++) {
		uint16_t column = part->blocks[k].column;
		uint32_t problem = column - (uint32_t)WN_COLUMN_PROBLEM;
		if (column == WN_COLUMN_N_PROBLEM)
			problem = PAGE_PROBLEMS_MAX;
		uint64_t *values;
		uint8_t *missing;
		if (part->blocks[k].rows != WN_ROWS_SUMMARY ||
		    !page_is_for_pictures(WN_PART_TIER, column))
			continue;
		if ((st = store_column(p, part, NULL, column, &values, &missing, err)) != WN_OK)
			break;
		for (uint32_t i = 0; i < n; i++)
			if (column == WN_COLUMN_N_PROBLEM || column >= WN_COLUMN_PROBLEM)
				st = set_count(part, problem, n, i, least(values[i]))
				         ? st
				         : wn_no_memory(err);
			else if (!wn_grains_is_missing(missing, i))
				set_summary(p, &rows[i], column, values[i]);
		wn_free(values);
		wn_free(missing);
	}
	for (uint32_t i = 0; st == WN_OK && i < n; i++) {
		struct row *r = &rows[i];
		uint64_t shared = r->work_ns / p->run.n_cores + (r->work_ns % p->run.n_cores != 0);
		if (r->best_ns < shared || r->best_ns < r->span_ns) /* nothing can be faster */
			r->best_ns = r->span_ns > shared ? r->span_ns : shared;
		if (r->end <= r->node + 1 || r->end > p->run.n_nodes || r->kind == ROW_GRAIN ||
		    (i > 0 && r->node <= rows[i - 1].node))
			st = damaged(err, &part->is, "has a group that cannot be");
	}
	if (st != WN_OK) {
		wn_free(rows);
		return st;
	}
	wn_free(part->summary.at);
	part->summary = (struct rows){rows, n};
	return WN_OK;
}

/* Sorts groups of both tiers and links them to their parents. */
static wn_status
merge_tiers(struct page *p, wn_err *err)
{
	const struct rows *a = &p->tiers[0].summary, *b = &p->tiers[1].summary;
	uint32_t n = a->n + b->n;
	struct row *rows = wn_calloc(n, sizeof *rows);
	if (!rows)
		return wn_no_memory(err);
	for (uint32_t i = 0, x = 0, y = 0; i < n; i++)
		rows[i] = y == b->n || (x < a->n && a->at[x].node < b->at[y].node) ? a->at[x++]
		                                                                   : b->at[y++];
	/* before the loop below, a parent is an index of rows */
	for (uint32_t i = 0, in = NO_NODE; i < n; i++) {
		while (in != NO_NODE && rows[in].end <= rows[i].node)
			in = rows[in].parent;
		if ((i > 0 && rows[i].node == rows[i - 1].node) ||
		    (in != NO_NODE && rows[i].end > rows[in].end) || (in == NO_NODE && i > 0)) {
			wn_free(rows);
			return damaged(err, &p->tiers[1].is,
			               "has groups that are not in one another");
		}
		rows[i].parent = in;
		rows[i].is_of_tier = true;
		in = i;
	}
	for (uint32_t i = n; i-- > 0;)
		if (rows[i].parent != NO_NODE)
			rows[i].parent = rows[rows[i].parent].node;
	wn_free(p->groups.at);
	p->groups = (struct rows){rows, n};
	page_fold_none(p);
	return WN_OK;
}

/* ---------------------------------------------------------------------------- chunks */

static void
free_shape(struct page_chunk *c)
{
	wn_free(c->shape.parent);
	wn_free(c->shape.end);
	wn_free(c->shape.row);
	wn_free(c->shape.owner_row);
	wn_free(c->kinds);
	memset(&c->shape, 0, sizeof c->shape);
	c->kinds = NULL;
}

wn_status
store_shape(struct page *p, struct page_chunk *c, wn_err *err)
{
	uint64_t *kinds = NULL, *closes = NULL;
	uint8_t *missing = NULL, *other = NULL;
	struct wn_grains_shape *s = &c->shape;
	wn_status st = store_column(p, &c->part, NULL, WN_COLUMN_NODE_KIND, &kinds, &missing, err);
	if (st == WN_OK)
		st = store_column(p, &c->part, NULL, WN_COLUMN_CLOSES, &closes, &other, err);
	if (st == WN_E_EMPTY)
		st = damaged(err, &c->part.is, "has no tree");
	free_shape(c);
	if (st == WN_OK && (!(c->kinds = wn_calloc(c->n_nodes, 1)) ||
	                    !(s->parent = wn_calloc(c->n_nodes, sizeof *s->parent)) ||
	                    !(s->end = wn_calloc(c->n_nodes, sizeof *s->end)) ||
	                    !(s->row = wn_calloc(c->n_nodes, sizeof *s->row)) ||
	                    !(s->owner_row = wn_calloc(c->n_grains, sizeof *s->owner_row))))
		st = wn_no_memory(err);
	if (st == WN_OK) {
		for (uint32_t i = 0; i < c->n_nodes; i++)
			c->kinds[i] = kinds[i] <= ROW_SIBLING ? (uint8_t)kinds[i] : UINT8_MAX;
		s->n_nodes = c->n_nodes;
		s->n_grains = c->n_grains;
		s->n_groups = c->n_nodes - c->n_grains;
		s->kind = c->kinds;
		if (!wn_grains_shape(s, closes, c->part.is.n_open) ||
		    s->n_left_open != c->part.is.rows[WN_ROWS_SUMMARY])
			st = damaged(err, &c->part.is, "is no tree");
	}
	wn_free(kinds);
	wn_free(closes);
	wn_free(missing);
	wn_free(other);
	if (st != WN_OK)
		free_shape(c);
	return st;
}

static void
set_grain(const struct page *p, struct row *r, uint16_t column, uint64_t v)
{
	switch (column) {
	case WN_COLUMN_KIND:
		r->grain_kind = (uint8_t)v;
		break;
	case WN_COLUMN_FLAGS:
		r->flags = (uint8_t)((v & WN_GRAINS_CRITICAL ? PAGE_NODE_CRITICAL : 0) |
		                     (v & WN_GRAINS_ROGUE ? PAGE_NODE_ROGUE : 0) |
		                     (v & WN_GRAINS_ESTIMATED ? PAGE_NODE_ESTIMATED : 0));
		break;
	case WN_COLUMN_SITE:
		r->site = least(v);
		r->colour = page_colour(p, r->site);
		break;
	case WN_COLUMN_WORK:
		r->work_ns = r->span_ns = r->best_ns = v;
		break;
	default:
		break;
	}
}

/* Copies the values of a column to the rows of its grains. */
static wn_status
set_grains(const struct page *p, const struct page_chunk *c, struct row *rows, uint16_t column,
           wn_err *err)
{
	uint64_t *values;
	uint8_t *missing;
	wn_status st = store_column(p, &c->part, &c->shape, column, &values, &missing, err);
	if (st == WN_E_EMPTY)
		return WN_OK;
	if (st != WN_OK)
		return st;
	for (uint32_t i = 0; i < c->n_nodes; i++)
		if (c->kinds[i] == ROW_GRAIN && !wn_grains_is_missing(missing, c->shape.row[i]))
			set_grain(p, &rows[i], column, values[c->shape.row[i]]);
	wn_free(values);
	wn_free(missing);
	return WN_OK;
}

static wn_status
read_problem_bits(struct page *p, struct page_chunk *c, wn_err *err)
{
	uint64_t *problems;
	uint8_t *missing;
	if (!problem_bits_shape(c, c->kinds))
		return wn_no_memory(err);
	wn_status st =
	    store_column(p, &c->part, &c->shape, WN_COLUMN_PROBLEMS, &problems, &missing, err);
	if (st == WN_E_EMPTY)
		return WN_OK;
	struct snapshot_change change = {p->shown->problem, .chunk = (uint32_t)(c - p->chunks)};
	if (st == WN_OK &&
	    (!problem_bits_read(p, c, problems, missing) || !snapshot_renew(p, &change)))
		st = wn_no_memory(err);
	wn_free(problems);
	wn_free(missing);
	return st;
}

/* Groups that continue in the next chunk have rows of their own. */
static wn_status
set_open(struct page_chunk *c, struct row *rows, wn_err *err)
{
	const struct rows *s = &c->part.summary;
	uint32_t k = 0;
	for (uint32_t i = 0; i < c->n_nodes; i++) {
		if (rows[i].kind == ROW_GRAIN || c->shape.end[i] < c->n_nodes)
			continue;
		bool is_told = k < s->n && s->at[k].node == c->first_node + i;
		if (!is_told)
			continue; /* cut at the end of the chunk */
		uint32_t parent = rows[i].parent;
		uint8_t kind = rows[i].kind;
		if (s->at[k].end <= c->first_node + c->n_nodes || s->at[k].kind != kind)
			return damaged(err, &c->part.is, "has a group that cannot be");
		rows[i] = s->at[k++];
		rows[i].parent = parent;
	}
	return k == s->n ? WN_OK
	                 : damaged(err, &c->part.is, "sums up groups that it does not have");
}

static wn_status
read_chunk(struct page *p, struct page_chunk *c, wn_err *err)
{
	wn_status st = read_summary(p, &c->part, err);
	if (st == WN_OK)
		st = store_shape(p, c, err);
	if (st != WN_OK)
		return st;
	struct row *rows = wn_calloc(c->n_nodes, sizeof *rows);
	if (!rows)
		return wn_no_memory(err);
	for (uint32_t i = 0; i < c->n_nodes; i++) {
		struct row *r = &rows[i];
		r->node = c->first_node + i;
		r->end = c->first_node + c->shape.end[i];
		r->kind = c->kinds[i];
		r->parent = c->shape.parent[i] >= WN_SHAPE_BEFORE
		                ? c->shape.parent[i]
		                : c->first_node + c->shape.parent[i];
		r->n_grains = r->kind == ROW_GRAIN;
		r->site = NO_NODE;
		r->colour = PAGE_NO_COLOUR;
	}
	for (size_t k = 2; st == WN_OK && k + 1 < sizeof chunk_columns / sizeof *chunk_columns; k++)
		st = set_grains(p, c, rows, chunk_columns[k], err);
	if (st == WN_OK)
		st = set_open(c, rows, err);
	if (st == WN_OK)
		st = read_problem_bits(p, c, err);
	if (st != WN_OK) {
		wn_free(rows);
		return st;
	}
	wn_free(c->rows);
	c->rows = rows;
	c->is_linked = false;
	coarse_free(c);
	fold_rows(rows, c->n_nodes, p->run.n_cores);
	fold_shapes(rows, c->n_nodes);
	return WN_OK;
}

/* Sets parents that lie before a chunk, once its enclosing groups are known. */
static void
link_chunk(struct page *p, struct page_chunk *c)
{
	uint32_t n_open = c->part.is.n_open, k = 0, up = c->parent;
	if (c->is_linked || (n_open > 0 && (up >= c->first_node || !page_row(p, up))))
		return;
	/* nodes whose parents lie before follow the order in which groups end: innermost first */
	for (uint32_t i = 0; i < c->n_nodes; i++) {
		struct row *r = &c->rows[i];
		if (r->parent < WN_SHAPE_BEFORE || c->shape.parent[i] < WN_SHAPE_BEFORE)
			continue;
		uint32_t want = c->shape.parent[i] - WN_SHAPE_BEFORE;
		for (; k < want && up != NO_NODE; k++) {
			const struct row *above = page_row(p, up);
			up = above ? above->parent : NO_NODE;
		}
		r->parent = n_open > 0 ? up : NO_NODE;
	}
	c->is_linked = true;
}

void
store_link(struct page *p)
{
	for (uint32_t k = 0; k < p->run.n_chunks; k++)
		if (p->chunks[k].rows)
			link_chunk(p, &p->chunks[k]);
}

static void
free_blocks(struct part *part)
{
	for (size_t i = 0; i < part->n_blocks; i++)
		wn_free(part->blocks[i].bytes);
	wn_free(part->blocks);
	part->blocks = NULL;
	part->n_blocks = part->capacity = 0;
}

wn_status
page_ready(struct page *p, uint8_t kind, uint32_t number, wn_err *err)
{
	struct part *part = part_of(p, kind, number);
	wn_status st;
	if (!part)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "there is no such part");
	if (kind == WN_PART_CHUNK) {
		st = read_chunk(p, &p->chunks[number], err);
	} else {
		st = read_summary(p, part, err);
		free_blocks(part); /* all data is in rows now */
		if (st == WN_OK)
			st = merge_tiers(p, err);
	}
	if (st != WN_OK)
		return st;
	store_link(p);
	p->version++;
	return WN_OK;
}

/* ---------------------------------------------------------------------------- the end */

static void
free_part(struct part *part)
{
	free_blocks(part);
	wn_free(part->summary.at);
	free_counts(part);
	part->summary = (struct rows){NULL, 0};
}

void
store_empty(struct page_chunk *c)
{
	free_part(&c->part);
	free_shape(c);
}

void
page_drop(struct page *p, uint32_t chunk)
{
	if (chunk >= p->run.n_chunks)
		return;
	struct page_chunk *c = &p->chunks[chunk];
	store_empty(c);
	wn_free(c->severity);
	c->severity = NULL;
	wn_free(c->values);
	c->values = NULL;
	wn_free(c->edges);
	c->edges = NULL;
	c->n_edges = 0;
	c->has_edges = false;
	wn_free(c->rows);
	c->rows = NULL;
	coarse_free(c);
	c->is_linked = false;
	/* parts that began in it may be linked by others */
	for (uint32_t k = chunk + 1; k < p->run.n_chunks; k++)
		if (p->chunks[k].rows && p->chunks[k].part.is.n_open > 0)
			p->chunks[k].is_linked &= page_row(p, p->chunks[k].parent) != NULL;
	p->version++;
}

void
store_free(struct page *p)
{
	free_part(&p->tiers[0]);
	free_part(&p->tiers[1]);
	for (uint32_t k = 0; p->chunks && k < p->run.n_chunks; k++) {
		store_empty(&p->chunks[k]);
		wn_free(p->chunks[k].severity);
		wn_free(p->chunks[k].values);
		wn_free(p->chunks[k].edges);
		wn_free(p->chunks[k].rows);
		coarse_free(&p->chunks[k]);
		problem_bits_free(&p->chunks[k]);
	}
	wn_free(p->groups.at);
}
