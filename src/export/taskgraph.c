/* SPDX-License-Identifier: MIT */
/*
 * taskgraph.c - the task graph as [P2] draws it (Fig. 4): a circle for each grain, whose area is
 * what it weighs, between the points where tasks are forked and joined, and one heaviest path in
 * red. Nodes are where layout.c puts them; where many children stand in several rows, edges follow
 * lanes between the rows and down the sides, so that none crosses a circle.
 */
#include "base/error.h"
#include "base/mem.h"
#include "export/circles.h"
#include "export/layout.h"
#include "export/svg_parts.h"

#include <inttypes.h>

#define LANE 12 /* of edges, from the row that they pass */

struct picture {
	const struct wn_export *x;
	const struct wn_graph *g;
	struct wn_layout *layout;
	struct wn_out *o;
	wn_err *err;
	uint16_t *side; /* [n] of the square around each circle */
	struct circles c;
	char *lineage;
	size_t lineage_capacity;
	int64_t dx, dy; /* from the layout's coordinates to the picture's */
	struct svg_edges_now now;
};

/* --- sizes --- */

static wn_status
find_most(const struct wn_node *node, void *user)
{
	struct picture *p = user;
	if (node->id.kind != WN_NODE_GRAIN)
		return WN_OK;
	uint64_t weight = wn_path_weight(p->g, node->id.grain);
	p->c.most = weight > p->c.most ? weight : p->c.most;
	p->c.n_grains += wn_is_grain(p->g, node->id.grain);
	return WN_OK;
}

static wn_status
size_circles(struct picture *p)
{
	wn_status st = wn_export_nodes(p->x, find_most, p);
	p->c.radius_most = p->c.n_grains < 300 ? 360 : p->c.n_grains < 2000 ? 260 : 180;
	for (wn_grain id = 0; id < p->g->n; id++)
		p->side[id] =
		    (uint16_t)((2 * circles_radius(&p->c, wn_path_weight(p->g, id)) + 9) / 10);
	return st;
}

/* --- nodes --- */

static wn_status
put_circle(struct picture *p, const struct wn_node *node, const struct wn_box *box)
{
	wn_grain id = node->id.grain;
	bool is_wrapper = !wn_is_grain(p->g, id);
	uint32_t radius = circles_radius(&p->c, wn_path_weight(p->g, id));
	wn_out_format(p->o,
	              "<circle class=\"t%s%s\" cx=\"%" PRId64 "\" cy=\"%" PRId64
	              "\" r=\"%u.%u\" fill=\"%s\">",
	              is_wrapper ? " w" : "", node->is_critical ? " c" : "", box->middle + p->dx,
	              box->top + box->height / 2 + p->dy, radius / 10, radius % 10,
	              svg_fill(p->x, wn_export_place(p->x, id)));
	wn_status st = svg_tooltip(p->o, p->x, id, &p->lineage, &p->lineage_capacity, p->err);
	wn_out_text(p->o, "</circle>\n");
	return st;
}

static wn_status
put_node(const struct wn_node *node, void *user)
{
	struct picture *p = user;
	struct wn_box box = wn_layout_node(p->layout, node->id);
	int64_t x = box.middle + p->dx, y = box.top + p->dy;
	wn_status st = WN_OK;
	if (node->id.kind == WN_NODE_GRAIN)
		st = put_circle(p, node, &box);
	else if (node->id.kind == WN_NODE_GATE)
		svg_gate(p->o, node, x, y);
	else if (node->id.kind == WN_NODE_FORK || node->id.kind == WN_NODE_JOIN)
		circles_fork(&p->c, x, y, node->id.kind == WN_NODE_FORK, node->is_critical);
	else
		svg_end(p->o, node, x, y);
	return st != WN_OK ? st : wn_out_status(p->o);
}

/* --- edges --- */

/* From a fork to a child in one of several rows: along the lane above the first row, down the left
 * side and along the lane above its own. */
