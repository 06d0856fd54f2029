/* SPDX-License-Identifier: MIT */
#include "report/text_table.h"

#include "base/mem.h"

#include <stdarg.h>
#include <string.h>

#define GAP 2 /* blanks between columns */

void
table_add(struct table *t, const char *fmt, ...)
{
	if (wn_grow(&t->cells, &t->capacity, t->n_cells + 1, sizeof *t->cells) != 0) {
		t->is_out_of_memory = true;
		return;
	}
	va_list args;
	va_start(args, fmt);
	vsnprintf(t->cells[t->n_cells++], TABLE_CELL_BYTES, fmt, args);
	va_end(args);
	t->n_rows = t->n_cells / t->n_columns;
}

static const char *
cell(const struct table *t, size_t row, size_t column)
{
	return t->cells[row * t->n_columns + column];
}

static int
natural_width(const struct table *t, const struct terminal *s, size_t column)
{
	int width = 0;
	for (size_t row = 0; row < t->n_rows; row++) {
		int columns = terminal_columns(s, cell(t, row, column));
		width = columns > width ? columns : width;
	}
	int title = terminal_columns(s, t->columns[column].title);
	return width == 0 ? 0 : width > title ? width : title;
}

/* Narrows the widest column that may be cut, one character at a time, until the table fits. Returns
 * the columns that are still too many. */
static int
shrink(const struct table *t, int *widths, int too_much)
{
	for (; too_much > 0; too_much--) {
		size_t widest = t->n_columns;
		for (size_t i = 0; i < t->n_columns; i++) {
			int least = t->columns[i].least_width;
			if (least == 0 || widths[i] <= least)
				continue;
			if (widest == t->n_columns || widths[i] > widths[widest])
				widest = i;
		}
		if (widest == t->n_columns)
			break;
		widths[widest]--;
	}
	return too_much;
}

/* Makes the table fit, by cutting texts, then by leaving columns out; what those leave free, the
 * texts get back. */
static void
fit(const struct table *t, int *natural, int *widths, int width)
{
	int total = TABLE_INDENT - GAP;
	for (size_t i = 0; i < t->n_columns; i++)
		total += natural[i] ? natural[i] + GAP : 0;
	memcpy(widths, natural, sizeof *widths * t->n_columns);
	for (size_t k = 0; shrink(t, widths, total - width) > 0 && k < t->n_dropped; k++) {
		size_t column = t->dropped[k];
		total -= natural[column] ? natural[column] + GAP : 0;
		natural[column] = 0;
		memcpy(widths, natural, sizeof *widths * t->n_columns);
	}
}

static void
print_row(const struct table *t, struct terminal *s, const int *widths, const char *const *texts,
          bool is_header)
{
	terminal_left(s, STYLE_PLAIN, TABLE_INDENT - GAP, "");
	for (size_t i = 0; i < t->n_columns; i++) {
		enum terminal_style style = is_header ? STYLE_FAINT : t->columns[i].style;
		if (widths[i] == 0)
			continue;
		terminal_left(s, STYLE_PLAIN, GAP, "");
		if (t->columns[i].is_right)
			terminal_right(s, style, widths[i], texts[i]);
		else
			terminal_left(s, style, widths[i], texts[i]);
	}
	terminal_end(s);
}

void
table_print(struct table *t, struct terminal *s)
{
	int natural[TABLE_COLUMNS_MAX], widths[TABLE_COLUMNS_MAX];
	const char *texts[TABLE_COLUMNS_MAX];
	for (size_t i = 0; i < t->n_columns; i++) {
		natural[i] = natural_width(t, s, i);
		texts[i] = t->columns[i].title;
	}
	fit(t, natural, widths, s->style.width);
	print_row(t, s, widths, texts, true);
	for (size_t row = 0; row < t->n_rows; row++) {
		for (size_t i = 0; i < t->n_columns; i++)
			texts[i] = cell(t, row, i);
		print_row(t, s, widths, texts, false);
	}
	s->lacks_memory |= t->is_out_of_memory;
	wn_free(t->cells);
	t->cells = NULL;
	t->n_rows = t->n_cells = t->capacity = 0;
}
