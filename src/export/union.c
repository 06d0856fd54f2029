/* SPDX-License-Identifier: MIT */
#include "export/union.h"

#include "base/error.h"
#include "base/mem.h"
#include "export/graphml_parts.h"

#include <inttypes.h>
#include <math.h>

#define NONE        UINT32_MAX
#define CLOSED_SIZE 50

enum status { SAME = 0, CHANGED, CREATED, VANISHED };

static const char *const status_names[] = {"same", "changed", "created", "vanished"};
static const char *const status_colours[] = {WN_COLOUR_SAME, WN_COLOUR_CHANGED, WN_COLOUR_CREATED,
                                             WN_COLOUR_VANISHED};

static const struct gml_key node_keys[] = {
    {"d1", "kind", "string"},      {"d2", "id", "string"},
    {"d3", "status", "string"},    {"d4", "members_a", "long"},
    {"d5", "members_b", "long"},   {"d6", "grains_a", "long"},
    {"d7", "grains_b", "long"},    {"d8", "work_a_ns", "long"},
    {"d9", "work_b_ns", "long"},   {"d10", "work_deviation", "double"},
    {"d11", "function", "string"}, {"d12", "file", "string"},
    {"d13", "line", "int"},        {"d14", "id_a", "long"},
    {"d15", "id_b", "long"},
};
static const struct gml_key edge_keys[] = {{"e1", "kind", "string"}};

/* A node of the union: a grain or a group of A, of B, or of both. */
struct node {
	uint32_t of[2];       /* in A, in B; NONE */
	uint32_t parent;      /* a group; NONE */
	uint32_t place;       /* among its group's members */
	uint32_t first, next; /* first member, next sibling; NONE */
	bool is_group;
	uint8_t status;
};

struct writer {
	const struct wn_union *u;
	const struct wn_graph *g[2];
	const struct wn_groups *groups[2];
	struct node *nodes;
	uint32_t n;
	uint32_t *of_group[2]; /* [groups] nodes */
	uint32_t *of_grain[2]; /* [ids] nodes */
	uint32_t first_top;
	struct wn_out *o;
	wn_err *err;
	char *text;
	size_t text_capacity;
	uint32_t *path;
	size_t path_capacity;
	uint64_t n_edges;
};

/* Group names omit implicit tasks: their children belong to the team. */
static bool
is_shown(const struct wn_union *u, int side, wn_grain id)
{
	const struct wn_graph *g = u->changes->groups[side]->g;
	return wn_is_grain(g, id) && (!u->is_inside[side] || u->is_inside[side][id]);
}

/* A group is shown if a member or an inner group is. */
static bool
group_is_shown(const struct wn_union *u, int side, uint32_t group)
{
	const struct wn_group *item = &u->changes->groups[side]->items[group];
	return !u->is_inside[side] || u->is_inside[side][item->first];
}

uint64_t
wn_union_nodes(const struct wn_union *u)
{
	uint64_t n = 0;
	for (int side = 0; side < 2; side++) {
		const struct wn_groups *groups = u->changes->groups[side];
		for (uint32_t i = 0; i < groups->n; i++)
			n += group_is_shown(u, side, i) &&
			     (side == 0 || u->changes->to[1][i] == WN_NO_GROUP);
		for (wn_grain id = 0; id < groups->g->n; id++)
			n += is_shown(u, side, id) &&
			     (side == 0 || u->changes->match->to[1][id] == WN_NO_GRAIN);
	}
	return n;
}

/* --- the nodes --- */

static void
add_node(struct writer *w, int side, uint32_t mine, uint32_t others, bool is_group)
{
	struct node *node = &w->nodes[w->n];
	*node = (struct node){.parent = NONE, .first = NONE, .next = NONE, .is_group = is_group};
	node->of[side] = mine;
	node->of[1 - side] = others;
	node->status = others != NONE ? SAME : side == 0 ? VANISHED : CREATED;
	uint32_t **of = is_group ? w->of_group : w->of_grain;
	of[side][mine] = w->n;
	if (others != NONE)
		of[1 - side][others] = w->n;
	w->n++;
}

