/* SPDX-License-Identifier: MIT */
/* svg_parts.h - what the pictures of the graph and of a view of its tree have in common. Private to
 * this folder. */
#ifndef WN_EXPORT_SVG_PARTS_H
#define WN_EXPORT_SVG_PARTS_H

#include "export/export.h"
#include "export/out.h"

#define LEGEND_LINE  24 /* height of a line */
#define LEGEND_WIDTH 620

extern const char svg_style[];

/* Colour of a grain's place; it may be NULL. */
const char *svg_fill(const struct wn_export *x, const struct wn_export_place *place);

/* Starts a text of the legend, which </text> ends. anchor: "start", "end". */
void svg_text(struct wn_out *o, int64_t x, int64_t y, const char *anchor);

/* The legend's fork, join and critical path, in the line at y; then what they are. In between come
 * the marks that only one picture has. */
void svg_marks(struct wn_out *o, int64_t y);
void svg_marks_names(struct wn_out *o, int64_t y);

/* How many places the legend has, and one line for each, from y on; y below them. */
uint32_t svg_n_places(const struct wn_export *x);
int64_t svg_places(struct wn_out *o, const struct wn_export *x, uint32_t n, int64_t y);

#endif /* WN_EXPORT_SVG_PARTS_H */
