/* SPDX-License-Identifier: MIT */
/*
 * svg.c - a picture of the reduced form that needs no other program: nodes where layout.c puts
 * them, edges as curves, a legend on top. Colours of grains are softer than in the other formats
 * and can be told apart by the colour-blind; green, orange and red stay with forks, joins and the
 * critical path. Each grain tells about itself when pointed at.
 */
#include "base/error.h"
#include "base/mem.h"
#include "base/plural.h"
#include "export/export.h"
#include "export/layout.h"
#include "export/svg_parts.h"

#include <inttypes.h>

struct picture {
	const struct wn_export *x;
	const struct wn_graph *g;
	struct wn_layout *layout;
	struct wn_out *o;
	wn_err *err;
	char *lineage;
	size_t lineage_capacity;
	int64_t dx, dy; /* from the layout's coordinates to the picture's */
	uint32_t n_lines;
	struct svg_edges_now now;
};

/* Base name of the program, which is the command's first word. */
static void
put_title(struct picture *p, int64_t y)
{
	const struct wn_graph *g = p->g;
	uint64_t n_grains = 0, work_ns = 0;
	char work[16], span[16];
	for (wn_grain id = 0; id < g->n; id++) {
		bool has = wn_export_has(p->x, id);
		n_grains += has && wn_is_grain(g, id);
		work_ns += has ? g->work_ns[id] : 0;
	}
	svg_title(p->o, y, wn_trace_header(g->trace)->command);
	svg_text(p->o, 24, y + LEGEND_LINE, "start");
	if (p->x->group) {
		wn_out_text(p->o, "only ");
		wn_out_xml(p->o, p->x->group);
		wn_out_format(p->o, ": %" PRIu64 " grain%s, work %s</text>\n", n_grains,
		              wn_plural(n_grains), wn_export_duration(p->x, work_ns, work));
		return;
	}
	wn_out_format(p->o, "%" PRIu64 " grain%s, work %s, span %s</text>\n", n_grains,
	              wn_plural(n_grains), wn_export_duration(p->x, work_ns, work),
	              wn_export_duration(p->x, g->span_ns, span));
}

static void
put_symbols(struct picture *p, int64_t y)
{
	struct wn_out *o = p->o;
	svg_marks(o, y);
	wn_out_format(
	    o,
	    "<rect x=\"318\" y=\"%" PRId64 "\" width=\"7\" height=\"6\" fill=\"#7b8794\"/>"
	    "<rect x=\"327\" y=\"%" PRId64 "\" width=\"7\" height=\"14\" fill=\"#7b8794\"/>\n",
	    y - 6, y - 14);
	svg_marks_names(o, y);
	svg_text(o, 342, y, "start");
	wn_out_text(o, "taller: more work, in ten steps</text>\n");
	svg_links(o, p->x, false, y);
}

static void
put_legend(struct picture *p)
{
	const struct wn_export *x = p->x;
	int64_t y = 40;
	put_title(p, y);
	y += 2 * LEGEND_LINE + 6;
	y = svg_places(p->o, x, p->n_lines, y, NULL, NULL);
	put_symbols(p, y + 4);
}

static wn_status
put_grain(struct picture *p, const struct wn_node *node, const struct wn_box *box)
{
	wn_out_format(p->o,
	              "<rect x=\"%" PRId64 "\" y=\"%" PRId64 "\" width=\"%" PRId64
	              "\" height=\"%" PRId64 "\" rx=\"4\" fill=\"%s\"%s>",
	              box->middle - box->width / 2 + p->dx, box->top + p->dy, box->width,
	              box->height, svg_fill(p->x, wn_export_place(p->x, node->id.grain)),
	              node->is_critical ? " class=\"c\"" : "");
	wn_status st =
	    svg_tooltip(p->o, p->x, node->id.grain, &p->lineage, &p->lineage_capacity, p->err);
	wn_out_text(p->o, "</rect>\n");
	return st;
}

static wn_status
put_node(const struct wn_node *node, void *user)
{
	struct picture *p = user;
	struct wn_box box = wn_layout_node(p->layout, node->id);
	int64_t x = box.middle + p->dx, y = box.top + p->dy;
	if (node->id.kind == WN_NODE_GRAIN) {
		wn_status st = put_grain(p, node, &box);
		return st != WN_OK ? st : wn_out_status(p->o);
	}
	if (node->id.kind == WN_NODE_GATE)
		svg_gate(p->o, node, x, y);
	else if (node->id.kind == WN_NODE_FORK || node->id.kind == WN_NODE_JOIN)
		wn_out_format(
		    p->o,
		    "<circle class=\"%s%s\" cx=\"%" PRId64 "\" cy=\"%" PRId64 "\" r=\"%d\"/>\n",
		    node->id.kind == WN_NODE_FORK ? "f" : "j", node->is_critical ? "c" : "", x,
		    y + WN_SIZE_FORK / 2, WN_SIZE_FORK / 2);
	else
		svg_end(p->o, node, x, y);
	return wn_out_status(p->o);
}

/* Down from the lower edge of one node to the upper edge of the other. */
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
	wn_out_format(p->o, "<path%s d=\"M%" PRId64 " %" PRId64,
	              edge->is_rogue ? " class=\"rogue\"" : "", x1, y1);
	if (x1 == x2 && edge->kind != WN_EDGE_DEPEND)
		wn_out_format(p->o, "V%" PRId64 "\"/>\n", y2);
	else
		svg_curve(p->o, edge, wn_layout_gap(p->layout, edge->to), x1, y1, x2, y2);
	return wn_out_status(p->o);
}

static wn_status
put_picture(struct picture *p)
{
	const struct wn_layout *l = p->layout;
	p->n_lines = svg_n_places(p->x);
	int64_t n_lines = 3 + (int64_t)p->n_lines + svg_n_links(p->x);
	int64_t legend_height = 40 + n_lines * LEGEND_LINE;
	int64_t width = l->width > LEGEND_WIDTH ? l->width : LEGEND_WIDTH;
	p->dx = (width - l->width) / 2 - l->left;
	p->dy = legend_height - l->top;
	wn_out_format(p->o,
	              "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %" PRId64 " %" PRId64
	              "\" width=\"%" PRId64 "\" height=\"%" PRId64 "\">\n",
	              width, l->height + legend_height, width, l->height + legend_height);
	wn_out_text(p->o, svg_style);
	wn_out_text(p->o, "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
	put_legend(p);
	wn_status st = svg_edges(p->o, p->x, &p->now, put_edge, p);
	wn_out_text(p->o, "<g class=\"g\">\n");
	if (st == WN_OK)
		st = wn_export_nodes(p->x, put_node, p);
	wn_out_text(p->o, "</g>\n</svg>\n");
	return st;
}

wn_status
wn_export_svg(const struct wn_export *x, FILE *to, wn_err *err)
{
	struct picture p = {.x = x, .g = x->g, .err = err};
	wn_status st;
	if (x->form != WN_FORM_REDUCED)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "svg has the reduced form only");
	p.o = wn_calloc(1, sizeof *p.o);
	if (!p.o)
		return wn_no_memory(err);
	WN_TRY(wn_layout_new(x, NULL, &p.layout, err));
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
