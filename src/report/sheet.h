/* SPDX-License-Identifier: MIT */
/*
 * sheet.h - lines of text that fit a terminal. Private to this folder.
 *
 * Text is added to the line being made; what does not fit is cut, so no line is ever wider than the
 * sheet. Everything that comes from a trace goes through here and is made harmless: what would move
 * the cursor, change a colour or is no text becomes '?'. The first write error is kept.
 */
#ifndef WN_REPORT_SHEET_H
#define WN_REPORT_SHEET_H

#include "report/text.h"

#include <stdio.h>

enum ink {
	INK_PLAIN = 0,
	INK_TITLE, /* bold */
	INK_BAD,   /* red */
	INK_GOOD,  /* green */
	INK_PLACE, /* cyan */
	INK_FAINT,
};

struct sheet {
	FILE *to;
	struct wn_text_style style;
	enum ink ink;   /* of what was written last on the line */
	int column;     /* columns used of the line being made */
	int n_pending;  /* blanks not yet written, so that no line ends with one */
	bool is_cut;    /* the line being made is full */
	bool is_faulty; /* a write failed */
};

void sheet_add(struct sheet *s, enum ink ink, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds text in a field: padded with blanks to `width` columns, cut to it. */
void sheet_left(struct sheet *s, enum ink ink, int width, const char *text);
void sheet_right(struct sheet *s, enum ink ink, int width, const char *text);

/* Ends the line. */
void sheet_end(struct sheet *s);

/* Goes on in the line being made, breaking at blanks; lines after the first start at `indent`. */
void sheet_wrap(struct sheet *s, enum ink ink, int indent, const char *text);

/* A bar of `width` columns at most, filled to `share` (0..1). */
void sheet_bar(struct sheet *s, enum ink ink, int width, double share);

/* Columns that a text takes on this sheet. */
int sheet_columns(const struct sheet *s, const char *text);

#endif /* WN_REPORT_SHEET_H */
