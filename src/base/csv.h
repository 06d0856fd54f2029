/* SPDX-License-Identifier: MIT */
/* csv.h - scans comma-separated values in memory, one field at a time (RFC 4180). The scanner
 * reports irregularities; the caller decides which of them are errors. */
#pragma once

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
	const char *text; /* [n] without quotes; valid until the scanner reuses its buffer */
	size_t n, line;   /* line: where it begins, from 1 */
	bool is_quoted;
	enum wn_csv_end end; /* what follows it */
	enum wn_csv_fault fault;
};

struct wn_csv {
	const char *at, *end;
	size_t line; /* line of `at` */
	/* Reads as R does: # starts a comment, blanks before quotes are skipped, a carriage return
	 * ends a line, and text after a closing quote is dropped. Otherwise these are errors,
	 * after which no field can be read. */
	bool is_lenient;
	char *room; /* buffer for fields that contain doubled quotes */
	size_t room_used;
};

/* Starts scanning a text, which must outlive the scanner. A lenient scanner skips a byte order
 * mark. Returns false when memory ran out. Release with wn_csv_fini(). */
bool wn_csv_begin(struct wn_csv *s, const char *bytes, size_t n, bool is_lenient);
/* Restarts the scanner on a text. */
void wn_csv_rewind(struct wn_csv *s, const char *bytes, size_t n);
void wn_csv_fini(struct wn_csv *s);

/* Returns the next field. The last field of the text ends with WN_CSV_FILE; after a final line end
 * this is an empty field. Cost O(bytes). Threads pure. */
struct wn_csv_field wn_csv_next(struct wn_csv *s);
