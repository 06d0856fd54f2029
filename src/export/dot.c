/* SPDX-License-Identifier: MIT */
/* dot.c - writes the graph for graphviz: dot -Tsvg, dot -Tpng. Drawings of more than
 * some thousand nodes are unreadable, and dot takes minutes to lay them out. */
#include "base/error.h"
#include "base/mem.h"
#include "export/export.h"
#include "export/out.h"

#include <inttypes.h>

#define LEGEND_LINES 12

struct drawing {
	const struct wn_export *x;
	const struct wn_graph *g;
	struct wn_out *o;
	wn_err *err;
	char *lineage;
	size_t lineage_capacity;
};

/* Writes a table below the graph: one line per place, then the meaning of circles and red. */
static void
put_legend(struct drawing *dr)
{
	struct wn_out *o = dr->o;
	const struct wn_export *x = dr->x;
	char colour[WN_COLOUR_BYTES], time[16], count[40];
	wn_out_text(o, "\tlabel=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"3\">\n");
	for (uint32_t i = 0; i < x->n_places && i < LEGEND_LINES; i++) {
		wn_out_format(o, "\t\t<TR><TD BGCOLOR=\"%s\" WIDTH=\"18\"></TD><TD ALIGN=\"LEFT\">",
		              wn_export_palette(i, x->n_places, colour));
		wn_out_xml(o, x->places[i].text);
		wn_out_format(o,
		              "</TD><TD ALIGN=\"RIGHT\">%s</TD><TD ALIGN=\"RIGHT\">%s</TD></TR>\n",
		              wn_export_count(&x->places[i], count),
		              wn_export_duration(dr->x, x->places[i].work_ns, time));
	}
	if (x->n_places > LEGEND_LINES)
		wn_out_format(
		    o, "\t\t<TR><TD></TD><TD ALIGN=\"LEFT\">%" PRIu32 " more places</TD></TR>\n",
		    x->n_places - LEGEND_LINES);
	wn_out_text(o, "\t\t<TR><TD><FONT COLOR=\"" WN_COLOUR_FORK
	               "\">&#9679;</FONT></TD><TD ALIGN=\"LEFT\">fork"
	               "</TD></TR>\n"
	               "\t\t<TR><TD><FONT COLOR=\"" WN_COLOUR_JOIN
	               "\">&#9679;</FONT></TD><TD ALIGN=\"LEFT\">join"
	               "</TD></TR>\n"
	               "\t\t<TR><TD><FONT COLOR=\"" WN_COLOUR_CRITICAL
	               "\">&#9473;</FONT></TD><TD ALIGN=\"LEFT\">"
	               "critical path</TD></TR>\n");
	if (dr->g->n_dependents)
		wn_out_text(o, "\t\t<TR><TD><FONT COLOR=\"" WN_COLOUR_DEPEND
		               "\">&#9479;</FONT></TD><TD ALIGN=\"LEFT\">"
		               "depends on</TD></TR>\n");
	wn_out_text(o, ""
	               "\t</TABLE>>\n");
}

static void
put_head(struct drawing *dr)
{
	wn_out_text(dr->o, "digraph grains {\n"
	                   "\tgraph [rankdir=TB, ordering=out, nodesep=0.12, ranksep=0.22, "
	                   "fontname=\"Helvetica\", fontsize=11, bgcolor=white, tooltip=\"");
	wn_out_dot(dr->o, wn_trace_header(dr->g->trace)->command);
	if (dr->x->group) {
		wn_out_text(dr->o, ": only ");
		wn_out_dot(dr->o, dr->x->group);
	}
	wn_out_text(dr->o,
	            "\"]\n"
	            "\tnode [fontname=\"Helvetica\", fontsize=9, style=filled, fixedsize=true, "
	            "penwidth=0.7, label=\"\"]\n"
	            "\tedge [arrowsize=0.4, penwidth=0.7]\n");
	put_legend(dr);
}

