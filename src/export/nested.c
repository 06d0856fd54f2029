/* SPDX-License-Identifier: MIT */
/*
 * nested.c - see nested.h. The tree is in pre-order, so one pass writes all groups; what is open
 * then is known from the parents.
 */
#include "export/nested.h"

#include "aggregate/hash.h"
#include "aggregate/local.h"
#include "aggregate/propagate.h"
#include "aggregate/separate.h"
#include "aggregate/unfold.h"
#include "base/error.h"
#include "base/mem.h"
#include "export/graphml_parts.h"
#include "export/ramp.h"
#include "metrics/columns.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define ALPHA       "33" /* 0.2 */
#define STEPS       10
#define CLOSED_SIZE 50
#define INSET       10 /* between an open group's border and what is in it */

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

struct nested {
	const struct wn_export *x;
	const struct wn_graph *g;
	const struct wn_metrics *m;
	const struct wn_tree *t;
	const struct wn_nested_options *given;
	wn_tree_node root; /* of what is written */
	struct wn_layout *layout;
	struct wn_out *o;
	wn_err *err;

	/* [t->n] */
	uint32_t *place; /* among its group's nodes: the n of n0::n<n> */
	uint32_t *n_grains;
	uint64_t *gid;
	uint32_t *group; /* number among groups */
	/* where things are in the tree */
	wn_tree_node *of_grain; /* [g->n] */
	wn_tree_node *of_fj;    /* [g->n_fjs] */

	const struct wn_column **columns; /* [n_columns] those that nodes have */
	size_t n_columns;
	double **folded; /* [n_columns][groups] NULL where groups have no such value */
	struct wn_steps steps;
	struct wn_local_path local; /* is_on is NULL if none is asked for; of the nodes inside: */
	uint64_t *end_ns;           /* work on the longest way to its end */
	uint32_t *n_hops, *depth;   /* most nodes on a way through it, and before it */

	uint32_t *path; /* scratch */
	size_t path_capacity;
	char *name;
	size_t name_capacity;
	uint64_t n_edges;
};

/* --- preparing --- */

static wn_status
no_memory(wn_err *err)
{
	return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
}

static bool
is_pale(const struct nested *d)
{
	return d->given->view != WN_NESTED_STRUCTURE;
}

static uint32_t
mask_of(const struct nested *d)
{
	return is_pale(d) ? 1u << d->given->view : d->given->problems;
}

static bool
is_problematic(const struct nested *d, wn_grain id)
{
	return d->m->problems[id] & mask_of(d);
}

/* The columns that stand elsewhere: as text, or in keys of their own. */
static bool
is_told_otherwise(const struct wn_column *c)
{
	return strcmp(c->name, "kind") == 0 || strcmp(c->name, "id") == 0 ||
	       strcmp(c->name, "is_problem") == 0;
}

static wn_status
fold_column(struct nested *d, size_t i, double *values)
{
	size_t n_groups = d->t->n - d->t->n_of_kind[WN_TREE_GRAIN];
	if (d->columns[i]->fold == WN_FOLD_NONE)
		return WN_OK;
	wn_status st = wn_tree_column(d->t, d->m, d->columns[i], values, d->err);
	if (st != WN_OK)
		return st;
	d->folded[i] = wn_calloc(n_groups, sizeof *d->folded[i]);
	if (!d->folded[i])
		return no_memory(d->err);
	for (wn_tree_node n = 0; n < d->t->n; n++)
		if (d->t->kind[n] != WN_TREE_GRAIN)
			d->folded[i][d->group[n]] = values[n];
	return WN_OK;
}

static wn_status
fold_columns(struct nested *d)
{
	wn_status st = WN_OK;
	double *values = wn_calloc(d->t->n, sizeof *values);
	d->columns = wn_calloc(d->m->n_columns, sizeof *d->columns);
	d->folded = wn_calloc(d->m->n_columns, sizeof *d->folded);
	if (!values || !d->columns || !d->folded) {
		st = no_memory(d->err);
		goto out;
	}
	for (size_t i = 0; i < d->m->n_columns; i++)
		if (!is_told_otherwise(&d->m->columns[i]))
			d->columns[d->n_columns++] = &d->m->columns[i];
	for (size_t i = 0; i < d->n_columns; i++)
		WN_TRY(fold_column(d, i, values));
out:
	wn_free(values);
	return st;
}

