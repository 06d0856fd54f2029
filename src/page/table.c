/* SPDX-License-Identifier: MIT */
/* table.c - loads parts of run.grains and decodes a chunk's columns. */
#include "base/error.h"
#include "base/mem.h"
#include "page/table_private.h"

#include <string.h>

wn_status
table_new(struct table **out, wn_err *err)
{
	struct table *t = wn_calloc(1, sizeof *t);
	if (!t)
		return wn_no_memory(err);
	for (int k = 0; k < TABLE_NUMBERS_N; k++)
		t->numbers[k] = MISSING;
	*out = t;
	return WN_OK;
}

static void
forget_block(struct table_block *b)
{
	wn_free(b->raw);
	wn_free(b->values);
	wn_free(b->missing);
	memset(b, 0, sizeof *b);
}

void
table_forget_part(struct table *t)
{
	struct table_block *families[] = {t->blocks, t->extras, t->groups};
	size_t n[] = {TABLE_BLOCKS_N, TABLE_EXTRAS_MAX, TABLE_GROUPS_N};
	for (size_t f = 0; f < 3; f++)
		for (size_t k = 0; k < n[f]; k++)
			forget_block(&families[f][k]);
	wn_free(t->kinds);
	wn_free(t->shape.parent);
	wn_free(t->shape.end);
	wn_free(t->shape.row);
	wn_free(t->shape.owner_row);
	wn_free(t->node_of);
	wn_free(t->fork_join);
	wn_free(t->open);
	memset(&t->shape, 0, sizeof t->shape);
	t->kinds = NULL;
	t->node_of = NULL;
	t->fork_join = NULL;
	t->open = NULL;
	t->n_rows = 0;
}

void
table_end(struct table *t)
{
	if (!t)
		return;
	table_forget_part(t);
	for (int k = 0; k < TABLE_LOOPS_N; k++)
		wn_free(t->loops[k]);
	wn_free(t->regions);
	wn_free(t->above);
	wn_free(t->spine);
	for (uint32_t k = 0; k < t->n_extras; k++)
		wn_free(t->extra_names[k]);
	for (uint32_t k = 0; k < t->n_problems; k++)
		wn_free(t->problems[k].name);
	wn_free(t->items);
	wn_free(t->sites);
	table_cut_metrics(t, 0);
	wn_free(t->metrics);
	wn_free(t);
}

void
table_number(struct table *t, enum table_number which, double value)
{
	t->numbers[which] = value;
}

static char *
copy(const char *text)
{
	size_t n = strlen(text);
	char *out = wn_calloc(n + 1, 1);
	if (out)
		memcpy(out, text, n);
	return out;
}

wn_status
table_extra(struct table *t, const char *name, const char *fold, wn_err *err)
{
	enum wn_fold rule = WN_FOLD_NONE;
	if (t->n_extras == TABLE_EXTRAS_MAX)
		return wn_fail(err, WN_E_LIMIT, WN_NO_OFFSET, "too many columns");
	char *own = copy(name);
	if (!own)
		return wn_no_memory(err);
	if (wn_fold_named(fold, strlen(fold), &rule) && rule < WN_FOLD_AGAIN)
		t->folds[t->n_extras] = (uint8_t)rule;
	t->extra_names[t->n_extras++] = own;
	return WN_OK;
}

/* Returns the built-in type of that name; -1: there is none. */
static int
type_of_problem(const char *name)
{
	int type = WN_PROBLEM_N - 1;
	while (type >= 0 && strcmp(wn_problem_types[type].name, name) != 0)
		type--;
	return type;
}

wn_status
table_problem(struct table *t, const char *name, bool is_below, double threshold, wn_err *err)
{
	if (t->n_problems == TABLE_PROBLEMS_MAX)
		return wn_fail(err, WN_E_LIMIT, WN_NO_OFFSET, "too many problem types");
	char *own = copy(name);
	if (!own)
		return wn_no_memory(err);
	int type = type_of_problem(name);
	const char *column =
	    type < 0 ? name : wn_column_def_of_problem((enum wn_problem)type)->name;
	t->problems[t->n_problems++] = (struct table_problem){
	    .name = own,
	    .type = type,
	    .column = table_find(t, column, strlen(column)),
	    .threshold = threshold,
	    .given = threshold,
	    .is_below = is_below,
	};
	return WN_OK;
}

