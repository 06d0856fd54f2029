/* SPDX-License-Identifier: MIT */
/* table_blocks.c - reads the table of grains of an imported trace. */
#include "trace/trace_table.h"

#include "base/error.h"
#include "base/mem.h"
#include "trace/trace_private.h"

#include <math.h>
#include <string.h>

/* Bound on the cells of a table, so that some may be lost: a constant, and more for each byte of
 * cells. */
#define FREE_CELLS     (UINT64_C(1) << 20)
#define CELLS_PER_BYTE 64u

/* Iterates over the records of all blocks. */
struct walk {
	const struct wn_trace *trace;
	size_t block;
	const uint8_t *next, *end;
	uint32_t type;
	const uint8_t *payload;
	uint32_t n_bytes;
};

static bool
walk_next(struct walk *w)
{
	for (;;) {
		struct wn_process_record r;
		while ((size_t)(w->end - w->next) < sizeof r) {
			if (w->block == w->trace->n_table_blocks)
				return false;
			const struct block_ref *b = &w->trace->table_blocks[w->block++];
			w->next = w->trace->bytes + b->offset + sizeof(struct wn_block_header);
			w->end = w->trace->bytes + b->offset + b->used_bytes;
		}
		memcpy(&r, w->next, sizeof r);
		w->payload = w->next + sizeof r;
		size_t left = (size_t)(w->end - w->payload);
		if (r.bytes > left) { /* a record that does not fit ends the block */
			w->next = w->end;
			continue;
		}
		size_t padded = ((size_t)r.bytes + 7) & ~(size_t)7;
		w->next = padded > left ? w->end : w->payload + padded;
		w->type = r.type;
		w->n_bytes = r.bytes;
		return true;
	}
}

static struct walk
walk_begin(const struct wn_trace *trace)
{
	static const uint8_t nothing[1];
	return (struct walk){.trace = trace, .next = nothing, .end = nothing};
}

static char *
copy_text(const uint8_t *bytes, size_t n)
{
	char *text = wn_calloc(n + 1, 1);
	if (text && n)
		memcpy(text, bytes, n);
	return text;
}