/* Places in groups: a fork-join's fork and join come first. */
static wn_status
number_nodes(struct nested *d)
{
	const struct wn_tree *t = d->t;
	uint32_t n_groups = 0;
	size_t n = t->n;
	d->place = wn_calloc(n, sizeof *d->place);
	d->n_grains = wn_calloc(n, sizeof *d->n_grains);
	d->gid = wn_calloc(n, sizeof *d->gid);
	d->group = wn_calloc(n, sizeof *d->group);
	d->of_grain = wn_calloc(d->g->n, sizeof *d->of_grain);
	d->of_fj = wn_calloc(d->g->n_fjs, sizeof *d->of_fj);
	if (!d->place || !d->n_grains || !d->gid || !d->group || !d->of_grain || !d->of_fj)
		return no_memory(d->err);
	for (wn_tree_node i = 0; i < t->n; i++) {
		uint32_t place = t->kind[i] == WN_TREE_FORK_JOIN ? 2 : 0;
		for (wn_tree_node c = wn_tree_first(t, i); c != WN_NO_TREE_NODE;
		     c = wn_tree_next(t, c))
			d->place[c] = place++;
		if (t->kind[i] == WN_TREE_GRAIN)
			d->of_grain[t->ref[i]] = i;
		else
			d->group[i] = n_groups++;
		if (t->kind[i] == WN_TREE_FORK_JOIN)
			d->of_fj[t->ref[i]] = i;
	}
	wn_tree_count_grains(t, d->n_grains);
	return wn_tree_gids(t, d->gid, d->err);
}

/* Steps of the ramp: of the values of the grains that have the problem. */
static void
find_steps(struct nested *d)
{
	double least = INFINITY, most = -INFINITY;
	for (wn_grain id = 0; id < d->g->n; id++) {
		if (!wn_is_drawn(d->g, id) || !is_problematic(d, id))
			continue;
		double value = wn_problem_value(d->m, id, d->given->view);
		if (!isfinite(value))
			continue;
		least = value < least ? value : least;
		most = value > most ? value : most;
	}
	d->steps = wn_steps_of(isfinite(least) ? least : 0.0, isfinite(most) ? most : 0.0, STEPS);
}

bool
wn_nested_is_measured(const struct wn_metrics *m, int p)
{
	for (wn_grain id = 0; id < m->g->n; id++)
		if (wn_is_drawn(m->g, id) && !isnan(wn_problem_value(m, id, p)))
			return true;
	return false;
}

/* --- names of nodes --- */

enum top { TOP_START, TOP_ROOT, TOP_END, TOP_GATES };