static void
add_nodes(struct writer *w)
{
	const struct wn_changes *c = w->u->changes;
	for (int side = 0; side < 2; side++)
		for (uint32_t i = 0; i < w->groups[side]->n; i++)
			if (group_is_shown(w->u, side, i) &&
			    (side == 0 || c->to[1][i] == WN_NO_GROUP))
				add_node(w, side, i, c->to[side][i], true);
	for (size_t i = 0; i < c->n; i++) {
		const struct wn_change *change = &c->items[i];
		if (change->kind == WN_CHANGE_SHAPE && group_is_shown(w->u, 0, change->group[0]))
			w->nodes[w->of_group[0][change->group[0]]].status = CHANGED;
	}
	for (int side = 0; side < 2; side++)
		for (wn_grain id = 0; id < w->g[side]->n; id++)
			if (is_shown(w->u, side, id) &&
			    (side == 0 || c->match->to[1][id] == WN_NO_GRAIN))
				add_node(w, side, id, c->match->to[side][id], false);
}

/* Takes values from the first run that has the node. */
static void
find_parents(struct writer *w)
{
	w->first_top = NONE;
	for (uint32_t i = w->n; i-- > 0;) {
		struct node *node = &w->nodes[i];
		int side = node->of[0] == NONE;
		uint32_t group = node->is_group ? w->groups[side]->items[node->of[side]].parent
		                                : w->groups[side]->of[node->of[side]];
		node->parent = group == WN_NO_GROUP ? NONE : w->of_group[side][group];
		uint32_t *first =
		    node->parent == NONE ? &w->first_top : &w->nodes[node->parent].first;
		node->next = *first;
		*first = i;
	}
	for (uint32_t i = 0; i < w->n; i++) {
		uint32_t place = 0;
		for (uint32_t k = w->nodes[i].first; k != NONE; k = w->nodes[k].next)
			w->nodes[k].place = place++;
	}
	uint32_t place = 0;
	for (uint32_t k = w->first_top; k != NONE; k = w->nodes[k].next)
		w->nodes[k].place = place++;
}

/* --- writing --- */

static wn_status
put_path(struct writer *w, uint32_t at)
{
	size_t n = 0;
	for (uint32_t i = at; i != NONE; i = w->nodes[i].parent) {
		if (n == WN_PATH_STEPS_MAX) { /* below the maximum depth: by the node's number */
			wn_out_format(w->o, "d%" PRIu32, at);
			return WN_OK;
		}
		if (wn_grow(&w->path, &w->path_capacity, n + 1, sizeof *w->path) != 0)
			return wn_no_memory(w->err);
		w->path[n++] = w->nodes[i].place;
	}
	for (size_t k = n; k-- > 0;) {
		wn_out_text(w->o, k + 1 == n ? "n" : "::n");
		wn_out_u64(w->o, w->path[k]);
	}
	return WN_OK;
}

static wn_status
take_name(struct writer *w, int side, uint32_t of, bool is_group)
{
	for (int turn = 0; turn < 2; turn++) {
		const struct wn_names *names = w->u->x[side]->names;
		size_t n = is_group ? wn_group_name_by(w->groups[side], of, names, w->text,
		                                       w->text_capacity)
		                    : wn_name(names, of, w->text, w->text_capacity);
		if (n < w->text_capacity)
			return WN_OK;
		if (wn_grow(&w->text, &w->text_capacity, n + 1, 1) != 0)
			break;
	}
	return wn_no_memory(w->err);
}

static uint64_t
work_of(const struct writer *w, const struct node *node, int side)
{
	return node->is_group ? w->groups[side]->items[node->of[side]].work_ns
	                      : wn_work_ns(w->g[side], node->of[side]);
}

/* NAN if one of them is unknown, or A's is 0. */
static double
deviation_of(const struct writer *w, const struct node *node)
{
	if (node->of[0] == NONE || node->of[1] == NONE)
		return NAN;
	if (!node->is_group)
		return wn_work_deviation(w->u->changes->match, node->of[1]);
	uint64_t a = work_of(w, node, 0), b = work_of(w, node, 1);
	return a ? (double)b / (double)a : (double)NAN;
}

