/* SPDX-License-Identifier: MIT */
/* nested.c - implements nested.h. The tree is in pre-order, so one pass writes all groups; parents
 * determine which are still open. */
#include "export/nested_private.h"

#include "aggregate/separate.h"
#include "base/error.h"
#include "base/mem.h"
#include "metrics/columns.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define ALPHA       "33" /* 0.2 */
#define CLOSED_SIZE 50
#define INSET       10 /* between an open group's border and its content */

static const struct gml_key graph_keys[] = {
    {"g0", "command", "string"},   {"g1", "view", "string"},    {"g2", "work_ns", "long"},
    {"g3", "span_ns", "long"},     {"g4", "theta_max", "long"}, {"g5", "nodes", "long"},
    {"g6", "condition", "string"}, {"g7", "group", "string"},
};
static const struct gml_key node_keys[] = {
    {"d1", "kind", "string"},
    {"d2", "id", "string"},
    {"d3", "gid", "string"},
    {"d4", "theta", "long"},
    {"d5", "grains", "long"},
    {"d6", "members", "long"},
    {"d7", "problematic", "boolean"},
    {"d8", "function", "string"},
    {"d9", "file", "string"},
    {"d10", "line", "int"},
    {"d11", "label", "string"},
    {"d12", "number", "long"},
    {"d13", "subgraph_on_crit_path", "boolean"},
    {"d14", "subgraph_root_dist", "long"},
    {"d15", "subgraph_depth", "long"},
};
static const struct gml_key edge_keys[] = {
    {"e1", "kind", "string"},
    {"e2", "weight_ns", "long"},
    {"e3", "on_crit_path", "boolean"},
    {"e4", "rogue", "boolean"},
};

/* --- names of nodes --- */

enum top { TOP_START, TOP_ROOT, TOP_END, TOP_GATES };

/* Writes n1::n3::n0; below the maximum depth n1::d7 by the node's number, to bound the length. */
static wn_status
put_path(struct nested *d, wn_tree_node node)
{
	size_t n = 0;
	for (wn_tree_node i = node; i != d->root; i = d->t->parent[i]) {
		if (n == WN_PATH_STEPS_MAX) {
			wn_out_format(d->o, "n%d::d%" PRIu32, TOP_ROOT, node);
			return WN_OK;
		}
		if (wn_grow(&d->path, &d->path_capacity, n + 1, sizeof *d->path) != 0)
			return wn_no_memory(d->err);
		d->path[n++] = d->place[i];
	}
	wn_out_format(d->o, "n%d", TOP_ROOT);
	while (n-- > 0) {
		wn_out_text(d->o, "::n");
		wn_out_u64(d->o, d->path[n]);
	}
	return WN_OK;
}

static wn_status
put_node_id(struct nested *d, struct wn_node_id id)
{
	wn_status st = WN_OK;
	switch (id.kind) {
	case WN_NODE_START:
	case WN_NODE_END:
		wn_out_format(d->o, "n%d", id.kind == WN_NODE_START ? TOP_START : TOP_END);
		break;
	case WN_NODE_GATE:
		wn_out_format(d->o, "n%" PRIu32, TOP_GATES + id.index);
		break;
	case WN_NODE_FORK:
	case WN_NODE_JOIN:
		st = put_path(d, d->of_fj[id.fj]);
		wn_out_text(d->o, id.kind == WN_NODE_FORK ? "::n0" : "::n1");
		break;
	case WN_NODE_GRAIN:
		st = put_path(d, d->of_grain[id.grain]);
		break;
	case WN_NODE_FRAGMENT:
	case WN_NODE_KIND_N:
		break;
	}
	return st;
}

/* --- attributes of nodes --- */

static void
put_value(struct nested *d, size_t i, double value)
{
	char key[24];
	snprintf(key, sizeof key, "c%zu", i);
	if (isnan(value))
		return;
	if (d->columns[i]->type == WN_COLUMN_FLAG && value == 0.0)
		return; /* the key's default */
	if (d->columns[i]->type == WN_COLUMN_FLAG)
		gml_flag(d->o, key, true);
	else if (d->columns[i]->type == WN_COLUMN_WHOLE && value >= 0.0 && value < 0x1p53)
		gml_number(d->o, key, (uint64_t)value);
	else if (isinf(value)) /* as in XML Schema */
		wn_out_format(d->o, "      <data key=\"%s\">%sINF</data>\n", key,
		              value < 0.0 ? "-" : "");
	else
		wn_out_format(d->o, "      <data key=\"%s\">%.9g</data>\n", key, value);
}

