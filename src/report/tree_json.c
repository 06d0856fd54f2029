/* SPDX-License-Identifier: MIT */
/* tree_json.c - writes a view of a tree as JSON: the nodes in the order of the text, each with the
 * id of its group. Schema winnow.tree/1: keys may be added, never renamed. */
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
	const struct wn_path *path = r->graph->path;
	bool is_node = line->node != WN_NO_TREE_NODE;
	struct json_maker *j = &k->j;
	char words[TREE_WORDS_BYTES];
	json_t *o = json_object();
#define KEYS_OF_TREE_NODE
#include "report/keys.def"
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
	struct maker maker = {.r = r, .gids = wn_calloc(r->u.tree->n, sizeof *maker.gids)};
	struct maker *k = &maker;
	struct json_maker *j = &maker.j;
	wn_status st = k->gids ? wn_tree_gids(r->u.tree, k->gids, err) : wn_no_memory(err);
	if (st != WN_OK) {
		wn_free(k->gids);
		return st;
	}
	json_t *o = json_object(), *nodes = json_array();
	for (uint32_t i = 0; i < r->u.view->n; i++)
		json_push(j, nodes, node_of(k, i));
#define KEYS_OF_TREE
#include "report/keys.def"
	wn_free(k->id);
	wn_free(k->gids);
	return json_finish(j, o, out, err);
}
