/* SPDX-License-Identifier: MIT */
/*
 * graphml.c - writes GraphML with the yFiles extension, so that yEd opens a finished drawing.
 *
 * The structure follows http://graphml.graphdrawing.org/xmlns and yWorks' ygraphml 1.1: keys first,
 * then one graph with its data, nodes and edges. Attributes of nodes are ordinary data keys, which
 * any reader of GraphML supports. The reduced form has positions; fragments have none and need the
 * reader's own layout (in yEd: Layout, Hierarchical).
 */
#include "base/error.h"
#include "base/mem.h"
#include "export/graphml_parts.h"

#include <inttypes.h>

/* clang-format off */
static const struct gml_key graph_keys[] = {
    {"g0", "command", "string"}, {"g1", "form", "string"}, {"g2", "work_ns", "long"},
    {"g3", "span_ns", "long"}, {"g4", "group", "string"},
};
static const struct gml_key node_keys[] = {
    {"d1", "kind", "string"},         {"d2", "id", "long"},          {"d3", "lineage", "string"},
    {"d4", "parent", "long"},         {"d5", "child_number", "long"}, {"d6", "joined_by", "long"},
    {"d7", "thread", "int"},          {"d8", "cpu", "int"},          {"d9", "work_ns", "long"},
    {"d10", "exec_ns", "long"},       {"d11", "creation_ns", "long"}, {"d12", "sync_ns", "long"},
    {"d13", "begin_ns", "long"},      {"d14", "end_ns", "long"},     {"d15", "function", "string"},
    {"d16", "file", "string"},        {"d17", "line", "int"},        {"d18", "range", "string"},
    {"d19", "on_crit_path", "boolean"}, {"d20", "weight_ns", "long"}, {"d21", "fragment", "long"},
    {"d22", "fork_join", "long"},     {"d23", "num_children", "long"}, {"d24", "locked_ns", "long"},
    {"d25", "label", "string"},       {"d26", "cancelled", "boolean"},  {"d27", "node", "int"},
};
static const struct gml_key edge_keys[] = {
    {"e1", "kind", "string"}, {"e2", "weight_ns", "long"}, {"e3", "on_crit_path", "boolean"},
    {"e4", "rogue", "boolean"},
};
/* clang-format on */

struct document {
	const struct wn_export *x;
	const struct wn_graph *g;
	struct wn_layout *layout; /* NULL for fragments */
	struct wn_out *o;
	wn_err *err;
	char *lineage;
	size_t lineage_capacity;
	uint64_t n_edges;
};

static void
data_maybe(struct wn_out *o, const char *key, bool is_known, uint64_t value)
{
	if (is_known)
		gml_number(o, key, value);
}

static void
put_head(struct document *doc)
{
	struct wn_out *o = doc->o;
	const struct wn_graph *g = doc->g;
	gml_begin(o);
	gml_keys(o, "graph", graph_keys, sizeof graph_keys / sizeof *graph_keys);
	gml_keys(o, "node", node_keys, sizeof node_keys / sizeof *node_keys);
	gml_keys(o, "edge", edge_keys, sizeof edge_keys / sizeof *edge_keys);
	wn_out_text(o, "  <graph id=\"G\" edgedefault=\"directed\">\n");
	uint64_t work_ns = 0;
	for (wn_grain id = 0; id < g->n; id++)
		work_ns += wn_export_has(doc->x, id) ? wn_work_ns(g, id) : 0;
	gml_text(o, "g0", wn_trace_header(g->trace)->command);
	gml_text(o, "g1", doc->x->form == WN_FORM_REDUCED ? "reduced" : "fragments");
	gml_number(o, "g2", work_ns);
	if (doc->x->group)
		gml_text(o, "g4", doc->x->group);
	else
		gml_number(o, "g3", g->span_ns);
}

static wn_status
grain_data(struct document *doc, const struct wn_node *node)
{
	wn_grain id = node->id.grain;
	const struct wn_graph *g = doc->g;
	struct wn_out *o = doc->o;
	const struct wn_export_place *place = wn_export_place(doc->x, id);
	bool has_started = g->flags[id] & WN_GF_STARTED;
	bool is_rogue = g->flags[id] & WN_GF_ROGUE;
	char range[48];
	const char *lineage = wn_export_lineage(doc->x, id, &doc->lineage, &doc->lineage_capacity);
	if (!lineage)
		return wn_no_memory(doc->err);
	gml_text(o, "d1", wn_export_kind(g, id));
	gml_number(o, "d2", id);
	gml_text(o, "d3", lineage);
	data_maybe(o, "d4", g->parent[id] != WN_NO_GRAIN, g->parent[id]);
	data_maybe(o, "d5", g->child_number[id], g->child_number[id]);
	data_maybe(o, "d6", is_rogue, is_rogue ? g->fjs[g->fj[id]].owner : 0);
	data_maybe(o, "d7", has_started, g->thread[id]);
	bool is_fragment = node->id.kind == WN_NODE_FRAGMENT;
	uint16_t cpu = is_fragment ? node->cpu : g->cpu[id];
	data_maybe(o, "d8", has_started && cpu != UINT16_MAX, cpu);
	data_maybe(o, "d9", has_started, wn_work_ns(g, id));
	data_maybe(o, "d10", has_started, wn_exec_ns(g, id));
	data_maybe(o, "d11", g->flags[id] & WN_GF_CREATION_KNOWN, wn_creation_ns(g, id));
	data_maybe(o, "d12", has_started, wn_sync_ns(g, id));
	data_maybe(o, "d13", has_started, g->begin_ns[id]);
	data_maybe(o, "d14", g->flags[id] & WN_GF_COMPLETED, g->end_ns[id]);
	gml_text(o, "d15", place ? place->found.function : NULL);
	gml_text(o, "d16", place ? place->found.file : NULL);
	data_maybe(o, "d17", place && place->found.line > 0,
	           place ? (uint64_t)place->found.line : 0);
	gml_text(o, "d18", wn_export_range(g, id, range));
	gml_number(o, "d23", g->n_children[id]);
	data_maybe(o, "d24", g->locked_ns && has_started, g->locked_ns ? g->locked_ns[id] : 0);
	gml_text(o, "d25", wn_export_label(g, id));
	if (g->flags[id] & WN_GF_CANCELLED)
		gml_text(o, "d26", "true");
	uint32_t memory_node = 0;
	bool has_memory_node = has_started && wn_trace_node_of_cpu(g->trace, cpu, &memory_node);
	data_maybe(o, "d27", has_memory_node, memory_node);
	return WN_OK;
}

