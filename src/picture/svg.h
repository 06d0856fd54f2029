/* SPDX-License-Identifier: MIT */
/* svg.h - writes SVG as text to a byte sink, for all pictures. Numbers are the same in every build,
 * and texts of the program under test are escaped. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct svg {
	void *to;
	void (*write)(void *to, const char *bytes, size_t n);
	unsigned n_decimals; /* decimals of numbers: 0 to 3; |number| < 2^53 / 1000 */
};

/* Writes markup. */
void svg_raw(const struct svg *s, const char *markup);
/* Writes foreign text: escaped, valid UTF-8 (base/markup.h). */
void svg_words(const struct svg *s, const char *text, size_t n_bytes);
void svg_number(const struct svg *s, double value);
/* Writes two numbers with markup around them: svg_pair(s, " x=\"", x, "\" y=\"", y, "\""). */
void svg_pair(const struct svg *s, const char *before, double x, const char *between, double y,
              const char *after);

/* Writes the rest of a path from x1, y1 that arrives at x2, y2 vertically, and ends the element.
 * The path goes straight down in its own column beside taller siblings, bends in the last `gap`
 * above y2 - room, and goes straight through the room. */
struct svg_bend {
	double x1, y1, x2, y2;
	double gap;   /* SVG_NO_GAP: bends over the whole height */
	double room;  /* 0: none */
	bool is_line; /* points above each other need no bend */
};
#define SVG_NO_GAP 1e300
void svg_bend(const struct svg *s, const struct svg_bend *bend);
