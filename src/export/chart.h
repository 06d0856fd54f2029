/* SPDX-License-Identifier: MIT */
/*
 * chart.h - plots as SVG: a frame with axes, and labels that keep out of each other's way. Private
 * to this folder.
 */
#ifndef WN_EXPORT_CHART_H
#define WN_EXPORT_CHART_H

#include "export/out.h"

#define CHART_FONT    13
#define CHART_LABEL   11
#define CHART_COLOURS 8u
#define CHART_INK     "#1f2933"
#define CHART_FAINT   "#9aa5b1"
#define CHART_GRID    "#e4e7eb"

/* Told apart by people who do not see all colours (Okabe and Ito's). */
extern const char *const chart_colours[CHART_COLOURS];

struct chart_axis {
	double low, high; /* of the data; widened by chart_axes() */
	bool is_log;
	const char *title;
	const double *ticks; /* [n_ticks] or NULL: round numbers */
	size_t n_ticks;
	const char *(*tick_text)(double value, char out[32]); /* NULL: %g */
};

struct chart {
	struct wn_out *o;
	double left, top, width, height; /* of the plot in the picture */
	struct chart_axis x, y;
};

/* Opens a picture with a title and a line below it, which may be NULL; chart_end() closes it. */
void chart_begin(struct wn_out *o, double width, double height, const char *title,
                 const char *more);
void chart_end(struct wn_out *o);

/* A text at a place; anchor: "start", "middle", "end". Names may hold any bytes. */
void chart_text(struct wn_out *o, double x, double y, double size, const char *anchor,
                const char *colour, const char *text);

/* Columns that a name takes, about, times the width of a letter. */
double chart_text_width(const char *text, double size);

/* A name cut to n letters, with two dots in place of the rest. */
#define CHART_NAME_BYTES 160
const char *chart_cut(const char *name, size_t n, char out[CHART_NAME_BYTES]);

/* Where a value is in the picture. */
double chart_x(const struct chart *c, double value);
double chart_y(const struct chart *c, double value);

/* Widens both axes to have air around the data, and draws grid, ticks and titles. */
void chart_axes(struct chart *c);

/* Points with their names: each beside its own, off points and names before it, with a line to it
 * where it had to go far; those without room are left out, and said how many. */
struct chart_point {
	double x, y; /* in the picture */
	const char *name;
	size_t cluster;
};

/* What stands for a cluster, r wide from its middle: a disc of its colour; where colours have run
 * out, a ring, then a square. */
void chart_mark(struct wn_out *o, double x, double y, double r, size_t cluster);

/* False: out of memory. Cost O(n^2). */
bool chart_points(struct chart *c, const struct chart_point *points, size_t n);

#endif /* WN_EXPORT_CHART_H */
