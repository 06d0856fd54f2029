/* SPDX-License-Identifier: MIT */
/* test_table.c - tables in traces: what is written is read, and rule V11. */
#include "tests/tap.h"
#include "trace/hash.h"
#include "trace/trace_table.h"

#include "base/mem.h"
#include "graph/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 20000u /* more than a block holds of any column */

static double numbers[ROWS], halves[ROWS], tasks[ROWS], zeros[ROWS], found[ROWS];
static uint32_t texts[ROWS], found_texts[ROWS];
static uint64_t first[ROWS + 1], values[3 * ROWS + 5000], n_listed[ROWS], sum_listed[ROWS];
static uint8_t is_missing[ROWS];

static char *
make(size_t *size)
{
	size_t room = 4u << 20;
	char *bytes = calloc(room, 1);
	FILE *to = fmemopen(bytes, room, "w");
	struct wn_table_writer *w = wn_table_writer_new(to, "cycles", "a test");
	wn_err err;
	uint64_t n = 0;
	wn_table_add_fact(w, "file", "in.csv");
	uint32_t a = wn_table_add_text(w, "one", 3), b = wn_table_add_text(w, "two", 3);
	for (uint32_t i = 0; i < ROWS; i++) {
		tasks[i] = i + 1;
		zeros[i] = 0;
		numbers[i] = i % 7 == 0 ? (double)NAN : (double)((uint64_t)i << 40);
		halves[i] = i % 100 < 50 ? i / 2.0 - 1000 : i;
		texts[i] = i % 3 == 0 ? WN_NO_TEXT : i % 3 == 1 ? a : b;
		first[i] = n;
		is_missing[i] = i % 5 == 0;
		uint64_t length = i == 777 ? 5000 : i % 4;
		for (uint64_t k = 0; !is_missing[i] && k < length; k++)
			values[n++] = k * 1000 + i;
	}
	first[ROWS] = n;
	wn_table_put_numbers(w, wn_table_add_column(w, "task", "", WN_CELL_NUMBER, false), tasks,
	                     ROWS);
	wn_table_put_numbers(w, wn_table_add_column(w, "parent", "", WN_CELL_NUMBER, false), zeros,
	                     ROWS);
	wn_table_put_numbers(w, wn_table_add_column(w, "joins_at", "", WN_CELL_NUMBER, false),
	                     zeros, ROWS);
	wn_table_put_numbers(
	    w, wn_table_add_column(w, "work_cycles", "cycles", WN_CELL_NUMBER, true), tasks, ROWS);
	wn_table_put_numbers(w, wn_table_add_column(w, "big", "bytes", WN_CELL_NUMBER, false),
	                     numbers, ROWS);
	wn_table_put_numbers(w, wn_table_add_column(w, "half", "", WN_CELL_NUMBER, false), halves,
	                     ROWS);
	wn_table_put_texts(w, wn_table_add_column(w, "tag", "", WN_CELL_TEXT, false), texts, ROWS);
	wn_table_put_lists(w, wn_table_add_column(w, "list", "", WN_CELL_LIST, false), values,
	                   first, is_missing, ROWS);
	ok(wn_table_writer_end(w, ROWS, 3, &err) == WN_OK, "a table is written");
	fclose(to);
	*size = ((const struct wn_trace_header *)(const void *)bytes)->end_bytes;
	return bytes;
}

static struct wn_trace *
open_bytes(const char *bytes, size_t size)
{
	struct wn_trace *trace = NULL;
	wn_err err;
	ok(wn_trace_open_bytes(bytes, size, &trace, &err) == WN_OK, "it is opened");
	return trace;
}

static bool
are_same(const double *a, const double *b, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++)
		if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i])))
			return false;
	return true;
}

static void
take_list(void *user, uint64_t row, uint64_t at, const uint64_t *list, size_t n)
{
	(void)user;
	for (size_t i = 0; i < n; i++)
		sum_listed[row] += list[i] == (at + i) * 1000 + row;
	n_listed[row] += n;
}

