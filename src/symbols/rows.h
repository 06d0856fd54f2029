/* SPDX-License-Identifier: MIT */
/*
 * rows.h - the line table of a compilation unit: rows (address, file, line) sorted by address.
 * A row holds from its address to the next row's.
 */
#ifndef WN_SYMBOLS_ROWS_H
#define WN_SYMBOLS_ROWS_H

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

/* Reads the table of the unit with this DIE; none readable: n = 0. */
void wn_rows_read(struct wn_rows *rows, Dwarf_Die *unit);

/*
 * The line of an address: of the last row at or before it, as addr2line has it; but of a
 * function's first row for its entry, where later rows of the same address already belong to the
 * body. Code that belongs to no line (line 0) gets the nearest line before it, down to `floor`.
 */
struct wn_row_line wn_rows_find(const struct wn_rows *rows, uint64_t addr, bool is_entry,
                                uint64_t floor);

/* Is any code in [begin, end) of `file`, at `line` or after? O(rows in between). */
bool wn_rows_reach(const struct wn_rows *rows, uint64_t begin, uint64_t end, const char *file,
                   int line);

#endif /* WN_SYMBOLS_ROWS_H */
