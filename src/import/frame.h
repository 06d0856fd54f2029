/* SPDX-License-Identifier: MIT */
/*
 * frame.h - a table in memory while it is being imported: columns of numbers, of texts, one of
 * lists. Private to this folder.
 */
#ifndef WN_IMPORT_FRAME_H
#define WN_IMPORT_FRAME_H

#include "import/import.h"
#include "trace/trace_table.h"

struct frame_column {
	char *name;
	enum wn_cell_kind cell;
	bool is_derived;
	double *numbers; /* [n_rows] NAN = missing */
	uint32_t *texts; /* [n_rows] WN_NO_TEXT = missing */
};

/* Lists of all rows, one after the other; oldest value first. */
struct frame_lists {
	uint64_t *values;
	size_t n_values, values_capacity;
	uint64_t *first;     /* [n_rows + 1] */
	uint8_t *is_missing; /* [n_rows] */
};

struct frame {
	const char *path; /* as given, for messages */
	size_t n_rows;
	uint32_t *line; /* [n_rows] where the row is in the file */
	struct frame_column *columns;
	size_t n_columns, columns_capacity;
	bool is_ns;               /* the file says that its times are nanoseconds */
	struct frame_lists waits; /* of wait_instants; first == NULL: there is no such column */

	char **texts; /* distinct ones, by number */
	size_t n_texts, texts_capacity;
	uint32_t *text_hash; /* open addressing, number + 1 */
	size_t text_hash_size;

	struct wn_import_result *result; /* notes go here */
};

void frame_fini(struct frame *f);

/* Notes for the user. `is_loss`: not all of the file was used. */
void frame_note(struct frame *f, bool is_loss, const char *fmt, ...) WN_PRINTF(3, 4);

/* The column, or NULL. */
struct frame_column *frame_find(const struct frame *f, const char *name);

/* A new column without cells, all missing; NULL when memory ran out. */
struct frame_column *frame_add(struct frame *f, const char *name, enum wn_cell_kind cell,
                               bool is_derived);

/* The number of a text, entered if new; WN_NO_TEXT when memory ran out. */
uint32_t frame_text(struct frame *f, const char *bytes, size_t n);

/* A cell's text, NULL if missing. */
const char *frame_text_at(const struct frame *f, const struct frame_column *c, size_t row);

/* A cell as a number: "12", "1.5e3", "0x1f", TRUE. False: it is none. */
bool cell_number(const char *text, size_t n, double *value);
bool cell_is_missing(const char *text, size_t n);

/* Keeps the rows with keep[row], in the order of order[] (indices of rows), n of them. */
wn_status frame_select(struct frame *f, const uint32_t *order, size_t n, wn_err *err);

/* A list "[0;30;10]" (newest first, the first one a placeholder) as values, oldest first. False:
 * memory ran out. *is_bad: it is no such list. Call for rows in order. */
bool frame_put_waits(struct frame *f, size_t row, const char *text, size_t n, bool *is_bad);

/* csv.c, graphml.c: fill the frame. */
wn_status csv_read(struct frame *f, const char *bytes, size_t n, wn_err *err);
wn_status graphml_read(struct frame *f, const char *bytes, size_t n, wn_err *err);

/* Adds what an instruction-level file says, by task. */
wn_status csv_join(struct frame *f, const char *path, const char *bytes, size_t n, wn_err *err);

/* Who is whose child. Entry n_rows of first_child is that of what has parent 0. */
struct parents {
	uint32_t *parent;      /* [n_rows] row; n_rows = none */
	uint32_t *first_child; /* [n_rows + 2] in children */
	uint32_t *children;    /* [n_rows] rows; of one parent by joins_at, child number */
};

wn_status parents_make(const struct frame *f, struct parents *k, wn_err *err);
void parents_fini(struct parents *k);

/* "chunk_0_8" is one, with first iteration 0; "chunk_start" is none. */
bool is_iteration_chunk(const char *metadata);
bool is_chunk(const char *metadata);
/* Are there chunks? Then child numbers are those of a schedule, and no name of a grain. */
bool frame_has_loops(const struct frame *f);

/* tidy.c: leaves out what cannot be used, puts parents before children, and says so. */
wn_status frame_tidy(struct frame *f, wn_err *err);

/* derive.c: the columns that the file does not bring. */
wn_status frame_derive(struct frame *f, wn_err *err);

#endif /* WN_IMPORT_FRAME_H */
