/* SPDX-License-Identifier: MIT */
/* depend.c - computes which grains of a chunk must end before others start. Both are siblings; the
 * few in another chunk are omitted. */
#include "base/mem.h"
#include "base/order.h"
#include "page/private.h"

struct named {
	uint64_t id;
	uint32_t node;
};

static bool
is_before(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	return x->id < y->id;
}

static uint32_t
node_of(const struct named *names, uint32_t n, uint64_t id)
{
	uint32_t from = 0, to = n;
	while (from < to) {
		uint32_t middle = from + (to - from) / 2;
		if (names[middle].id == id)
			return names[middle].node;
		if (names[middle].id < id)
			from = middle + 1;
		else
			to = middle;
	}
	return NO_NODE;
}

static wn_status
read_names(const struct page *p, const struct page_chunk *c, struct named **out)
{
	uint64_t *ids = NULL;
	uint8_t *missing = NULL;
	struct named *names = NULL;
	wn_status st = store_column(p, &c->part, &c->shape, WN_COLUMN_ID, &ids, &missing, NULL);
	if (st == WN_OK && !(names = wn_calloc(c->n_grains, sizeof *names)))
		st = WN_E_NOMEM;
	for (uint32_t i = 0; st == WN_OK && i < c->n_nodes; i++)
		if (c->kinds[i] == ROW_GRAIN)
			names[c->shape.row[i]] =
			    (struct named){ids[c->shape.row[i]], c->first_node + i};
	if (st == WN_OK && !wn_order(names, c->n_grains, sizeof *names, is_before))
		st = WN_E_NOMEM;
	wn_free(ids);
	wn_free(missing);
	*out = names;
	return st;
}

static bool
add_edges(struct page_chunk *c, const struct named *names, const uint64_t *counts,
          const uint64_t *list)
{
	size_t n_list = c->part.is.rows[WN_ROWS_LIST], at = 0, capacity = 0;
	wn_free(c->edges);
	c->edges = NULL;
	c->n_edges = 0;
	for (uint32_t i = 0; i < c->n_nodes; i++) {
		uint64_t n = c->kinds[i] == ROW_GRAIN ? counts[c->shape.row[i]] : 0;
		for (; n > 0 && at < n_list; n--, at++) {
			uint32_t from = node_of(names, c->n_grains, list[at]);
			if (from == NO_NODE || from >= c->first_node + i)
				continue;
			if (wn_grow(&c->edges, &capacity, c->n_edges + 1, sizeof *c->edges) != 0)
				return false;
			c->edges[c->n_edges++] = (struct edge){from, c->first_node + i};
		}
	}
	return true;
}

bool
depend_find(const struct page *p, struct page_chunk *c)
{
	uint64_t *counts = NULL, *list = NULL;
	uint8_t *missing = NULL, *other = NULL;
	struct named *names = NULL;
	if (c->has_edges || !c->rows)
		return true;
	wn_status st =
	    store_column(p, &c->part, &c->shape, WN_COLUMN_N_PREDECESSORS, &counts, &missing, NULL);
	if (st == WN_OK)
		st = store_column(p, &c->part, &c->shape, WN_COLUMN_PREDECESSOR, &list, &other,
		                  NULL);
	if (st == WN_OK)
		st = read_names(p, c, &names);
	if (st == WN_OK && !add_edges(c, names, counts, list)) {
		c->n_edges = 0;
		st = WN_E_NOMEM;
	}
	/* without the columns, or with damaged ones, a chunk has no edges */
	c->has_edges = st != WN_E_NOMEM;
	wn_free(names);
	wn_free(counts);
	wn_free(list);
	wn_free(missing);
	wn_free(other);
	return c->has_edges;
}
