/* SPDX-License-Identifier: MIT */
/* graph_svg.h - draws pictures of the reduced form: nodes as placed by layout.c, edges between
 * them, a legend above. The caller supplies the shapes of grains, forks and joins. Private to this
 * folder. */
#pragma once

#include "export/layout.h"
#include "export/svg_parts.h"

struct graph_svg;

struct graph_look {
	const char *style; /* added to svg_style: elements before the legend */
	const uint16_t
	    *side; /* argument of wn_layout_new(); NULL: rectangles as high as the grains' work */
	int64_t legend_width; /* minimum width */
	int64_t legend_height;
	/* Writes the legend from the top. WN_OK · WN_E_NOMEM */
	wn_status (*legend)(struct graph_svg *p);
	/* Starts the element of a grain, whose upper edge has its middle at x, y; and writes its
	 * name, which ends the element. */
	void (*grain)(struct graph_svg *p, const struct wn_node *node, const struct wn_box *box,
	              int64_t x, int64_t y);
	const char *grain_element;
	/* Draws a fork or a join, with the middle of its upper edge at x, y. */
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
	int64_t dx, dy; /* offset from layout to picture coordinates */
	struct svg_edges_now now;
};

/* Writes one document. WN_OK · WN_E_IO (part of it may be written) · WN_E_NOMEM. O(nodes + edges).
 */
WN_MUST_CHECK wn_status graph_svg_write(const struct wn_export *x, const struct graph_look *look,
                                        FILE *to, wn_err *err);