enum wn_fold
table_fold(const struct table *t, uint32_t k)
{
	if (k < WN_COLUMN_DEFS_N)
		return wn_column_defs[k].fold;
	return k - WN_COLUMN_DEFS_N < t->n_extras ? (enum wn_fold)t->folds[k - WN_COLUMN_DEFS_N]
	                                          : WN_FOLD_NONE;
}

void
table_imported(struct table *t)
{
	t->is_imported = true;
}

void
table_threshold(struct table *t, uint32_t problem, double threshold)
{
	if (problem < t->n_problems)
		t->problems[problem].threshold = threshold;
}

/* --------------------------------------------------------------------------------------- parts */

static bool
is_kept_group_column(uint32_t column)
{
	return column == WN_COLUMN_NODE || column == WN_COLUMN_SIZE ||
	       column == WN_COLUMN_GROUP_KIND ||
	       (column >= WN_COLUMN_ALL_SIBLINGS_SUM && column <= WN_COLUMN_ALL_SIBLINGS_N);
}

bool
table_needs_groups(const struct table *t)
{
	return t->wants_groups && !t->has_groups;
}

bool
table_needs_part(const struct table *t, uint32_t part_kind)
{
	return (part_kind == WN_PART_LOOPS && t->wants_loops && !t->has_loops) ||
	       (part_kind == WN_PART_REGIONS && t->wants_regions && !t->has_regions) ||
	       (part_kind == WN_PART_ABOVE && t->wants_above && !t->has_above);
}

bool
table_needs(const struct table *t, uint32_t part_kind, uint32_t column, uint32_t rows)
{
	if (part_kind == WN_PART_LOOPS)
		return rows == WN_ROWS_TABLE && column >= WN_COLUMN_LOOP_REGION &&
		       column < WN_COLUMN_LOOP_REGION + TABLE_LOOPS_N;
	if (part_kind == WN_PART_REGIONS)
		return rows == WN_ROWS_TABLE &&
		       (column == WN_COLUMN_REGION_NUMBER || column == WN_COLUMN_REGION_FORKING ||
		        column == WN_COLUMN_REGION_N_LOOPS ||
		        column == WN_COLUMN_REGION_N_SECTIONS || column == WN_COLUMN_REGION_SINGLE);
	if (part_kind == WN_PART_ABOVE)
		return rows == WN_ROWS_TABLE && column >= WN_COLUMN_ABOVE_ID &&
		       column < WN_COLUMN_ABOVE_ID + ABOVE_VALUES_N;
	if (part_kind != WN_PART_CHUNK)
		return false;
	if (table_needs_groups(t))
		return rows == WN_ROWS_SUMMARY && is_kept_group_column(column);
	if (rows == WN_ROWS_SUMMARY)
		return false;
	if (rows == WN_ROWS_GRAIN && column >= WN_COLUMN_EXTRA &&
	    column < WN_COLUMN_EXTRA + TABLE_EXTRAS_MAX)
		return t->wants_extra[column - WN_COLUMN_EXTRA];
	return rows != WN_ROWS_LIST && column < TABLE_BLOCKS_N && t->wants >> column & 1;
}

void
table_begin(struct table *t, const struct wn_grains_part *part)
{
	table_forget_part(t);
	t->part = *part;
}

static struct table_block *
block_of(struct table *t, uint32_t column, uint32_t rows)
{
	if (rows == WN_ROWS_SUMMARY || rows == WN_ROWS_TABLE) {
		uint32_t base = t->part.kind == WN_PART_LOOPS     ? WN_COLUMN_LOOP_REGION
		                : t->part.kind == WN_PART_REGIONS ? WN_COLUMN_REGION_PARENT
		                : t->part.kind == WN_PART_ABOVE   ? WN_COLUMN_ABOVE_ID
		                                                  : WN_COLUMN_NODE;
		return column >= base && column - base < TABLE_GROUPS_N ? &t->groups[column - base]
		                                                        : NULL;
	}
	if (column >= WN_COLUMN_EXTRA && column < WN_COLUMN_EXTRA + TABLE_EXTRAS_MAX)
		return &t->extras[column - WN_COLUMN_EXTRA];
	return column < TABLE_BLOCKS_N ? &t->blocks[column] : NULL;
}

