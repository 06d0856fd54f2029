/* SPDX-License-Identifier: MIT */
/*
 * taskgraph.c - the task graph as [P2] draws it (Fig. 4): a circle for each grain, whose area is
 * what it weighs, between the points where tasks are forked and joined, and one heaviest path in
 * red. Nodes are where layout.c puts them; where many children stand in several rows, edges follow
 * lanes between the rows and down the sides, so that none crosses a circle.
 */
#include "base/decimal.h"
#include "base/error.h"
#include "base/mem.h"
#include "export/export.h"
#include "export/layout.h"
#include "export/svg_parts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define RADIUS_LEAST 30 /* tenths; what weighs less has it, too */
#define LEGEND       660
#define N_SAMPLES    3
#define LANE         12 /* of edges, from the row that they pass */

struct picture {
	const struct wn_export *x;
	const struct wn_graph *g;
	struct wn_layout *layout;
	struct wn_out *o;
	wn_err *err;
	uint16_t *side; /* [n] of the square around each circle */
	uint64_t most;  /* weight of the largest circle */
	uint32_t radius_most, n_grains;
	char *lineage;
	size_t lineage_capacity;
	int64_t dx, dy; /* from the layout's coordinates to the picture's */
	struct svg_edges_now now;
};

/* --- sizes --- */

/* In tenths; areas are in proportion to weights. */
static uint32_t
radius_of(const struct picture *p, uint64_t weight)
{
	double part = p->most ? sqrt((double)weight / (double)p->most) : 0;
	uint32_t radius = (uint32_t)lround(part * p->radius_most);
	return radius > RADIUS_LEAST ? radius : RADIUS_LEAST;
}

static wn_status
find_most(const struct wn_node *node, void *user)
{
	struct picture *p = user;
	if (node->id.kind != WN_NODE_GRAIN)
		return WN_OK;
	uint64_t weight = wn_path_weight(p->g, node->id.grain);
	p->most = weight > p->most ? weight : p->most;
	p->n_grains += wn_is_grain(p->g, node->id.grain);
	return WN_OK;
}

static wn_status
size_circles(struct picture *p)
{
	wn_status st = wn_export_nodes(p->x, find_most, p);
	p->radius_most = p->n_grains < 300 ? 360 : p->n_grains < 2000 ? 260 : 180;
	for (wn_grain id = 0; id < p->g->n; id++)
		p->side[id] = (uint16_t)((2 * radius_of(p, wn_path_weight(p->g, id)) + 9) / 10);
	return st;
}

/* A sum of weights, or one. */
static const char *
weight_text(const struct picture *p, uint64_t weight, char out[WN_DECIMAL_BYTES])
{
	const struct wn_path *path = p->g->path;
	if (path && !*path->unit)
		return wn_decimal_count(weight, out);
	return wn_export_duration(p->x, weight, out);
}

/* --- legend --- */

static void
put_title(struct picture *p, int64_t y)
{
	const struct wn_graph *g = p->g;
	const struct wn_path *path = g->path;
	char work[WN_DECIMAL_BYTES], span[WN_DECIMAL_BYTES], ratio[WN_DECIMAL_BYTES];
	uint64_t sum = 0;
	for (wn_grain id = 0; id < g->n; id++)
		sum += wn_export_has(p->x, id) ? wn_path_weight(g, id) : 0;
	wn_out_format(p->o,
	              "<text x=\"24\" y=\"%" PRId64 "\" font-size=\"19\" font-weight=\"600\">", y);
	wn_out_xml(p->o, wn_trace_header(g->trace)->command);
	wn_out_text(p->o, "</text>\n");
	svg_text(p->o, 24, y + LEGEND_LINE, "start");
	if (p->x->group) {
		wn_out_text(p->o, "only ");
		wn_out_xml(p->o, p->x->group);
		wn_out_text(p->o, ": ");
	}
	wn_out_format(p->o, "%" PRIu32 " grain%s by ", p->n_grains, p->n_grains == 1 ? "" : "s");
	wn_out_xml(p->o, path ? path->name : "work");
	if (path)
		sum = p->x->group ? sum : path->work;
	uint64_t longest = path ? path->span : g->span_ns;
	wn_out_format(p->o, ": %s", weight_text(p, sum, work));
	if (!p->x->group)
		wn_out_format(
		    p->o, ", span %s, exposed parallelism %s", weight_text(p, longest, span),
		    wn_decimal_ratio(longest ? (double)sum / (double)longest : (double)NAN, ratio));
	wn_out_text(p->o, "</text>\n");
}

static void
put_fork(struct picture *p, int64_t x, int64_t y, bool is_fork, bool is_critical)
{
	wn_out_format(p->o, "<path class=\"%s%s\" d=\"M%" PRId64 " %" PRId64 "%s\"/>\n",
	              is_fork ? "f" : "j", is_critical ? "c" : "", x, y,
	              is_fork ? "l5.5 10h-11z" : "m-5.5 0h11l-5.5 10z");
}