/* n1::n3::n0 */
static wn_status
put_path(struct nested *d, wn_tree_node node)
{
	size_t n = 0;
	for (wn_tree_node i = node; i != d->root; i = d->t->parent[i]) {
		if (wn_grow(&d->path, &d->path_capacity, n + 1, sizeof *d->path) != 0)
			return no_memory(d->err);
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

/* --- what is known of nodes --- */

static void
put_value(struct nested *d, size_t i, double value)
{
	char key[16];
	snprintf(key, sizeof key, "c%zu", i);
	if (isnan(value))
		return;
	if (d->columns[i]->type == WN_COLUMN_FLAG && value == 0.0)
		return; /* the key's default */
	if (d->columns[i]->type == WN_COLUMN_FLAG)
		gml_flag(d->o, key, true);
	else if (d->columns[i]->type == WN_COLUMN_WHOLE && value >= 0.0 && value < 0x1p53)
		gml_number(d->o, key, (uint64_t)value);
	else if (isinf(value)) /* as XML Schema writes it */
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

/* What grains and groups have in common. */
static wn_status
put_common(struct nested *d, wn_tree_node node, const char *kind)
{
	char gid[20];
	size_t length = wn_tree_name(d->t, node, d->name, d->name_capacity);
	if (length >= d->name_capacity) {
		if (wn_grow(&d->name, &d->name_capacity, length + 1, 1) != 0)
			return no_memory(d->err);
		wn_tree_name(d->t, node, d->name, d->name_capacity);
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

/* --- the local critical path --- */

static bool
is_local(const struct nested *d, wn_tree_node node)
{
	return d->local.is_on && node >= d->local.group && node < d->local.group + d->local.n;
}

static bool
is_on_local(const struct nested *d, wn_tree_node node)
{
	return is_local(d, node) && d->local.is_on[node - d->local.group];
}

/* Ends and hops from the members up, depths from the group down. */
static wn_status
find_local(struct nested *d, const char *id, const struct wn_tree *whole)
{
	const struct wn_tree *t = d->t;
	wn_tree_node group;
	wn_status st = wn_unfold_find(t, whole, id, &group, d->err);
	if (st == WN_OK)
		st = wn_local_path_init(&d->local, t, group, d->err);
	if (st != WN_OK)
		return st;
	d->end_ns = wn_calloc(d->local.n, sizeof *d->end_ns);
	d->n_hops = wn_calloc(d->local.n, sizeof *d->n_hops);
	d->depth = wn_calloc(d->local.n, sizeof *d->depth);
	if (!d->end_ns || !d->n_hops || !d->depth)
		return no_memory(d->err);
	for (uint32_t i = d->local.n; i-- > 0;) {
		wn_tree_node node = group + i;
		if (t->kind[node] == WN_TREE_GRAIN)
			d->end_ns[i] = d->local.root_dist_ns[i] + d->g->work_ns[t->ref[node]];
		d->n_hops[i] += t->kind[node] == WN_TREE_GRAIN       ? 1
		                : t->kind[node] == WN_TREE_FORK_JOIN ? 2
		                                                     : 0;
		if (i == 0)
			break;
		uint32_t up = t->parent[node] - group;
		bool is_chain = t->kind[t->parent[node]] == WN_TREE_LINEAR;
		d->end_ns[up] = d->end_ns[i] > d->end_ns[up] ? d->end_ns[i] : d->end_ns[up];
		if (is_chain)
			d->n_hops[up] += d->n_hops[i];
		else
			d->n_hops[up] = d->n_hops[i] > d->n_hops[up] ? d->n_hops[i] : d->n_hops[up];
	}
	for (uint32_t i = 0; i < d->local.n; i++) {
		wn_tree_node node = group + i;
		uint32_t depth = d->depth[i] + (t->kind[node] == WN_TREE_FORK_JOIN);
		for (wn_tree_node c = wn_tree_first(t, node); c != WN_NO_TREE_NODE;
		     c = wn_tree_next(t, c)) {
			d->depth[c - group] = depth;
			depth += t->kind[node] == WN_TREE_LINEAR ? d->n_hops[c - group] : 0;
		}
	}
	return WN_OK;
}

static void
put_local(struct nested *d, bool is_on, uint64_t root_dist_ns, uint32_t depth)
{
	gml_flag(d->o, "d13", is_on);
	gml_number(d->o, "d14", root_dist_ns);
	gml_number(d->o, "d15", depth);
}

/* Where an end of an edge is in the tree: a grain, or the fork-join of a fork or join. */
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
	               is_on_local(d, node_of(d, edge->from)) &&
	               is_on_local(d, node_of(d, edge->to));
	return is_path ? WN_COLOUR_LOCAL : NULL;
}

/* --- nodes --- */

static const char *
fill_of(struct nested *d, wn_grain id, char out[WN_COLOUR_BYTES])
{
	if (!is_pale(d) || !is_problematic(d, id))
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
	struct gml_look look = gml_look_of(WN_NODE_GRAIN);
	struct wn_node_id drawn = {WN_NODE_GRAIN, id, 0, WN_NO_FJ};
	struct wn_box box = wn_layout_node(d->layout, drawn);
	char label[16], fill[WN_COLOUR_BYTES];
	snprintf(label, sizeof label, "%" PRIu32, id);
	look.label = label;
	look.fill = fill_of(d, id, fill);
	look.is_critical = d->g->flags[id] & WN_GF_CRITICAL;
	look.border = is_on_local(d, node) ? WN_COLOUR_LOCAL : NULL;
	look.alpha = is_pale(d) && !is_problematic(d, id) ? ALPHA : "";
	wn_out_text(d->o, "    <node id=\"");
	wn_status st = put_path(d, node);
	wn_out_text(d->o, "\">\n");
	gml_shape(d->o, &look, &box);
	if (st == WN_OK)
		st = put_common(d, node, wn_export_kind(d->g, id));
	put_place(d, id);
	gml_text(d->o, "d11", wn_export_label(d->g, id));
	gml_number(d->o, "d12", id);
	if (is_local(d, node))
		put_local(d, is_on_local(d, node), d->local.root_dist_ns[node - d->local.group],
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

/* Of a fork, where its fork-join starts; of a join, behind all that is inside. */
static void
put_local_end(struct nested *d, wn_tree_node fj, bool is_join)
{
	uint32_t at = fj - d->local.group;
	bool is_on = d->local.is_on[at];
	put_local(d, is_on, is_join ? d->end_ns[at] : d->local.root_dist_ns[at],
	          d->depth[at] + (is_join ? d->n_hops[at] - 1 : 0));
}

/* S, E, forks, joins, gates; on the critical path as wn_draw_nodes() says. */
static wn_status
put_small(struct nested *d, const struct wn_node *node)
{
	struct gml_look look = gml_look_of(node->id.kind);
	struct wn_box box = wn_layout_node(d->layout, node->id);
	wn_tree_node at = node_of(d, node->id);
	look.is_critical = node->is_critical;
	look.border = is_on_local(d, at) ? WN_COLOUR_LOCAL : NULL;
	look.alpha = is_pale(d) ? ALPHA : "";
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
		if (is_local(d, at))
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

/* The rectangle around a group when it is open. A part of a group has that of the whole. */
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

/* Members, and the ends of the groups that are complete with them. */
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

/* What is in no group. */
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
	gml_line(d->o, edge, edge_colour(d, edge), is_pale(d) ? ALPHA : "");
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
	    is_pale(d) ? &d->m->problem_types[d->given->view] : NULL;
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

static void
release(struct nested *d)
{
	for (size_t i = 0; i < d->n_columns; i++)
		wn_free(d->folded[i]);
	wn_layout_free(d->layout);
	wn_local_path_fini(&d->local);
	wn_free(d->end_ns);
	wn_free(d->n_hops);
	wn_free(d->depth);
	wn_free(d->folded);
	wn_free(d->columns);
	wn_free(d->place);
	wn_free(d->n_grains);
	wn_free(d->gid);
	wn_free(d->group);
	wn_free(d->of_grain);
	wn_free(d->of_fj);
	wn_free(d->path);
	wn_free(d->name);
	wn_free(d->o);
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
	if (!d.o || !is_problem) {
		st = no_memory(err);
		goto out;
	}
	if (x->form != WN_FORM_REDUCED)
		WN_TRY(wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "groups are of the reduced form only"));
	wn_tree_problems(m, mask_of(&d), is_problem);
	/* the structural view is the whole tree, with marks: separating with what is no problem
	 * copies it */
	if (is_pale(&d))
		WN_TRY(wn_tree_separate(tree, is_problem, NULL, &apart, err));
	else
		WN_TRY(wn_tree_separate(tree, NULL, NULL, &apart, err));
	if (!is_pale(&d))
		wn_tree_mark(apart, is_problem);
	else
		find_steps(&d);
	d.t = apart;
	WN_TRY(wn_tree_number(apart, err));
	if (x->group) /* it has that name in the tree in which what has no problem is apart, too */
		WN_TRY(wn_tree_find(apart, x->group, &d.root, err));
	if (options->local)
		WN_TRY(find_local(&d, options->local, tree));
	WN_TRY(wn_layout_new(x, NULL, &d.layout, err));
	WN_TRY(number_nodes(&d));
	WN_TRY(fold_columns(&d));
	st = put_document(&d, to);
out:
	release(&d);
	wn_tree_free(apart);
	wn_free(is_problem);
	return st;
}
