/* SPDX-License-Identifier: MIT */
#include "symbols/rows.h"

#include "base/order.h"

#include <string.h>

/* Number of line rows before an address that are searched for a line. */
#define ROWS_AWAY_MAX 64

struct row {
	Dwarf_Line *entry;
	Dwarf_Addr addr;
	int line;
};

/* Returns row i of the line table; false where a sequence of code ends: such a row covers nothing.
 */
static bool
row_get(const struct wn_rows *rows, size_t i, struct row *out)
{
	bool is_end = true;
	out->entry = dwarf_onesrcline(rows->lines, i);
	return out->entry && dwarf_lineaddr(out->entry, &out->addr) == 0 &&
	       dwarf_lineno(out->entry, &out->line) == 0 &&
	       dwarf_lineendsequence(out->entry, &is_end) == 0 && !is_end;
}

static bool
begins_statement(const struct row *row)
{
	bool begins;
	return dwarf_linebeginstatement(row->entry, &begins) == 0 && begins;
}

static Dwarf_Addr
row_addr(const struct wn_rows *rows, size_t row)
{
	Dwarf_Addr at = 0;
	dwarf_lineaddr(dwarf_onesrcline(rows->lines, row), &at);
	return at;
}

/* Returns the index after the last row at or before addr: 0 if there is none. */
static size_t
row_upper(const struct wn_rows *rows, uint64_t addr)
{
	WN_FIRST_NOT(upper, rows->n, i, row_addr(rows, i) <= addr);
	return upper;
}

void
wn_rows_read(struct wn_rows *rows, Dwarf_Die *unit)
{
	if (dwarf_getsrclines(unit, &rows->lines, &rows->n) != 0)
		*rows = (struct wn_rows){0};
}

struct wn_row_line
wn_rows_find(const struct wn_rows *rows, uint64_t addr, bool is_entry, uint64_t floor)
{
	struct wn_row_line none = {0};
	struct row row, earlier;
	size_t i = row_upper(rows, addr);
	if (i-- == 0 || !row_get(rows, i, &row))
		return none;
	/* the earliest one, but for those that end the code before: they begin no statement */
	for (size_t k = i;
	     is_entry && k > 0 && row_get(rows, k - 1, &earlier) && earlier.addr == addr; k--)
		if (begins_statement(&earlier) || !begins_statement(&row)) {
			row = earlier;
			i = k - 1;
		}

	bool is_exact = row.line != 0;
	for (size_t away = 0; row.line == 0; away++)
		if (i-- == 0 || away == ROWS_AWAY_MAX || !row_get(rows, i, &row) ||
		    row.addr < floor)
			return none;
	const char *file = dwarf_linesrc(row.entry, NULL, NULL);
	return file ? (struct wn_row_line){file, row.line, is_exact} : none;
}

bool
wn_rows_reach(const struct wn_rows *rows, uint64_t begin, uint64_t end, const char *file, int line)
{
	struct row row;
	for (size_t i = row_upper(rows, end - 1); i-- > 0;) {
		if (!row_get(rows, i, &row) || row.addr < begin)
			return false;
		const char *row_file =
		    row.line >= line ? dwarf_linesrc(row.entry, NULL, NULL) : NULL;
		if (row_file && strcmp(row_file, file) == 0)
			return true;
	}
	return false;
}