wn_status
table_put(struct table *t, const struct wn_grains_block *block, uint8_t *bytes, size_t n_bytes,
          wn_err *err)
{
	const struct wn_grains_column_info *info = wn_grains_column_info(block->column);
	struct table_block *b =
	    block->rows < WN_ROWS_N ? block_of(t, block->column, block->rows) : NULL;
	uint32_t n = b ? t->part.rows[block->rows] : 0;
	bool is_fit = b && !b->raw && n <= WN_GRAINS_PART_ROWS_MAX && block->width <= 8 &&
	              block->code < WN_CODE_N && block->state < WN_STATE_N &&
	              (!info || info->rows == block->rows) &&
	              n_bytes == wn_grains_raw_bytes(block->width, block->state, n);
	if (!is_fit) {
		wn_free(bytes);
		return wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET,
		               "column %u of part %u has %zu bytes, and its rows need others",
		               (unsigned)block->column, (unsigned)t->part.number, n_bytes);
	}
	b->raw = bytes;
	b->width = block->width;
	b->code = block->code;
	b->state = block->state;
	b->n = n;
	b->is_there = true;
	return WN_OK;
}

/* Decodes a block once. A missing or invalid block has no values. */
static wn_status
decode(struct table_block *b, const struct wn_grains_base *base, wn_err *err)
{
	static const struct wn_grains_base nothing;
	if (b->values || !b->is_there || b->state >= WN_STATE_NONE)
		return WN_OK;
	b->values = wn_calloc(b->n + 1u, sizeof *b->values);
	b->missing = b->state == WN_STATE_SOME ? wn_calloc((b->n + 7u) / 8 + 1, 1) : NULL;
	if (!b->values || (b->state == WN_STATE_SOME && !b->missing))
		return wn_no_memory(err);
	static const uint8_t none[1];
	wn_grains_unpack(b->code, base ? base : &nothing, b->raw ? b->raw : none, b->width,
	                 b->state, b->n, b->values, b->missing);
	wn_free(b->raw);
	b->raw = NULL;
	return WN_OK;
}

static wn_status
damaged(const struct table *t, wn_err *err)
{
	return wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET, "part %u of the file is no tree",
	               (unsigned)t->part.number);
}

static wn_status
find_shape(struct table *t, wn_err *err)
{
	struct wn_grains_shape *s = &t->shape;
	uint32_t n = t->part.rows[WN_ROWS_NODE];
	struct table_block *kinds = &t->blocks[WN_COLUMN_NODE_KIND];
	struct table_block *closes = &t->blocks[WN_COLUMN_CLOSES];
	wn_status st;
	WN_TRY(decode(kinds, NULL, err));
	WN_TRY(decode(closes, NULL, err));
	s->n_nodes = n;
	s->n_grains = t->part.rows[WN_ROWS_GRAIN];
	s->n_groups = t->part.rows[WN_ROWS_GROUP];
	if (!kinds->values || !closes->values || kinds->missing || closes->missing)
		WN_TRY(damaged(t, err));
	t->kinds = wn_calloc(n + 1u, 1);
	s->parent = wn_calloc(n + 1u, sizeof *s->parent);
	s->end = wn_calloc(n + 1u, sizeof *s->end);
	s->row = wn_calloc(n + 1u, sizeof *s->row);
	s->owner_row = wn_calloc(s->n_grains + 1u, sizeof *s->owner_row);
	t->node_of = wn_calloc(s->n_grains + 1u, sizeof *t->node_of);
	if (!t->kinds || !s->parent || !s->end || !s->row || !s->owner_row || !t->node_of)
		WN_TRY(wn_no_memory(err));
	for (uint32_t i = 0; i < n; i++)
		t->kinds[i] = kinds->values[i] > 255 ? 255 : (uint8_t)kinds->values[i];
	s->kind = t->kinds;
	if (!wn_grains_shape(s, closes->values, t->part.n_open))
		WN_TRY(damaged(t, err));
	for (uint32_t i = 0; i < n; i++)
		if (t->kinds[i] == WN_GRAINS_NODE_GRAIN)
			t->node_of[s->row[i]] = i;
	/* the shape has all that is in them, in a third of the memory */
	forget_block(kinds);
	forget_block(closes);
out:
	return st;
}

