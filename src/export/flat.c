/* SPDX-License-Identifier: MIT */
/* flat.c - writes the graph for network tools: nodes and edges with typed attributes, without
 * extensions of one program. GEXF 1.3 for Gephi, plain GraphML, and tables of nodes and of edges
 * for Cytoscape. All use the attribute names of the table of grains. */
#include "base/error.h"
#include "base/mem.h"
#include "export/export.h"
#include "export/layout.h"
#include "export/out.h"
#include "metrics/columns.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum format { GEXF, PLAIN, BARE, NODES, EDGES };

enum type { TYPE_TEXT, TYPE_WHOLE, TYPE_RATIO, TYPE_FLAG };

/* Attributes before the columns of metrics/columns.h. */
enum own {
	OWN_KIND,
	OWN_LINEAGE,
	OWN_LABEL,
	OWN_FUNCTION,
	OWN_FILE,
	OWN_LINE,
	OWN_NUMBER,
	OWN_FRAGMENT,
	OWN_WEIGHT,
	OWN_N
};

static const struct {
	const char *name;
	enum type type;
} own[OWN_N] = {
    [OWN_KIND] = {"kind", TYPE_TEXT},           [OWN_LINEAGE] = {"lineage", TYPE_TEXT},
    [OWN_LABEL] = {"program_label", TYPE_TEXT}, [OWN_FUNCTION] = {"function", TYPE_TEXT},
    [OWN_FILE] = {"file", TYPE_TEXT},           [OWN_LINE] = {"line", TYPE_WHOLE},
    [OWN_NUMBER] = {"number", TYPE_WHOLE},      [OWN_FRAGMENT] = {"fragment", TYPE_WHOLE},
    [OWN_WEIGHT] = {"weight_ns", TYPE_WHOLE},
};

/* One value of a node or an edge. */
struct cell {
	bool is_known;
	enum type type;
	const char *text;
	uint64_t whole; /* also for flags */
	double ratio;
};

struct flat {
	const struct wn_export *x;
	const struct wn_graph *g;
	struct wn_metrics *m;
	struct wn_layout *layout;         /* NULL for fragments */
	const struct wn_column **columns; /* [n_columns] */
	size_t n_columns;
	enum format format;
	struct wn_out *o;
	wn_err *err;
	char *lineage;
	size_t lineage_capacity;
	uint64_t n_edges;
};

/* --- values --- */

static struct cell
text_cell(const char *text)
{
	return (struct cell){.is_known = text && *text, .type = TYPE_TEXT, .text = text};
}

static struct cell
whole_cell(bool is_known, uint64_t value)
{
	return (struct cell){.is_known = is_known, .type = TYPE_WHOLE, .whole = value};
}

static struct cell
flag_cell(bool is_set)
{
	return (struct cell){.is_known = true, .type = TYPE_FLAG, .whole = is_set};
}

static const char *
kind_of(const struct flat *f, const struct wn_node *node)
{
	static const char *const kinds[WN_NODE_KIND_N] = {
	    [WN_NODE_START] = "start", [WN_NODE_END] = "end",   [WN_NODE_FORK] = "fork",
	    [WN_NODE_JOIN] = "join",   [WN_NODE_GATE] = "gate",
	};
	const char *kind = kinds[node->id.kind];
	return kind ? kind : wn_export_kind(f->g, node->id.grain);
}

static bool
is_of_grain(const struct wn_node *node)
{
	return node->id.kind == WN_NODE_GRAIN || node->id.kind == WN_NODE_FRAGMENT;
}

static struct cell
own_cell(struct flat *f, const struct wn_node *node, enum own which)
{
	wn_grain id = node->id.grain;
	const struct wn_export_place *p = is_of_grain(node) ? wn_export_place(f->x, id) : NULL;
	switch (which) {
	case OWN_KIND:
		return text_cell(kind_of(f, node));
	case OWN_LINEAGE: /* put_node() has allocated it */
		return text_cell(is_of_grain(node) ? f->lineage : NULL);
	case OWN_LABEL:
		return text_cell(is_of_grain(node) ? wn_export_label(f->g, id) : NULL);
	case OWN_FUNCTION:
		return text_cell(p ? p->found.function : NULL);
	case OWN_FILE:
		return text_cell(p ? p->found.file : NULL);
	case OWN_LINE:
		return whole_cell(p && p->found.line > 0, p ? (uint64_t)p->found.line : 0);
	case OWN_NUMBER:
		return whole_cell(is_of_grain(node), id);
	case OWN_FRAGMENT:
		return whole_cell(node->id.kind == WN_NODE_FRAGMENT, node->id.index);
	case OWN_WEIGHT:
		return whole_cell(is_of_grain(node), node->weight_ns);
	case OWN_N:
		break;
	}
	return text_cell(NULL);
}