static void
put_symbols(struct picture *p, int64_t y)
{
	put_fork(p, 34, y - 10, true, false);
	put_fork(p, 104, y - 10, false, false);
	wn_out_format(p->o, "<path class=\"critical\" d=\"M168 %" PRId64 "h28\"/>\n", y - 5);
	svg_marks_names(p->o, y);
	wn_out_format(p->o,
	              "<circle class=\"t w\" cx=\"327\" cy=\"%" PRId64
	              "\" r=\"7\" fill=\"#ffffff\"/>\n",
	              y - 5);
	svg_text(p->o, 342, y, "start");
	wn_out_text(p->o, "a thread's own part of a region</text>\n");
}

/* The largest of 1, 2, 5, 10, ... that is not above it. */
static uint64_t
round_down(uint64_t value)
{
	uint64_t unit = 1;
	while (value / unit >= 10)
		unit *= 10;
	return unit * (value / unit >= 5 ? 5 : value / unit >= 2 ? 2 : 1);
}

static int64_t
samples_height(const struct picture *p)
{
	return 2 * (int64_t)p->radius_most / 10 + 14;
}

static void
put_unit(struct picture *p)
{
	wn_out_text(p->o, " ");
	wn_out_xml(p->o, p->g->path->name);
}

/* Circles of round weights; at last, what the smallest is at most. */
static void
put_samples(struct picture *p, int64_t top)
{
	char text[WN_DECIMAL_BYTES];
	int64_t x = 24, middle = top + samples_height(p) / 2;
	uint64_t weight = p->most ? round_down(p->most) : 0;
	for (int i = 0; i < N_SAMPLES && weight > 0; i++) {
		uint32_t radius = radius_of(p, weight);
		if (radius <= RADIUS_LEAST)
			break;
		x += radius / 10;
		wn_out_format(p->o,
		              "<circle class=\"t\" cx=\"%" PRId64 "\" cy=\"%" PRId64
		              "\" r=\"%u.%u\" fill=\"#ffffff\"/>\n",
		              x, middle, radius / 10, radius % 10);
		x += radius / 10 + 8;
		svg_text(p->o, x, middle + 5, "start");
		wn_out_format(p->o, "%s</text>\n", weight_text(p, weight, text));
		x += 8 * (int64_t)strlen(text) + 22;
		weight = round_down(weight / 4);
	}
	double part = (double)RADIUS_LEAST / p->radius_most;
	uint64_t least = (uint64_t)(part * part * (double)p->most);
	wn_out_format(p->o,
	              "<circle class=\"t\" cx=\"%" PRId64 "\" cy=\"%" PRId64 "\" r=\"3\" "
	              "fill=\"#ffffff\"/>",
	              x + 3, middle);
	svg_text(p->o, x + 14, middle + 5, "start");
	wn_out_format(p->o, "at most %s", weight_text(p, least, text));
	if (p->g->path && !*p->g->path->unit)
		put_unit(p);
	wn_out_text(p->o, "</text>\n");
}

static void
put_legend(struct picture *p, uint32_t n_places)
{
	int64_t y = 40;
	put_title(p, y);
	y = svg_places(p->o, p->x, n_places, y + 2 * LEGEND_LINE + 6) + 4;
	put_symbols(p, y);
	put_samples(p, y + 8);
}

/* --- nodes --- */

static wn_status
put_circle(struct picture *p, const struct wn_node *node, const struct wn_box *box)
{
	wn_grain id = node->id.grain;
	bool is_wrapper = !wn_is_grain(p->g, id);
	uint32_t radius = radius_of(p, wn_path_weight(p->g, id));
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
		put_fork(p, x, y, node->id.kind == WN_NODE_FORK, node->is_critical);
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
	uint32_t n_places = svg_n_places(p->x);
	int64_t legend_height = 40 + (3 + (int64_t)n_places) * LEGEND_LINE + samples_height(p) + 16;
	int64_t width = l->width > LEGEND ? l->width : LEGEND;
	p->dx = (width - l->width) / 2 - l->left;
	p->dy = legend_height - l->top;
	wn_out_format(p->o,
	              "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %" PRId64 " %" PRId64
	              "\" width=\"%" PRId64 "\" height=\"%" PRId64 "\">\n",
	              width, l->height + legend_height, width, l->height + legend_height);
	wn_out_text(p->o, svg_style);
	wn_out_text(p->o, "<style>.t{stroke:#3e4c59;stroke-width:.8}"
	                  ".w{stroke-dasharray:3 2}</style>\n"
	                  "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
	put_legend(p, n_places);
	wn_status st = svg_edges(p->o, p->x, &p->now, put_edge, p);
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
		st = wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
		goto out;
	}
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
