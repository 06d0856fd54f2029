/* SPDX-License-Identifier: MIT */
/* named.c - sums of grains by the label that the program gave them. */
#include "report/named.h"

#include "base/mem.h"
#include "trace/trace_reader.h"

#include <stdlib.h>
#include <string.h>

static int
by_work(const void *left, const void *right)
{
	const struct named_grains *a = left, *b = right;
	if (a->work_ns != b->work_ns)
		return a->work_ns < b->work_ns ? 1 : -1;
	return strcmp(a->label, b->label);
}

/* Keeps the entries that have a grain and a text. */
static size_t
compact(struct named_grains *list, size_t n, const struct wn_trace *trace)
{
	size_t n_left = 0;
	for (size_t name = 1; name < n; name++) {
		if (list[name].n_grains == 0)
			continue;
		const char *label = wn_trace_name(trace, (uint32_t)name);
		list[n_left] = list[name];
		list[n_left++].label = label ? label : "?";
	}
	return n_left;
}

bool
named_grains_of(const struct wn_graph *g, struct named_grains **out, size_t *n)
{
	uint32_t last = 0;
	*out = NULL;
	*n = 0;
	for (wn_grain id = 0; g->label && id < g->n; id++)
		last = g->label[id] > last ? g->label[id] : last;
	if (last == 0)
		return true;
	struct named_grains *list = wn_calloc((size_t)last + 1, sizeof *list);
	if (!list)
		return false;
	for (wn_grain id = 0; id < g->n; id++) {
		struct named_grains *l = &list[g->label[id]];
		l->n_grains++;
		l->work_ns += wn_work_ns(g, id);
		if (wn_work_ns(g, id) > l->max_work_ns)
			l->max_work_ns = wn_work_ns(g, id);
	}
	*n = compact(list, (size_t)last + 1, g->trace);
	qsort(list, *n, sizeof *list, by_work);
	*out = list;
	return true;
}