static uint32_t
read_column(const struct wn_trace *trace, const char *name)
{
	uint32_t column = wn_table_find(wn_trace_table(trace), name);
	if (column != WN_NO_COLUMN)
		wn_table_numbers(trace, column, found);
	return column;
}

static void
test_whole(const char *bytes, size_t size)
{
	struct wn_trace *trace = open_bytes(bytes, size);
	const struct wn_table *table = wn_trace_table(trace);
	const struct wn_damage *d = wn_trace_damage(trace);
	ok(table && table->n_rows == ROWS && table->n_lost == 3 && table->n_columns == 8,
	   "it has its rows and columns");
	ok(!d->n_bad_blocks && !d->n_gaps && !d->is_cut, "and no damage");
	ok(strcmp(wn_trace_unit(trace), "cycles") == 0 &&
	       strcmp(wn_table_fact(table, "file"), "in.csv") == 0 && !wn_table_fact(table, "fil"),
	   "its unit and its facts are told");
	ok(read_column(trace, "big") != WN_NO_COLUMN && are_same(found, numbers, 0, ROWS),
	   "whole numbers are exact, missing ones missing");
	ok(read_column(trace, "half") != WN_NO_COLUMN && are_same(found, halves, 0, ROWS),
	   "so are negative ones and fractions");
	ok(read_column(trace, "none") == WN_NO_COLUMN, "a column that is not there is not found");
	wn_table_texts(trace, wn_table_find(table, "tag"), found_texts);
	ok(memcmp(found_texts, texts, sizeof texts) == 0 &&
	       strcmp(table->texts[texts[2]], "two") == 0,
	   "texts are found");
	wn_table_lists(trace, wn_table_find(table, "list"), take_list, NULL);
	bool are_lists = true;
	for (uint32_t i = 0; i < ROWS; i++)
		are_lists &= n_listed[i] == first[i + 1] - first[i] && sum_listed[i] == n_listed[i];
	ok(are_lists, "lists are read, the long one too");
	struct wn_graph *g;
	wn_err err;
	ok(wn_graph_build(trace, &g, &err) == WN_OK && wn_graph_check(g, &err) == WN_OK &&
	       g->span_ns == ROWS && g->n == ROWS + 1,
	   "its graph obeys the laws");
	wn_graph_free(g);
	wn_trace_close(trace);
}

static struct wn_block_header *
block(char *bytes, size_t k)
{
	return (void *)(bytes + WN_HEADER_BYTES + k * WN_SLOT_BYTES);
}

static void
rehash(char *bytes, size_t k)
{
	struct wn_block_header *h = block(bytes, k);
	h->hash = wn_block_hash(h, h + 1, h->used_bytes - sizeof *h);
}

/* A graph of what is left must obey the laws, whatever that is. */
static bool
is_usable(const struct wn_trace *trace)
{
	struct wn_graph *g = NULL;
	wn_err err;
	struct wn_trace *t = (struct wn_trace *)(uintptr_t)trace;
	wn_status st = wn_graph_build(t, &g, &err);
	bool is = st == WN_E_EMPTY || (st == WN_OK && wn_graph_check(g, &err) == WN_OK);
	wn_graph_free(g);
	return is;
}

static void
test_damage(char *bytes, size_t size)
{
	size_t n_blocks = (size - WN_HEADER_BYTES) / WN_SLOT_BYTES;
	ok(n_blocks > 4, "the table has several blocks");
	for (size_t k = 0; k < n_blocks; k++) {
		((char *)(block(bytes, k) + 1))[40] ^= 1;
		struct wn_trace *trace = open_bytes(bytes, size);
		const struct wn_damage *d = wn_trace_damage(trace);
		ok(d->n_bad_blocks == 1 && (d->n_gaps == 1 || k + 1 == n_blocks) &&
		       is_usable(trace),
		   "V11: without block %zu there is a gap, and the rest is used", k);
		read_column(trace, "half");
		bool is_kept = true;
		for (uint32_t i = 0; i < wn_trace_table(trace)->n_rows; i++)
			is_kept &= isnan(found[i]) || are_same(found, halves, i, i + 1);
		ok(is_kept, "V11: what is read of it is right");
		wn_trace_close(trace);
		((char *)(block(bytes, k) + 1))[40] ^= 1;
	}
}

