/* SPDX-License-Identifier: MIT */
/* group_values.c - computes a user metric's values for groups: passes the grains of one chunk after
 * the other to a folder (table/fold.h), to which the command passes all at once
 * (aggregate/propagate.c). */
#include "page/group_values.h"

#include "base/error.h"
#include "base/mem.h"
#include "page/table_private.h"
#include "table/fold.h"

#include <string.h>

#define GROUP_KIND 100.0 /* `kind` of a group, numbered as in aggregate/group.c */

struct groups {
	const struct page *p;
	const struct table *t;
	uint32_t metric, next;
	uint64_t again;    /* metrics that are needed and evaluated for groups */
	uint32_t *columns; /* [n_columns] over nodes: a name's index, or TABLE_METRIC + k */
	enum wn_fold *rules;
	uint32_t n_columns;
	struct wn_folder *folder;
	double *values; /* [p->groups.n] */
	uint32_t n_values;
};

/* ---------------------------------------------------------------------------- dependences */

static uint32_t
column_of(const struct groups *g, uint32_t index)
{
	for (uint32_t k = 0; k < g->n_columns; k++)
		if (g->columns[k] == index)
			return k;
	return UINT32_MAX;
}

static enum wn_fold
fold_of(const struct table *t, uint32_t index)
{
	if (table_metric_of(index) != UINT32_MAX)
		return (enum wn_fold)t->metrics[table_metric_of(index)].fold;
	if (index >= TABLE_PROBLEM)
		return WN_FOLD_ANY;
	return table_fold(t, index);
}

/* Resolves a column that folds, or a metric to evaluate, which is recorded. */
static bool
need(struct groups *g, uint32_t index)
{
	uint32_t metric = table_metric_of(index);
	size_t capacity = g->n_columns, rules_capacity = g->n_columns;
	if (metric != UINT32_MAX && g->t->metrics[metric].fold == WN_FOLD_AGAIN) {
		g->again |= UINT64_C(1) << metric;
		return true;
	}
	if (index >= TABLE_NUMBER || column_of(g, index) != UINT32_MAX)
		return true;
	if (wn_grow(&g->columns, &capacity, g->n_columns + 1u, sizeof *g->columns) != 0 ||
	    wn_grow(&g->rules, &rules_capacity, g->n_columns + 1u, sizeof *g->rules) != 0)
		return false;
	g->columns[g->n_columns] = index;
	g->rules[g->n_columns++] = fold_of(g->t, index);
	return true;
}

wn_status
groups_new(const struct page *p, const struct table *t, uint32_t metric, struct groups **out,
           wn_err *err)
{
	struct groups *g = wn_calloc(1, sizeof *g);
	if (metric >= t->n_metrics) {
		wn_free(g);
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "the table has no such metric");
	}
	if (!g)
		return wn_no_memory(err);
	*g = (struct groups){.p = p, .t = t, .metric = metric, .n_values = p->groups.n};
	g->values = wn_calloc(g->n_values, sizeof *g->values);
	bool is_fine = g->values != NULL && need(g, TABLE_METRIC + metric);
	for (uint32_t k = 0; is_fine && k < g->n_values; k++)
		g->values[k] = MISSING;
	/* a metric refers to earlier ones only */
	for (uint32_t k = metric + 1; is_fine && k-- > 0;)
		for (uint32_t i = 0; g->again >> k & 1 && i < t->metrics[k].expr.n_names; i++)
			is_fine &= need(g, t->metrics[k].expr.names[i]);
	if (is_fine)
		g->folder = wn_folder_new(g->rules, g->n_columns);
	if (!g->folder) {
		groups_free(g);
		return wn_no_memory(err);
	}
	*out = g;
	return WN_OK;
}

void
groups_free(struct groups *g)
{
	if (!g)
		return;
	wn_free(g->columns);
	wn_free(g->rules);
	wn_folder_free(g->folder);
	wn_free(g->values);
	wn_free(g);
}

/* ---------------------------------------------------------------------------- one group */

static bool
is_kind(const struct groups *g, uint32_t index)
{
	return index < TABLE_METRIC && strcmp(table_column(g->t, index), "kind") == 0;
}

/* Evaluates the metric once all columns of a node are known. */
static double
metric_of(const struct groups *g, const double *of_column)
{
	double of_name[WN_EXPR_NAMES_MAX], of_metric[TABLE_METRICS_MAX];
	for (uint32_t m = 0; m <= g->metric; m++) {
		const struct wn_expr *e = &g->t->metrics[m].expr;
		uint32_t own = column_of(g, TABLE_METRIC + m);
		if (own != UINT32_MAX)
			of_metric[m] = of_column[own];
		if (!(g->again >> m & 1))
			continue;
		for (uint32_t i = 0; i < e->n_names; i++) {
			uint32_t index = e->names[i], other = table_metric_of(index);
			of_name[i] = other != UINT32_MAX     ? of_metric[other]
			             : index >= TABLE_NUMBER ? table_value_of(g->t, index, 0)
			                                     : of_column[column_of(g, index)];
		}
		of_metric[m] = wn_expr_eval(e, of_name, NULL);
	}
	return of_metric[g->metric];
}

