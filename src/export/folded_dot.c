/* SPDX-License-Identifier: MIT */
/* folded_dot.c - writes a view of the tree for graphviz. Closed groups are boxes with a shadow;
 * open linear groups and loose branches have a frame. */
#include "base/decimal.h"
#include "base/error.h"
#include "base/mem.h"
#include "export/folded_private.h"
#include "export/nested.h"
#include "export/out.h"

#include <inttypes.h>

struct drawing {
	struct folded f;
	struct wn_out *o;
	wn_err *err;
};

static void
put_end(struct wn_out *o, struct folded_end end)
{
	static const char *const parts[] = {"", "f", "j", "S", "E"};
	if (end.part == FOLDED_START || end.part == FOLDED_END)
		wn_out_format(o, "\"%s\"", parts[end.part]);
	else
		wn_out_format(o, "\"%s%" PRIu32 "\"",
		              end.part == FOLDED_SELF ? "n" : parts[end.part], end.line);
}

static void
put_edge(const struct folded_edge *e, void *user)
{
	struct drawing *d = user;
	struct wn_edge like = {.kind = e->kind, .is_critical = e->is_critical};
	wn_out_text(d->o, "\t");
	put_end(d->o, e->from);
	wn_out_text(d->o, " -> ");
	put_end(d->o, e->to);
	wn_out_format(d->o, " [color=\"%s\"%s]\n", wn_export_edge_colour(&like),
	              e->is_critical ? ", penwidth=1.6, weight=4" : "");
}

static void
put_links(struct drawing *d, const struct links *links)
{
	char count[WN_DECIMAL_BYTES];
	for (size_t i = 0; i < links->n; i++) {
		const struct link *l = &links->items[i];
		struct wn_edge like = {.kind = l->is_rogue ? WN_EDGE_CREATE : WN_EDGE_DEPEND,
		                       .is_rogue = l->is_rogue,
		                       .is_critical = l->is_critical};
		wn_out_format(d->o,
		              "\t\"n%" PRIu32 "\" -> \"n%" PRIu32
		              "\" [color=\"%s\", style=%s, constraint=false",
		              l->from, l->to, wn_export_edge_colour(&like),
		              l->is_rogue ? "dotted" : "dashed");
		if (l->n > 1)
			wn_out_format(d->o, ", label=\"%s\", fontsize=8",
			              wn_decimal_count(l->n, count));
		wn_out_format(d->o, "%s]\n", l->is_critical ? ", penwidth=1.6" : "");
	}
}

static wn_status
put_tooltip(struct drawing *d, uint32_t line)
{
	const struct wn_view_line *l = &d->f.v->lines[line];
	const struct wn_export_place *place = folded_place(&d->f, line);
	const char *id = folded_id(&d->f, line);
	char time[16], count[40];
	if (!id)
		return wn_no_memory(d->err);
	wn_out_text(d->o, ", tooltip=\"");
	wn_out_dot(d->o, id);
	if (place) {
		wn_out_text(d->o, "\\n");
		wn_out_dot(d->o, place->text);
	}
	wn_out_format(d->o, "\\n%s, work %s", folded_count(&d->f, line, count),
	              wn_export_duration(d->f.x, l->sums.work_ns, time));
	wn_out_format(d->o, "\\n%" PRIu64 " with problems\"", l->sums.n_problematic);
	return WN_OK;
}

static void
put_circles(struct drawing *d, uint32_t line)
{
	for (enum folded_part part = FOLDED_FORK; part <= FOLDED_JOIN; part++) {
		struct folded_end end = {line, part};
		wn_out_text(d->o, "\t");
		put_end(d->o, end);
		wn_out_format(
		    d->o, " [shape=circle, fixedsize=true, width=%.3f, fillcolor=\"%s\"%s]\n",
		    WN_SIZE_FORK / 72.0, part == FOLDED_FORK ? WN_COLOUR_FORK : WN_COLOUR_JOIN,
		    folded_is_critical(&d->f, end) ? ", color=\"" WN_COLOUR_CRITICAL
						     "\", penwidth=1.6"
						   : "");
	}
}

