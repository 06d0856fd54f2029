/* SPDX-License-Identifier: MIT */
/* layout.c - cuts the tree into chunks, and computes what columns need of the whole run. */
#include "base/error.h"
#include "base/mem.h"
#include "view/view_private.h"

/* A chunk ends with its last grain. The number of open groups follows from the previous chunk, so
 * that each node is visited a constant number of times. */
static void
cut(struct wn_page_data *v)
{
	const struct wn_tree *t = v->tree;
	uint32_t n_grains = 0, k = 0, from = 0, open = 0, from_open = 0;
	for (uint32_t i = 0; i < t->n; i++) {
		if (t->kind[i] != WN_TREE_GRAIN) {
			open++;
			continue;
		}
		for (uint32_t up = t->parent[i]; up != WN_NO_TREE_NODE && t->end[up] == i + 1;
		     up = t->parent[up])
			open--;
		if (++n_grains % v->chunk_grains != 0 && i + 1 < t->n)
			continue;
		struct view_chunk *c = &v->chunks[k++];
		c->first_node = from;
		c->end_node = i + 1;
		c->first_grain = (k - 1) * v->chunk_grains;
		c->n_grains = n_grains - c->first_grain;
		c->parent = t->parent[from];
		c->n_open = from_open;
		from = i + 1;
		from_open = open;
	}
}

/* Numbers the labels of grains. */
static wn_status
find_labels(struct wn_page_data *v, wn_err *err)
{
	const struct wn_graph *g = v->g;
	uint32_t most = 0, n = 0;
	for (wn_grain id = 0; g->label && id < g->n; id++)
		if (g->label[id] > most)
			most = g->label[id];
	if (most == 0)
		return WN_OK;
	v->label_row = wn_calloc((size_t)most + 1, sizeof *v->label_row);
	v->labels = wn_calloc((size_t)most + 1, sizeof *v->labels);
	if (!v->label_row || !v->labels)
		return wn_no_memory(err);
	for (wn_grain id = 0; id < g->n; id++)
		v->label_row[g->label[id]] = 1;
	for (uint32_t name = 1; name <= most; name++) {
		if (!v->label_row[name])
			continue;
		v->labels[n] = name;
		v->label_row[name] = n++;
	}
	v->n_labels = n;
	return WN_OK;
}

/* Columns not derivable from the rest of the file: user metrics; for imported tables all numbers
 * except times, counts and names. */
static void
find_extras(struct wn_page_data *v)
{
	size_t n_builtin;
	wn_builtin_columns(&n_builtin);
	for (size_t i = 0; i < v->m->n_columns && v->n_extras < VIEW_EXTRAS_MAX; i++) {
		const struct wn_column *c = &v->m->columns[i];
		if (i >= n_builtin || (v->g->imported && c->type == WN_COLUMN_RATIO))
			v->extras[v->n_extras++] = c;
	}
}

wn_status
view_lay_out(struct wn_page_data *v, wn_err *err)
{
	uint32_t n = v->tree->n_of_kind[WN_TREE_GRAIN];
	v->chunk_grains = v->options.chunk_grains ? v->options.chunk_grains : WN_GRAINS_CHUNK;
	v->n_chunks = n / v->chunk_grains + (n % v->chunk_grains != 0);
	v->chunks = wn_calloc(v->n_chunks, sizeof *v->chunks);
	if (!v->chunks)
		return wn_no_memory(err);
	cut(v);
	find_extras(v);
	return find_labels(v, err);
}
