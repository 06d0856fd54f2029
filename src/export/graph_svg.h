/* SPDX-License-Identifier: MIT */
/*
 * graph_svg.h - pictures of the reduced form: nodes where layout.c puts them, edges between them, a
 * legend above. What grains, forks and joins look like is given. Private to this folder.
 */
#ifndef WN_EXPORT_GRAPH_SVG_H
#define WN_EXPORT_GRAPH_SVG_H

#include "export/layout.h"
#include "export/svg_parts.h"

struct graph_svg;

struct graph_look {
	const char *style;    /* besides svg_style: elements before the legend */
	const uint16_t *side; /* of wn_layout_new(); NULL: rectangles as high as the grains' work */
	int64_t legend_width; /* at least */
	int64_t legend_height;
	/* Writes the legend from the top. WN_OK · WN_E_NOMEM */
	wn_status (*legend)(struct graph_svg *p);
	/* Starts the element of a grain, whose upper edge has its middle at x, y; and its name, as
	 * which it ends. */
	void (*grain)(struct graph_svg *p, const struct wn_node *node, const struct wn_box *box,
	              int64_t x, int64_t y);
	const char *grain_element;
	/* A fork or a join, with the middle of its upper edge. */
	void (*fork)(struct graph_svg *p, const struct wn_node *node, int64_t x, int64_t y);
	void *user;
};

struct graph_svg {
	const struct wn_export *x;
	const struct graph_look *look;
	struct wn_layout *layout;
	struct wn_out *o;
	wn_err *err;
	char *lineage;
	size_t lineage_capacity;
	int64_t dx, dy; /* from the layout's coordinates to the picture's */
	struct svg_edges_now now;
};

/* Writes one document. WN_OK · WN_E_IO (part of it may be written) · WN_E_NOMEM. O(nodes + edges).
 */
WN_MUST_CHECK wn_status graph_svg_write(const struct wn_export *x, const struct graph_look *look,
                                        FILE *to, wn_err *err);

#endif /* WN_EXPORT_GRAPH_SVG_H */
