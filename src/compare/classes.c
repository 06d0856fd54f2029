/* SPDX-License-Identifier: MIT */
#include "compare/classes.h"

#include "aggregate/hash.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"
#include "compare/join.h"

#include <stdlib.h>
#include <string.h>

struct sorter {
	struct wn_classes out;
	size_t capacity;
	uint64_t *shape;              /* [t->n] */
	uint32_t *n_grains, *n_nodes; /* [t->n] */
	struct join_item *items;
	size_t n_items;
};

static bool
is_group(const struct wn_tree *t, wn_tree_node i)
{
	return t->kind[i] == WN_TREE_LINEAR || t->kind[i] == WN_TREE_FORK_JOIN;
}

static void
sum_up(struct sorter *s)
{
	const struct wn_tree *t = s->out.t;
	for (wn_tree_node i = t->n; i-- > 0;) {
		if (t->kind[i] == WN_TREE_GRAIN) {
			s->out.work_ns[i] = wn_work_ns(t->g, t->ref[i]);
			s->n_grains[i] = s->n_nodes[i] = 1;
			continue;
		}
		s->n_nodes[i] = t->kind[i] == WN_TREE_FORK_JOIN ? 2 : 0;
		for (wn_tree_node c = i + 1; c < t->end[i]; c = t->end[c]) {
			s->out.work_ns[i] += s->out.work_ns[c];
			s->n_grains[i] += s->n_grains[c];
			s->n_nodes[i] += s->n_nodes[c];
		}
	}
}

static wn_status
add_class(struct sorter *s, size_t from, size_t to, uint64_t *scratch)
{
	struct wn_classes *out = &s->out;
	struct wn_class c = {.shape = s->items[from].key,
	                     .first = (uint32_t)from,
	                     .n = (uint32_t)(to - from),
	                     .within = WN_NO_CLASS};
	if (wn_grow(&out->items, &s->capacity, out->n + (size_t)1, sizeof c) != 0)
		return WN_E_NOMEM;
	for (size_t i = from; i < to; i++) {
		out->members[i] = s->items[i].id;
		scratch[i - from] = out->work_ns[s->items[i].id];
		c.work_ns += scratch[i - from];
	}
	qsort(scratch, to - from, sizeof *scratch, wn_compare_u64);
	c.least_ns = scratch[0];
	c.median_ns = scratch[(to - from - 1) / 2];
	c.most_ns = scratch[to - from - 1];
	c.n_grains = s->n_grains[s->items[from].id];
	c.n_nodes = s->n_nodes[s->items[from].id];
	out->items[out->n++] = c;
	return WN_OK;
}

WN_COMPARE(by_work, struct wn_class, WN_DOWN_FIRST(work_ns, WN_DOWN_FIRST(n_grains, WN_BY(first))))

/* Finds classes whose groups are each in one of another class, and are as many. */
static void
find_around(struct wn_classes *out)
{
	for (uint32_t k = 0; k < out->n; k++) {
		struct wn_class *c = &out->items[k];
		uint32_t around = WN_NO_CLASS;
		for (uint32_t i = 0; i < c->n; i++) {
			wn_tree_node parent = out->t->parent[out->members[c->first + i]];
			uint32_t of = parent == WN_NO_TREE_NODE ? WN_NO_CLASS : out->of[parent];
			if (of == WN_NO_CLASS || (i > 0 && of != around)) {
				around = WN_NO_CLASS;
				break;
			}
			around = of;
		}
		if (around != WN_NO_CLASS && out->items[around].n == c->n)
			c->within = around;
	}
}

static wn_status
sort(struct sorter *s, wn_err *err)
{
	const struct wn_tree *t = s->out.t;
	wn_status st = WN_OK;
	uint64_t *scratch = NULL;
	s->shape = wn_calloc(t->n, sizeof *s->shape);
	s->n_grains = wn_calloc(t->n, sizeof *s->n_grains);
	s->n_nodes = wn_calloc(t->n, sizeof *s->n_nodes);
	s->out.work_ns = wn_calloc(t->n, sizeof *s->out.work_ns);
	s->out.of = wn_calloc(t->n, sizeof *s->out.of);
	if (!s->shape || !s->n_grains || !s->n_nodes || !s->out.work_ns || !s->out.of)
		return WN_E_NOMEM;
	WN_TRY(wn_tree_shapes(t, s->shape, err));
	sum_up(s);
	size_t n = t->n_of_kind[WN_TREE_LINEAR] + (size_t)t->n_of_kind[WN_TREE_FORK_JOIN];
	s->items = wn_calloc(n, sizeof *s->items);
	s->out.members = wn_calloc(n, sizeof *s->out.members);
	scratch = wn_calloc(n, sizeof *scratch);
	if (!s->items || !s->out.members || !scratch)
		WN_TRY(WN_E_NOMEM);
	for (wn_tree_node i = 0; i < t->n; i++)
		if (is_group(t, i) && s->n_items < n)
			s->items[s->n_items++] = (struct join_item){s->shape[i], i, 0};
	WN_TRY(join_sort(s->items, s->n_items));
	for (size_t from = 0, to; from < s->n_items; from = to) {
		for (to = from; to < s->n_items && s->items[to].key == s->items[from].key;)
			to++;
		WN_TRY(add_class(s, from, to, scratch));
	}
	if (s->out.n)
		qsort(s->out.items, s->out.n, sizeof *s->out.items, by_work);
	memset(s->out.of, 0xff, t->n * sizeof *s->out.of);
	for (uint32_t k = 0; k < s->out.n; k++)
		for (uint32_t i = 0; i < s->out.items[k].n; i++)
			s->out.of[s->out.members[s->out.items[k].first + i]] = k;
	find_around(&s->out);
out:
	wn_free(scratch);
	return st;
}

wn_status
wn_classes_init(struct wn_classes *out, const struct wn_tree *t, wn_err *err)
{
	struct sorter s = {.out = {.t = t}};
	wn_status st = t->n ? sort(&s, err) : WN_OK;
	WN_FREE_ALL(s.shape, s.n_grains, s.n_nodes, s.items);
	if (st != WN_OK) {
		wn_classes_fini(&s.out);
		return wn_no_memory_for(err, t->n, "nodes");
	}
	*out = s.out;
	return WN_OK;
}

void
wn_classes_fini(struct wn_classes *classes)
{
	WN_FREE_ALL(classes->items, classes->members, classes->of, classes->work_ns);
	memset(classes, 0, sizeof *classes);
}