static wn_status
put_tooltip(struct drawing *dr, wn_grain id)
{
	const struct wn_graph *g = dr->g;
	const struct wn_export_place *place = wn_export_place(dr->x, id);
	const char *lineage = wn_export_lineage(dr->x, id, &dr->lineage, &dr->lineage_capacity);
	char time[16];
	if (!lineage)
		return wn_no_memory(dr->err);
	wn_out_text(dr->o, ", tooltip=\"");
	wn_out_dot(dr->o, lineage);
	wn_out_format(dr->o, "\\n%s", wn_export_kind(g, id));
	if (place) {
		wn_out_text(dr->o, " at ");
		wn_out_dot(dr->o, place->text);
	}
	wn_out_format(dr->o, "\\nwork %s", wn_export_duration(dr->x, wn_work_ns(g, id), time));
	if (g->flags[id] & WN_GF_CREATION_KNOWN)
		wn_out_format(dr->o, ", creation %s",
		              wn_export_duration(dr->x, wn_creation_ns(g, id), time));
	if (wn_export_label(g, id)) {
		wn_out_text(dr->o, "\\n");
		wn_out_dot(dr->o, wn_export_label(g, id));
	}
	wn_out_text(dr->o, "\"");
	return WN_OK;
}

static void
put_small(struct wn_out *o, const struct wn_node *node)
{
	bool is_gate = node->id.kind == WN_NODE_GATE;
	bool is_circle = node->id.kind == WN_NODE_FORK || node->id.kind == WN_NODE_JOIN;
	const char *colour = is_gate                         ? WN_COLOUR_DEPEND
	                     : node->id.kind == WN_NODE_FORK ? WN_COLOUR_FORK
	                     : node->id.kind == WN_NODE_JOIN ? WN_COLOUR_JOIN
	                                                     : WN_COLOUR_START;
	double inches = (is_gate ? WN_SIZE_GATE : is_circle ? WN_SIZE_FORK : WN_SIZE_END) / 72.0;
	wn_out_format(o, "shape=%s, width=%.3f, height=%.3f, fillcolor=\"%s\"",
	              is_gate     ? "diamond"
	              : is_circle ? "circle"
	                          : "box",
	              inches, inches, colour);
	if (!is_circle && !is_gate)
		wn_out_format(o, ", label=\"%s\"", node->id.kind == WN_NODE_START ? "S" : "E");
}

static wn_status
put_node(const struct wn_node *node, void *user)
{
	struct drawing *dr = user;
	char name[WN_NODE_NAME_BYTES], colour[WN_COLOUR_BYTES];
	wn_status st = WN_OK;
	wn_node_name(node->id, name);
	wn_out_format(dr->o, "\t\"%s\" [", name);
	if (node->id.kind == WN_NODE_GRAIN || node->id.kind == WN_NODE_FRAGMENT) {
		wn_export_colour(dr->x, node->id.grain, colour);
		wn_out_format(dr->o,
		              "shape=box, width=%.3f, height=%.3f, fillcolor=\"%s\", "
		              "fontcolor=\"%s\", label=\"%s\"",
		              WN_SIZE_GRAIN / 72.0, wn_export_height(dr->x, node->weight_ns) / 72.0,
		              colour, wn_export_is_dark(colour) ? "#FFFFFF" : "#000000", name);
		st = put_tooltip(dr, node->id.grain);
	} else {
		put_small(dr->o, node);
	}
	if (node->is_critical)
		wn_out_text(dr->o, ", color=\"" WN_COLOUR_CRITICAL "\", penwidth=1.6");
	wn_out_text(dr->o, "]\n");
	return st != WN_OK ? st : wn_out_status(dr->o);
}

static wn_status
put_edge(const struct wn_edge *edge, void *user)
{
	struct drawing *dr = user;
	char from[WN_NODE_NAME_BYTES], to[WN_NODE_NAME_BYTES];
	wn_out_format(dr->o, "\t\"%s\" -> \"%s\" [color=\"%s\"%s%s]\n",
	              wn_node_name(edge->from, from), wn_node_name(edge->to, to),
	              wn_export_edge_colour(edge),
	              edge->is_critical ? ", penwidth=1.6, weight=4" : "",
	              edge->is_rogue                 ? ", style=dotted, constraint=false"
	              : edge->kind == WN_EDGE_DEPEND ? ", style=dashed"
	                                             : "");
	return wn_out_status(dr->o);
}

wn_status
wn_export_dot(const struct wn_export *x, FILE *to, wn_err *err)
{
	struct drawing dr = {
	    .x = x, .g = x->g, .err = err, .o = wn_calloc(1, sizeof(struct wn_out))};
	if (!dr.o)
		return wn_no_memory(err);
	wn_out_begin(dr.o, to);
	put_head(&dr);
	wn_status st = wn_export_nodes(x, put_node, &dr);
	if (st == WN_OK)
		st = wn_export_edges(x, put_edge, &dr);
	wn_out_text(dr.o, "}\n");
	if (st == WN_OK || st == WN_E_IO)
		st = wn_out_end(dr.o, err);
	wn_free(dr.lineage);
	wn_free(dr.o);
	return st;
}
