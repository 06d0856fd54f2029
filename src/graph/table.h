/* SPDX-License-Identifier: MIT */
/*
 * table.h - a graph from a table of grains, in place of events. Private to this folder.
 *
 *   table.c        rows to grains, columns, places
 *   table_rows.c   who is whose child; fork-joins, regions, loops
 *   table_spans.c  longest paths, joins, fragments
 *
 * Grains have the numbers of their tasks, so that nodes are called as the table calls them, unless
 * those are far apart. Grain 0 is what the prototype calls task 0: S.
 */
#ifndef WN_GRAPH_TABLE_H
#define WN_GRAPH_TABLE_H

#include "graph/graph.h"

/* What is needed while the graph is made. By grain; [n] unless it says otherwise. */
struct table_maker {
	struct wn_graph *g;
	const struct wn_table *table;
	wn_err *err;
	uint32_t *id_of;       /* [n_rows] WN_NO_GRAIN = left out */
	double *row;           /* [n_rows] scratch: a column */
	uint32_t *texts;       /* [n_rows] scratch: a column */
	double *joins_at;      /* after which non-empty join of its parent it is joined */
	double *child_number;  /* NAN = not known */
	double *instant;       /* create_instant; NAN = not known */
	uint64_t *wait_first;  /* [n + 1] in waits */
	uint64_t *waits;       /* where in its own execution it went on after a wait */
	uint32_t *first_child; /* [n + 1] in children */
	wn_grain *children;    /* [n] by parent, joins_at, child number */
	wn_grain *order;       /* [n_order] parents before children */
	uint32_t n_order;
	uint32_t *first_fj; /* [n + 1] fork-joins of each owner, in order */
	size_t fj_work_capacity;
	double *loop_key; /* idle_join of chunks */
};

/* Fills an empty graph. WN_OK · WN_E_LIMIT · WN_E_NOMEM · WN_E_EMPTY */
wn_status table_build(struct wn_graph *g, wn_err *err);

/* table_rows.c, table_spans.c */
wn_status table_link(struct table_maker *t);
wn_status table_groups(struct table_maker *t);
wn_status table_spans(struct table_maker *t);
/* table_weight.c: spans, distances from the root and who decides joins, by a column; the weights
 * themselves, if asked for, are the caller's. WN_E_ARG: there is no such column. */
wn_status table_weigh(struct wn_graph *g, const char *name, uint64_t **weight, wn_err *err);

wn_status table_no_memory(struct table_maker *t);

#endif /* WN_GRAPH_TABLE_H */