/* Computes the groups that are open at the begin of the chunk, innermost first. */
static wn_status
find_open(struct table *t, wn_err *err)
{
	size_t most = t->part.n_open < t->n_spine ? t->part.n_open : t->n_spine;
	t->n_open = 0;
	t->open = wn_calloc(most + 1, sizeof *t->open);
	if (!t->open)
		return wn_no_memory(err);
	for (size_t k = t->n_spine; k-- > 0 && t->n_open < most;)
		if (t->spine[k].node < t->part.first_node && t->spine[k].end > t->part.first_node)
			t->open[t->n_open++] = (uint32_t)k;
	return WN_OK;
}

static bool
is_before(uint32_t parent)
{
	return parent >= WN_SHAPE_BEFORE;
}

static bool
is_fork_join(const struct table *t, uint32_t group)
{
	if (!is_before(group))
		return t->kinds[group] == WN_GRAINS_NODE_FORK_JOIN;
	uint32_t k = group - WN_SHAPE_BEFORE;
	return k < t->n_open && t->spine[t->open[k]].kind == WN_GRAINS_NODE_FORK_JOIN;
}

/* Returns the fork-join of a grain with siblings: a node, or one before the chunk. */
static void
find_fork_joins(struct table *t)
{
	const struct wn_grains_shape *s = &t->shape;
	for (uint32_t row = 0; row < s->n_grains; row++) {
		uint32_t node = t->node_of[row], group = s->parent[node];
		if (!is_before(group)) {
			/* of its own group: the first member; the group has the siblings */
			if (t->kinds[group] == WN_GRAINS_NODE_LINEAR && group + 1 == node)
				group = s->parent[group];
		} else if (node == 0 && t->n_open > group - WN_SHAPE_BEFORE &&
		           t->spine[t->open[group - WN_SHAPE_BEFORE]].kind ==
		               WN_GRAINS_NODE_LINEAR &&
		           t->spine[t->open[group - WN_SHAPE_BEFORE]].node + 1 ==
		               t->part.first_node) {
			group++;
		}
		t->fork_join[row] = is_fork_join(t, group) ? group : WN_GRAINS_NONE;
	}
}

static wn_status
find_siblings(struct table *t, wn_err *err)
{
	const struct wn_grains_shape *s = &t->shape;
	struct table_block *work = &t->blocks[WN_COLUMN_WORK];
	uint64_t *expected[3] = {0};
	wn_status st = WN_OK;
	t->fork_join = wn_calloc(s->n_grains + 1u, sizeof *t->fork_join);
	for (int k = 0; k < 3; k++)
		expected[k] = wn_calloc(s->n_groups + 1u, sizeof *expected[k]);
	if (!t->fork_join || !expected[0] || !expected[1] || !expected[2])
		WN_TRY(wn_no_memory(err));
	if (work->values) {
		struct wn_grains_expected out = {NULL, expected[0], expected[1], expected[2]};
		wn_grains_expect(s, NULL, work->values, &out);
	}
	for (uint32_t k = 0; k < 3; k++) {
		struct wn_grains_base base = {.expected = expected[k]};
		WN_TRY(decode(&t->blocks[WN_COLUMN_SIBLINGS_SUM + k], &base, err));
	}
	WN_TRY(find_open(t, err));
	find_fork_joins(t);
out:
	for (int k = 0; k < 3; k++)
		wn_free(expected[k]);
	return st;
}

