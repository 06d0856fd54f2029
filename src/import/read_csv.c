/* SPDX-License-Identifier: MIT */
/* read_csv.c - reads task tables in R's format: RFC 4180, with comments from # on, NA for missing
 * values, and row names where the header has one cell less. Two passes: the first counts the rows
 * and finds the numeric columns. */
#include "import/frame.h"

#include "base/csv.h"
#include "base/error.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define CELLS_MAX 4096u

struct cell {
	const char *text;
	size_t n;
};

struct scan {
	struct wn_csv csv;
	struct cell cells[CELLS_MAX];
	size_t n_cells;
	uint32_t record_line;
	bool is_open; /* the file ended inside quotes */
	bool is_too_wide;
};

/* Reads the cells of the next line that is not empty or a comment. Returns false at the end. */
static bool
next_record(struct scan *s)
{
	while (s->csv.at < s->csv.end) {
		struct wn_csv_field f;
		bool has_text = false;
		s->n_cells = 0;
		s->is_too_wide = false;
		s->csv.room_used = 0;
		s->record_line = (uint32_t)s->csv.line;
		do {
			f = wn_csv_next(&s->csv);
			has_text |= f.is_quoted || f.n > 0 || f.end == WN_CSV_FIELD;
			s->is_open |= f.fault == WN_CSV_OPEN_QUOTE;
			if (s->n_cells < CELLS_MAX)
				s->cells[s->n_cells++] = (struct cell){f.text, f.n};
			else
				s->is_too_wide = true;
		} while (f.end == WN_CSV_FIELD);
		if (has_text)
			return true;
	}
	return false;
}

/* Columns whose cells are texts even if they look like numbers. */
static bool
is_text_column(const char *name)
{
	static const char *const names[] = {"tag",           "metadata",   "source_line", "lineage",
	                                    "chunk_lineage", "parent_tag", "name",        "label",
	                                    "type",          "color",      "shape"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Columns that are recomputed, or unrelated to the grain. */
static bool
is_dropped(const char *name)
{
	static const char *const names[] = {"lineage", "chunk_lineage", "",      "X",
	                                    "label",   "color",         "shape", "parent_ind"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

struct reading {
	struct frame *f;
	struct scan *s;
	char **names; /* [n_names] from the header */
	size_t n_names;
	bool *is_text;  /* [n_names] some cell is not a number */
	size_t skip;    /* 1: each row begins with its name */
	size_t n_rows;  /* counted by the first pass */
	uint64_t n_bad; /* rows with too few or too many cells */
	bool is_first;
};

static wn_status
take_header(struct reading *r, wn_err *err)
{
	struct scan *s = r->s;
	if (!next_record(s))
		return wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET,
		               "%s:1: the file has no header; it must begin with the names of "
		               "columns (task,parent,...)",
		               r->f->path);
	r->n_names = s->n_cells;
	if (s->is_too_wide)
		return wn_fail(err, WN_E_LIMIT, WN_NO_OFFSET,
		               "%s:%u: more than the %zu columns that are read; remove some",
		               r->f->path, s->record_line, r->n_names);
	r->names = wn_calloc(r->n_names, sizeof *r->names);
	r->is_text = wn_calloc(r->n_names, sizeof *r->is_text);
	if (!r->names || !r->is_text)
		return wn_no_memory(err);
	for (size_t i = 0; i < r->n_names; i++) {
		struct cell c = s->cells[i];
		while (c.n && (c.text[c.n - 1] == ' ' || c.text[c.n - 1] == '\t'))
			c.n--;
		while (c.n && (*c.text == ' ' || *c.text == '\t')) {
			c.text++;
			c.n--;
		}
		if (memchr(c.text, 0, c.n))
			return wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET,
			               "%s:%u: a byte 0: this is no text", r->f->path,
			               s->record_line);
		if (!(r->names[i] = wn_calloc(c.n + 1, 1)))
			return wn_no_memory(err);
		memcpy(r->names[i], c.text, c.n);
		r->is_text[i] = is_text_column(r->names[i]);
		for (size_t k = 0; k < i; k++)
			if (*r->names[i] && strcmp(r->names[i], r->names[k]) == 0)
				return wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET,
				               "%s:%u: there are two columns '%.60s'; remove one",
				               r->f->path, s->record_line, r->names[i]);
	}
	return WN_OK;
}

/* Returns whether the line is a row; reports the first that is not. */
static bool
is_row(struct reading *r)
{
	struct scan *s = r->s;
	if (r->is_first && r->n_rows == 0 && r->n_bad == 0 && s->n_cells == r->n_names + 1)
		r->skip = 1;
	if (s->n_cells == r->n_names + r->skip && !s->is_too_wide && !s->is_open)
		return true;
	if (r->is_first && r->n_bad++ == 0) {
		if (s->is_open)
			frame_note(r->f, true,
			           "%s:%u: the file ends inside quotes; this row is left out",
			           r->f->path, s->record_line);
		else
			frame_note(r->f, true,
			           "%s:%u: %zu cells where the header has %zu; rows like this are "
			           "left out: is the file cut?",
			           r->f->path, s->record_line, s->n_cells, r->n_names + r->skip);
	}
	return false;
}

static wn_status
first_pass(struct reading *r, wn_err *err)
{
	struct scan *s = r->s;
	while (next_record(s)) {
		if (!is_row(r))
			continue;
		for (size_t i = 0; i < r->n_names; i++) {
			const struct cell *c = &s->cells[i + r->skip];
			double value;
			if (memchr(c->text, 0, c->n))
				return wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET,
				               "%s:%u: a byte 0: this is no text", r->f->path,
				               s->record_line);
			if (!r->is_text[i] && !cell_is_missing(c->text, c->n) &&
			    !cell_number(c->text, c->n, &value))
				r->is_text[i] = true;
		}
		if (++r->n_rows >= UINT32_MAX - 2)
			return wn_fail(err, WN_E_LIMIT, WN_NO_OFFSET, "%s:%u: too many rows",
			               r->f->path, s->record_line);
	}
	return WN_OK;
}