static void
put_place(struct nested *d, wn_grain id)
{
	const struct wn_export_place *place = wn_export_place(d->x, id);
	if (!place)
		return;
	gml_text(d->o, "d8", place->found.function);
	gml_text(d->o, "d9", place->found.file);
	if (place->found.line > 0)
		gml_number(d->o, "d10", (uint64_t)place->found.line);
}

/* Attributes common to grains and groups. */
static wn_status
put_common(struct nested *d, wn_tree_node node, const char *kind)
{
	char gid[20];
	size_t length = wn_tree_name_by(d->t, d->x->names, node, d->name, d->name_capacity);
	if (length >= d->name_capacity) {
		if (wn_grow(&d->name, &d->name_capacity, length + 1, 1) != 0)
			return wn_no_memory(d->err);
		wn_tree_name_by(d->t, d->x->names, node, d->name, d->name_capacity);
	}
	snprintf(gid, sizeof gid, "%016" PRIx64, d->gid[node]);
	gml_text(d->o, "d1", kind);
	gml_text(d->o, "d2", d->name);
	gml_text(d->o, "d3", gid);
	gml_number(d->o, "d4", d->t->theta[node]);
	gml_number(d->o, "d5", d->n_grains[node]);
	gml_number(d->o, "d6", d->t->n_children[node]);
	gml_flag(d->o, "d7", d->t->flags[node] & WN_TF_PROBLEM);
	return WN_OK;
}

static void
put_local(struct nested *d, bool is_on, uint64_t root_dist_ns, uint32_t depth)
{
	gml_flag(d->o, "d13", is_on);
	gml_number(d->o, "d14", root_dist_ns);
	gml_number(d->o, "d15", depth);
}

/* Returns the tree node of an end of an edge: a grain, or the fork-join of a fork or join. */
static wn_tree_node
node_of(const struct nested *d, struct wn_node_id id)
{
	if (id.kind == WN_NODE_GRAIN)
		return d->of_grain[id.grain];
	return id.kind == WN_NODE_FORK || id.kind == WN_NODE_JOIN ? d->of_fj[id.fj]
	                                                          : WN_NO_TREE_NODE;
}

static const char *
edge_colour(const struct nested *d, const struct wn_edge *edge)
{
	bool is_path = edge->kind != WN_EDGE_DEPEND && !edge->is_rogue &&
	               nested_is_on_local(d, node_of(d, edge->from)) &&
	               nested_is_on_local(d, node_of(d, edge->to));
	return is_path ? WN_COLOUR_LOCAL : NULL;
}

/* --- nodes --- */

static const char *
fill_of(struct nested *d, wn_grain id, char out[WN_COLOUR_BYTES])
{
	if (!nested_is_pale(d) || !nested_is_problematic(d, id))
		return wn_export_colour(d->x, id, out);
	if (d->given->is_flat)
		return WN_COLOUR_PROBLEM;
	uint32_t step = wn_steps_find(&d->steps, wn_problem_value(d->m, id, d->given->view));
	if (d->m->problem_types[d->given->view].is_below)
		step = d->steps.n - 1 - step;
	return wn_ramp_colour(step, d->steps.n, out);
}

static wn_status
put_grain(struct nested *d, wn_tree_node node)
{
	wn_grain id = d->t->ref[node];
	struct gml_style look = gml_style_of(WN_NODE_GRAIN);
	struct wn_node_id drawn = {WN_NODE_GRAIN, id, 0, WN_NO_FJ};
	struct wn_box box = wn_layout_node(d->layout, drawn);
	char label[16], fill[WN_COLOUR_BYTES];
	snprintf(label, sizeof label, "%" PRIu32, id);
	look.label = label;
	look.fill = fill_of(d, id, fill);
	look.is_critical = d->g->flags[id] & WN_GF_CRITICAL;
	look.border = nested_is_on_local(d, node) ? WN_COLOUR_LOCAL : NULL;
	look.alpha = nested_is_pale(d) && !nested_is_problematic(d, id) ? ALPHA : "";
	wn_out_text(d->o, "    <node id=\"");
	wn_status st = put_path(d, node);
	wn_out_text(d->o, "\">\n");
	gml_shape(d->o, &look, &box);
	if (st == WN_OK)
		st = put_common(d, node, wn_export_kind(d->g, id));
	put_place(d, id);
	gml_text(d->o, "d11", wn_export_label(d->g, id));
	gml_number(d->o, "d12", id);
	if (nested_is_local(d, node))
		put_local(d, nested_is_on_local(d, node),
		          d->local.root_dist_ns[node - d->local.group],
		          d->depth[node - d->local.group]);
	for (size_t i = 0; i < d->n_columns; i++)
		put_value(d, i, wn_column_value(d->columns[i], d->m, id));
	wn_out_text(d->o, "    </node>\n");
	return st;
}

