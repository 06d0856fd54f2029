/* SPDX-License-Identifier: MIT */
/* csv_cell.c - writes a text as one CSV cell, quoted according to RFC 4180. Spreadsheets evaluate a
 * cell that begins with = + - or @; an apostrophe before it marks it as text. */
#include "base/printable.h"
#include "export/out.h"

#include <string.h>

/* Bytes that need no quotes. */
static inline bool
is_clean(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != ',';
}

static size_t
digits(const char *text)
{
	return strspn(text, "0123456789");
}

/* Numbers are left alone, also with a sign: "-1.5e3", ".5". */
static bool
is_number(const char *text)
{
	text += *text == '-' || *text == '+';
	size_t whole = digits(text), part = 0;
	text += whole;
	if (*text == '.') {
		part = digits(text + 1);
		text += 1 + part;
	}
	if (whole + part == 0)
		return false;
	if (*text == 'e' || *text == 'E') {
		text += 1 + (text[1] == '-' || text[1] == '+');
		if (digits(text) == 0)
			return false;
		text += digits(text);
	}
	return *text == '\0';
}

static bool
is_computed(const char *text)
{
	return *text && strchr("=+-@", *text) && !is_number(text);
}

/* Tests whether a character needs quotes or an escape. */
static void
put_slowly(struct wn_out *o, const char *text, size_t n)
{
	char one[WN_PRINTABLE_BYTES];
	wn_out_bytes(o, "\"", 1);
	if (is_computed(text))
		wn_out_bytes(o, "'", 1);
	while (n > 0) {
		size_t taken = wn_printable_one(text, n, one);
		if (*text == '"')
			wn_out_bytes(o, "\"", 1);
		wn_out_text(o, one);
		text += taken;
		n -= taken;
	}
	wn_out_bytes(o, "\"", 1);
}

void
wn_out_csv(struct wn_out *o, const char *text)
{
	if (!text)
		return;
	size_t n = 0;
	while (is_clean((unsigned char)text[n]))
		n++;
	if (text[n]) {
		put_slowly(o, text, n + strlen(text + n));
		return;
	}
	if (is_computed(text))
		wn_out_bytes(o, "'", 1);
	wn_out_bytes(o, text, n);
}