/* Creates the frame's columns; target[i] = WN_NO_COLUMN if column i is dropped. */
static wn_status
make_columns(struct reading *r, uint32_t *target, wn_err *err)
{
	struct frame *f = r->f;
	f->n_rows = r->n_rows;
	if (!(f->line = wn_calloc(f->n_rows, sizeof *f->line)))
		return wn_no_memory(err);
	for (size_t i = 0; i < r->n_names; i++) {
		target[i] = WN_NO_COLUMN;
		if (is_dropped(r->names[i]) || strcmp(r->names[i], "wait_instants") == 0)
			continue;
		target[i] = (uint32_t)f->n_columns;
		if (!frame_add(f, r->names[i], r->is_text[i] ? WN_CELL_TEXT : WN_CELL_NUMBER,
		               false))
			return wn_no_memory(err);
	}
	return WN_OK;
}

static wn_status
take_cell(struct reading *r, size_t i, uint32_t target, size_t row, wn_err *err)
{
	struct frame *f = r->f;
	const struct cell *c = &r->s->cells[i + r->skip];
	if (f->waits.first && strcmp(r->names[i], "wait_instants") == 0) {
		bool is_bad;
		if (!frame_put_waits(f, row, c->text, c->n, &is_bad))
			return wn_no_memory(err);
		if (is_bad && !f->result->is_damaged)
			frame_note(f, true,
			           "%s:%u: wait_instants is '%.*s', not a list like [0;30;10]; "
			           "taken as not measured",
			           f->path, r->s->record_line, (int)(c->n < 40 ? c->n : 40),
			           c->text);
		return WN_OK;
	}
	if (target == WN_NO_COLUMN || cell_is_missing(c->text, c->n))
		return WN_OK;
	struct frame_column *column = &f->columns[target];
	if (column->cell == WN_CELL_NUMBER) {
		cell_number(c->text, c->n, &column->numbers[row]);
		return WN_OK;
	}
	column->texts[row] = frame_text(f, c->text, c->n);
	return column->texts[row] == WN_NO_TEXT ? wn_no_memory(err) : WN_OK;
}

static wn_status
second_pass(struct reading *r, const uint32_t *target, wn_err *err)
{
	wn_status st = WN_OK;
	for (size_t row = 0; st == WN_OK && row < r->n_rows;) {
		if (!next_record(r->s)) /* the first pass has counted them */
			return wn_no_memory(err);
		if (!is_row(r))
			continue;
		r->f->line[row] = r->s->record_line;
		for (size_t i = 0; st == WN_OK && i < r->n_names; i++)
			st = take_cell(r, i, target[i], row, err);
		row++;
	}
	return st;
}

/* The mark that winnow export writes for a run recorded in nanoseconds. */
static bool
is_in_ns(const char *bytes, size_t n)
{
	static const char mark[] = "# unit: ns";
	return n > sizeof mark && memcmp(bytes, mark, sizeof mark - 1) == 0;
}

wn_status
csv_read(struct frame *f, const char *bytes, size_t n, wn_err *err)
{
	struct scan *s = wn_calloc(1, sizeof *s);
	struct reading r = {.f = f, .s = s, .is_first = true};
	uint32_t *target = NULL;
	wn_status st = WN_OK;
	if (!s || !wn_csv_begin(&s->csv, bytes, n, true))
		WN_TRY(wn_no_memory(err));
	f->is_ns = is_in_ns(bytes, n);
	WN_TRY(take_header(&r, err));
	WN_TRY(first_pass(&r, err));
	if (!(target = wn_calloc(r.n_names, sizeof *target)))
		WN_TRY(wn_no_memory(err));
	WN_TRY(make_columns(&r, target, err));
	for (size_t i = 0; i < r.n_names; i++)
		if (strcmp(r.names[i], "wait_instants") == 0 && !frame_begin_waits(f))
			WN_TRY(wn_no_memory(err));
	f->result->n_lost += r.n_bad;
	r.is_first = false;
	wn_csv_rewind(&s->csv, bytes, n);
	s->is_open = false;
	next_record(s);
	WN_TRY(second_pass(&r, target, err));
out:
	for (size_t i = 0; r.names && i < r.n_names; i++)
		wn_free(r.names[i]);
	WN_FREE_ALL(r.names, r.is_text, target);
	if (s)
		wn_csv_fini(&s->csv);
	wn_free(s);
	return st;
}
