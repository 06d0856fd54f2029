/* SPDX-License-Identifier: MIT */
/*
 * csv.h - comma-separated values in memory, one field after the other: RFC 4180. Who reads decides
 * what is wrong with a table: the scanner only says what it met.
 */
#ifndef WN_BASE_CSV_H
#define WN_BASE_CSV_H

#include <stdbool.h>
#include <stddef.h>

enum wn_csv_end { WN_CSV_FIELD, WN_CSV_LINE, WN_CSV_FILE };

enum wn_csv_fault {
	WN_CSV_FINE,
	WN_CSV_OPEN_QUOTE,  /* the text ends inside quotes */
	WN_CSV_AFTER_QUOTE, /* something follows a closing quote */
	WN_CSV_CR           /* a carriage return that ends no line */
};

struct wn_csv_field {
	const char *text; /* [n] without quotes; until the scanner's room is used again */
	size_t n, line;   /* line: where it begins, from 1 */
	bool is_quoted;
	enum wn_csv_end end; /* what follows it */
	enum wn_csv_fault fault;
};

struct wn_csv {
	const char *at, *end;
	size_t line; /* of `at` */
	/* As R reads: comments from # on, blanks before quotes, a carriage return ends a line, and
	 * what follows a closing quote is left out. Else these are faults, after which no field can
	 * be read. */
	bool is_lenient;
	char *room; /* fields that had quotes in quotes */
	size_t room_used;
};

/* Begins with a text, which must outlive the scanner; a byte order mark is skipped if it is
 * lenient. False: out of memory. Release with wn_csv_fini(). */
bool wn_csv_begin(struct wn_csv *s, const char *bytes, size_t n, bool is_lenient);
/* Begins again. */
void wn_csv_rewind(struct wn_csv *s, const char *bytes, size_t n);
void wn_csv_fini(struct wn_csv *s);

/* The next field; the last one of the text ends with WN_CSV_FILE, also an empty one after a last
 * line end. Cost O(bytes). Threads pure. */
struct wn_csv_field wn_csv_next(struct wn_csv *s);

#endif /* WN_BASE_CSV_H */