/* Names are used in expressions, table headers and on terminals: replaces all other characters. */
static void
make_word(char *text)
{
	static const char good[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:-";
	for (; *(text += strspn(text, good)); text++)
		*text = '_';
}

/* Columns come in the order of their numbers; a lost column has no name. */
static wn_status
take_column(struct wn_table *table, const struct walk *w, wn_err *err)
{
	struct wn_table_column_record r;
	if (w->n_bytes < sizeof r)
		return WN_OK;
	memcpy(&r, w->payload, sizeof r);
	if (r.number >= WN_TABLE_COLUMNS_MAX ||
	    (uint64_t)r.name_bytes + r.unit_bytes > w->n_bytes - sizeof r)
		return WN_OK;
	if (wn_grow(&table->columns, &table->columns_capacity, (size_t)r.number + 1,
	            sizeof *table->columns) != 0)
		return wn_no_memory(err);
	while (table->n_columns <= r.number)
		table->columns[table->n_columns++] = (struct wn_table_column){.cell = 0};
	struct wn_table_column *c = &table->columns[r.number];
	if (c->name || r.cell < WN_CELL_NUMBER || r.cell > WN_CELL_LIST)
		return WN_OK;
	char *name = copy_text(w->payload + sizeof r, r.name_bytes);
	char *unit = copy_text(w->payload + sizeof r + r.name_bytes, r.unit_bytes);
	if (!name || !unit) {
		wn_free(name);
		wn_free(unit);
		return wn_no_memory(err);
	}
	make_word(name);
	make_word(unit);
	*c = (struct wn_table_column){name, unit, (enum wn_cell_kind)r.cell, r.is_derived != 0};
	return WN_OK;
}

static wn_status
take_text(const struct wn_trace *t, struct wn_table *table, const struct walk *w, wn_err *err)
{
	uint32_t number;
	if (w->n_bytes < sizeof number)
		return WN_OK;
	memcpy(&number, w->payload, sizeof number);
	if (number > t->table_bytes / 8)
		return WN_OK;
	if (wn_grow(&table->texts, &table->texts_capacity, (size_t)number + 1,
	            sizeof *table->texts) != 0)
		return wn_no_memory(err);
	while (table->n_texts <= number)
		table->texts[table->n_texts++] = NULL;
	if (table->texts[number])
		return WN_OK;
	table->texts[number] = copy_text(w->payload + sizeof number, w->n_bytes - sizeof number);
	return table->texts[number] ? WN_OK : wn_no_memory(err);
}

static wn_status
take_fact(struct wn_table *table, const struct walk *w, wn_err *err)
{
	if (wn_grow(&table->facts, &table->facts_capacity, (size_t)table->n_facts + 1,
	            sizeof *table->facts) != 0)
		return wn_no_memory(err);
	char *fact = copy_text(w->payload, w->n_bytes);
	if (!fact)
		return wn_no_memory(err);
	table->facts[table->n_facts++] = fact;
	return WN_OK;
}

static void
take_size(const struct wn_trace *t, struct wn_table *table, const struct walk *w)
{
	struct wn_table_size r;
	if (w->n_bytes < sizeof r)
		return;
	memcpy(&r, w->payload, sizeof r);
	table->n_rows = r.n_rows < t->table_bytes ? r.n_rows : t->table_bytes;
	table->n_lost = r.n_lost;
}

/* A row takes a number in each column, and a byte in each column's cells, missing or not. A
 * damaged table may have more rows than remaining cells, but within a bound. */
static void
bound_rows(const struct wn_trace *t, struct wn_table *table)
{
	uint64_t most_cells = FREE_CELLS + CELLS_PER_BYTE * t->table_bytes;
	if (table->n_columns && table->n_rows > most_cells / table->n_columns)
		table->n_rows = most_cells / table->n_columns;
}

wn_status
table_index(struct wn_trace *t, wn_err *err)
{
	struct walk w = walk_begin(t);
	wn_status st = WN_OK;
	if (!(t->table = wn_calloc(1, sizeof *t->table)))
		return wn_no_memory(err);
	while (st == WN_OK && walk_next(&w)) {
		switch (w.type) {
		case WN_TABLE_SIZE:
			take_size(t, t->table, &w);
			break;
		case WN_TABLE_COLUMN:
			st = take_column(t->table, &w, err);
			break;
		case WN_TABLE_TEXT:
			st = take_text(t, t->table, &w, err);
			break;
		case WN_TABLE_FACT:
			st = take_fact(t->table, &w, err);
			break;
		default:
			break;
		}
	}
	bound_rows(t, t->table);
	return st;
}

void
table_free(struct wn_table *table)
{
	if (!table)
		return;
	for (uint32_t i = 0; i < table->n_columns; i++) {
		union {
			const char *shown;
			void *owned;
		} name = {table->columns[i].name}, unit = {table->columns[i].unit};
		wn_free(name.owned);
		wn_free(unit.owned);
	}
	for (uint32_t i = 0; i < table->n_texts; i++)
		wn_free(table->texts[i]);
	for (uint32_t i = 0; i < table->n_facts; i++)
		wn_free(table->facts[i]);
	WN_FREE_ALL(table->columns, table->texts, table->facts, table);
}

const struct wn_table *
wn_trace_table(const struct wn_trace *t)
{
	return t->table;
}

const char *
wn_trace_unit(const struct wn_trace *t)
{
	return t->header.clock_kind == WN_CLOCK_CYCLES ? "cycles" : "ns";
}

uint32_t
wn_table_find(const struct wn_table *table, const char *name)
{
	for (uint32_t i = 0; i < table->n_columns; i++)
		if (table->columns[i].name && strcmp(table->columns[i].name, name) == 0)
			return i;
	return WN_NO_COLUMN;
}

const char *
wn_table_fact(const struct wn_table *table, const char *name)
{
	size_t n = strlen(name);
	for (uint32_t i = 0; i < table->n_facts; i++)
		if (strncmp(table->facts[i], name, n) == 0 && table->facts[i][n] == '=')
			return table->facts[i] + n + 1;
	return NULL;
}

/* Returns false at the end of the bytes, or if the number has more than ten bytes. */
static inline bool
take_varint(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
	*value = 0;
	for (unsigned shift = 0; shift < 70 && *at < end; shift += 7) {
		uint8_t byte = *(*at)++;
		*value |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

/* Finds the next VALUES record of a column, clipped to the number of rows. */
static bool
next_values(struct walk *w, uint32_t column, struct wn_table_values *r)
{
	while (walk_next(w)) {
		if (w->type != WN_TABLE_VALUES || w->n_bytes < sizeof *r)
			continue;
		memcpy(r, w->payload, sizeof *r);
		uint64_t n_rows = w->trace->table->n_rows;
		if (r->column != column || r->first_row >= n_rows)
			continue;
		if (r->n_cells > n_rows - r->first_row)
			r->n_cells = (uint32_t)(n_rows - r->first_row);
		return true;
	}
	return false;
}

uint64_t
wn_table_numbers(const struct wn_trace *trace, uint32_t column, double *out)
{
	struct walk w = walk_begin(trace);
	struct wn_table_values r;
	uint64_t n_known = 0;
	for (uint64_t row = 0; row < trace->table->n_rows; row++)
		out[row] = (double)NAN;
	while (next_values(&w, column, &r)) {
		const uint8_t *at = w.payload + sizeof r, *end = w.payload + w.n_bytes;
		double *to = out + r.first_row;
		for (uint32_t i = 0; i < r.n_cells; i++) {
			uint64_t value;
			if (r.is_double) {
				if (end - at < 8)
					break;
				memcpy(&to[i], at, 8);
				at += 8;
			} else {
				if (!take_varint(&at, end, &value))
					break;
				to[i] = value ? (double)(value - 1) : (double)NAN;
			}
			n_known += isnan(to[i]) ? 0 : 1;
		}
	}
	return n_known;
}

uint64_t
wn_table_texts(const struct wn_trace *trace, uint32_t column, uint32_t *out)
{
	struct walk w = walk_begin(trace);
	struct wn_table_values r;
	uint64_t n_known = 0;
	for (uint64_t row = 0; row < trace->table->n_rows; row++)
		out[row] = WN_NO_TEXT;
	while (next_values(&w, column, &r)) {
		const uint8_t *at = w.payload + sizeof r, *end = w.payload + w.n_bytes;
		for (uint32_t i = 0; i < r.n_cells; i++) {
			uint64_t value;
			if (!take_varint(&at, end, &value))
				break;
			if (value == 0 || value > trace->table->n_texts ||
			    !trace->table->texts[value - 1])
				continue;
			out[r.first_row + i] = (uint32_t)(value - 1);
			n_known++;
		}
	}
	return n_known;
}

#define LIST_PIECE 512u

/* Passes n varints to the caller in batches. Returns false where the bytes end. */
static bool
give_list(const uint8_t **at, const uint8_t *end, uint64_t row, uint64_t first, uint64_t n,
          wn_list_fn *call, void *user)
{
	uint64_t values[LIST_PIECE] = {0};
	do {
		size_t piece = n < LIST_PIECE ? (size_t)n : LIST_PIECE;
		for (size_t i = 0; i < piece; i++)
			if (!take_varint(at, end, &values[i]))
				return false;
		call(user, row, first, values, piece);
		first += piece;
		n -= piece;
	} while (n > 0);
	return true;
}

void
wn_table_lists(const struct wn_trace *trace, uint32_t column, wn_list_fn *call, void *user)
{
	struct walk w = walk_begin(trace);
	while (walk_next(&w)) {
		const uint8_t *end = w.payload + w.n_bytes;
		if (w.type == WN_TABLE_LIST && w.n_bytes >= sizeof(struct wn_table_list)) {
			struct wn_table_list r;
			memcpy(&r, w.payload, sizeof r);
			const uint8_t *at = w.payload + sizeof r;
			if (r.column == column && r.row < trace->table->n_rows && r.n_values)
				give_list(&at, end, r.row, r.first, r.n_values, call, user);
		}
		if (w.type != WN_TABLE_VALUES || w.n_bytes < sizeof(struct wn_table_values))
			continue;
		struct wn_table_values r;
		memcpy(&r, w.payload, sizeof r);
		const uint8_t *at = w.payload + sizeof r;
		for (uint64_t i = 0; r.column == column && i < r.n_cells; i++) {
			uint64_t code, row = r.first_row + i;
			if (row >= trace->table->n_rows || !take_varint(&at, end, &code))
				break;
			if (code >= 2 && !give_list(&at, end, row, 0, code - 2, call, user))
				break;
		}
	}
}
