/* SPDX-License-Identifier: MIT */
#include "compare/similar.h"

#include "base/error.h"
#include "base/mem.h"
#include "compare/join.h"

#include <math.h>
#include <string.h>

/* --- outlines --- */

struct sketch {
	const struct wn_tree *t;
	wn_tree_node group;
	struct wn_outline out;
	uint32_t *enter, *leave; /* [nodes inside] first and last node of each in the outline */
	bool is_filling;
};

static void
touch(struct sketch *s, uint32_t from, uint32_t to)
{
	if (s->is_filling) {
		s->out.neighbour[s->out.first[from]++] = to;
		s->out.neighbour[s->out.first[to]++] = from;
	} else {
		s->out.first[from]++;
		s->out.first[to]++;
	}
}

/* Grains have one node, fork-joins a fork and a join after it; S is 0 and E is 1. */
static uint32_t
count_nodes(struct sketch *s, uint32_t n)
{
	const struct wn_tree *t = s->t;
	for (wn_tree_node i = s->group; i < t->end[s->group]; i++) {
		s->enter[i - s->group] = n;
		n += t->kind[i] == WN_TREE_GRAIN ? 1 : t->kind[i] == WN_TREE_FORK_JOIN ? 2 : 0;
	}
	return n;
}

static void
find_ends(struct sketch *s)
{
	const struct wn_tree *t = s->t;
	for (wn_tree_node i = t->end[s->group]; i-- > s->group;) {
		uint32_t *enter = &s->enter[i - s->group], *leave = &s->leave[i - s->group];
		if (t->kind[i] == WN_TREE_GRAIN) {
			s->out.kind[*enter] = WN_NODE_GRAIN;
			*leave = *enter;
		} else if (t->kind[i] == WN_TREE_FORK_JOIN) {
			s->out.kind[*enter] = WN_NODE_FORK;
			s->out.kind[*enter + 1] = WN_NODE_JOIN;
			*leave = *enter + 1;
		} else {
			*enter = s->enter[i + 1 - s->group];
			for (wn_tree_node c = i + 1; c < t->end[i]; c = t->end[c])
				*leave = s->leave[c - s->group];
		}
	}
}

static void
draw_edges(struct sketch *s)
{
	const struct wn_tree *t = s->t;
	bool is_all = s->group == WN_TREE_ROOT;
	for (wn_tree_node i = s->group; i < t->end[s->group]; i++) {
		bool is_fork_join = t->kind[i] == WN_TREE_FORK_JOIN;
		uint32_t before = UINT32_MAX, at = i - s->group;
		for (wn_tree_node c = i + 1; c < t->end[i]; c = t->end[c]) {
			uint32_t of_member = c - s->group;
			if (is_fork_join) {
				touch(s, s->enter[at], s->enter[of_member]);
				touch(s, s->leave[of_member], s->leave[at]);
			} else if (t->kind[i] == WN_TREE_LINEAR) {
				if (before != UINT32_MAX)
					touch(s, before, s->enter[of_member]);
				before = s->leave[of_member];
			} else { /* the root of several contexts */
				touch(s, 0, s->enter[of_member]);
				touch(s, s->leave[of_member], 1);
			}
		}
	}
	if (is_all && t->kind[s->group] != WN_TREE_SIBLING) {
		touch(s, 0, s->enter[0]);
		touch(s, s->leave[0], 1);
	}
}

static bool
sketch(struct sketch *s)
{
	const struct wn_tree *t = s->t;
	uint32_t n_inside = t->end[s->group] - s->group;
	bool is_all = s->group == WN_TREE_ROOT;
	s->enter = wn_calloc(n_inside, sizeof *s->enter);
	s->leave = wn_calloc(n_inside, sizeof *s->leave);
	if (!s->enter || !s->leave)
		return false;
	uint32_t n = count_nodes(s, is_all ? 2 : 0);
	s->out.n = n;
	s->out.kind = wn_calloc(n, sizeof *s->out.kind);
	s->out.first = wn_calloc((size_t)n + 1, sizeof *s->out.first);
	if (!s->out.kind || !s->out.first)
		return false;
	if (is_all) {
		s->out.kind[0] = WN_NODE_START;
		s->out.kind[1] = WN_NODE_END;
	}
	find_ends(s);
	draw_edges(s);
	uint32_t sum = 0; /* a node has only a few more edges than there are nodes: 2 n fits */
	for (uint32_t i = 0; i <= n; i++) {
		uint32_t degree = s->out.first[i];
		s->out.first[i] = sum;
		sum += degree;
	}
	s->out.neighbour = wn_calloc(sum, sizeof *s->out.neighbour);
	if (!s->out.neighbour)
		return false;
	s->is_filling = true;
	draw_edges(s);
	for (uint32_t i = n; i > 0; i--) /* filling has advanced each begin to the next one's */
		s->out.first[i] = s->out.first[i - 1];
	s->out.first[0] = 0;
	return true;
}