static void
put_named(struct nested *d, const char *name, double value)
{
	for (size_t i = 0; i < d->n_columns; i++)
		if (strcmp(d->columns[i]->name, name) == 0)
			put_value(d, i, value);
}

/* For a fork, the start of its fork-join; for a join, the end of its content. */
static void
put_local_end(struct nested *d, wn_tree_node fj, bool is_join)
{
	uint32_t at = fj - d->local.group;
	bool is_on = d->local.is_on[at];
	put_local(d, is_on, is_join ? d->end_ns[at] : d->local.root_dist_ns[at],
	          d->depth[at] + (is_join ? d->n_hops[at] - 1 : 0));
}

/* Writes S, E, forks, joins and gates; on the critical path as in wn_draw_nodes(). */
static wn_status
put_small(struct nested *d, const struct wn_node *node)
{
	struct gml_style look = gml_style_of(node->id.kind);
	struct wn_box box = wn_layout_node(d->layout, node->id);
	wn_tree_node at = node_of(d, node->id);
	look.is_critical = node->is_critical;
	look.border = nested_is_on_local(d, at) ? WN_COLOUR_LOCAL : NULL;
	look.alpha = nested_is_pale(d) ? ALPHA : "";
	wn_out_text(d->o, "    <node id=\"");
	wn_status st = put_node_id(d, node->id);
	wn_out_text(d->o, "\">\n");
	gml_shape(d->o, &look, &box);
	gml_text(d->o, "d1", gml_kind_of(node->id.kind));
	gml_flag(d->o, "d7", false);
	put_named(d, "on_crit_path", node->is_critical);
	if (node->id.fj != WN_NO_FJ) {
		put_named(d, "parent", node->id.grain);
		put_named(d, "fork_join", node->id.index);
		put_named(d, "num_children", d->g->fjs[node->id.fj].n_children);
		if (nested_is_local(d, at))
			put_local_end(d, at, node->id.kind == WN_NODE_JOIN);
	}
	wn_out_text(d->o, "    </node>\n");
	return st;
}

static wn_status
put_fork_and_join(struct nested *d, wn_tree_node group)
{
	uint32_t fj = d->t->ref[group];
	wn_grain owner = d->g->fjs[fj].owner;
	uint32_t number = wn_draw_fj_number(d->x->draw, fj);
	struct wn_node fork = {.id = {WN_NODE_FORK, owner, number, fj},
	                       .is_critical = wn_draw_fork_is_critical(d->x->draw, fj)};
	struct wn_node join = {.id = {WN_NODE_JOIN, owner, number, fj},
	                       .is_critical = wn_draw_join_is_critical(d->x->draw, fj)};
	wn_status st = put_small(d, &fork);
	return st == WN_OK ? put_small(d, &join) : st;
}

/* Computes the rectangle of a group when open. A part of a group has that of the whole. */
static struct wn_box
box_of(const struct nested *d, wn_tree_node group)
{
	const struct wn_tree *t = d->t;
	const struct wn_layout *l = d->layout;
	struct wn_box box = {l->width / 2, l->start_y, l->width, l->height, .gap = 0};
	if (t->kind[group] == WN_TREE_LINEAR)
		box = l->grain[t->ref[group]];
	else if (t->ref[group] != WN_NO_FJ)
		box = l->fj[t->ref[group]];
	return (struct wn_box){box.middle, box.top - INSET, box.width + 2 * INSET,
	                       box.height + 2 * INSET, .gap = 0};
}

