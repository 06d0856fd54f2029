/* SPDX-License-Identifier: MIT */
#include "cli/rank_column.h"

#include <stdlib.h>

struct column {
	FILE *to;
	enum rank_column form;
	uint32_t rank;
	bool is_first; /* of the job */
	bool is_begin; /* of a line, or record */
	bool is_quoted, is_comment;
	bool is_skipped; /* the current line */
	bool had_header;
};

/* Writes the column, if the line that begins with `c` has one, and decides on the line. */
static void
begin_line(struct column *x, char c)
{
	x->is_begin = false;
	x->is_skipped = false;
	if (x->form == RANK_COLUMN_TEXT) {
		if (c != '\n')
			fprintf(x->to, "%*u  ", RANK_COLUMN_WIDTH - 2, x->rank);
		return;
	}
	x->is_comment = c == '#';
	if (x->is_comment || !x->had_header)
		x->is_skipped = !x->is_first;
	if (x->is_comment || x->is_skipped) {
		x->had_header |= !x->is_comment;
		return;
	}
	if (x->had_header)
		fprintf(x->to, "%u,", x->rank);
	else
		fputs("rank,", x->to);
	x->had_header = true;
}

/* Finds the end of the line, or of the record. */
static size_t
line_bytes(struct column *x, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (x->form == RANK_COLUMN_CSV && !x->is_comment && bytes[i] == '"')
			x->is_quoted = !x->is_quoted;
		if (bytes[i] != '\n' || x->is_quoted)
			continue;
		x->is_begin = true;
		return i + 1;
	}
	return n;
}

static ssize_t
write_column(void *cookie, const char *bytes, size_t n)
{
	struct column *x = cookie;
	for (size_t at = 0; at < n;) {
		if (x->is_begin)
			begin_line(x, bytes[at]);
		size_t n_line = line_bytes(x, bytes + at, n - at);
		if (!x->is_skipped)
			fwrite(bytes + at, 1, n_line, x->to);
		at += n_line;
	}
	return ferror(x->to) ? -1 : (ssize_t)n;
}

static int
close_column(void *cookie)
{
	struct column *x = cookie;
	int status = fflush(x->to);
	free(x);
	return status;
}

FILE *
rank_column_open(FILE *to, enum rank_column form, uint32_t rank, bool is_first)
{
	static const cookie_io_functions_t functions = {.write = write_column,
	                                                .close = close_column};
	struct column *x = malloc(sizeof *x);
	if (!x)
		return NULL;
	*x = (struct column){
	    .to = to, .form = form, .rank = rank, .is_first = is_first, .is_begin = true};
	FILE *stream = fopencookie(x, "w", functions);
	if (!stream)
		free(x);
	return stream;
}
