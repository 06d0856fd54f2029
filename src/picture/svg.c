/* SPDX-License-Identifier: MIT */
#include "picture/svg.h"

#include "base/decimal.h"
#include "base/markup.h"

#include <stdint.h>
#include <string.h>

void
svg_raw(const struct svg *s, const char *markup)
{
	s->write(s->to, markup, strlen(markup));
}

void
svg_words(const struct svg *s, const char *text, size_t n_bytes)
{
	const char *bytes;
	for (size_t i = 0, n; i < n_bytes;) {
		i += wn_markup(WN_MARKUP_XML, text + i, n_bytes - i, &bytes, &n);
		s->write(s->to, bytes, n);
	}
}

void
svg_number(const struct svg *s, double value)
{
	char digits[WN_DECIMAL_BYTES];
	svg_raw(s, wn_decimal_fixed(value, s->n_decimals, digits));
}

void
svg_pair(const struct svg *s, const char *before, double x, const char *between, double y,
         const char *after)
{
	svg_raw(s, before);
	svg_number(s, x);
	svg_raw(s, between);
	svg_number(s, y);
	svg_raw(s, after);
}

/* Rounds to integers, ties up. */
static double
middle(const struct svg *s, double a, double b)
{
	double half = (a + b) / 2;
	return s->n_decimals ? half : (double)(int64_t)half;
}

void
svg_bend(const struct svg *s, const struct svg_bend *b)
{
	double y1 = b->y1, y2 = b->y2 - b->room;
	bool is_line = b->is_line && !(b->x1 < b->x2) && !(b->x1 > b->x2);
	if (y2 - y1 > b->gap) {
		y1 = y2 - b->gap;
		svg_raw(s, "V");
		svg_number(s, y1);
	}
	if (!is_line) {
		double y = middle(s, y1, y2);
		svg_pair(s, "C", b->x1, " ", y, " ");
		svg_pair(s, "", b->x2, " ", y, " ");
		svg_pair(s, "", b->x2, " ", y2, "");
	}
	if (is_line || b->room > 0) {
		svg_raw(s, "V");
		svg_number(s, b->y2);
	}
	svg_raw(s, "\"/>\n");
}