static void
put_data(struct writer *w, const struct node *node, const char *name)
{
	static const char *const members[2] = {"d4", "d5"}, *const grains[2] = {"d6", "d7"},
				 *const work[2] = {"d8", "d9"}, *const ids[2] = {"d14", "d15"};
	int side = node->of[0] == NONE;
	double deviation = deviation_of(w, node);
	gml_text(w->o, "d1",
	         node->is_group ? wn_group_kind_name(w->groups[side]->items[node->of[side]].kind)
	                        : wn_export_kind(w->g[side], node->of[side]));
	gml_text(w->o, "d2", name);
	gml_text(w->o, "d3", status_names[node->status]);
	for (int k = 0; k < 2; k++) {
		if (node->of[k] == NONE)
			continue;
		gml_number(w->o, work[k], work_of(w, node, k));
		if (!node->is_group) {
			gml_number(w->o, ids[k], node->of[k]);
			continue;
		}
		gml_number(w->o, members[k], w->groups[k]->items[node->of[k]].n_members);
		gml_number(w->o, grains[k], w->groups[k]->items[node->of[k]].n_grains);
	}
	if (!isnan(deviation))
		wn_out_format(w->o, "      <data key=\"d10\">%.9g</data>\n", deviation);
	const struct wn_export_place *place =
	    node->is_group ? NULL : wn_export_place(w->u->x[side], node->of[side]);
	if (!place)
		return;
	gml_text(w->o, "d11", place->found.function);
	gml_text(w->o, "d12", place->found.file);
	if (place->found.line > 0)
		gml_number(w->o, "d13", (uint64_t)place->found.line);
}

static void
put_realizer(struct writer *w, const struct node *node, bool is_closed)
{
	wn_out_format(
	    w->o,
	    "<y:GroupNode><y:Geometry height=\"%d.0\" width=\"%d.0\" x=\"0.0\" y=\"0.0\"/>"
	    "<y:Fill hasColor=\"false\" transparent=\"false\"/>"
	    "<y:BorderStyle color=\"%s\" type=\"line\" width=\"2.0\"/>"
	    "<y:NodeLabel visible=\"false\">",
	    CLOSED_SIZE, CLOSED_SIZE, status_colours[node->status]);
	wn_out_xml(w->o, w->text);
	wn_out_format(w->o,
	              "</y:NodeLabel><y:Shape type=\"roundrectangle\"/>"
	              "<y:State closed=\"%s\"/></y:GroupNode>",
	              is_closed ? "true" : "false");
}

static wn_status
open_node(struct writer *w, uint32_t at)
{
	const struct node *node = &w->nodes[at];
	int side = node->of[0] == NONE;
	struct wn_box box = {0, 0, WN_SIZE_GRAIN, WN_SIZE_GRAIN, .gap = 0};
	struct gml_style look = gml_style_of(WN_NODE_GRAIN);
	wn_status st = take_name(w, side, node->of[side], node->is_group);
	if (st != WN_OK)
		return st;
	wn_out_text(w->o, "    <node id=\"");
	st = put_path(w, at);
	wn_out_text(w->o, node->is_group ? "\" yfiles.foldertype=\"folder\">\n" : "\">\n");
	if (!node->is_group) {
		look.fill = status_colours[node->status];
		look.label = "";
		gml_shape(w->o, &look, &box);
		put_data(w, node, w->text);
		wn_out_text(w->o, "    </node>\n");
		return st;
	}
	put_data(w, node, w->text);
	wn_out_text(w->o,
	            "      <data key=\"d0\"><y:ProxyAutoBoundsNode><y:Realizers active=\"1\">");
	put_realizer(w, node, false);
	put_realizer(w, node, true);
	wn_out_text(w->o, "</y:Realizers></y:ProxyAutoBoundsNode></data>\n"
	                  "      <graph edgedefault=\"directed\" id=\"");
	if (st == WN_OK)
		st = put_path(w, at);
	wn_out_text(w->o, ":\">\n");
	return st;
}

