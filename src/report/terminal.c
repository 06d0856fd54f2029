/* SPDX-License-Identifier: MIT */
#include "report/terminal.h"

#include "base/error.h"
#include "base/printable.h"
#include "report/characters.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>

static const char *const escapes[] = {
    [STYLE_PLAIN] = "",        [STYLE_TITLE] = "\x1b[1m",  [STYLE_BAD] = "\x1b[31m",
    [STYLE_GOOD] = "\x1b[32m", [STYLE_PLACE] = "\x1b[36m", [STYLE_FAINT] = "\x1b[2m",
};

static void
put(struct terminal *s, const char *bytes, size_t n)
{
	if (n > 0 && !s->is_silent && fwrite(bytes, 1, n, s->to) != n)
		s->is_faulty = true;
}

/* Returns the printed form of a character: itself, '?' on a terminal without UTF-8, an escape for a
 * control character. */
static struct character
shown(const struct terminal *s, const char *text, char bytes[WN_PRINTABLE_BYTES])
{
	struct character c = character_at(text);
	(void)wn_printable_one(text, (size_t)c.n_bytes, bytes);
	if (!c.is_safe) {
		c.n_columns = (int)strlen(bytes);
	} else if (c.code >= 0x80 && !s->style.is_utf8) {
		memcpy(bytes, "?", 2);
		c.n_columns = 1;
	}
	return c;
}

int
terminal_columns(const struct terminal *s, const char *text)
{
	int n = 0;
	char bytes[WN_PRINTABLE_BYTES];
	while (*text) {
		struct character c = shown(s, text, bytes);
		n += c.n_columns;
		text += c.n_bytes;
	}
	return n;
}

static void
change_style(struct terminal *s, enum terminal_style style)
{
	if (style == s->current || !s->style.is_coloured)
		return;
	if (s->current != STYLE_PLAIN)
		put(s, "\x1b[0m", 4);
	put(s, escapes[style], strlen(escapes[style]));
	s->current = style;
}

static const char *
ellipsis_of(const struct terminal *s, int *n_columns)
{
	*n_columns = s->style.is_utf8 ? 1 : 2;
	return s->style.is_utf8 ? "\xe2\x80\xa6" : "..";
}

static void
put_styled(struct terminal *s, enum terminal_style style, int n_blanks, const char *bytes)
{
	for (int i = 0; i < n_blanks; i++)
		put(s, " ", 1);
	change_style(s, style);
	put(s, bytes, strlen(bytes));
}

/* Ends the text of a line in an ellipsis, in place of what was held. */
static void
cut_line(struct terminal *s, enum terminal_style style)
{
	int n_columns;
	const char *ellipsis = ellipsis_of(s, &n_columns);
	int n_blanks = s->n_held ? s->held[0].n_blanks : s->n_pending;
	int room = s->style.width - n_columns - s->n_printed;
	put_styled(s, s->n_held ? s->held[0].style : style, n_blanks < room ? n_blanks : room,
	           ellipsis);
	s->n_held = s->n_pending = 0;
	s->is_cut = true;
}

static void
flush_held(struct terminal *s)
{
	for (int i = 0; i < s->n_held; i++)
		put_styled(s, s->held[i].style, s->held[i].n_blanks, s->held[i].bytes);
	s->n_held = 0;
}

/* Writes a character, or holds it if an ellipsis may be needed in its place. */
static void
add_character(struct terminal *s, enum terminal_style style, int n_columns, const char *bytes)
{
	int n_ellipsis;
	(void)ellipsis_of(s, &n_ellipsis);
	if (s->n_held && n_columns == 0) {
		char *mark = s->held[s->n_held - 1].bytes;
		size_t used = strlen(mark), n = strlen(bytes);
		if (used + n < sizeof s->held[0].bytes)
			memcpy(mark + used, bytes, n + 1);
	} else if (s->n_held || s->column > s->style.width - n_ellipsis) {
		struct terminal_held *h = &s->held[s->n_held++];
		*h = (struct terminal_held){.n_blanks = s->n_pending, .style = style};
		memcpy(h->bytes, bytes, strlen(bytes) + 1);
		s->n_pending = 0;
	} else {
		put_styled(s, style, s->n_pending, bytes);
		s->n_printed = s->column;
		s->n_pending = 0;
	}
}

/* Adds at most `limit` columns of `n_bytes` bytes of text. */
static void
add_bytes(struct terminal *s, enum terminal_style style, int limit, const char *text,
          size_t n_bytes)
{
	const char *end = text + n_bytes;
	char bytes[WN_PRINTABLE_BYTES];
	while (text < end && !s->is_cut) {
		struct character c = shown(s, text, bytes);
		text += c.n_bytes;
		if (c.n_columns > limit)
			break;
		bool is_blank = *bytes == ' ', fits = s->column + c.n_columns <= s->style.width;
		limit -= c.n_columns;
		s->column += fits ? c.n_columns : 0;
		s->n_pending += fits && is_blank;
		if (!fits && !is_blank)
			cut_line(s, style);
		else if (!is_blank)
			add_character(s, style, c.n_columns, bytes);
	}
}

/* The text of a format, which is cut after so many bytes. */
#define FORMAT(text, fmt)                                                                          \
	char text[TERMINAL_TEXT_BYTES];                                                            \
	va_list args;                                                                              \
	va_start(args, fmt);                                                                       \
	vsnprintf(text, sizeof text, fmt, args);                                                   \
	va_end(args)

void
terminal_add(struct terminal *s, enum terminal_style style, const char *fmt, ...)
{
	FORMAT(text, fmt);
	add_bytes(s, style, INT_MAX, text, strlen(text));
}

