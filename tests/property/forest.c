/* SPDX-License-Identifier: MIT */
#include "forest.h"

#include "base/mem.h"
#include "program.h"

#include <stdlib.h>
#include <string.h>

const char *const forest_names[FOREST_SHAPES_N] = {"fib", "flat", "wide", "chain", "random"};

struct maker {
	struct wn_graph *g;
	struct random random;
	enum forest_shape shape;
	struct todo {
		wn_grain id;
		uint32_t size;
	} * stack;
	size_t depth;
	uint32_t n; /* ids made */
};

static void *
column(size_t n, size_t size)
{
	void *block = wn_calloc(n + 1, size); /* as the real ones, from huge pages */
	if (!block)
		abort();
	return block;
}

static struct wn_graph *
graph_new(uint32_t n)
{
	struct wn_graph *g = column(1, sizeof *g);
	g->n = n;
	g->n_threads = 1;
	g->detail = WN_DETAIL_WHOLE;
	g->span_end = WN_NO_GRAIN; /* there are no times */
	g->span_end_join = WN_NO_JOIN;
	g->kind = column(n, sizeof *g->kind);
	g->flags = column(n, sizeof *g->flags);
	g->parent = column(n, sizeof *g->parent);
	g->fj = column(n, sizeof *g->fj);
	g->child_number = column(n, sizeof *g->child_number);
	g->context = column(n, sizeof *g->context);
	g->thread = column(n, sizeof *g->thread);
	g->range = column(n, sizeof *g->range);
	g->work.cells = column(n, sizeof *g->work.cells);
	g->fjs = column(n, sizeof *g->fjs);
	g->fj_sum.cells = column(n, sizeof *g->fj_sum.cells);
	g->fj_max.cells = column(n, sizeof *g->fj_max.cells);
	return g;
}

void
forest_free(struct wn_graph *g)
{
	if (!g)
		return;
	wn_free(g->kind);
	wn_free(g->flags);
	wn_free(g->parent);
	wn_free(g->fj);
	wn_free(g->child_number);
	wn_free(g->context);
	wn_free(g->thread);
	wn_free(g->range);
	wn_times_fini(&g->work);
	wn_free(g->fjs);
	wn_times_fini(&g->fj_sum);
	wn_times_fini(&g->fj_max);
	wn_free(g);
}

/* A fork-join of n children, as far as there are ids left. */
static void
branch(struct maker *m, wn_grain owner, uint32_t index, uint32_t n, uint32_t first_number,
       const uint32_t *sizes)
{
	struct wn_graph *g = m->g;
	if (m->n == g->n)
		return;
	uint32_t fj = (uint32_t)g->n_fjs++;
	g->fjs[fj] = (struct wn_fork_join){.owner = owner, .index = index, .alias = WN_NO_FJ};
	for (uint32_t i = 0; i < n && m->n < g->n; i++) {
		wn_grain id = m->n++;
		g->kind[id] = WN_GRAIN_TASK;
		g->flags[id] = random_one_in(&m->random, 50) ? WN_GF_CRITICAL : 0;
		g->parent[id] = owner;
		g->fj[id] = fj;
		g->child_number[id] = first_number + i;
		g->fjs[fj].n_children++;
		m->stack[m->depth++] = (struct todo){id, sizes ? sizes[i] : 0};
	}
}

static void
branch_at_random(struct maker *m, wn_grain owner)
{
	uint32_t n_fjs = random_below(&m->random, 4), number = 1;
	for (uint32_t k = 0; k < n_fjs; k++) {
		uint32_t n = 1 + random_below(&m->random, random_one_in(&m->random, 20) ? 40 : 4);
		branch(m, owner, k, n, number, NULL);
		number += n;
	}
}

