/* SPDX-License-Identifier: MIT */
/*
 * svg.h - SVG as text, for all pictures, to whatever takes bytes. Numbers are the same in every
 * build, and words of the program under test leave it escaped.
 */
#ifndef WN_PICTURE_SVG_H
#define WN_PICTURE_SVG_H

#include <stdbool.h>
#include <stddef.h>

struct svg {
	void *to;
	void (*write)(void *to, const char *bytes, size_t n);
	unsigned n_decimals; /* of numbers: 0 to 3; |number| < 2^53 / 1000 */
};

/* Own words, which are markup. */
void svg_raw(const struct svg *s, const char *markup);
/* Others' words: no markup, valid UTF-8 (base/markup.h). */
void svg_words(const struct svg *s, const char *text, size_t n_bytes);
void svg_number(const struct svg *s, double value);
/* Two numbers with markup around them: svg_pair(s, " x=\"", x, "\" y=\"", y, "\""). */
void svg_pair(const struct svg *s, const char *before, double x, const char *between, double y,
              const char *after);

/* The rest of a path that has been at x1, y1 and arrives at x2, y2 vertically, and the element's
 * end. It bends in the last `gap` above y2 - room: before it goes straight down in its own column,
 * beside taller siblings, and behind it straight through the room. */
struct svg_bend {
	double x1, y1, x2, y2;
	double gap;   /* SVG_NO_GAP: the bend is all the way */
	double room;  /* 0: none */
	bool is_line; /* between points above each other it is no bend */
};
#define SVG_NO_GAP 1e300
void svg_bend(const struct svg *s, const struct svg_bend *bend);

#endif /* WN_PICTURE_SVG_H */
