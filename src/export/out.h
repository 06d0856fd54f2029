/* SPDX-License-Identifier: MIT */
/*
 * out.h - the one writer of all exports: text into a buffer, the buffer into a FILE. A write that
 * fails is remembered; what comes after it is dropped, and wn_out_end() says so.
 *
 * Strings of the program under test (function names, paths) may hold any bytes. They leave this
 * file only through a function that makes them harmless in the format at hand.
 */
#ifndef WN_EXPORT_OUT_H
#define WN_EXPORT_OUT_H

#include "winnow/base.h"

#include <stdio.h>

#define WN_OUT_BYTES 65536

struct wn_out {
	FILE *to; /* borrowed; NULL: all is kept in memory */
	size_t n;
	int error;  /* errno of the first write that failed, 0 = none */
	char *kept; /* [n_kept] what has left the buffer, if it is kept; wn_free() */
	size_t n_kept, kept_capacity;
	char buffer[WN_OUT_BYTES];
};

void wn_out_begin(struct wn_out *o, FILE *to);

/* Passes on what was kept in `from`, a writer without a FILE, which is then empty. */
void wn_out_pass(struct wn_out *o, struct wn_out *from);

/* Writes what is left, also of the FILE's own buffer: WN_OK or WN_E_IO, err filled and errno
 * set. */
WN_MUST_CHECK wn_status wn_out_end(struct wn_out *o, wn_err *err);

/* WN_OK, or WN_E_IO if some write has failed: callbacks return it, so that walks stop early. */
wn_status wn_out_status(const struct wn_out *o);

void wn_out_bytes(struct wn_out *o, const char *bytes, size_t n);

static inline void
wn_out_char(struct wn_out *o, char c)
{
	if (o->n < WN_OUT_BYTES)
		o->buffer[o->n++] = c;
	else
		wn_out_bytes(o, &c, 1);
}

void wn_out_text(struct wn_out *o, const char *text);
void wn_out_u64(struct wn_out *o, uint64_t value);
/* As wn_digits_hex(), wn_digits_double(). */
void wn_out_hex(struct wn_out *o, uint64_t value);
void wn_out_double(struct wn_out *o, double value);
/* Short formatted pieces, cut at 511 bytes: numbers and our own words. */
void wn_out_format(struct wn_out *o, const char *fmt, ...) WN_PRINTF(2, 3);

/* Character data or attribute value of XML 1.0: markup is escaped; bytes that are no UTF-8,
 * control characters and what else XML does not allow become U+FFFD. */
void wn_out_xml(struct wn_out *o, const char *text);

/* The inside of a DOT string in double quotes; not an escape sequence of it survives, nor a control
 * character. */
void wn_out_dot(struct wn_out *o, const char *text);

/* A text as one field of RFC 4180, in quotes if it needs them: valid UTF-8 on one line. Controls,
 * marks of direction and bytes that are no UTF-8 are shown as escapes (base/printable.h), and a
 * text that spreadsheets would compute, as it begins with = + - or @ and is no number, has an
 * apostrophe before it. NULL writes nothing. */
void wn_out_csv(struct wn_out *o, const char *text);

#endif /* WN_EXPORT_OUT_H */