/* Closes the innermost group. */
static bool
close_group(struct groups *g, const struct page_chunk *c, double *values, double *of_column)
{
	const struct wn_fold_level l = *wn_folder_innermost(g->folder);
	if (!wn_folder_close(g->folder, of_column))
		return false;
	for (uint32_t k = 0; k < g->n_columns; k++)
		if (g->rules[k] == WN_FOLD_NONE && is_kind(g, g->columns[k]))
			of_column[k] = GROUP_KIND + l.kind;
	double value = l.is_lacking ? MISSING : metric_of(g, of_column);
	uint32_t at = rows_from(&g->p->groups, l.node);
	if (at < g->n_values && g->p->groups.at[at].node == l.node)
		g->values[at] = value;
	if (values && c && l.node >= c->first_node)
		values[l.node - c->first_node] = value;
	return true;
}

static bool
close_before(struct groups *g, uint32_t node, const struct page_chunk *c, double *values,
             double *of_column)
{
	const struct wn_fold_level *l;
	while ((l = wn_folder_innermost(g->folder)) && l->end <= node)
		if (!close_group(g, c, values, of_column))
			return false;
	return true;
}

/* Returns the end of a chunk's group, which may lie in another chunk. */
static uint32_t
end_of(const struct groups *g, const struct table *t, uint32_t node, uint32_t i)
{
	uint32_t at = rows_from(&g->p->groups, node);
	if (t->shape.end[i] == t->shape.n_nodes && at < g->p->groups.n &&
	    g->p->groups.at[at].node == node)
		return g->p->groups.at[at].end;
	return node - i + t->shape.end[i];
}

static bool
take_grain(struct groups *g, const struct table *t, uint32_t row, double *of_column, double *value)
{
	double of_metric[TABLE_METRICS_MAX];
	bool is_fine = true;
	table_metrics_of(t, t->metrics[g->metric].needs, row, of_metric);
	for (uint32_t k = 0; k < g->n_columns && is_fine; k++) {
		uint32_t index = g->columns[k], metric = table_metric_of(index);
		double own =
		    metric != UINT32_MAX ? of_metric[metric] : table_value_of(t, index, row);
		of_column[k] = wn_fold_of_grain(g->rules[k], own);
		is_fine = wn_folder_add(g->folder, k, of_column[k]);
	}
	*value = metric_of(g, of_column);
	return is_fine;
}

wn_status
groups_take(struct groups *g, const struct table *t, uint32_t chunk, double *values, wn_err *err)
{
	const struct page_chunk *c = &g->p->chunks[chunk];
	double *of_column = wn_calloc(g->n_columns, sizeof *of_column);
	bool is_fine = of_column != NULL;
	for (uint32_t i = 0; is_fine && i < t->shape.n_nodes; i++) {
		uint32_t node = c->first_node + i;
		is_fine = close_before(g, node, c, values, of_column);
		if (is_fine && t->kinds[i] != ROW_GRAIN) {
			is_fine =
			    wn_folder_open(g->folder, node, end_of(g, t, node, i), t->kinds[i]);
		} else if (is_fine) {
			double value;
			is_fine = take_grain(g, t, t->shape.row[i], of_column, &value);
			if (values)
				values[i] = value;
		}
	}
	is_fine =
	    is_fine && close_before(g, c->first_node + t->shape.n_nodes, c, values, of_column);
	wn_free(of_column);
	g->next = chunk + 1;
	return is_fine ? WN_OK : wn_no_memory(err);
}

/* Tiers have the groups that begin in the chunk and continue after it. */
wn_status
groups_lack(struct groups *g, uint32_t chunk, wn_err *err)
{
	const struct page_chunk *c = &g->p->chunks[chunk];
	const struct rows *rows = &g->p->groups;
	double *of_column = wn_calloc(g->n_columns, sizeof *of_column);
	uint32_t end = c->first_node + c->n_nodes;
	bool is_fine = of_column != NULL;
	struct wn_fold_level *level = wn_folder_innermost(g->folder);
	if (level) /* and so are the groups around it */
		level->is_lacking = true;
	for (uint32_t k = rows_from(rows, c->first_node);
	     is_fine && k < rows->n && rows->at[k].node < end; k++)
		if (rows->at[k].end > end) {
			is_fine = close_before(g, rows->at[k].node, NULL, NULL, of_column) &&
			          wn_folder_open(g->folder, rows->at[k].node, rows->at[k].end,
			                         rows->at[k].kind);
			if (is_fine)
				wn_folder_innermost(g->folder)->is_lacking = true;
		}
	is_fine = is_fine && close_before(g, end, NULL, NULL, of_column);
	wn_free(of_column);
	g->next = chunk + 1;
	return is_fine ? WN_OK : wn_no_memory(err);
}

uint32_t
groups_next(const struct groups *g)
{
	return g->next;
}

double
groups_value(const struct groups *g, uint32_t k)
{
	return k < g->n_values ? g->values[k] : MISSING;
}