wn_status
wn_outline_init(struct wn_outline *out, const struct wn_tree *t, wn_tree_node group, wn_err *err)
{
	struct sketch s = {.t = t, .group = group};
	bool is_done = sketch(&s);
	wn_free(s.enter);
	wn_free(s.leave);
	if (!is_done) {
		wn_outline_fini(&s.out);
		return wn_no_memory_for(err, t->end[group] - group, "nodes");
	}
	*out = s.out;
	return WN_OK;
}

void
wn_outline_fini(struct wn_outline *outline)
{
	WN_FREE_ALL(outline->kind, outline->first, outline->neighbour);
	memset(outline, 0, sizeof *outline);
}

/* --- labels --- */

static uint64_t
mix(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x ^= x >> 30;
	x *= UINT64_C(0xbf58476d1ce4e5b9);
	x ^= x >> 27;
	x *= UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* A sum of hashes depends on the multiset only, not on the order. */
static void
refine(const struct wn_outline *g, const uint64_t *label, uint64_t *out)
{
	for (uint32_t i = 0; i < g->n; i++) {
		uint64_t around = 0;
		for (uint32_t k = g->first[i]; k < g->first[i + 1]; k++)
			around += mix(label[g->neighbour[k]]);
		out[i] = mix(mix(label[i]) ^ around * UINT64_C(0xd6e8feb86659fd93));
	}
}

struct counting {
	struct wn_wl out;
	size_t n, capacity;
	struct join_item *items; /* labels to be sorted */
};

static wn_status
count_round(struct counting *c, const uint64_t *label, uint32_t n, unsigned round)
{
	c->out.first[round] = c->n;
	for (uint32_t i = 0; i < n; i++)
		c->items[i] = (struct join_item){label[i], i, 0};
	if (join_sort(c->items, n) != WN_OK)
		return WN_E_NOMEM;
	for (uint32_t i = 0; i < n;) {
		struct wn_wl_count one = {c->items[i].key, 0};
		for (; i < n && c->items[i].key == one.label; i++)
			one.count++;
		if (wn_grow(&c->out.counts, &c->capacity, c->n + 1, sizeof one) != 0)
			return WN_E_NOMEM;
		c->out.counts[c->n++] = one;
		c->out.self += (double)one.count * (double)one.count;
	}
	c->out.first[round + 1] = c->n;
	return WN_OK;
}

wn_status
wn_wl_init(struct wn_wl *out, const struct wn_outline *graph, unsigned n_rounds, wn_err *err)
{
	struct counting c = {.out = {.n_rounds = n_rounds}};
	if (n_rounds > WN_WL_ROUNDS_MAX)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "more than %u rounds",
		               WN_WL_ROUNDS_MAX);
	uint64_t *label = wn_calloc(graph->n, sizeof *label);
	uint64_t *next = wn_calloc(graph->n, sizeof *next);
	c.items = wn_calloc(graph->n, sizeof *c.items);
	wn_status st = label && next && c.items ? WN_OK : WN_E_NOMEM;
	for (uint32_t i = 0; st == WN_OK && i < graph->n; i++)
		label[i] = mix(graph->kind[i]);
	for (unsigned round = 0; st == WN_OK && round <= n_rounds; round++) {
		st = count_round(&c, label, graph->n, round);
		if (round == n_rounds)
			break;
		refine(graph, label, next);
		uint64_t *swap = label;
		label = next;
		next = swap;
	}
	WN_FREE_ALL(label, next, c.items);
	if (st != WN_OK) {
		wn_wl_fini(&c.out);
		return wn_no_memory_for(err, graph->n, "nodes");
	}
	*out = c.out;
	return WN_OK;
}

void
wn_wl_fini(struct wn_wl *wl)
{
	wn_free(wl->counts);
	wl->counts = NULL;
}

double
wn_wl_kernel(const struct wn_wl *a, const struct wn_wl *b)
{
	double sum = 0;
	for (unsigned round = 0; round <= a->n_rounds && round <= b->n_rounds; round++) {
		size_t i = a->first[round], k = b->first[round];
		while (i < a->first[round + 1] && k < b->first[round + 1]) {
			uint64_t of_a = a->counts[i].label, of_b = b->counts[k].label;
			if (of_a == of_b)
				sum += (double)a->counts[i].count * (double)b->counts[k].count;
			i += of_a <= of_b;
			k += of_b <= of_a;
		}
	}
	return sum;
}

double
wn_wl_similarity(const struct wn_wl *a, const struct wn_wl *b)
{
	return wn_wl_is_same(a, b) ? 1 : wn_wl_kernel(a, b) / sqrt(a->self * b->self);
}

bool
wn_wl_is_same(const struct wn_wl *a, const struct wn_wl *b)
{
	if (a->n_rounds != b->n_rounds ||
	    memcmp(a->first, b->first, (a->n_rounds + 2) * sizeof *a->first) != 0)
		return false;
	for (size_t i = 0; i < a->first[a->n_rounds + 1]; i++)
		if (a->counts[i].label != b->counts[i].label ||
		    a->counts[i].count != b->counts[i].count)
			return false;
	return true;
}