/* A fragment has its own location, although its grain has columns of these names. */
static bool
place_cell(const struct flat *f, const struct wn_node *node, const char *name, struct cell *cell)
{
	bool has_started = f->g->flags[node->id.grain] & WN_GF_STARTED;
	if (strcmp(name, "cpu") == 0) {
		*cell = whole_cell(has_started && node->cpu != UINT16_MAX, node->cpu);
		return true;
	}
	if (strcmp(name, "node") != 0 || wn_trace_n_nodes(f->g->trace) == 0)
		return false;
	uint32_t of_cpu = 0;
	bool is_known = has_started && wn_trace_node_of_cpu(f->g->trace, node->cpu, &of_cpu);
	*cell = whole_cell(is_known, of_cpu);
	return true;
}

/* Forks and joins have the attributes of their owner. */
static struct cell
column_cell(struct flat *f, const struct wn_node *node, const struct wn_column *c)
{
	struct cell cell = {.type = TYPE_RATIO};
	bool is_join = node->id.fj != WN_NO_FJ;
	if (strcmp(c->name, "on_crit_path") == 0)
		return flag_cell(node->is_critical);
	if (!is_of_grain(node)) {
		if (is_join && strcmp(c->name, "parent") == 0)
			return whole_cell(true, node->id.grain);
		if (is_join && strcmp(c->name, "fork_join") == 0)
			return whole_cell(true, node->id.index);
		if (is_join && strcmp(c->name, "num_children") == 0)
			return whole_cell(true, f->g->fjs[node->id.fj].n_children);
		return cell;
	}
	if (node->id.kind == WN_NODE_FRAGMENT && place_cell(f, node, c->name, &cell))
		return cell;
	if (c->whole) {
		cell.is_known = c->whole(f->m, node->id.grain, &cell.whole);
		cell.type = c->type == WN_COLUMN_FLAG ? TYPE_FLAG : TYPE_WHOLE;
		return cell;
	}
	cell.ratio = wn_column_value(c, f->m, node->id.grain);
	cell.is_known = !isnan(cell.ratio);
	return cell;
}

static struct cell
cell_of(struct flat *f, const struct wn_node *node, size_t i)
{
	return i < OWN_N ? own_cell(f, node, (enum own)i)
	                 : column_cell(f, node, f->columns[i - OWN_N]);
}

static void
put_value(struct flat *f, const struct cell *c)
{
	bool is_table = f->format == NODES || f->format == EDGES;
	switch (c->type) {
	case TYPE_TEXT:
		if (is_table)
			wn_out_csv(f->o, c->text);
		else
			wn_out_xml(f->o, c->text);
		break;
	case TYPE_WHOLE:
		wn_out_u64(f->o, c->whole);
		break;
	case TYPE_FLAG:
		wn_out_text(f->o, c->whole ? "true" : "false");
		break;
	case TYPE_RATIO:
		if (isinf(c->ratio)) /* as in XML Schema */
			wn_out_text(f->o, c->ratio < 0.0 ? "-INF" : "INF");
		else
			wn_out_format(f->o, "%.9g", c->ratio);
		break;
	}
}

/* --- names of attributes --- */

static const char *
attribute_name(const struct flat *f, size_t i)
{
	return i < OWN_N ? own[i].name : f->columns[i - OWN_N]->name;
}

static const char *
attribute_type(const struct flat *f, size_t i)
{
	static const char *const gexf[] = {"string", "long", "double", "boolean"};
	enum type type = i < OWN_N ? own[i].type : TYPE_RATIO;
	if (i >= OWN_N && f->columns[i - OWN_N]->type == WN_COLUMN_WHOLE)
		type = TYPE_WHOLE;
	if (i >= OWN_N && f->columns[i - OWN_N]->type == WN_COLUMN_FLAG)
		type = TYPE_FLAG;
	return gexf[type]; /* GraphML uses the same names */
}

