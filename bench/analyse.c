/* SPDX-License-Identifier: MIT */
/*
 * analyse.c - from a trace to its graph, and nothing else: what the analysis costs before anything
 * is printed.
 *
 *   analyse FILE     prints grains, tasks, chunks and the median grain in nanoseconds
 */
#include "graph/graph.h"

#include <stdio.h>
#include <stdlib.h>

static int
compare(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

static void
print_counts(const struct wn_graph *g)
{
	uint64_t *work_ns = malloc((size_t)(g->n ? g->n : 1) * sizeof *work_ns);
	size_t n = 0, n_tasks = 0;

	if (work_ns == NULL)
		return;
	for (wn_grain id = 0; id < g->n; id++) {
		if (!wn_is_grain(g, id))
			continue;
		n_tasks += g->kind[id] == WN_GRAIN_TASK || g->kind[id] == WN_GRAIN_TASKLOOP;
		work_ns[n++] = wn_exec_ns(g, id);
	}
	qsort(work_ns, n, sizeof *work_ns, compare);
	printf("%zu %zu %zu %llu\n", n, n_tasks, n - n_tasks,
	       n ? (unsigned long long)work_ns[n / 2] : 0ULL);
	free(work_ns);
}

int
main(int argc, char **argv)
{
	struct wn_trace *trace = NULL;
	struct wn_graph *graph = NULL;
	wn_err err;

	if (argc != 2) {
		fprintf(stderr, "usage: analyse FILE\n");
		return 2;
	}
	if (wn_trace_open(argv[1], &trace, &err) != WN_OK ||
	    wn_graph_build(trace, &graph, &err) != WN_OK) {
		fprintf(stderr, "analyse: %s: cannot be analysed\n", argv[1]);
		wn_trace_close(trace);
		return 1;
	}
	print_counts(graph);
	wn_graph_free(graph);
	wn_trace_close(trace);
	return 0;
}
