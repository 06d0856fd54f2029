/* SPDX-License-Identifier: MIT */
/* rows.h - the line table of a compilation unit: rows (address, file, line) sorted by address.
 * A row holds from its address to the next row's. */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>

struct wn_rows {
	Dwarf_Lines *lines;
	size_t n;
};

struct wn_row_line {
	const char *file; /* borrowed from libdw; NULL = unknown */
	int line;         /* 0 = unknown */
	bool is_exact;    /* false: the nearest line before an address that has none */
};

/* Reads the table of the unit with this DIE; n = 0 if it is unreadable. */
void wn_rows_read(struct wn_rows *rows, Dwarf_Die *unit);

/* Returns the line of an address: of the last row at or before it, as addr2line does; but of a
 * function's first row for its entry, where later rows of the same address already belong to the
 * body. Code without a line (line 0) gets the nearest line before it, down to `floor`. */
struct wn_row_line wn_rows_find(const struct wn_rows *rows, uint64_t addr, bool is_entry,
                                uint64_t floor);

/* Returns whether any code in [begin, end) belongs to `file`, at `line` or after. O(rows in
 * between). */
bool wn_rows_reach(const struct wn_rows *rows, uint64_t begin, uint64_t end, const char *file,
                   int line);
