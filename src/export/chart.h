/* SPDX-License-Identifier: MIT */
/* chart.h - draws plots as SVG: a frame with axes, and labels that do not overlap. Private to this
 * folder. */
#pragma once

#include "export/out.h"

#define CHART_FONT    13
#define CHART_LABEL   11
#define CHART_COLOURS 8u
#define CHART_INK     "#1f2933"
#define CHART_FAINT   "#9aa5b1"
#define CHART_GRID    "#e4e7eb"

/* A palette for colour-blind readers (Okabe and Ito's). */
extern const char *const chart_colours[CHART_COLOURS];

struct chart_axis {
	double low, high; /* range of the data; widened by chart_axes() */
	bool is_log;
	const char *title;
	const double *ticks; /* [n_ticks] tick labels, or NULL: round numbers */
	size_t n_ticks;
	const char *(*tick_text)(double value, char out[32]); /* number format; NULL: %g */
};

struct chart {
	struct wn_out *o;
	double left, top, width, height; /* position of the plot in the picture */
	struct chart_axis x, y;
};

/* Starts a picture with a title and a subtitle, which may be NULL; chart_end() closes it. */
void chart_begin(struct wn_out *o, double width, double height, const char *title,
                 const char *more);
void chart_end(struct wn_out *o);

/* Writes a text at a position; anchor: "start", "middle", "end". Names may hold any bytes. */
void chart_text(struct wn_out *o, double x, double y, double size, const char *anchor,
                const char *colour, const char *text);

/* Estimates the width of a name in letters. */
double chart_text_width(const char *text, double size);

/* Writes a name cut to n letters and two dots. */
#define CHART_NAME_BYTES 160
const char *chart_cut(const char *name, size_t n, char out[CHART_NAME_BYTES]);

/* Converts a value to its position in the picture. */
double chart_x(const struct chart *c, double value);
double chart_y(const struct chart *c, double value);

/* Widens both axes for a margin around the data, and draws grid, ticks and titles. */
void chart_axes(struct chart *c);

/* Draws points with their names: each name next to its point, clear of points and earlier names,
 * connected by a line if it had to move far. Names without room are omitted and counted. */
struct chart_point {
	double x, y; /* in the picture */
	const char *name;
	size_t cluster;
};

/* Draws the mark of a cluster of radius r: a disc of its colour; after the last colour a ring, then
 * a square. */
void chart_mark(struct wn_out *o, double x, double y, double r, size_t cluster);

/* Returns false if out of memory. Cost O(n^2). */
bool chart_points(struct chart *c, const struct chart_point *points, size_t n);