static void
put_realizer(struct nested *d, wn_tree_node group, const struct wn_box *box, bool is_closed)
{
	bool is_bad = d->t->flags[group] & WN_TF_PROBLEM;
	wn_out_format(d->o,
	              "<y:GroupNode><y:Geometry height=\"%" PRId64 ".0\" width=\"%" PRId64
	              ".0\" x=\"%" PRId64 ".0\" y=\"%" PRId64 ".0\"/>"
	              "<y:Fill hasColor=\"false\" transparent=\"false\"/>"
	              "<y:BorderStyle color=\"%s\" type=\"line\" width=\"2.0\"/>",
	              box->height, box->width, box->middle - box->width / 2, box->top,
	              is_bad ? WN_COLOUR_PROBLEM : WN_COLOUR_GROUP);
	wn_out_text(d->o, "<y:NodeLabel visible=\"false\">");
	wn_out_xml(d->o, d->name);
	wn_out_format(d->o,
	              "</y:NodeLabel><y:Shape type=\"roundrectangle\"/>"
	              "<y:State closed=\"%s\"/></y:GroupNode>",
	              is_closed ? "true" : "false");
}

static const char *
group_kind(enum wn_tree_kind kind)
{
	static const char *const names[WN_TREE_KIND_N] = {NULL, "linear", "fork_join", "siblings",
	                                                  "alike"};
	return names[kind];
}

static wn_status
open_group(struct nested *d, wn_tree_node node)
{
	struct wn_box box = box_of(d, node);
	struct wn_box closed = {box.middle, box.top + box.height / 2 - CLOSED_SIZE / 2, CLOSED_SIZE,
	                        CLOSED_SIZE, .gap = 0};
	wn_out_text(d->o, "    <node id=\"");
	wn_status st = put_path(d, node);
	wn_out_text(d->o, "\" yfiles.foldertype=\"folder\">\n");
	if (st == WN_OK)
		st = put_common(d, node, group_kind((enum wn_tree_kind)d->t->kind[node]));
	if (st != WN_OK)
		return st;
	wn_out_text(d->o,
	            "      <data key=\"d0\"><y:ProxyAutoBoundsNode><y:Realizers active=\"1\">");
	put_realizer(d, node, &box, false);
	put_realizer(d, node, &closed, true);
	wn_out_text(d->o, "</y:Realizers></y:ProxyAutoBoundsNode></data>\n");
	if (d->t->kind[node] == WN_TREE_LINEAR)
		put_place(d, d->t->ref[node]);
	for (size_t i = 0; i < d->n_columns; i++)
		if (d->folded[i])
			put_value(d, i, d->folded[i][d->group[node]]);
	wn_out_text(d->o, "      <graph edgedefault=\"directed\" id=\"");
	st = put_path(d, node);
	wn_out_text(d->o, ":\">\n");
	if (st == WN_OK && d->t->kind[node] == WN_TREE_FORK_JOIN)
		st = put_fork_and_join(d, node);
	return st;
}

/* Writes members, and closes the groups that end with them. */
static wn_status
put_tree(struct nested *d)
{
	const struct wn_tree *t = d->t;
	for (wn_tree_node i = d->root; t->n && i < t->end[d->root]; i++) {
		bool is_grain = t->kind[i] == WN_TREE_GRAIN;
		wn_status st = is_grain ? put_grain(d, i) : open_group(d, i);
		if (st != WN_OK || (st = wn_out_status(d->o)) != WN_OK)
			return st;
		wn_tree_node up = is_grain ? t->parent[i] : i;
		for (; up != WN_NO_TREE_NODE && up >= d->root && t->end[up] == i + 1;
		     up = t->parent[up])
			wn_out_text(d->o, "      </graph>\n    </node>\n");
	}
	return WN_OK;
}

/* Writes nodes outside all groups. */
static wn_status
put_outer(const struct wn_node *node, void *user)
{
	struct nested *d = user;
	if (node->id.kind != WN_NODE_START && node->id.kind != WN_NODE_END &&
	    node->id.kind != WN_NODE_GATE)
		return WN_OK;
	return put_small(d, node);
}

/* --- edges --- */

static wn_status
put_edge(const struct wn_edge *edge, void *user)
{
	struct nested *d = user;
	wn_out_format(d->o, "    <edge id=\"e%" PRIu64 "\" source=\"", d->n_edges++);
	wn_status st = put_node_id(d, edge->from);
	wn_out_text(d->o, "\" target=\"");
	if (st == WN_OK)
		st = put_node_id(d, edge->to);
	wn_out_text(d->o, "\">\n");
	gml_line(d->o, edge, edge_colour(d, edge), nested_is_pale(d) ? ALPHA : "");
	gml_text(d->o, "e1", wn_export_edge_kind(edge->kind));
	gml_number(d->o, "e2", edge->weight_ns);
	gml_flag(d->o, "e3", edge->is_critical);
	if (edge->is_rogue)
		gml_flag(d->o, "e4", true);
	wn_out_text(d->o, "    </edge>\n");
	return st != WN_OK ? st : wn_out_status(d->o);
}