/* Returns the owner of a group, and the group's index among the owner's fork-joins. */
static wn_status
find_owners(struct table *t, wn_err *err)
{
	uint64_t *expected = wn_calloc(t->shape.n_groups + 1u, sizeof *expected);
	wn_status st = WN_OK;
	if (!expected)
		return wn_no_memory(err);
	if (t->blocks[WN_COLUMN_ID].values) {
		struct wn_grains_expected out = {.owner = expected};
		wn_grains_expect(&t->shape, t->blocks[WN_COLUMN_ID].values, NULL, &out);
	}
	struct wn_grains_base base = {.expected = expected};
	WN_TRY(decode(&t->blocks[WN_COLUMN_GROUP_OWNER], &base, err));
	WN_TRY(decode(&t->blocks[WN_COLUMN_GROUP_NUMBER], NULL, err));
out:
	wn_free(expected);
	return st;
}

static wn_status
decode_grains(struct table *t, wn_err *err)
{
	wn_status st = WN_OK;
	/* referenced parts come first */
	static const uint8_t first[] = {WN_COLUMN_ID, WN_COLUMN_SYNC, WN_COLUMN_N_CHILDREN,
	                                WN_COLUMN_WORK};
	for (uint32_t k = 0; k < sizeof first + TABLE_BLOCKS_N; k++) {
		uint32_t column = k < sizeof first ? first[k] : k - (uint32_t)sizeof first;
		const struct wn_grains_column_info *info = wn_grains_column_info(column);
		struct table_block *b = &t->blocks[column];
		if (!info || info->rows != WN_ROWS_GRAIN || !b->is_there)
			continue;
		struct wn_grains_base base = {.owner_row = t->shape.owner_row};
		if (info->source != column)
			base.source = t->blocks[info->source].values;
		if (b->code == WN_CODE_OWNER && info->source != column && !base.source)
			WN_TRY(wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET,
			               "a column of part %u refers to one that is not there",
			               (unsigned)t->part.number));
		WN_TRY(decode(b, &base, err));
	}
	for (uint32_t k = 0; k < t->n_extras; k++)
		WN_TRY(decode(&t->extras[k], NULL, err));
out:
	return st;
}

static wn_status
chunk_ready(struct table *t, wn_err *err)
{
	wn_status st;
	WN_TRY(find_shape(t, err));
	WN_TRY(decode_grains(t, err));
	if (t->wants_siblings)
		WN_TRY(find_siblings(t, err));
	if (t->wants_owners)
		WN_TRY(find_owners(t, err));
	t->n_rows = t->shape.n_grains;
out:
	return st;
}

/* Adds groups that do not end in this chunk to those of earlier chunks. */
static wn_status
keep_groups(struct table *t, wn_err *err)
{
	uint32_t n = t->part.rows[WN_ROWS_SUMMARY];
	wn_status st = WN_OK;
	static const uint8_t columns[] = {WN_COLUMN_NODE,
	                                  WN_COLUMN_SIZE,
	                                  WN_COLUMN_GROUP_KIND,
	                                  WN_COLUMN_ALL_SIBLINGS_SUM,
	                                  WN_COLUMN_ALL_SIBLINGS_MAX,
	                                  WN_COLUMN_ALL_SIBLINGS_N};
	const uint64_t *values[6];
	for (uint32_t k = 0; k < sizeof columns; k++) {
		struct table_block *b = &t->groups[columns[k] - WN_COLUMN_NODE];
		WN_TRY(decode(b, NULL, err));
		values[k] = b->values;
		if (n && !b->values)
			WN_TRY(damaged(t, err));
	}
	if (wn_grow(&t->spine, &t->spine_capacity, t->n_spine + n + 1, sizeof *t->spine) != 0)
		WN_TRY(wn_no_memory(err));
	for (uint32_t i = 0; i < n; i++)
		t->spine[t->n_spine++] = (struct table_group){
		    .node = (uint32_t)values[0][i],
		    .end = (uint32_t)(values[0][i] + values[1][i]),
		    .kind = (uint8_t)values[2][i],
		    .sum = values[3][i],
		    .max = values[4][i],
		    .n = values[5][i],
		};
out:
	return st;
}

