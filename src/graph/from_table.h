/* SPDX-License-Identifier: MIT */
/*
 * from_table.h - builds a graph from a table of grains instead of events. Private to this folder.
 *
 *   from_table.c        rows to grains, columns, places
 *   table_rows.c   who is whose child; fork-joins, regions, loops
 *   table_spans.c  longest paths, joins, fragments
 *
 * Grains have the numbers of their tasks, so that nodes have the names of the table, unless these
 * numbers are far apart. Grain 0 is the prototype's task 0: S.
 */
#pragma once

#include "graph/graph.h"

/* State while the graph is built. Indexed by grain; [n] unless noted otherwise. */
struct table_maker {
	struct wn_graph *g;
	const struct wn_table *table;
	wn_err *err;
	uint32_t *id_of;       /* [n_rows] WN_NO_GRAIN = left out */
	double *row;           /* [n_rows] scratch: a column */
	uint32_t *texts;       /* [n_rows] scratch: a column */
	double *joins_at;      /* index of the non-empty join of its parent that joins it */
	double *child_number;  /* NAN = not known */
	double *instant;       /* create_instant; NAN = not known */
	uint64_t *wait_first;  /* [n + 1] in waits */
	uint64_t *waits;       /* its execution time so far when it resumed after a wait */
	uint32_t *first_child; /* [n + 1] in children */
	wn_grain *children;    /* [n] by parent, joins_at, child number */
	wn_grain *order;       /* [n_order] parents before children */
	uint32_t n_order;
	uint32_t *first_fj; /* [n + 1] fork-joins of each owner, in order */
	double *loop_key;   /* idle_join of chunks */
};

/* Fills an empty graph. WN_OK · WN_E_LIMIT · WN_E_NOMEM · WN_E_EMPTY */
wn_status table_build(struct wn_graph *g, wn_err *err);

/* table_rows.c, table_spans.c */
wn_status table_link(struct table_maker *t);
wn_status table_groups(struct table_maker *t);
wn_status table_spans(struct table_maker *t);
/* table_weight.c: computes spans, distances from the root and the winners of joins, by a column;
 * the caller frees the weights, if requested. WN_E_ARG: there is no such column. */
wn_status table_weigh(struct wn_graph *g, const char *name, uint64_t **weight, wn_err *err);

wn_status table_no_memory(struct table_maker *t);
