/* SPDX-License-Identifier: MIT */
/*
 * trace_table.h - reads and writes the table of grains of an imported trace (rule V11 of
 * trace_format.h).
 *
 * A column is read as a whole, on request: only names and texts are kept. A missing or lost cell
 * is NAN, WN_NO_TEXT, or omitted.
 */
#pragma once

#include "trace/trace_reader.h"

#include <stdio.h>

#define WN_NO_COLUMN UINT32_MAX
#define WN_NO_TEXT   UINT32_MAX

#define WN_TABLE_COLUMNS_MAX 4096u /* columns of larger numbers are not read */

struct wn_table_column {
	const char *name, *unit; /* unit "" = a plain number */
	enum wn_cell_kind cell;
	bool is_derived; /* computed at import */
};

struct wn_table {
	uint64_t n_rows;
	uint64_t n_lost; /* rows of the imported file that were left out */
	struct wn_table_column *columns;
	uint32_t n_columns;
	char **texts; /* by number; NULL where one was lost */
	uint32_t n_texts;
	char **facts; /* NAME=VALUE */
	uint32_t n_facts;
	size_t columns_capacity, texts_capacity, facts_capacity;
};

/* The table, or NULL if the trace was recorded. Valid until close. */
const struct wn_table *wn_trace_table(const struct wn_trace *trace);

/* "ns", or "cycles" if their duration is unknown. */
const char *wn_trace_unit(const struct wn_trace *trace);

/* Returns the column of that name, or WN_NO_COLUMN. */
uint32_t wn_table_find(const struct wn_table *table, const char *name);

/* Returns the value of a fact, or NULL. */
const char *wn_table_fact(const struct wn_table *table, const char *name);

/**
 * Reads a column of numbers, or of texts.
 *
 * @param out  [n_rows] is filled.
 * @return number of cells that are not missing.
 * Cost     O(bytes of the table's blocks).
 */
uint64_t wn_table_numbers(const struct wn_trace *trace, uint32_t column, double *out);
uint64_t wn_table_texts(const struct wn_trace *trace, uint32_t column, uint32_t *out);

/* Part of the list in one cell: values[n], the first one at `first` in the list. Parts of a row
 * come in order. An empty list is one call with n = 0. */
typedef void wn_list_fn(void *user, uint64_t row, uint64_t first, const uint64_t *values, size_t n);
void wn_table_lists(const struct wn_trace *trace, uint32_t column, wn_list_fn *call, void *user);

/* Writes a table. Errors are stored, and returned at the end. */
struct wn_table_writer;

/* `unit` is that of times: "ns" or "cycles"; `command` is the origin of the table. NULL: no
 * memory. */
struct wn_table_writer *wn_table_writer_new(FILE *to, const char *unit, const char *command);

/* Adds a column and returns its number. `name` and `unit` have at most 200 bytes; longer ones are
 * truncated. */
uint32_t wn_table_add_column(struct wn_table_writer *w, const char *name, const char *unit,
                             enum wn_cell_kind cell, bool is_derived);
/* Adds a text of at most 60000 bytes and returns its number. */
uint32_t wn_table_add_text(struct wn_table_writer *w, const char *text, size_t n_bytes);
void wn_table_add_fact(struct wn_table_writer *w, const char *name, const char *value);

/* Writes a whole column. Nonnegative whole numbers are stored as integers. */
void wn_table_put_numbers(struct wn_table_writer *w, uint32_t column, const double *values,
                          uint64_t n);
void wn_table_put_texts(struct wn_table_writer *w, uint32_t column, const uint32_t *texts,
                        uint64_t n);
/* Lists by row: row r has values[first[r]] .. values[first[r + 1] - 1]; missing if is_missing[r].
 */
void wn_table_put_lists(struct wn_table_writer *w, uint32_t column, const uint64_t *values,
                        const uint64_t *first, const uint8_t *is_missing, uint64_t n);

/* Writes remaining data and the header, frees the writer. WN_OK · WN_E_IO. `to` stays open. */
WN_MUST_CHECK wn_status wn_table_writer_end(struct wn_table_writer *w, uint64_t n_rows,
                                            uint64_t n_lost, wn_err *err);
