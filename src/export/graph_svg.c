/* SPDX-License-Identifier: MIT */
/* graph_svg.c - draws the reduced form. Edges go down, from the lower edge of one node to the upper
 * edge of the other. If many children stand in several rows, edges follow lanes between the rows
 * and down the sides, so that none crosses a grain. */
#include "export/graph_svg.h"

#include "base/error.h"
#include "base/mem.h"

#include <inttypes.h>

#define LANE 12 /* offset of edges from the row that they pass */

/* --- edges --- */

/* Draws an edge from a fork to a child in one of several rows: along the lane above the first row,
 * down the left side and along the lane above its own. */
static void
put_edge_down(struct graph_svg *p, const struct wn_box *fj, int64_t y1, int64_t x2, int64_t y2)
{
	int64_t side = fj->middle - fj->width / 2 + WN_LAYOUT_SIDE / 2 + p->dx;
	wn_out_format(p->o, "V%" PRId64, y1 + fj->gap - LANE);
	if (y2 - y1 > fj->gap)
		wn_out_format(p->o, "H%" PRId64 "V%" PRId64, side, y2 - LANE);
	wn_out_format(p->o, "H%" PRId64 "V%" PRId64 "\"/>\n", x2, y2);
}

/* Draws the edge to the join in the same way: below its row, and down the right side. */
static void
put_up(struct graph_svg *p, const struct wn_box *fj, int64_t foot, int64_t x2, int64_t y2)
{
	int64_t side = fj->middle + fj->width / 2 - WN_LAYOUT_SIDE / 2 + p->dx;
	if (y2 - foot > fj->gap)
		wn_out_format(p->o, "V%" PRId64 "H%" PRId64, foot + LANE, side);
	wn_out_format(p->o, "V%" PRId64 "H%" PRId64 "V%" PRId64 "\"/>\n", y2 - fj->gap + LANE, x2,
	              y2);
}

static const struct wn_box *
rows_of(const struct graph_svg *p, struct wn_node_id id, enum wn_node_kind kind)
{
	const struct wn_box *fj =
	    id.kind == kind && p->layout->is_wrapped ? &p->layout->fj[id.fj] : NULL;
	return fj && fj->n_rows > 1 ? fj : NULL;
}

static wn_status
put_edge(const struct wn_edge *edge, void *user)
{
	struct graph_svg *p = user;
	if (!svg_is_drawn_now(&p->now, edge))
		return WN_OK;
	struct wn_box from = wn_layout_node(p->layout, edge->from);
	struct wn_box to = wn_layout_node(p->layout, edge->to);
	int64_t x1 = from.middle + p->dx, y1 = from.top + from.height + p->dy;
	int64_t x2 = to.middle + p->dx, y2 = to.top + p->dy;
	const struct wn_box *down = rows_of(p, edge->from, WN_NODE_FORK);
	const struct wn_box *up = rows_of(p, edge->to, WN_NODE_JOIN);
	bool is_plain = edge->is_rogue || edge->kind == WN_EDGE_DEPEND;
	wn_out_format(p->o, "<path%s d=\"M%" PRId64 " %" PRId64,
	              edge->is_rogue ? " class=\"rogue\"" : "", x1, y1);
	if (down && !is_plain)
		put_edge_down(p, down, y1, x2, y2);
	else if (up && !is_plain)
		put_up(p, up, p->layout->grain[edge->from.grain].foot + p->dy, x2, y2);
	else if (x1 == x2 && edge->kind != WN_EDGE_DEPEND)
		wn_out_format(p->o, "V%" PRId64 "\"/>\n", y2);
	else
		svg_curve(p->o, edge, wn_layout_gap(p->layout, edge->to), x1, y1, x2, y2);
	return wn_out_status(p->o);
}

/* --- nodes --- */

static wn_status
put_node(const struct wn_node *node, void *user)
{
	struct graph_svg *p = user;
	struct wn_box box = wn_layout_node(p->layout, node->id);
	int64_t x = box.middle + p->dx, y = box.top + p->dy;
	wn_status st = WN_OK;
	if (node->id.kind == WN_NODE_GRAIN) {
		p->look->grain(p, node, &box, x, y);
		st = svg_tooltip(p->o, p->x, node->id.grain, &p->lineage, &p->lineage_capacity,
		                 p->err);
		wn_out_format(p->o, "</%s>\n", p->look->grain_element);
	} else if (node->id.kind == WN_NODE_GATE) {
		svg_gate(p->o, node, x, y);
	} else if (node->id.kind == WN_NODE_FORK || node->id.kind == WN_NODE_JOIN) {
		p->look->fork(p, node, x, y);
	} else {
		svg_end(p->o, node, x, y);
	}
	return st != WN_OK ? st : wn_out_status(p->o);
}

/* --- the document --- */

static wn_status
put_picture(struct graph_svg *p)
{
	const struct wn_layout *l = p->layout;
	const struct graph_look *look = p->look;
	int64_t width = l->width > look->legend_width ? l->width : look->legend_width;
	p->dx = (width - l->width) / 2 - l->left;
	p->dy = look->legend_height - l->top;
	svg_begin(p->o, width, l->height + look->legend_height);
	wn_out_text(p->o, look->style);
	wn_status st = look->legend(p);
	if (st == WN_OK)
		st = svg_edges(p->o, p->x, &p->now, put_edge, p);
	wn_out_text(p->o, "<g class=\"g\">\n");
	if (st == WN_OK)
		st = wn_export_nodes(p->x, put_node, p);
	wn_out_text(p->o, "</g>\n</svg>\n");
	return st;
}

wn_status
graph_svg_write(const struct wn_export *x, const struct graph_look *look, FILE *to, wn_err *err)
{
	struct graph_svg p = {.x = x, .look = look, .err = err};
	wn_status st;
	p.o = wn_calloc(1, sizeof *p.o);
	if (!p.o)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	WN_TRY(wn_layout_new(x, look->side, &p.layout, err));
	wn_out_begin(p.o, to);
	st = put_picture(&p);
	if (st == WN_OK || st == WN_E_IO)
		st = wn_out_end(p.o, err);
out:
	wn_layout_free(p.layout);
	wn_free(p.lineage);
	wn_free(p.o);
	return st;
}
