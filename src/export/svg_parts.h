/* SPDX-License-Identifier: MIT */
/* svg_parts.h - common parts of the pictures of the graph and of a view of its tree. Private to
 * this folder. */
#pragma once

#include "export/export.h"
#include "export/out.h"
#include "picture/svg.h"

#define LEGEND_LINE  24 /* height of a line */
#define LEGEND_WIDTH 620

extern const char svg_style[];
/* Fills the background white. */
extern const char svg_paper[];

/* Starts a document of a given size, with svg_style; </svg> ends it. */
void svg_begin(struct wn_out *o, int64_t width, int64_t height);

/* Returns the colour of a grain's place, which may be NULL. */
const char *svg_fill(const struct wn_export *x, const struct wn_export_place *place);

/* Writes the picture's title: the recorded command. */
void svg_title(struct wn_out *o, int64_t y, const char *command);

/* Starts a text of the legend; </text> ends it. anchor: "start", "end". */
void svg_text(struct wn_out *o, int64_t x, int64_t y, const char *anchor);

/* Writes the legend's symbols of fork, join and critical path in the line at y; then their names.
 * Marks of one picture go in between. */
void svg_marks(struct wn_out *o, int64_t y);
void svg_marks_names(struct wn_out *o, int64_t y);

/* Returns the number of legend lines for links; and writes these below y and returns the y of the
 * last. O(grains) */
int64_t svg_n_links(const struct wn_export *x);
int64_t svg_links(struct wn_out *o, const struct wn_export *x, bool has_groups, int64_t y);

/* Returns the number of places in the legend; and writes one line for each from y on and returns
 * the y below them. The value is their work, or weights[places] by the path; for is_unknown[places]
 * (NULL: none), at least a part was not counted. */
uint32_t svg_n_places(const struct wn_export *x);
int64_t svg_places(struct wn_out *o, const struct wn_export *x, uint32_t n, int64_t y,
                   const uint64_t *weights, const bool *is_unknown);
/* Returns the counter of the path's weight; NULL: none. */
const struct wn_counts *svg_path_counter(const struct wn_graph *g);

/* Writes <title>, the tooltip of a grain. The caller owns the lineage's memory. */
wn_status svg_tooltip(struct wn_out *o, const struct wn_export *x, wn_grain id, char **lineage,
                      size_t *lineage_capacity, wn_err *err);

/* Draws S or E, a gate, and a fork or join as a circle, whose upper edges have their middle at x,
 * y. */
void svg_end(struct wn_out *o, const struct wn_node *node, int64_t x, int64_t y);
/* Draws S above y1 and E below y2. */
void svg_ends(struct wn_out *o, int64_t x, int64_t y1, int64_t y2);
void svg_fork(struct wn_out *o, int64_t x, int64_t y, bool is_fork, bool is_critical);
void svg_gate(struct wn_out *o, const struct wn_node *node, int64_t x, int64_t y);

/* A bend over the whole height, for svg_bend_in() once its gap and room are set. */
static inline struct svg_bend
svg_bend_between(int64_t x1, int64_t y1, int64_t x2, int64_t y2)
{
	return (struct svg_bend){(double)x1, (double)y1, (double)x2, (double)y2,
	                         SVG_NO_GAP, 0,          false};
}
/* svg_bend() */
void svg_bend_in(struct wn_out *o, const struct svg_bend *bend);
/* Draws the end of a graph edge, which bends late on its way to a join. */
void svg_curve(struct wn_out *o, const struct wn_edge *edge, int64_t gap, int64_t x1, int64_t y1,
               int64_t x2, int64_t y2);

/* Draws edges in groups by kind, critical ones last, above the others: `put` is called for all
 * edges in each group, and draws those for which svg_is_drawn_now() is true. */
struct svg_edges_now {
	bool is_critical;
	enum wn_edge_kind kind;
};
wn_status svg_edges(struct wn_out *o, const struct wn_export *x, struct svg_edges_now *now,
                    wn_status (*put)(const struct wn_edge *edge, void *user), void *user);

static inline bool
svg_is_drawn_now(const struct svg_edges_now *now, const struct wn_edge *edge)
{
	return edge->is_critical == now->is_critical && edge->kind == now->kind;
}
