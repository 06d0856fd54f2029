/* SPDX-License-Identifier: MIT */
/*
 * order.c TRACE - the slow twin of order_is_before(): for each two tasks of a trace, is there a
 * path from the last fragment of one to the first of the other in the drawn graph? The graph is
 * built by another module, from all threads' events in the order of time.
 */
#include "base/mem.h"
#include "graph/draw.h"
#include "sharing/sharing.h"

#include <stdio.h>
#include <string.h>

#define NODES_MAX 4096u

struct drawn {
	struct wn_node_id nodes[NODES_MAX];
	size_t n;
	uint8_t (*edge)[NODES_MAX / 8]; /* bit: from row to column; then closed */
};

static size_t
index_of(struct drawn *d, const struct wn_node_id *id)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->nodes[i].kind == id->kind && d->nodes[i].grain == id->grain &&
		    d->nodes[i].index == id->index && d->nodes[i].fj == id->fj)
			return i;
	return NODES_MAX;
}

static wn_status
take_node(const struct wn_node *node, void *user)
{
	struct drawn *d = user;
	if (d->n == NODES_MAX)
		return WN_E_LIMIT;
	d->nodes[d->n++] = node->id;
	return WN_OK;
}

static wn_status
take_edge(const struct wn_edge *edge, void *user)
{
	struct drawn *d = user;
	size_t from = index_of(d, &edge->from), to = index_of(d, &edge->to);
	if (from < NODES_MAX && to < NODES_MAX)
		d->edge[from][to / 8] |= (uint8_t)(1u << to % 8);
	return WN_OK;
}

static bool
has_edge(const struct drawn *d, size_t from, size_t to)
{
	return d->edge[from][to / 8] >> to % 8 & 1;
}

static void
close_paths(struct drawn *d)
{
	for (size_t k = 0; k < d->n; k++)
		for (size_t i = 0; i < d->n; i++)
			for (size_t b = 0; has_edge(d, i, k) && b < NODES_MAX / 8; b++)
				d->edge[i][b] |= d->edge[k][b];
}

/* Its first or last fragment. */
static size_t
fragment_of(const struct drawn *d, wn_grain grain, bool is_last)
{
	size_t found = NODES_MAX;
	for (size_t i = 0; i < d->n; i++)
		if (d->nodes[i].kind == WN_NODE_FRAGMENT && d->nodes[i].grain == grain &&
		    (found == NODES_MAX || (d->nodes[i].index > d->nodes[found].index) == is_last))
			found = i;
	return found;
}

static int
compare(const struct wn_graph *g, const struct order *o, const struct drawn *d)
{
	unsigned n_pairs = 0, n_before = 0, n_wrong = 0;
	for (wn_grain a = 0; a < g->n; a++)
		for (wn_grain b = 0; b < g->n; b++) {
			if (a == b || g->kind[a] != WN_GRAIN_TASK || g->kind[b] != WN_GRAIN_TASK)
				continue;
			size_t from = fragment_of(d, a, true), to = fragment_of(d, b, false);
			if (from == NODES_MAX || to == NODES_MAX)
				continue;
			struct order_point end = {a, 0, UINT64_MAX - 1}, begin = {b, 0, 0};
			bool is_before = order_is_before(o, &end, &begin);
			n_pairs++;
			n_before += is_before;
			if (is_before != has_edge(d, from, to)) {
				printf("task %u before task %u: %d, in the graph: %d\n", a, b,
				       is_before, !is_before);
				n_wrong++;
			}
		}
	printf("%u pairs, %u ordered, %u wrong\n", n_pairs, n_before, n_wrong);
	return n_wrong > 0 || n_pairs == 0;
}

int
main(int argc, char **argv)
{
	static struct drawn d;
	struct wn_trace *trace = NULL;
	struct wn_graph *g = NULL;
	struct order *o = NULL;
	struct wn_draw *draw = NULL;
	wn_err err;
	int status = 2;
	d.edge = wn_calloc(NODES_MAX, sizeof *d.edge);
	if (argc == 2 && d.edge && wn_trace_open(argv[1], &trace, &err) == WN_OK &&
	    wn_graph_build(trace, &g, &err) == WN_OK &&
	    order_read(trace, NULL, 0, &o, &err) == WN_OK &&
	    wn_draw_new(g, WN_FORM_FRAGMENTS, &draw, &err) == WN_OK &&
	    wn_draw_nodes(draw, take_node, &d) == WN_OK &&
	    wn_draw_edges(draw, take_edge, &d) == WN_OK) {
		close_paths(&d);
		status = compare(g, o, &d);
	} else {
		fprintf(stderr, "order: %s\n", argc == 2 ? err.msg : "one trace");
	}
	wn_draw_free(draw);
	order_free(o);
	wn_graph_free(g);
	wn_trace_close(trace);
	wn_free(d.edge);
	return status;
}
