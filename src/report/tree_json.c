/* SPDX-License-Identifier: MIT */
/*
 * tree_json.c - writes a view of a tree as JSON: the nodes in the order of the text, each with the
 * id of its group. Schema winnow.tree/1: keys may be added, never renamed.
 */
#include "report/json_private.h"
#include "report/tree_view_private.h"

#include "aggregate/hash.h"
#include "base/error.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>

struct maker {
	struct json_maker j;
	const struct wn_report_tree *r;
	uint64_t *gids; /* [tree->n] */
	char *id;
	size_t id_capacity;
};

static json_t *
id_of(struct maker *k, uint32_t line)
{
	if (line == WN_NO_VIEW_LINE || k->r->u.view->lines[line].node == WN_NO_TREE_NODE)
		return json_null();
	return json_text(wn_tree_name_grown(k->r->u.tree, k->r->u.view->lines[line].node, &k->id,
	                                    &k->id_capacity));
}

static json_t *
gid_of(struct maker *k, const struct wn_view_line *line)
{
	char text[20];
	if (line->node == WN_NO_TREE_NODE)
		return json_null();
	snprintf(text, sizeof text, "%016" PRIx64, k->gids[line->node]);
	return json_string(text);
}

static json_t *
problems_of(struct maker *k, const struct wn_view_line *line)
{
	const struct wn_metrics *m = k->r->metrics;
	json_t *o = json_object();
	for (int p = 0; p < m->n_problems; p++)
		if (line->problem[p])
			json_put(&k->j, o, m->problem_types[p].name, json_count(line->problem[p]));
	return o;
}

static void
put_place(struct maker *k, json_t *o, wn_tree_node node)
{
	const struct wn_report_place *place =
	    node == WN_NO_TREE_NODE ? NULL : tree_place(k->r, node);
	const struct wn_place *s = place && !place->is_foreign ? &place->source : NULL;
	json_put(&k->j, o, "file", json_text(s ? s->file : NULL));
	json_put(&k->j, o, "line", json_count_if(s && s->line > 0, s ? (uint64_t)s->line : 0));
	json_put(&k->j, o, "function", json_text(s ? s->function : NULL));
	json_put(&k->j, o, "place", json_text(place ? place->label : NULL));
}

/* Values of members that are all alike; else null. */
static json_t *
spread_of(struct maker *k, const struct wn_view_line *line)
{
	struct wn_tree_spread s;
	if (!tree_spread(k->r, line, &s))
		return json_null();
	json_t *o = json_object();
	json_put(&k->j, o, "min", json_ratio(s.min));
	json_put(&k->j, o, "quartile1", json_ratio(s.quartile1));
	json_put(&k->j, o, "median", json_ratio(s.median));
	json_put(&k->j, o, "quartile3", json_ratio(s.quartile3));
	json_put(&k->j, o, "max", json_ratio(s.max));
	return o;
}

/* Adds the user's metrics, folded by their rules; null for the rest of a group. */
static json_t *
metrics_of(struct maker *k, wn_tree_node node)
{
	const struct wn_metrics *m = k->r->metrics;
	const struct wn_column *first = m->columns + m->n_columns - m->n_user_columns;
	json_t *o = json_object();
	for (size_t i = 0; i < m->n_user_columns; i++)
		json_put(&k->j, o, first[i].name,
		         node == WN_NO_TREE_NODE ? json_null() : json_ratio(k->r->user[i][node]));
	return o;
}