/* Outer groups first, siblings in order; iterative, so depth needs no stack. */
static wn_status
put_nodes(struct writer *w)
{
	uint32_t at = w->first_top;
	while (at != NONE) {
		wn_status st = open_node(w, at);
		if (st != WN_OK || (st = wn_out_status(w->o)) != WN_OK)
			return st;
		if (w->nodes[at].first != NONE) {
			at = w->nodes[at].first;
			continue;
		}
		if (w->nodes[at].is_group)
			wn_out_text(w->o, "      </graph>\n    </node>\n");
		while (at != NONE && w->nodes[at].next == NONE) {
			at = w->nodes[at].parent;
			if (at != NONE)
				wn_out_text(w->o, "      </graph>\n    </node>\n");
		}
		if (at != NONE)
			at = w->nodes[at].next;
	}
	return WN_OK;
}

static wn_status
put_edge(struct writer *w, uint32_t from, uint32_t to, const char *kind, uint8_t status)
{
	wn_out_format(w->o, "    <edge id=\"e%" PRIu64 "\" source=\"", w->n_edges++);
	wn_status st = put_path(w, from);
	wn_out_text(w->o, "\" target=\"");
	if (st == WN_OK)
		st = put_path(w, to);
	wn_out_format(w->o,
	              "\">\n      <data key=\"e0\"><y:PolyLineEdge>"
	              "<y:LineStyle color=\"%s\" type=\"line\" width=\"1.0\"/>"
	              "<y:Arrows source=\"none\" target=\"standard\"/></y:PolyLineEdge></data>\n",
	              status_colours[status]);
	gml_text(w->o, "e1", kind);
	wn_out_text(w->o, "    </edge>\n");
	return st;
}

/* Writes edges from a grain to each of its groups. */
static wn_status
put_edges(struct writer *w)
{
	for (uint32_t i = 0; i < w->n; i++) {
		const struct node *node = &w->nodes[i];
		int side = node->of[0] == NONE;
		if (!node->is_group)
			continue;
		wn_grain above = wn_group_above(w->groups[side], node->of[side]);
		if (!is_shown(w->u, side, above))
			continue;
		wn_status st = put_edge(w, w->of_grain[side][above], i, "create", node->status);
		if (st != WN_OK || (st = wn_out_status(w->o)) != WN_OK)
			return st;
	}
	return WN_OK;
}

static wn_status
prepare(struct writer *w)
{
	uint64_t n = wn_union_nodes(w->u);
	if (n >= NONE)
		return wn_fail(w->err, WN_E_LIMIT, WN_NO_OFFSET, "too many nodes");
	w->nodes = wn_calloc((size_t)n, sizeof *w->nodes);
	bool is_done = w->nodes != NULL;
	for (int side = 0; side < 2; side++) {
		w->of_group[side] = wn_calloc_none(w->groups[side]->n);
		w->of_grain[side] = wn_calloc_none(w->g[side]->n);
		is_done = is_done && w->of_group[side] && w->of_grain[side];
	}
	if (!is_done)
		return wn_no_memory(w->err);
	add_nodes(w);
	find_parents(w);
	return WN_OK;
}

static void
put_head(struct writer *w)
{
	gml_begin(w->o);
	gml_keys(w->o, "node", node_keys, sizeof node_keys / sizeof *node_keys);
	gml_keys(w->o, "edge", edge_keys, 1);
	wn_out_text(w->o, "  <graph id=\"G\" edgedefault=\"directed\">\n");
}

static void
release(struct writer *w)
{
	for (int side = 0; side < 2; side++) {
		wn_free(w->of_group[side]);
		wn_free(w->of_grain[side]);
	}
	WN_FREE_ALL(w->nodes, w->text, w->path, w->o);
}

static struct writer
writer_of(const struct wn_union *u, wn_err *err)
{
	struct writer w = {.u = u, .err = err, .o = wn_calloc(1, sizeof *w.o)};
	for (int side = 0; side < 2; side++) {
		w.groups[side] = u->changes->groups[side];
		w.g[side] = u->changes->groups[side]->g;
	}
	return w;
}

