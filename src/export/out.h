/* SPDX-License-Identifier: MIT */
/*
 * out.h - the writer of all exports: buffers text for a FILE. The first failed write is recorded;
 * later text is dropped, and wn_out_end() returns the error.
 *
 * Strings of the program under test (function names, paths) may hold any bytes. They are only
 * written through functions that escape them for the format.
 */
#pragma once

#include "winnow/base.h"

#include <stdio.h>

#define WN_OUT_BYTES 65536

struct wn_out {
	FILE *to; /* borrowed; NULL: all text is kept in memory */
	size_t n;
	int error;  /* errno of the first write that failed, 0 = none */
	char *kept; /* [n_kept] text that left the buffer, if kept; wn_free() */
	size_t n_kept, kept_capacity;
	char buffer[WN_OUT_BYTES];
};

void wn_out_begin(struct wn_out *o, FILE *to);

/* Writes the text kept in `from`, a writer without a FILE, and empties it. */
void wn_out_pass(struct wn_out *o, struct wn_out *from);

/* Flushes the buffer and the FILE: WN_OK or WN_E_IO, err filled and errno set. */
WN_MUST_CHECK wn_status wn_out_end(struct wn_out *o, wn_err *err);

/* WN_OK, or WN_E_IO after a failed write: callbacks return it, so that iterations stop early. */
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
/* Formats as wn_digits_hex() and wn_digits_double(). */
void wn_out_hex(struct wn_out *o, uint64_t value);
void wn_out_double(struct wn_out *o, double value);
/* Short formatted pieces, cut at 511 bytes: for numbers and constant words. */
void wn_out_format(struct wn_out *o, const char *fmt, ...) WN_PRINTF(2, 3);

/* Character data or attribute value of XML 1.0: escapes markup; invalid UTF-8, control characters
 * and other characters that XML forbids become U+FFFD. */
void wn_out_xml(struct wn_out *o, const char *text);

/* The inside of a DOT string in double quotes, without escape sequences and control characters. */
void wn_out_dot(struct wn_out *o, const char *text);

/* A text as one field of RFC 4180, quoted if needed: valid UTF-8 on one line. Controls, marks of
 * direction and invalid UTF-8 become escapes (base/printable.h). A text that spreadsheets would
 * evaluate, which begins with = + - or @ and is no number, gets an apostrophe. NULL writes nothing.
 */
void wn_out_csv(struct wn_out *o, const char *text);