static struct gml_style
look_of(struct document *doc, const struct wn_node *node, char label[WN_NODE_NAME_BYTES],
        char fill[WN_COLOUR_BYTES])
{
	struct gml_style look = gml_style_of(node->id.kind);
	look.is_critical = node->is_critical;
	if (!look.label) {
		look.label = wn_node_name(node->id, label);
		look.fill = wn_export_colour(doc->x, node->id.grain, fill);
	}
	return look;
}

static struct wn_box
box_of(struct document *doc, const struct wn_node *node)
{
	if (doc->layout)
		return wn_layout_node(doc->layout, node->id);
	if (node->id.kind == WN_NODE_FRAGMENT)
		return (struct wn_box){0, 0, WN_SIZE_GRAIN,
		                       wn_export_height(doc->x, node->weight_ns), .gap = 0};
	return gml_small_box(node->id.kind);
}

static wn_status
put_node(const struct wn_node *node, void *user)
{
	struct document *doc = user;
	struct wn_out *o = doc->o;
	char name[WN_NODE_NAME_BYTES], label[WN_NODE_NAME_BYTES], fill[WN_COLOUR_BYTES];
	struct gml_style look = look_of(doc, node, label, fill);
	struct wn_box box = box_of(doc, node);
	const char *kind = gml_kind_of(node->id.kind);
	wn_status st = WN_OK;
	wn_out_format(o, "    <node id=\"%s\">\n", wn_node_name(node->id, name));
	gml_shape(o, &look, &box);
	if (kind) {
		gml_text(o, "d1", kind);
		data_maybe(o, "d4", node->id.grain != WN_NO_GRAIN, node->id.grain);
		if (node->id.fj != WN_NO_FJ) {
			gml_number(o, "d22", node->id.index);
			gml_number(o, "d23", doc->g->fjs[node->id.fj].n_children);
		}
	} else {
		st = grain_data(doc, node);
		data_maybe(o, "d21", node->id.kind == WN_NODE_FRAGMENT, node->id.index);
		gml_number(o, "d20", node->weight_ns);
	}
	gml_flag(o, "d19", node->is_critical);
	wn_out_text(o, "    </node>\n");
	return st != WN_OK ? st : wn_out_status(o);
}

static wn_status
put_edge(const struct wn_edge *edge, void *user)
{
	struct document *doc = user;
	struct wn_out *o = doc->o;
	char from[WN_NODE_NAME_BYTES], to[WN_NODE_NAME_BYTES];
	wn_out_format(o, "    <edge id=\"e%" PRIu64 "\" source=\"%s\" target=\"%s\">\n",
	              doc->n_edges++, wn_node_name(edge->from, from), wn_node_name(edge->to, to));
	gml_line(o, edge, NULL, "");
	gml_text(o, "e1", wn_export_edge_kind(edge->kind));
	gml_number(o, "e2", edge->weight_ns);
	gml_flag(o, "e3", edge->is_critical);
	if (edge->is_rogue)
		gml_text(o, "e4", "true");
	wn_out_text(o, "    </edge>\n");
	return wn_out_status(o);
}

wn_status
wn_export_graphml(const struct wn_export *x, FILE *to, wn_err *err)
{
	struct document doc = {.x = x, .g = x->g, .err = err};
	wn_status st = WN_OK;
	doc.o = wn_calloc(1, sizeof *doc.o);
	if (!doc.o)
		return wn_no_memory(err);
	wn_out_begin(doc.o, to);
	if (x->form == WN_FORM_REDUCED)
		WN_TRY(wn_layout_new(x, NULL, &doc.layout, err));
	put_head(&doc);
	st = wn_export_nodes(x, put_node, &doc);
	if (st == WN_OK)
		st = wn_export_edges(x, put_edge, &doc);
	gml_end(doc.o);
	if (st == WN_OK || st == WN_E_IO)
		st = wn_out_end(doc.o, err);
out:
	wn_layout_free(doc.layout);
	wn_free(doc.lineage);
	wn_free(doc.o);
	return st;
}
