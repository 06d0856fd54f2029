/* SPDX-License-Identifier: MIT */
/* tree_view.c - builds the view of a trace's tree. */
#include "report/tree_view_private.h"

#include "aggregate/group.h"
#include "base/error.h"
#include "base/mem.h"
#include "compare/carry.h"

/* Returns the group whose members are all alike, or none. */
static wn_tree_node
alike_of(const struct wn_report_tree *r, const struct wn_view_line *line)
{
	if (line->node == WN_NO_TREE_NODE || r->u.tree->kind[line->node] == WN_TREE_GRAIN)
		return WN_NO_TREE_NODE;
	wn_tree_node group = wn_view_group(r->u.tree, line->node);
	return r->u.tree->kind[group] == WN_TREE_ALIKE ? group : WN_NO_TREE_NODE;
}

static wn_status
find_work(struct wn_report_tree *r, wn_err *err)
{
	const struct wn_column *work = wn_column_find(r->metrics, "work_ns", sizeof "work_ns" - 1);
	size_t i = 0;
	while (i < r->u.view->n && alike_of(r, &r->u.view->lines[i]) == WN_NO_TREE_NODE)
		i++;
	if (i == r->u.view->n)
		return WN_OK;
	r->work_ns = wn_calloc(r->u.tree->n, sizeof *r->work_ns);
	return r->work_ns ? wn_tree_column(r->u.tree, r->metrics, work, r->work_ns, err)
	                  : wn_no_memory(err);
}

/* A user metric without a rule for groups is omitted. */
static wn_status
fold_metrics(struct wn_report_tree *r, wn_err *err)
{
	const struct wn_metrics *m = r->metrics;
	const struct wn_column *first = m->columns + m->n_columns - m->n_user_columns;
	wn_status st = WN_OK;
	r->user = wn_calloc(m->n_user_columns, sizeof *r->user);
	if (!r->user)
		return wn_no_memory(err);
	for (size_t k = 0; st == WN_OK && k < m->n_user_columns; k++) {
		r->user[k] = wn_calloc(r->u.tree->n, sizeof **r->user);
		st = r->user[k] ? wn_group_column(r->u.tree, m, &first[k], r->user[k], err)
		                : wn_no_memory(err);
	}
	return st;
}

bool
tree_spread(const struct wn_report_tree *r, const struct wn_view_line *line,
            struct wn_tree_spread *out)
{
	wn_tree_node group = alike_of(r, line);
	wn_err err;
	return group != WN_NO_TREE_NODE &&
	       wn_tree_spread_of(r->u.tree, group, r->work_ns, out, &err) == WN_OK;
}

static wn_status
build(struct wn_report_tree *r, const struct wn_report_tree_options *given, wn_err *err)
{
	const struct wn_options *o = given->metrics;
	bool needs_whole = o && (o->counts || o->weight || o->metrics);
	wn_status st;
	wn_options_step(given->metrics, "building the grain graph");
	WN_TRY(wn_graph_build_as(r->trace, needs_whole ? WN_DETAIL_WHOLE : WN_DETAIL_NAMES,
	                         &r->graph, err));
	WN_TRY(wn_carry_as(r->graph, given->metrics, err));
	wn_options_step(given->metrics, "computing metrics");
	WN_TRY(wn_metrics_build(r->graph, given->metrics, &r->metrics, err));
	wn_options_step(given->metrics, "folding the graph");
	WN_TRY(wn_unfold(&r->u, r->metrics, &given->unfold, err));
	WN_TRY(find_work(r, err));
	WN_TRY(fold_metrics(r, err));
	WN_TRY(wn_places_init(&r->places, r->graph, err));
	wn_report_command(r->trace, r->command);
out:
	return st;
}

wn_status
wn_report_tree_build(struct wn_trace *trace, const struct wn_report_tree_options *options,
                     struct wn_report_tree **out, wn_err *err)
{
	struct wn_report_tree *r = wn_calloc(1, sizeof *r);
	if (!r)
		return wn_no_memory(err);
	r->trace = trace;
	wn_status st = build(r, options, err);
	if (st != WN_OK) {
		wn_report_tree_free(r);
		return st;
	}
	*out = r;
	return WN_OK;
}

void
wn_report_tree_free(struct wn_report_tree *r)
{
	if (!r)
		return;
	wn_unfolded_fini(&r->u);
	wn_free(r->work_ns);
	for (size_t k = 0; r->user && k < r->metrics->n_user_columns; k++)
		wn_free(r->user[k]);
	wn_free(r->user);
	wn_places_fini(&r->places);
	wn_metrics_free(r->metrics);
	wn_graph_free(r->graph);
	wn_free(r);
}

double
tree_savings(const struct wn_report_tree *r, uint64_t theta)
{
	return 100.0 * (1.0 - (double)theta / (double)r->u.n_nodes);
}
