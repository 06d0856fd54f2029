/* SPDX-License-Identifier: MIT */
/* frame.h - the in-memory table during an import: columns of numbers, columns of texts, one of
 * lists. Private to this folder. */
#pragma once

#include "import/import.h"
#include "trace/trace_table.h"

struct frame_column {
	char *name;
	enum wn_cell_kind cell;
	bool is_derived;
	double *numbers; /* [n_rows] NAN = missing */
	uint32_t *texts; /* [n_rows] WN_NO_TEXT = missing */
};

/* The lists of all rows, concatenated; oldest value first. */
struct frame_lists {
	uint64_t *values;
	size_t n_values, values_capacity;
	uint64_t *first;     /* [n_rows + 1] */
	uint8_t *is_missing; /* [n_rows] */
};

struct frame {
	const char *path; /* as given, for messages */
	size_t n_rows;
	uint32_t *line; /* [n_rows] line in the file */
	struct frame_column *columns;
	size_t n_columns, columns_capacity;
	bool is_ns;               /* the file states that its times are nanoseconds */
	struct frame_lists waits; /* from wait_instants; first == NULL: there is no such column */

	char **texts; /* distinct ones, by number */
	size_t n_texts, texts_capacity;
	uint32_t *text_hash; /* open addressing, number + 1 */
	size_t text_hash_size;

	struct wn_import_result *result; /* receives notes */
};

void frame_fini(struct frame *f);

/* Adds a note for the user. `is_loss`: part of the file was not used. */
void frame_note(struct frame *f, bool is_loss, const char *fmt, ...) WN_PRINTF(3, 4);

/* Returns the column, or NULL. */
struct frame_column *frame_find(const struct frame *f, const char *name);

/* Adds a column without cells, all missing; NULL when memory ran out. */
struct frame_column *frame_add(struct frame *f, const char *name, enum wn_cell_kind cell,
                               bool is_derived);

/* Returns the number of a text, entered if new; WN_NO_TEXT when memory ran out. */
uint32_t frame_text(struct frame *f, const char *bytes, size_t n);

/* Returns a cell's text, NULL if missing. */
const char *frame_text_at(const struct frame *f, const struct frame_column *c, size_t row);

/* Parses a cell as a number: "12", "1.5e3", "0x1f", TRUE. Returns false if it is not one. */
bool cell_number(const char *text, size_t n, double *value);
bool cell_is_missing(const char *text, size_t n);

/* Keeps n rows, with keep[row] set, in the order of order[] (indices of rows). */
wn_status frame_select(struct frame *f, const uint32_t *order, size_t n, wn_err *err);

/* Allocates the lists of waits, for all rows. Returns false when memory ran out. */
bool frame_begin_waits(struct frame *f);

/* Parses a list "[0;30;10]" (newest first, the first one a placeholder) into values, oldest first.
 * Returns false when memory ran out; sets *is_bad for malformed lists. Call for rows in order. */
bool frame_put_waits(struct frame *f, size_t row, const char *text, size_t n, bool *is_bad);

/* read_csv.c, read_graphml.c: fill the frame. */
wn_status csv_read(struct frame *f, const char *bytes, size_t n, wn_err *err);
wn_status graphml_read(struct frame *f, const char *bytes, size_t n, wn_err *err);

/* Adds the columns of an instruction-level file, by task. */
wn_status csv_join(struct frame *f, const char *path, const char *bytes, size_t n, wn_err *err);

/* Parents and children. Entry n_rows of first_child is for rows with parent 0. */
struct parents {
	uint32_t *parent;      /* [n_rows] row; n_rows = none */
	uint32_t *first_child; /* [n_rows + 2] in children */
	uint32_t *children;    /* [n_rows] rows; of one parent by joins_at, child number */
};

wn_status parents_make(const struct frame *f, struct parents *k, wn_err *err);
void parents_fini(struct parents *k);

/* Whether metadata is an iteration range: "chunk_0_8", with first iteration 0, but not
 * "chunk_start". */
bool is_iteration_chunk(const char *metadata);
bool is_chunk(const char *metadata);
/* Returns whether there are chunks. Then child numbers depend on the schedule, and do not name
 * grains. */
bool frame_has_loops(const struct frame *f);

/* tidy.c: drops unusable rows, sorts parents before children, and adds notes. */
wn_status frame_tidy(struct frame *f, wn_err *err);

/* derive.c: computes the columns that the file lacks. */
wn_status frame_derive(struct frame *f, wn_err *err);
