/* SPDX-License-Identifier: MIT */
/*
 * terminal.h - writes lines of text that fit a terminal. Private to this folder.
 *
 * Text is added to the current line and cut at the width of the terminal; what is cut ends in an
 * ellipsis. All text from a trace passes through here: control characters and invalid text become
 * '?'. The first write error is kept.
 */
#pragma once

#include "report/text.h"

#include <stdio.h>

enum terminal_style {
	STYLE_PLAIN = 0,
	STYLE_TITLE, /* bold */
	STYLE_BAD,   /* red */
	STYLE_GOOD,  /* green */
	STYLE_PLACE, /* cyan */
	STYLE_FAINT,
};

/* A character in the last columns of a line, which an ellipsis takes if more text follows. */
struct terminal_held {
	char bytes[32]; /* with combining marks */
	int n_blanks;   /* before it */
	enum terminal_style style;
};

struct terminal {
	FILE *to;
	struct wn_text_style style;
	enum terminal_style current; /* style of the last text on the line */
	int column;                  /* columns used on the current line */
	size_t n_lines;              /* lines written */
	int n_printed;               /* columns written of the current line */
	int n_pending;               /* pending blanks, so that no line ends with one */
	struct terminal_held held[2];
	int n_held;
	bool is_cut;       /* the current line has ended in an ellipsis */
	bool is_faulty;    /* a write failed */
	bool is_silent;    /* lines are counted, and not written */
	bool lacks_memory; /* for a part of the text, which was left out */
};

void terminal_add(struct terminal *s, enum terminal_style style, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds text, and ends the line. */
void terminal_line(struct terminal *s, enum terminal_style style, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds text in a field: padded with blanks to `width` columns, cut to it. */
void terminal_left(struct terminal *s, enum terminal_style style, int width, const char *text);
void terminal_right(struct terminal *s, enum terminal_style style, int width, const char *text);

/* Adds text to the rest of the line; what does not fit ends in an ellipsis. */
void terminal_fit(struct terminal *s, enum terminal_style style, const char *text);

/* Ends the line. */
void terminal_end(struct terminal *s);

/* Adds text to the current line, breaking at blanks; further lines start at `indent`. */
void terminal_wrap(struct terminal *s, enum terminal_style style, int indent, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Adds at most TERMINAL_TEXT_BYTES - 1 bytes of text in the same way, after `indent` blanks if the
 * line is empty, and ends the line. */
#define TERMINAL_TEXT_BYTES 4096
void terminal_paragraph(struct terminal *s, enum terminal_style style, int indent, const char *fmt,
                        ...) __attribute__((format(printf, 4, 5)));

/* A line with the number of items beyond the first n_top, if there are any, and how to see them. */
void terminal_more(struct terminal *s, size_t n, size_t n_top);

/* A bar of `width` columns at most, filled to `share` (0..1). */
void terminal_bar(struct terminal *s, enum terminal_style style, int width, double share);

/* Returns the width of a text on this terminal, in columns. */
int terminal_columns(const struct terminal *s, const char *text);

/* Writes what is buffered. WN_OK · WN_E_IO, also for earlier write errors. */
wn_status report_flush(FILE *to, wn_err *err);

/* Ends a text: as report_flush(); WN_E_NOMEM if it lacks memory. */
wn_status terminal_finish(struct terminal *s, wn_err *err);