static wn_status
put_box(struct drawing *d, uint32_t line)
{
	struct wn_out *o = d->o;
	const struct wn_view_line *l = &d->f.v->lines[line];
	const struct wn_export_place *place = folded_place(&d->f, line);
	bool is_grain = folded_kind(&d->f, line) == WN_TREE_GRAIN;
	bool is_bad = folded_is_problematic(&d->f, line);
	char colour[WN_COLOUR_BYTES] = "#C0C0C0", time[16], count[40];
	const char *name = folded_short_id(&d->f, line);
	if (!name)
		return wn_no_memory(d->err);
	if (place)
		wn_export_palette((uint32_t)(place - d->f.x->places), d->f.x->n_places, colour);
	wn_out_text(o, "\t");
	put_end(o, (struct folded_end){line, FOLDED_SELF});
	wn_out_format(o, " [shape=%s, fillcolor=\"%s\", fontcolor=\"%s\", label=\"",
	              is_grain ? "box" : "box3d, margin=\"0.2,0.12\"", colour,
	              wn_export_is_dark(colour) ? "#FFFFFF" : "#000000");
	wn_out_dot(o, name);
	if (!is_grain)
		wn_out_format(o, "\\n%s", folded_count(&d->f, line, count));
	wn_out_format(o, "\\n%s\"", wn_export_duration(d->f.x, l->sums.work_ns, time));
	if (is_bad || !is_grain)
		wn_out_format(o, ", color=\"%s\", penwidth=%s",
		              is_bad ? WN_COLOUR_PROBLEM : WN_COLOUR_FORK,
		              l->sums.n_critical ? "2.4" : "1.2");
	wn_status st = put_tooltip(d, line);
	wn_out_text(o, "]\n");
	return st;
}

/* Draws a frame around an open group without a node of its own. */
static wn_status
open_frame(struct drawing *d, uint32_t line)
{
	bool is_bad = folded_is_problematic(&d->f, line);
	const char *name = folded_id(&d->f, line);
	if (!name)
		return wn_no_memory(d->err);
	wn_out_format(d->o,
	              "\tsubgraph \"cluster%" PRIu32
	              "\" {\n\tgraph [style=\"rounded\", color=\"%s\", fontsize=8, "
	              "fontcolor=\"#707070\", labeljust=l, label=\"",
	              line, is_bad ? "#E8A0A0" : "#A8D8A8");
	wn_out_dot(d->o, name);
	wn_out_text(d->o, "\"]\n");
	return WN_OK;
}

static wn_status
put_nodes(struct drawing *d)
{
	const struct wn_view *v = d->f.v;
	wn_status st = WN_OK;
	for (uint32_t i = 0; st == WN_OK && i < v->n; i++) {
		if (!v->lines[i].is_open)
			st = put_box(d, i);
		else if (folded_kind(&d->f, i) == WN_TREE_FORK_JOIN)
			put_circles(d, i);
		else
			st = open_frame(d, i);
		/* number of frames that end with this line */
		uint32_t depth = i + 1 < v->n ? v->lines[i + 1].depth : 0;
		for (uint32_t up = i; up != WN_NO_VIEW_LINE && v->lines[up].depth >= depth;
		     up = v->lines[up].parent)
			if (v->lines[up].is_open && folded_kind(&d->f, up) != WN_TREE_FORK_JOIN)
				wn_out_text(d->o, "\t}\n");
	}
	return st;
}

static void
put_head(struct drawing *d)
{
	wn_out_text(d->o, "digraph grains {\n"
	                  "\tgraph [rankdir=TB, ordering=out, nodesep=0.14, ranksep=0.26, "
	                  "fontname=\"Helvetica\", fontsize=11, bgcolor=white, tooltip=\"");
	wn_out_dot(d->o, wn_trace_header(d->f.x->g->trace)->command);
	wn_out_text(d->o, "\"]\n"
	                  "\tnode [fontname=\"Helvetica\", fontsize=9, style=filled, "
	                  "penwidth=0.7, width=0.2, height=0.2, "
	                  "margin=\"0.1,0.06\", label=\"\"]\n"
	                  "\tedge [arrowsize=0.5, penwidth=0.8]\n");
	if (d->f.has_ends)
		wn_out_text(
		    d->o, "\t\"S\" [shape=box, fillcolor=\"" WN_COLOUR_START "\", label=\"S\"]\n"
			  "\t\"E\" [shape=box, fillcolor=\"" WN_COLOUR_START "\", label=\"E\"]\n");
}

wn_status
wn_export_folded_dot(const struct wn_export *x, const struct wn_view *v, FILE *to, wn_err *err)
{
	struct drawing d = {.err = err, .o = wn_calloc(1, sizeof(struct wn_out))};
	struct links links = {0};
	wn_status st;
	if (!d.o || !folded_init(&d.f, x, v))
		st = wn_no_memory(err);
	else
		st = folded_links(&d.f, &links, err);
	if (st == WN_OK) {
		wn_out_begin(d.o, to);
		put_head(&d);
		st = put_nodes(&d);
		folded_edges(&d.f, put_edge, &d);
		put_links(&d, &links);
		wn_out_text(d.o, "}\n");
		if (st == WN_OK)
			st = wn_out_end(d.o, err);
	}
	folded_fini(&d.f);
	links_fini(&links);
	wn_free(d.o);
	return st;
}