static void
grow(struct maker *m, struct todo todo)
{
	uint32_t two[2] = {todo.size - 1, todo.size - 2};
	switch (m->shape) {
	case FOREST_FIB:
		if (todo.size >= 2)
			branch(m, todo.id, 0, 2, 1, two);
		break;
	case FOREST_FLAT:
		if (todo.id == 0)
			branch(m, todo.id, 0, m->g->n / 8 + 1, 1, NULL);
		else if (random_below(&m->random, 100) < 44)
			branch(m, todo.id, 0, 2, 1, NULL);
		break;
	case FOREST_WIDE:
		if (todo.id == 0)
			branch(m, todo.id, 0, m->g->n, 1, NULL);
		break;
	case FOREST_CHAIN:
		branch(m, todo.id, 0, 1, 1, NULL);
		break;
	case FOREST_RANDOM:
	case FOREST_SHAPES_N:
		branch_at_random(m, todo.id);
		break;
	}
}

/* Another context, or a grain whose creation was lost. */
static void
plant(struct maker *m)
{
	wn_grain id = m->n++;
	bool is_lone = m->shape == FOREST_RANDOM && random_one_in(&m->random, 3);
	m->g->kind[id] = is_lone ? WN_GRAIN_TASK : WN_GRAIN_INITIAL;
	m->g->parent[id] = WN_NO_GRAIN;
	m->g->fj[id] = WN_NO_FJ;
	m->g->thread[id] = id;
	m->stack[m->depth++] = (struct todo){id, 45};
}

struct wn_graph *
forest_new(enum forest_shape shape, uint32_t n_ids, uint64_t seed)
{
	struct maker m = {.g = graph_new(n_ids), .random = {seed + 99}, .shape = shape};
	m.stack = column(n_ids, sizeof *m.stack);
	while (m.n < n_ids) {
		plant(&m);
		while (m.depth > 0)
			grow(&m, m.stack[--m.depth]);
	}
	wn_free(m.stack);
	return m.g;
}

static uint32_t *
permutation(uint32_t n, struct random *random)
{
	uint32_t *to = column(n, sizeof *to);
	for (uint32_t i = 0; i < n; i++)
		to[i] = i;
	for (uint32_t i = n; i > 1; i--) {
		uint32_t k = random_below(random, i), swap = to[i - 1];
		to[i - 1] = to[k];
		to[k] = swap;
	}
	return to;
}

/* The same owner's in the same order: where the numbers say otherwise, they are swapped. */
static void
keep_order(const struct wn_graph *g, uint32_t *new_fj)
{
	for (uint32_t from = 0; from < g->n_fjs;) {
		uint32_t to = from; /* those of an owner are side by side in a forest */
		while (to < g->n_fjs && g->fjs[to].owner == g->fjs[from].owner)
			to++;
		for (uint32_t i = from; i < to; i++)
			for (uint32_t k = i + 1; k < to; k++)
				if (new_fj[k] < new_fj[i]) {
					uint32_t swap = new_fj[i];
					new_fj[i] = new_fj[k];
					new_fj[k] = swap;
				}
		from = to;
	}
}

struct wn_graph *
forest_shuffle(const struct wn_graph *g, uint64_t seed, wn_grain **new_id)
{
	struct random random = {seed + 7};
	struct wn_graph *other = graph_new(g->n);
	uint32_t *id_of = permutation(g->n, &random);
	uint32_t *fj_of = permutation((uint32_t)g->n_fjs, &random);
	keep_order(g, fj_of);
	for (wn_grain id = 0; id < g->n; id++) {
		wn_grain to = id_of[id];
		other->kind[to] = g->kind[id];
		other->flags[to] = g->flags[id];
		other->parent[to] =
		    g->parent[id] == WN_NO_GRAIN ? WN_NO_GRAIN : id_of[g->parent[id]];
		other->fj[to] = g->fj[id] == WN_NO_FJ ? WN_NO_FJ : fj_of[g->fj[id]];
		other->child_number[to] = g->child_number[id];
		other->thread[to] = g->thread[id];
	}
	other->n_fjs = g->n_fjs;
	for (uint32_t fj = 0; fj < g->n_fjs; fj++) {
		other->fjs[fj_of[fj]] = g->fjs[fj];
		other->fjs[fj_of[fj]].owner = id_of[g->fjs[fj].owner];
	}
	wn_free(fj_of);
	if (new_id)
		*new_id = id_of;
	else
		wn_free(id_of);
	return other;
}