static void
put_down(struct picture *p, const struct wn_box *fj, int64_t y1, int64_t x2, int64_t y2)
{
	int64_t side = fj->middle - fj->width / 2 + WN_LAYOUT_SIDE / 2 + p->dx;
	wn_out_format(p->o, "V%" PRId64, y1 + fj->gap - LANE);
	if (y2 - y1 > fj->gap)
		wn_out_format(p->o, "H%" PRId64 "V%" PRId64, side, y2 - LANE);
	wn_out_format(p->o, "H%" PRId64 "V%" PRId64 "\"/>\n", x2, y2);
}

/* The same to the join: below its row, and down the right side. */
static void
put_up(struct picture *p, const struct wn_box *fj, int64_t foot, int64_t x2, int64_t y2)
{
	int64_t side = fj->middle + fj->width / 2 - WN_LAYOUT_SIDE / 2 + p->dx;
	if (y2 - foot > fj->gap)
		wn_out_format(p->o, "V%" PRId64 "H%" PRId64, foot + LANE, side);
	wn_out_format(p->o, "V%" PRId64 "H%" PRId64 "V%" PRId64 "\"/>\n", y2 - fj->gap + LANE, x2,
	              y2);
}

static const struct wn_box *
rows_of(const struct picture *p, struct wn_node_id id, enum wn_node_kind kind)
{
	const struct wn_box *fj =
	    id.kind == kind && p->layout->is_wrapped ? &p->layout->fj[id.fj] : NULL;
	return fj && fj->n_rows > 1 ? fj : NULL;
}

static wn_status
put_edge(const struct wn_edge *edge, void *user)
{
	struct picture *p = user;
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
		put_down(p, down, y1, x2, y2);
	else if (up && !is_plain)
		put_up(p, up, p->layout->grain[edge->from.grain].foot + p->dy, x2, y2);
	else if (x1 == x2 && edge->kind != WN_EDGE_DEPEND)
		wn_out_format(p->o, "V%" PRId64 "\"/>\n", y2);
	else
		svg_curve(p->o, edge, wn_layout_gap(p->layout, edge->to), x1, y1, x2, y2);
	return wn_out_status(p->o);
}

static wn_status
put_picture(struct picture *p)
{
	const struct wn_layout *l = p->layout;
	int64_t legend_height = circles_legend_height(&p->c);
	int64_t width = l->width > CIRCLES_LEGEND ? l->width : CIRCLES_LEGEND;
	p->dx = (width - l->width) / 2 - l->left;
	p->dy = legend_height - l->top;
	wn_out_format(p->o,
	              "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %" PRId64 " %" PRId64
	              "\" width=\"%" PRId64 "\" height=\"%" PRId64 "\">\n",
	              width, l->height + legend_height, width, l->height + legend_height);
	wn_out_text(p->o, svg_style);
	wn_out_text(p->o, circles_style);
	wn_status st = circles_legend(&p->c, false, "", p->err);
	if (st == WN_OK)
		st = svg_edges(p->o, p->x, &p->now, put_edge, p);
	wn_out_text(p->o, "<g class=\"g\">\n");
	if (st == WN_OK)
		st = wn_export_nodes(p->x, put_node, p);
	wn_out_text(p->o, "</g>\n</svg>\n");
	return st;
}

wn_status
wn_export_taskgraph(const struct wn_export *x, FILE *to, wn_err *err)
{
	struct picture p = {.x = x, .g = x->g, .err = err};
	wn_status st = WN_OK;
	if (x->form != WN_FORM_REDUCED)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "task graphs have the reduced form");
	p.o = wn_calloc(1, sizeof *p.o);
	p.side = wn_calloc(x->g->n, sizeof *p.side);
	if (!p.o || !p.side) {
		st = wn_no_memory(err);
		goto out;
	}
	p.c = (struct circles){.x = x, .o = p.o};
	WN_TRY(size_circles(&p));
	WN_TRY(wn_layout_new(x, p.side, &p.layout, err));
	wn_out_begin(p.o, to);
	st = put_picture(&p);
	if (st == WN_OK || st == WN_E_IO)
		st = wn_out_end(p.o, err);
out:
	wn_layout_free(p.layout);
	wn_free(p.side);
	wn_free(p.lineage);
	wn_free(p.o);
	return st;
}