static void
add_blanks(struct terminal *s, int n)
{
	for (; n > 0; n--)
		add_bytes(s, STYLE_PLAIN, 1, " ", 1);
}

/* Returns the bytes of the line number that a place ends with, and its colon; 0: it has none. */
static size_t
line_bytes(const char *text)
{
	const char *colon = strrchr(text, ':');
	return colon && colon[1] && colon[1 + strspn(colon + 1, "0123456789")] == '\0'
	           ? strlen(colon)
	           : 0;
}

/* An ellipsis marks a cut inside a field: of a place, before its line number. */
static void
add_field(struct terminal *s, enum terminal_style style, int width, int columns, const char *text)
{
	int n_columns;
	const char *ellipsis = ellipsis_of(s, &n_columns);
	if (columns <= width || width < 4) {
		add_bytes(s, style, width, text, strlen(text));
		return;
	}
	int before = s->column;
	size_t n_line = style == STYLE_PLACE ? line_bytes(text) : 0;
	if (width - n_columns - (int)n_line < 3)
		n_line = 0;
	add_bytes(s, style, width - n_columns - (int)n_line, text, strlen(text));
	add_bytes(s, style, n_columns, ellipsis, strlen(ellipsis));
	add_bytes(s, style, (int)n_line, text + strlen(text) - n_line, n_line);
	add_blanks(s, width - (s->column - before));
}

void
terminal_fit(struct terminal *s, enum terminal_style style, const char *text)
{
	int room = s->style.width - s->column;
	if (room > 0)
		add_field(s, style, room, terminal_columns(s, text), text);
}

void
terminal_left(struct terminal *s, enum terminal_style style, int width, const char *text)
{
	int columns = terminal_columns(s, text);
	add_field(s, style, width, columns, text);
	add_blanks(s, width - columns);
}

void
terminal_right(struct terminal *s, enum terminal_style style, int width, const char *text)
{
	int columns = terminal_columns(s, text);
	add_blanks(s, width - columns);
	add_field(s, style, width, columns, text);
}

void
terminal_end(struct terminal *s)
{
	flush_held(s);
	change_style(s, STYLE_PLAIN);
	put(s, "\n", 1);
	s->n_lines++;
	s->column = s->n_printed = 0;
	s->n_pending = 0;
	s->is_cut = false;
}

static void
wrap(struct terminal *s, enum terminal_style style, int indent, const char *text)
{
	bool is_first = true;
	while (*text) {
		size_t n_bytes = strcspn(text, " ");
		int columns = 0;
		char bytes[WN_PRINTABLE_BYTES];
		for (size_t i = 0; i < n_bytes;) {
			struct character c = shown(s, text + i, bytes);
			columns += c.n_columns;
			i += (size_t)c.n_bytes;
		}
		int blank = is_first ? 0 : 1;
		if (s->column + blank + columns > s->style.width && s->column > indent) {
			terminal_end(s);
			add_blanks(s, indent);
		} else {
			add_blanks(s, blank);
		}
		add_bytes(s, style, INT_MAX, text, n_bytes);
		is_first = false;
		text += n_bytes;
		while (*text == ' ')
			text++;
	}
}

void
terminal_wrap(struct terminal *s, enum terminal_style style, int indent, const char *fmt, ...)
{
	FORMAT(text, fmt);
	wrap(s, style, indent, text);
}

void
terminal_line(struct terminal *s, enum terminal_style style, const char *fmt, ...)
{
	FORMAT(text, fmt);
	add_bytes(s, style, INT_MAX, text, strlen(text));
	terminal_end(s);
}

void
terminal_paragraph(struct terminal *s, enum terminal_style style, int indent, const char *fmt, ...)
{
	FORMAT(text, fmt);
	if (s->column == 0)
		add_blanks(s, indent);
	wrap(s, style, indent, text);
	terminal_end(s);
}

void
terminal_more(struct terminal *s, size_t n, size_t n_top)
{
	if (n > n_top)
		terminal_line(s, STYLE_FAINT, "  and %zu more: --top %zu", n - n_top, n);
}

void
terminal_bar(struct terminal *s, enum terminal_style style, int width, double share)
{
	static const char *const eighths[] = {"",
	                                      "\xe2\x96\x8f",
	                                      "\xe2\x96\x8e",
	                                      "\xe2\x96\x8d",
	                                      "\xe2\x96\x8c",
	                                      "\xe2\x96\x8b",
	                                      "\xe2\x96\x8a",
	                                      "\xe2\x96\x89"};
	int n = (int)(share * width * 8 + 0.5);
	n = n < 0 ? 0 : n > width * 8 ? width * 8 : n;
	if (n == 0 && share > 0)
		n = 1;
	if (!s->style.is_utf8) {
		for (int i = 0; i < (n + 4) / 8; i++)
			add_bytes(s, style, 1, "#", 1);
		return;
	}
	for (int i = 0; i < n / 8; i++)
		add_bytes(s, style, 1, "\xe2\x96\x88", 3);
	add_bytes(s, style, 1, eighths[n % 8], strlen(eighths[n % 8]));
}

static wn_status
fail_to_write(wn_err *err)
{
	return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s", errno ? strerror(errno) : "write error");
}

wn_status
report_flush(FILE *to, wn_err *err)
{
	return fflush(to) != 0 || ferror(to) ? fail_to_write(err) : WN_OK;
}

wn_status
terminal_finish(struct terminal *s, wn_err *err)
{
	if (s->lacks_memory)
		return wn_no_memory(err);
	return s->is_faulty ? fail_to_write(err) : report_flush(s->to, err);
}