static const char *const edge_attributes[][2] = {
    {"kind", "string"}, {"weight_ns", "long"}, {"on_crit_path", "boolean"}, {"rogue", "boolean"}};
#define EDGE_ATTRIBUTES (sizeof edge_attributes / sizeof edge_attributes[0])

static size_t
n_attributes(const struct flat *f)
{
	return f->format == BARE ? 0 : OWN_N + f->n_columns;
}

static void
put_gexf_head(struct flat *f)
{
	struct wn_out *o = f->o;
	wn_out_text(o, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	               "<gexf xmlns=\"http://gexf.net/1.3\" xmlns:viz=\"http://gexf.net/1.3/viz\" "
	               "version=\"1.3\">\n  <meta>\n    <creator>winnow</creator>\n"
	               "    <description>");
	wn_out_xml(o, wn_trace_header(f->g->trace)->command);
	if (f->x->group) {
		wn_out_text(o, ": only ");
		wn_out_xml(o, f->x->group);
	}
	wn_out_text(o, "</description>\n  </meta>\n"
	               "  <graph defaultedgetype=\"directed\" mode=\"static\">\n"
	               "    <attributes class=\"node\" mode=\"static\">\n");
	for (size_t i = 0; i < n_attributes(f); i++) {
		wn_out_format(o, "      <attribute id=\"%zu\" title=\"", i);
		wn_out_xml(o, attribute_name(f, i));
		wn_out_format(o, "\" type=\"%s\"/>\n", attribute_type(f, i));
	}
	wn_out_text(o, "    </attributes>\n    <attributes class=\"edge\" mode=\"static\">\n");
	for (size_t i = 0; i < EDGE_ATTRIBUTES; i++)
		wn_out_format(o, "      <attribute id=\"%zu\" title=\"%s\" type=\"%s\"/>\n", i,
		              edge_attributes[i][0], edge_attributes[i][1]);
	wn_out_text(o, "    </attributes>\n");
}