/* Tables come in parts, in order. */
static wn_status
keep_loops(struct table *t, wn_err *err)
{
	uint32_t n = t->part.rows[WN_ROWS_TABLE];
	wn_status st = WN_OK;
	for (int k = 0; k < TABLE_LOOPS_N; k++) {
		WN_TRY(decode(&t->groups[k], NULL, err));
		uint64_t *more = wn_realloc(t->loops[k], t->n_loops + n + 1u, sizeof *more);
		if (!more)
			WN_TRY(wn_no_memory(err));
		t->loops[k] = more;
		memset(more + t->n_loops, 0, n * sizeof *more);
		if (t->groups[k].values)
			memcpy(more + t->n_loops, t->groups[k].values, n * sizeof *more);
	}
	t->n_loops += n;
out:
	return st;
}

static wn_status
keep_regions(struct table *t, wn_err *err)
{
	static const uint8_t columns[] = {WN_COLUMN_REGION_NUMBER, WN_COLUMN_REGION_FORKING,
	                                  WN_COLUMN_REGION_N_LOOPS, WN_COLUMN_REGION_N_SECTIONS,
	                                  WN_COLUMN_REGION_SINGLE};
	uint32_t n = t->part.rows[WN_ROWS_TABLE];
	struct table_region *more =
	    wn_realloc(t->regions, t->n_regions + n + 1u, sizeof *t->regions);
	wn_status st = WN_OK;
	if (!more)
		return wn_no_memory(err);
	t->regions = more;
	memset(more + t->n_regions, 0, n * sizeof *more);
	for (uint32_t k = 0; k < REGION_VALUES_N; k++) {
		struct table_block *b = &t->groups[columns[k] - WN_COLUMN_REGION_PARENT];
		WN_TRY(decode(b, NULL, err));
		for (uint32_t i = 0; i < n && b->values; i++)
			more[t->n_regions + i].values[k] = b->values[i];
	}
	t->n_regions += n;
out:
	return st;
}

static wn_status
keep_above(struct table *t, wn_err *err)
{
	uint32_t n = t->part.rows[WN_ROWS_TABLE];
	struct table_above *more = wn_realloc(t->above, t->n_above + n + 1u, sizeof *more);
	wn_status st = WN_OK;
	if (!more)
		return wn_no_memory(err);
	t->above = more;
	for (uint32_t k = 0; k < ABOVE_VALUES_N; k++) {
		struct table_block *b = &t->groups[k];
		WN_TRY(decode(b, NULL, err));
		for (uint32_t i = 0; i < n; i++)
			more[t->n_above + i].values[k] =
			    b->values && !(b->missing && wn_grains_is_missing(b->missing, i))
				? b->values[i]
				: UINT64_MAX;
	}
	t->n_above += n;
out:
	return st;
}

/* Checks the number of rows before allocating, as there may be no columns. */
static bool
has_fit_rows(const struct table *t)
{
	bool is_table = t->part.kind != WN_PART_CHUNK;
	for (int k = 0; k < WN_ROWS_N; k++)
		if (t->part.rows[k] > (is_table ? WN_GRAINS_TABLE : WN_GRAINS_PART_ROWS_MAX))
			return false;
	return true;
}

wn_status
table_ready(struct table *t, wn_err *err)
{
	if (!has_fit_rows(t))
		return damaged(t, err);
	switch (t->part.kind) {
	case WN_PART_LOOPS:
		return keep_loops(t, err);
	case WN_PART_REGIONS:
		return keep_regions(t, err);
	case WN_PART_ABOVE:
		return keep_above(t, err);
	default:
		return table_needs_groups(t) ? keep_groups(t, err) : chunk_ready(t, err);
	}
}

void
table_has_tables(struct table *t)
{
	t->has_loops |= t->wants_loops;
	t->has_regions |= t->wants_regions;
	t->has_above |= t->wants_above;
	t->has_groups |= t->wants_groups;
}

uint32_t
table_rows(const struct table *t)
{
	return t->n_rows;
}

uint32_t
table_node(const struct table *t, uint32_t row)
{
	return row < t->n_rows ? t->part.first_node + t->node_of[row] : WN_GRAINS_NONE;
}

uint32_t
table_site(const struct table *t, uint32_t row)
{
	uint64_t site;
	return table_get(t, WN_COLUMN_SITE, row, &site) ? (uint32_t)site : TABLE_NO_SITE;
}
