/* SPDX-License-Identifier: MIT */
/* text_table.h - prints columns as wide as needed, and narrower on a narrow terminal. Private to
 * this folder. */
#pragma once

#include "report/terminal.h"

#define TABLE_COLUMNS_MAX 10
#define TABLE_CELL_BYTES  160
#define TABLE_INDENT      2

struct table_column {
	const char *title;
	bool is_right;   /* numbers */
	int least_width; /* least width when cut; 0 = never cut */
	enum terminal_style style;
};

struct table {
	const struct table_column *columns;
	size_t n_columns;
	char (*cells)[TABLE_CELL_BYTES]; /* [rows][n_columns] */
	size_t n_rows, n_cells, capacity;
	bool is_out_of_memory;
	/* Columns that are left out, in this order, where the others are at their least width and
	 * the table is still too wide. */
	const unsigned char *dropped;
	size_t n_dropped;
};

/* Adds a cell; rows fill from the left. Longer texts are cut. */
void table_add(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Prints header and rows, and releases the cells. Empty columns are omitted. */
void table_print(struct table *t, struct terminal *s);
