/* SPDX-License-Identifier: MIT */
#include "export/graphml_parts.h"

#include <inttypes.h>

void
gml_begin(struct wn_out *o)
{
	wn_out_text(o, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	               "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\"\n"
	               "  xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"\n"
	               "  xmlns:y=\"http://www.yworks.com/xml/graphml\"\n"
	               "  xsi:schemaLocation=\"http://graphml.graphdrawing.org/xmlns "
	               "http://www.yworks.com/xml/schema/graphml/1.1/ygraphml.xsd\">\n"
	               "  <key for=\"node\" id=\"d0\" yfiles.type=\"nodegraphics\"/>\n"
	               "  <key for=\"edge\" id=\"e0\" yfiles.type=\"edgegraphics\"/>\n");
}

void
gml_end(struct wn_out *o)
{
	wn_out_text(o, "  </graph>\n</graphml>\n");
}

void
gml_keys(struct wn_out *o, const char *what, const struct gml_key *keys, size_t n)
{
	for (size_t i = 0; i < n; i++)
		wn_out_format(o,
		              "  <key for=\"%s\" id=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n",
		              what, keys[i].id, keys[i].name, keys[i].type);
}

void
gml_text(struct wn_out *o, const char *key, const char *text)
{
	if (!text || !*text)
		return;
	wn_out_format(o, "      <data key=\"%s\">", key);
	wn_out_xml(o, text);
	wn_out_text(o, "</data>\n");
}

void
gml_number(struct wn_out *o, const char *key, uint64_t value)
{
	wn_out_format(o, "      <data key=\"%s\">%" PRIu64 "</data>\n", key, value);
}

void
gml_flag(struct wn_out *o, const char *key, bool is_set)
{
	wn_out_format(o, "      <data key=\"%s\">%s</data>\n", key, is_set ? "true" : "false");
}

void
gml_shape(struct wn_out *o, const struct gml_style *look, const struct wn_box *box)
{
	bool is_dark = look->shape[0] != 'e' && !look->alpha[0] && wn_export_is_dark(look->fill);
	wn_out_format(o,
	              "      <data key=\"d0\"><y:ShapeNode>"
	              "<y:Geometry height=\"%" PRId64 ".0\" width=\"%" PRId64 ".0\" x=\"%" PRId64
	              ".0\" y=\"%" PRId64 ".0\"/>",
	              box->height, box->width, box->middle - box->width / 2, box->top);
	wn_out_format(o,
	              "<y:Fill color=\"%s%s\" transparent=\"false\"/>"
	              "<y:BorderStyle color=\"%s%s\" type=\"line\" width=\"%s\"/>",
	              look->fill, look->alpha,
	              look->border        ? look->border
	              : look->is_critical ? WN_COLOUR_CRITICAL
	                                  : WN_COLOUR_EDGE,
	              look->border ? "" : look->alpha,
	              look->is_critical || look->border ? "2.0" : "1.0");
	wn_out_format(o,
	              "<y:NodeLabel fontSize=\"%d\" textColor=\"%s%s\">%s</y:NodeLabel>"
	              "<y:Shape type=\"%s\"/></y:ShapeNode></data>\n",
	              look->font, is_dark ? "#FFFFFF" : "#000000", look->alpha, look->label,
	              look->shape);
}

void
gml_line(struct wn_out *o, const struct wn_edge *edge, const char *colour, const char *alpha)
{
	wn_out_format(o,
	              "      <data key=\"e0\"><y:PolyLineEdge>"
	              "<y:LineStyle color=\"%s%s\" type=\"%s\" width=\"%s\"/>"
	              "<y:Arrows source=\"none\" target=\"standard\"/></y:PolyLineEdge></data>\n",
	              colour ? colour : wn_export_edge_colour(edge), colour ? "" : alpha,
	              edge->is_rogue                 ? "dotted"
	              : edge->kind == WN_EDGE_DEPEND ? "dashed"
	                                             : "line",
	              edge->is_critical || colour ? "2.0" : "1.0");
}

struct gml_style
gml_style_of(enum wn_node_kind kind)
{
	static const struct gml_style looks[WN_NODE_KIND_N] = {
	    [WN_NODE_START] = {WN_COLOUR_START, "rectangle", "S", "", 9, false, NULL},
	    [WN_NODE_END] = {WN_COLOUR_START, "rectangle", "E", "", 9, false, NULL},
	    [WN_NODE_FORK] = {WN_COLOUR_FORK, "ellipse", "^", "", 8, false, NULL},
	    [WN_NODE_JOIN] = {WN_COLOUR_JOIN, "ellipse", "*", "", 8, false, NULL},
	    [WN_NODE_GATE] = {WN_COLOUR_DEPEND, "diamond", "", "", 8, false, NULL},
	    [WN_NODE_GRAIN] = {NULL, "rectangle", NULL, "", 9, false, NULL},
	    [WN_NODE_FRAGMENT] = {NULL, "rectangle", NULL, "", 9, false, NULL},
	};
	return looks[kind];
}

const char *
gml_kind_of(enum wn_node_kind kind)
{
	static const char *const kinds[WN_NODE_KIND_N] = {
	    [WN_NODE_START] = "start", [WN_NODE_END] = "end",   [WN_NODE_FORK] = "fork",
	    [WN_NODE_JOIN] = "join",   [WN_NODE_GATE] = "gate",
	};
	return kinds[kind];
}

struct wn_box
gml_small_box(enum wn_node_kind kind)
{
	int64_t size = kind <= WN_NODE_END    ? WN_SIZE_END
	               : kind == WN_NODE_GATE ? WN_SIZE_GATE
	                                      : WN_SIZE_FORK;
	return (struct wn_box){.width = size, .height = size};
}