static void
put_graphml_head(struct flat *f)
{
	struct wn_out *o = f->o;
	wn_out_text(o, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	               "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
	if (f->format == PLAIN) {
		wn_out_text(
		    o,
		    "  <key for=\"graph\" id=\"g0\" attr.name=\"command\" attr.type=\"string\"/>\n"
		    "  <key for=\"graph\" id=\"g1\" attr.name=\"group\" attr.type=\"string\"/>\n");
		for (size_t i = 0; i < n_attributes(f); i++) {
			wn_out_format(o, "  <key for=\"node\" id=\"d%zu\" attr.name=\"", i);
			wn_out_xml(o, attribute_name(f, i));
			wn_out_format(o, "\" attr.type=\"%s\"/>\n", attribute_type(f, i));
		}
		for (size_t i = 0; i < EDGE_ATTRIBUTES; i++)
			wn_out_format(
			    o,
			    "  <key for=\"edge\" id=\"e%zu\" attr.name=\"%s\" attr.type=\"%s\"/>\n",
			    i, edge_attributes[i][0], edge_attributes[i][1]);
	}
	wn_out_text(o, "  <graph id=\"G\" edgedefault=\"directed\">\n");
	if (f->format == BARE)
		return;
	wn_out_text(o, "    <data key=\"g0\">");
	wn_out_xml(o, wn_trace_header(f->g->trace)->command);
	wn_out_text(o, "</data>\n");
	if (f->x->group) {
		wn_out_text(o, "    <data key=\"g1\">");
		wn_out_xml(o, f->x->group);
		wn_out_text(o, "</data>\n");
	}
}

static void
put_table_head(struct flat *f)
{
	if (f->format == NODES) {
		wn_out_text(f->o, "id,label");
		for (size_t i = 0; i < n_attributes(f); i++)
			wn_out_format(f->o, ",%s", attribute_name(f, i));
	} else {
		wn_out_text(f->o, "source,target");
		for (size_t i = 0; i < EDGE_ATTRIBUTES; i++)
			wn_out_format(f->o, ",%s", edge_attributes[i][0]);
	}
	wn_out_text(f->o, "\n");
}

/* --- nodes --- */

static const char *
label_of(const struct wn_node *node, const char *name)
{
	return node->id.kind == WN_NODE_START ? "S" : name;
}

/* Writes colour, size and position as in other drawings; GEXF's y axis points up. */
static void
put_style(struct flat *f, const struct wn_node *node)
{
	static const char *const colours[WN_NODE_KIND_N] = {
	    [WN_NODE_START] = WN_COLOUR_START, [WN_NODE_END] = WN_COLOUR_START,
	    [WN_NODE_FORK] = WN_COLOUR_FORK,   [WN_NODE_JOIN] = WN_COLOUR_JOIN,
	    [WN_NODE_GATE] = WN_COLOUR_DEPEND,
	};
	char fill[WN_COLOUR_BYTES];
	const char *colour = colours[node->id.kind];
	if (!colour)
		colour = wn_export_colour(f->x, node->id.grain, fill);
	unsigned long rgb = strtoul(colour + 1, NULL, 16);
	wn_out_format(f->o, "        <viz:color r=\"%lu\" g=\"%lu\" b=\"%lu\"/>\n",
	              rgb >> 16 & 0xff, rgb >> 8 & 0xff, rgb & 0xff);
	if (f->layout) {
		struct wn_box box = wn_layout_node(f->layout, node->id);
		wn_out_format(f->o,
		              "        <viz:position x=\"%" PRId64 ".0\" y=\"%" PRId64
		              ".0\" z=\"0.0\"/>\n",
		              box.middle, -(box.top + box.height / 2));
	}
	unsigned size = is_of_grain(node) ? wn_export_height(f->x, node->weight_ns) / 3 + 10 : 10;
	wn_out_format(f->o, "        <viz:size value=\"%u.0\"/>\n", size);
}

static void
put_gexf_node(struct flat *f, const struct wn_node *node, const char *name)
{
	wn_out_format(f->o, "      <node id=\"%s\" label=\"%s\">\n        <attvalues>\n", name,
	              label_of(node, name));
	for (size_t i = 0; i < n_attributes(f); i++) {
		struct cell c = cell_of(f, node, i);
		if (!c.is_known)
			continue;
		wn_out_format(f->o, "          <attvalue for=\"%zu\" value=\"", i);
		put_value(f, &c);
		wn_out_text(f->o, "\"/>\n");
	}
	wn_out_text(f->o, "        </attvalues>\n");
	put_style(f, node);
	wn_out_text(f->o, "      </node>\n");
}

static void
put_graphml_node(struct flat *f, const struct wn_node *node, const char *name)
{
	wn_out_format(f->o, "    <node id=\"%s\"", name);
	wn_out_text(f->o, f->format == BARE ? "/>\n" : ">\n");
	for (size_t i = 0; i < n_attributes(f); i++) {
		struct cell c = cell_of(f, node, i);
		if (!c.is_known)
			continue;
		wn_out_format(f->o, "      <data key=\"d%zu\">", i);
		put_value(f, &c);
		wn_out_text(f->o, "</data>\n");
	}
	if (f->format != BARE)
		wn_out_text(f->o, "    </node>\n");
}

static wn_status
put_node(const struct wn_node *node, void *user)
{
	struct flat *f = user;
	char name[WN_NODE_NAME_BYTES];
	wn_node_name(node->id, name);
	if (is_of_grain(node) &&
	    !wn_export_lineage(f->x, node->id.grain, &f->lineage, &f->lineage_capacity))
		return wn_no_memory(f->err);
	if (f->format == GEXF) {
		put_gexf_node(f, node, name);
	} else if (f->format != NODES) {
		put_graphml_node(f, node, name);
	} else {
		wn_out_format(f->o, "%s,%s", name, label_of(node, name));
		for (size_t i = 0; i < n_attributes(f); i++) {
			struct cell c = cell_of(f, node, i);
			wn_out_text(f->o, ",");
			if (c.is_known)
				put_value(f, &c);
		}
		wn_out_text(f->o, "\n");
	}
	return wn_out_status(f->o);
}

/* --- edges --- */

static wn_status
put_edge(const struct wn_edge *edge, void *user)
{
	struct flat *f = user;
	struct cell cells[EDGE_ATTRIBUTES] = {
	    text_cell(wn_export_edge_kind(edge->kind)), whole_cell(true, edge->weight_ns),
	    flag_cell(edge->is_critical), flag_cell(edge->is_rogue)};
	char from[WN_NODE_NAME_BYTES], to[WN_NODE_NAME_BYTES];
	wn_node_name(edge->from, from);
	wn_node_name(edge->to, to);
	if (f->format == EDGES)
		wn_out_format(f->o, "%s,%s", from, to);
	else
		wn_out_format(f->o, "    <edge id=\"e%" PRIu64 "\" source=\"%s\" target=\"%s\"%s",
		              f->n_edges++, from, to, f->format == BARE ? "/>\n" : ">\n");
	if (f->format == GEXF)
		wn_out_text(f->o, "      <attvalues>\n");
	for (size_t i = 0; f->format != BARE && i < EDGE_ATTRIBUTES; i++) {
		if (f->format == EDGES)
			wn_out_text(f->o, ",");
		else if (f->format == GEXF)
			wn_out_format(f->o, "        <attvalue for=\"%zu\" value=\"", i);
		else
			wn_out_format(f->o, "      <data key=\"e%zu\">", i);
		put_value(f, &cells[i]);
		wn_out_text(f->o, f->format == EDGES  ? ""
		                  : f->format == GEXF ? "\"/>\n"
		                                      : "</data>\n");
	}
	if (f->format == GEXF)
		wn_out_text(f->o, "      </attvalues>\n");
	wn_out_text(f->o, f->format == EDGES ? "\n" : f->format == BARE ? "" : "    </edge>\n");
	return wn_out_status(f->o);
}

/* --- documents --- */

static void
put_head(struct flat *f)
{
	if (f->format == GEXF)
		put_gexf_head(f);
	else if (f->format == PLAIN || f->format == BARE)
		put_graphml_head(f);
	else
		put_table_head(f);
}

static wn_status
put_document(struct flat *f)
{
	wn_status st = WN_OK;
	put_head(f);
	wn_out_text(f->o, f->format == GEXF ? "    <nodes>\n" : "");
	if (f->format != EDGES)
		st = wn_export_nodes(f->x, put_node, f);
	wn_out_text(f->o, f->format == GEXF ? "    </nodes>\n    <edges>\n" : "");
	if (st == WN_OK && f->format != NODES)
		st = wn_export_edges(f->x, put_edge, f);
	wn_out_text(f->o, f->format == GEXF ? "    </edges>\n  </graph>\n</gexf>\n"
	                  : f->format == PLAIN || f->format == BARE ? "  </graph>\n</graphml>\n"
	                                                            : "");
	if (st == WN_OK || st == WN_E_IO)
		st = wn_out_end(f->o, f->err);
	return st;
}

/* Columns that are written elsewhere. */
static bool
has_own_column(const struct wn_column *c)
{
	return strcmp(c->name, "kind") == 0 || strcmp(c->name, "id") == 0 ||
	       strcmp(c->name, "is_problem") == 0;
}

static wn_status
write_flat(const struct wn_export *x, enum format format, FILE *to, wn_err *err)
{
	struct flat f = {.x = x, .g = x->g, .format = format, .err = err};
	wn_status st = WN_OK;
	WN_TRY(wn_metrics_build(x->g, x->options, &f.m, err));
	f.o = wn_calloc(1, sizeof *f.o);
	f.columns = wn_calloc(f.m->n_columns, sizeof *f.columns);
	if (!f.o || !f.columns)
		WN_TRY(wn_no_memory(err));
	for (size_t i = 0; i < f.m->n_columns; i++)
		if (!has_own_column(&f.m->columns[i]))
			f.columns[f.n_columns++] = &f.m->columns[i];
	if (format == GEXF && x->form == WN_FORM_REDUCED)
		WN_TRY(wn_layout_new(x, NULL, &f.layout, err));
	wn_out_begin(f.o, to);
	st = put_document(&f);
out:
	wn_layout_free(f.layout);
	wn_metrics_free(f.m);
	WN_FREE_ALL(f.columns, f.lineage, f.o);
	return st;
}

wn_status
wn_export_gexf(const struct wn_export *x, FILE *to, wn_err *err)
{
	return write_flat(x, GEXF, to, err);
}

wn_status
wn_export_plain(const struct wn_export *x, FILE *to, wn_err *err)
{
	return write_flat(x, PLAIN, to, err);
}

wn_status
wn_export_bare(const struct wn_export *x, FILE *to, wn_err *err)
{
	return write_flat(x, BARE, to, err);
}

wn_status
wn_export_nodes_table(const struct wn_export *x, FILE *to, wn_err *err)
{
	return write_flat(x, NODES, to, err);
}

wn_status
wn_export_edges_table(const struct wn_export *x, FILE *to, wn_err *err)
{
	return write_flat(x, EDGES, to, err);
}