/* --- the document --- */

static void
put_column_keys(struct nested *d)
{
	for (size_t i = 0; i < d->n_columns; i++) {
		const struct wn_column *c = d->columns[i];
		wn_out_format(d->o, "  <key for=\"node\" id=\"c%zu\" attr.name=\"", i);
		wn_out_xml(d->o, c->name);
		wn_out_format(d->o, "\" attr.type=\"%s\"%s\n",
		              c->type == WN_COLUMN_FLAG    ? "boolean"
		              : c->type == WN_COLUMN_WHOLE ? "long"
		                                           : "double",
		              c->type == WN_COLUMN_FLAG ? "><default>false</default></key>" : "/>");
	}
}

static void
put_head(struct nested *d)
{
	struct wn_out *o = d->o;
	const struct wn_problem_type *type =
	    nested_is_pale(d) ? &d->m->problem_types[d->given->view] : NULL;
	const uint32_t *n = d->t->n_of_kind;
	char condition[160] = "";
	if (type)
		snprintf(condition, sizeof condition, "%.100s %c %g", type->name,
		         type->is_below ? '<' : '>', d->m->threshold[d->given->view]);
	gml_begin(o);
	gml_keys(o, "graph", graph_keys, sizeof graph_keys / sizeof *graph_keys);
	gml_keys(o, "node", node_keys, sizeof node_keys / sizeof *node_keys);
	put_column_keys(d);
	gml_keys(o, "edge", edge_keys, sizeof edge_keys / sizeof *edge_keys);
	wn_out_text(o, "  <graph id=\"G\" edgedefault=\"directed\">\n");
	gml_text(o, "g0", wn_trace_header(d->g->trace)->command);
	gml_text(o, "g1", type ? type->name : "structure");
	gml_number(o, "g2", d->m->totals.work_ns);
	gml_number(o, "g3", d->g->span_ns);
	gml_number(o, "g4", d->t->theta_max);
	gml_number(o, "g5",
	           n[WN_TREE_GRAIN] + 2 * (uint64_t)n[WN_TREE_FORK_JOIN] + 2 + d->g->n_gates);
	gml_text(o, "g6", condition);
	gml_text(o, "g7", d->x->group);
}

static wn_status
put_document(struct nested *d, FILE *to)
{
	wn_status st;
	wn_out_begin(d->o, to);
	put_head(d);
	st = wn_export_nodes(d->x, put_outer, d);
	if (st == WN_OK)
		st = put_tree(d);
	if (st == WN_OK)
		st = wn_export_edges(d->x, put_edge, d);
	gml_end(d->o);
	if (st == WN_OK || st == WN_E_IO)
		st = wn_out_end(d->o, d->err);
	return st;
}

wn_status
wn_export_nested(const struct wn_export *x, const struct wn_tree *tree, const struct wn_metrics *m,
                 const struct wn_nested_options *options, FILE *to, wn_err *err)
{
	struct nested d = {.x = x, .g = x->g, .m = m, .given = options, .err = err};
	struct wn_tree *apart = NULL;
	uint8_t *is_problem = wn_calloc(x->g->n, 1);
	wn_status st = WN_OK;
	d.o = wn_calloc(1, sizeof *d.o);
	if (!d.o || !is_problem)
		WN_TRY(wn_no_memory(err));
	if (x->form != WN_FORM_REDUCED)
		WN_TRY(wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "groups are of the reduced form only"));
	wn_tree_problems(m, nested_mask(&d), is_problem);
	/* the structural view marks problems in a copy of the whole tree */
	if (nested_is_pale(&d))
		WN_TRY(wn_tree_separate(tree, is_problem, NULL, &apart, err));
	else
		WN_TRY(wn_tree_separate(tree, NULL, NULL, &apart, err));
	if (!nested_is_pale(&d))
		wn_tree_mark(apart, is_problem);
	d.t = apart;
	WN_TRY(wn_tree_number(apart, err));
	if (x->group) /* the group has the same name in the separated tree */
		WN_TRY(wn_tree_find(apart, x->group, &d.root, err));
	WN_TRY(nested_find(&d, tree));
	st = put_document(&d, to);
out:
	nested_fini(&d);
	wn_tree_free(apart);
	wn_free(is_problem);
	return st;
}