wn_status
wn_export_union(const struct wn_union *u, FILE *to, wn_err *err)
{
	struct writer w = writer_of(u, err);
	wn_status st = w.o ? prepare(&w) : wn_no_memory(err);
	if (st == WN_OK) {
		wn_out_begin(w.o, to);
		put_head(&w);
		st = put_nodes(&w);
		if (st == WN_OK)
			st = put_edges(&w);
		gml_end(w.o);
		if (st == WN_OK || st == WN_E_IO)
			st = wn_out_end(w.o, err);
	}
	release(&w);
	return st;
}

/* --- the table --- */

static void
put_cell(struct writer *w, const char *text)
{
	wn_out_text(w->o, ",");
	wn_out_csv(w->o, text);
}

static void
put_count(struct writer *w, bool is_known, uint64_t n)
{
	wn_out_text(w->o, ",");
	if (is_known)
		wn_out_u64(w->o, n);
}

static wn_status
put_line(struct writer *w, const struct node *node)
{
	int side = node->of[0] == NONE;
	wn_grain id = node->of[side];
	const struct wn_export_place *place = wn_export_place(w->u->x[side], id);
	uint32_t group = w->groups[side]->of[id];
	double deviation = deviation_of(w, node);
	wn_status st = take_name(w, side, id, false);
	if (st != WN_OK)
		return st;
	wn_out_csv(w->o, w->text);
	put_cell(w, status_names[node->status]);
	put_cell(w, wn_export_kind(w->g[side], id));
	put_cell(w, place ? place->found.function : NULL);
	put_cell(w, place ? place->found.file : NULL);
	put_count(w, place && place->found.line > 0, place ? (uint64_t)place->found.line : 0);
	if (group != WN_NO_GROUP)
		st = take_name(w, side, group, true);
	put_cell(w, group != WN_NO_GROUP && st == WN_OK ? w->text : NULL);
	for (int k = 0; k < 2; k++)
		put_count(w, node->of[k] != NONE, node->of[k]);
	for (int k = 0; k < 2; k++) {
		bool has_started =
		    node->of[k] != NONE && w->g[k]->flags[node->of[k]] & WN_GF_STARTED;
		put_count(w, has_started, has_started ? wn_work_ns(w->g[k], node->of[k]) : 0);
	}
	wn_out_text(w->o, ",");
	if (!isnan(deviation))
		wn_out_format(w->o, "%.6g", deviation);
	wn_out_text(w->o, "\n");
	return st == WN_OK ? wn_out_status(w->o) : st;
}

wn_status
wn_export_union_csv(const struct wn_union *u, FILE *to, wn_err *err)
{
	struct writer w = writer_of(u, err);
	wn_status st = w.o ? WN_OK : wn_no_memory(err);
	if (st == WN_OK) {
		wn_out_begin(w.o, to);
		wn_out_text(w.o, "lineage,status,kind,function,file,line,group,id_a,id_b,"
		                 "work_a_ns,work_b_ns,work_deviation\n");
	}
	for (int side = 0; st == WN_OK && side < 2; side++) {
		const struct wn_graph *g = w.g[side];
		const wn_grain *to_other = u->changes->match->to[side];
		for (wn_grain id = 0; st == WN_OK && id < g->n; id++) {
			bool is_listed = wn_is_grain(g, id) || g->kind[id] == WN_GRAIN_IMPLICIT;
			if (!is_listed || (u->is_inside[side] && !u->is_inside[side][id]) ||
			    (side == 1 && to_other[id] != WN_NO_GRAIN))
				continue;
			struct node node = {.of = {id, id}};
			node.of[1 - side] = to_other[id];
			node.status = to_other[id] != WN_NO_GRAIN ? SAME
			              : side == 0                 ? VANISHED
			                                          : CREATED;
			st = put_line(&w, &node);
		}
	}
	if (w.o && (st == WN_OK || st == WN_E_IO))
		st = wn_out_end(w.o, err);
	release(&w);
	return st;
}