static json_t *
node_of(struct maker *k, uint32_t i)
{
	const struct wn_report_tree *r = k->r;
	const struct wn_view_line *line = &r->u.view->lines[i];
	bool is_node = line->node != WN_NO_TREE_NODE;
	char words[TREE_WORDS_BYTES];
	json_t *o = json_object();
	json_put(&k->j, o, "id", id_of(k, i));
	json_put(&k->j, o, "gid", gid_of(k, line));
	json_put(&k->j, o, "parent", id_of(k, line->parent));
	json_put(&k->j, o, "depth", json_count(line->depth));
	json_put(&k->j, o, "kind",
	         json_string(is_node ? tree_kind(r->u.tree, line->node) : "rest"));
	json_put(&k->j, o, "what", json_text(tree_words(r, line, words)));
	json_put(&k->j, o, "open", json_boolean(line->is_open));
	json_put(&k->j, o, "members",
	         json_count(is_node ? tree_members(r->u.tree, line->node) : line->n_members));
	json_put(&k->j, o, "grains", json_count(line->sums.n_grains));
	json_put(&k->j, o, "work_ns", json_count(line->sums.work_ns));
	json_put(&k->j, o, "work_percent",
	         json_percent(line->sums.work_ns, r->metrics->totals.work_ns));
	json_put(&k->j, o, "span_ns", json_count_if(is_node, line->span_ns));
	json_put(&k->j, o, "parallelism",
	         is_node && line->span_ns
	             ? json_ratio((double)line->sums.work_ns / (double)line->span_ns)
	             : json_null());
	const struct wn_path *path = r->graph->path;
	json_put(&k->j, o, "weight", json_count_if(path, line->sums.weight));
	json_put(&k->j, o, "span_weight", json_count_if(path && is_node, line->span));
	json_put(&k->j, o, "critical_grains", json_count(line->sums.n_critical));
	json_put(&k->j, o, "problem_grains", json_count(line->sums.n_problematic));
	json_put(&k->j, o, "problems", problems_of(k, line));
	json_put(&k->j, o, "theta",
	         json_count_if(is_node, is_node ? r->u.tree->theta[line->node] : 0));
	json_put(&k->j, o, "metrics", metrics_of(k, line->node));
	json_put(&k->j, o, "work_spread_ns", spread_of(k, line));
	put_place(k, o, line->node);
	return o;
}

/* Lists the problem types that count in this view. */
static json_t *
types_of(struct maker *k)
{
	const struct wn_metrics *m = k->r->metrics;
	json_t *list = json_array();
	for (int p = 0; p < m->n_problems; p++)
		if (k->r->u.problems & 1u << p)
			json_push(&k->j, list, json_text(m->problem_types[p].name));
	return list;
}

static json_t *
view_of(struct maker *k)
{
	static const char *const aims[] = {[WN_VIEW_PROBLEMS] = "problems",
	                                   [WN_VIEW_CRITICAL] = "critical",
	                                   [WN_VIEW_DEPTH] = "depth"};
	const struct wn_report_tree *r = k->r;
	json_t *o = json_object();
	json_put(&k->j, o, "root", id_of(k, 0));
	json_put(&k->j, o, "aim",
	         json_string(r->u.view->is_by_work ? "work"
	                     : r->u.view->is_local ? "local_path"
	                                           : aims[r->u.aim]));
	json_put(&k->j, o, "problem_types", types_of(k));
	json_put(&k->j, o, "theta", json_count(r->u.view->theta));
	json_put(&k->j, o, "savings_percent", json_ratio(tree_savings(r, r->u.view->theta)));
	json_put(&k->j, o, "groups_left_closed", json_count(r->u.view->n_closed));
	return o;
}

static json_t *
tree_of(struct maker *k)
{
	const struct wn_report_tree *r = k->r;
	json_t *o = json_object();
	json_put(&k->j, o, "graph_nodes", json_count(r->u.n_nodes));
	json_put(&k->j, o, "groups", json_count(r->u.n_groups));
	json_put(&k->j, o, "theta_max", json_count(r->u.theta_max));
	json_put(&k->j, o, "savings_percent", json_ratio(tree_savings(r, r->u.theta_max)));
	return o;
}

wn_status
wn_report_tree_json(const struct wn_report_tree *r, json_t **out, wn_err *err)
{
	struct maker k = {.r = r, .gids = wn_calloc(r->u.tree->n, sizeof *k.gids)};
	wn_status st = k.gids ? wn_tree_gids(r->u.tree, k.gids, err) : wn_no_memory(err);
	if (st != WN_OK) {
		wn_free(k.gids);
		return st;
	}
	json_t *o = json_object(), *nodes = json_array();
	json_put(&k.j, o, "schema", json_string("winnow.tree/1"));
	json_put(&k.j, o, "command", json_text(r->command));
	json_put(&k.j, o, "unit", json_text(wn_trace_unit(r->trace)));
	json_put(&k.j, o, "weight", json_text(r->graph->path ? r->graph->path->name : NULL));
	json_put(&k.j, o, "counts",
	         json_carried(&k.j, r->graph->carried, r->metrics->options.counts_file));
	json_put(&k.j, o, "tree", tree_of(&k));
	json_put(&k.j, o, "view", view_of(&k));
	for (uint32_t i = 0; i < r->u.view->n; i++)
		json_push(&k.j, nodes, node_of(&k, i));
	json_put(&k.j, o, "nodes", nodes);
	wn_free(k.id);
	wn_free(k.gids);
	if (k.j.is_failed) {
		json_decref(o);
		return wn_no_memory(err);
	}
	*out = o;
	return WN_OK;
}