static void
test_v11(char *bytes, size_t size)
{
	/* the last block's first record claims more than there is */
	size_t last = (size - WN_HEADER_BYTES) / WN_SLOT_BYTES - 1;
	struct wn_process_record *r = (void *)(block(bytes, 1) + 1);
	uint32_t n_bytes = r->bytes;
	r->bytes = UINT32_MAX;
	rehash(bytes, 1);
	struct wn_trace *trace = open_bytes(bytes, size);
	ok(wn_trace_damage(trace)->n_bad_blocks == 0 && is_usable(trace),
	   "V11: a record that does not fit its block ends it");
	wn_trace_close(trace);
	r->bytes = n_bytes;
	rehash(bytes, 1);

	uint32_t sequence = block(bytes, 2)->sequence;
	block(bytes, 2)->sequence = 1;
	rehash(bytes, 2);
	trace = open_bytes(bytes, size);
	ok(wn_trace_damage(trace)->n_gaps == 1 && is_usable(trace),
	   "V11: of two blocks of one number the first counts");
	wn_trace_close(trace);
	block(bytes, 2)->sequence = sequence;
	rehash(bytes, 2);

	block(bytes, last)->kind = WN_BLOCK_SEALED;
	block(bytes, last)->thread_index = 0;
	block(bytes, last)->used_bytes = sizeof(struct wn_block_header);
	rehash(bytes, last);
	trace = open_bytes(bytes, size);
	ok(!wn_trace_table(trace) && wn_trace_n_threads(trace) == 1,
	   "V11: where there is a thread's block, the table is not looked at");
	wn_trace_close(trace);
}

/* A record of a column of a few bytes names thousands before it. */
static void
test_many_columns(char *bytes, size_t size)
{
	struct wn_block_header *h = block(bytes, 0);
	uint8_t *at = (uint8_t *)(h + 1), *end = (uint8_t *)h + h->used_bytes;
	struct wn_process_record r;
	bool is_found = false;
	for (; at + sizeof r <= end && !is_found; at += sizeof r + ((r.bytes + 7) & ~7u)) {
		uint32_t number = 4000;
		memcpy(&r, at, sizeof r);
		is_found = r.type == WN_TABLE_COLUMN;
		if (is_found)
			memcpy(at + sizeof r, &number, sizeof number);
	}
	rehash(bytes, 0);
	struct wn_trace *trace = open_bytes(bytes, size);
	const struct wn_table *table = wn_trace_table(trace);
	ok(is_found && table->n_columns == 4001 &&
	       table->n_rows * table->n_columns <= (1u << 20) + 64 * size && is_usable(trace),
	   "V11: there are no more cells than the bytes stand for");
	wn_trace_close(trace);
}

/* The number of rows is that of a record, which may claim anything. */
static void
test_claims(char *bytes, size_t size)
{
	size_t last = (size - WN_HEADER_BYTES) / WN_SLOT_BYTES - 1;
	struct wn_block_header *h = block(bytes, last);
	uint64_t claim = UINT64_C(1) << 60;
	memcpy((char *)h + h->used_bytes - sizeof(struct wn_table_size), &claim, sizeof claim);
	rehash(bytes, last);
	struct wn_trace *trace = open_bytes(bytes, size);
	ok(wn_trace_table(trace)->n_rows <= size, "V11: there are no more rows than bytes");
	wn_trace_close(trace);
}

int
main(void)
{
	size_t size;
	char *bytes = make(&size);
	test_whole(bytes, size);
	test_damage(bytes, size);
	test_claims(bytes, size);
	free(bytes);
	bytes = make(&size);
	test_v11(bytes, size);
	free(bytes);
	bytes = make(&size);
	test_many_columns(bytes, size);
	free(bytes);
	ok(wn_mem_live() == 0, "nothing is left in memory");
	return done();
}
