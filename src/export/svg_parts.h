/* SPDX-License-Identifier: MIT */
/* svg_parts.h - what the pictures of the graph and of a view of its tree have in common. Private to
 * this folder. */
#ifndef WN_EXPORT_SVG_PARTS_H
#define WN_EXPORT_SVG_PARTS_H

#include "export/export.h"
#include "export/out.h"
#include "picture/svg.h"

#define LEGEND_LINE  24 /* height of a line */
#define LEGEND_WIDTH 620

extern const char svg_style[];
/* White behind all. */
extern const char svg_paper[];

/* Starts a document of that size, with svg_style; </svg> ends it. */
void svg_begin(struct wn_out *o, int64_t width, int64_t height);

/* Colour of a grain's place; it may be NULL. */
const char *svg_fill(const struct wn_export *x, const struct wn_export_place *place);

/* The picture's title: the command that ran. */
void svg_title(struct wn_out *o, int64_t y, const char *command);

/* Starts a text of the legend, which </text> ends. anchor: "start", "end". */
void svg_text(struct wn_out *o, int64_t x, int64_t y, const char *anchor);

/* The legend's fork, join and critical path, in the line at y; then what they are. In between come
 * the marks that only one picture has. */
void svg_marks(struct wn_out *o, int64_t y);
void svg_marks_names(struct wn_out *o, int64_t y);

/* What lies beside the grammar: how many lines the legend has for it, and these, below y; the y of
 * the last. O(grains) */
int64_t svg_n_links(const struct wn_export *x);
int64_t svg_links(struct wn_out *o, const struct wn_export *x, bool has_groups, int64_t y);

/* How many places the legend has, and one line for each, from y on; y below them. What they weigh
 * is their work, or weights[places] by the path; of those that are is_unknown[places] (NULL: of
 * none), a part at least was not counted. */
uint32_t svg_n_places(const struct wn_export *x);
int64_t svg_places(struct wn_out *o, const struct wn_export *x, uint32_t n, int64_t y,
                   const uint64_t *weights, const bool *is_unknown);
/* The counter that the path is by; NULL: it is by none. */
const struct wn_counts *svg_path_counter(const struct wn_graph *g);

/* <title>: what a grain tells when it is pointed at. The lineage is memory that the caller keeps.
 */
wn_status svg_tooltip(struct wn_out *o, const struct wn_export *x, wn_grain id, char **lineage,
                      size_t *lineage_capacity, wn_err *err);

/* S or E, a gate, and a fork or join as a circle, whose upper edges have their middle at x, y. */
void svg_end(struct wn_out *o, const struct wn_node *node, int64_t x, int64_t y);
/* S above y1 and E below y2. */
void svg_ends(struct wn_out *o, int64_t x, int64_t y1, int64_t y2);
void svg_fork(struct wn_out *o, int64_t x, int64_t y, bool is_fork, bool is_critical);
void svg_gate(struct wn_out *o, const struct wn_node *node, int64_t x, int64_t y);

/* The writer of SVG (picture/svg.h) into an export: whole numbers. */
struct svg svg_into(struct wn_out *o);

/* A bend all the way, for svg_bend_in() once its gap and room are set. */
static inline struct svg_bend
svg_bend_between(int64_t x1, int64_t y1, int64_t x2, int64_t y2)
{
	return (struct svg_bend){(double)x1, (double)y1, (double)x2, (double)y2,
	                         SVG_NO_GAP, 0,          false};
}
/* svg_bend() */
void svg_bend_in(struct wn_out *o, const struct svg_bend *bend);
/* The end of an edge of the graph, which bends late on its way to a join alone. */
void svg_curve(struct wn_out *o, const struct wn_edge *edge, int64_t gap, int64_t x1, int64_t y1,
               int64_t x2, int64_t y2);

/* Edges come in groups, one for each kind, and critical ones last, above all others: `put` is
 * called for all edges in each group, and draws those that svg_is_drawn_now(). */
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

#endif /* WN_EXPORT_SVG_PARTS_H */
