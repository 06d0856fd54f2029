/* SPDX-License-Identifier: MIT */
#include "slow_tree.h"

#include "graph/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the graph as objects ------------------------------------------------------------------- */

enum what { IS_START, IS_END, IS_FORK, IS_JOIN, IS_PART }; /* a part: grain or group */

struct object {
	enum what what;
	struct wn_node_id id;
	struct slow *part;
	struct object **next; /* in the order of edges */
	uint32_t n_next;
};

struct drawing {
	struct object *objects;
	uint32_t n, capacity;
};

static void *
again(void *old, size_t n, size_t size)
{
	void *block = realloc(old, (n ? n : 1) * size);
	if (!block)
		abort();
	return block;
}

static struct slow *
slow_new(enum wn_tree_kind kind, uint32_t ref)
{
	struct slow *s = again(NULL, 1, sizeof *s);
	*s = (struct slow){.kind = kind, .ref = ref, .node = WN_NO_TREE_NODE};
	return s;
}

static void
slow_add(struct slow *s, struct slow *member)
{
	s->members = again(s->members, s->n + 1, sizeof *s->members);
	s->members[s->n++] = member;
	member->above = s;
}

void
slow_free(struct slow *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->n; i++)
		slow_free(s->members[i]);
	free(s->members);
	free(s);
}

static wn_status
count(const struct wn_node *node, void *user)
{
	(void)node;
	((struct drawing *)user)->capacity++;
	return WN_OK;
}

static wn_status
take_node(const struct wn_node *node, void *user)
{
	struct drawing *d = user;
	static const enum what whats[WN_NODE_KIND_N] = {IS_START, IS_END, IS_FORK, IS_JOIN,
	                                                IS_PART};
	if (node->id.kind == WN_NODE_GATE)
		return WN_OK;
	struct object *o = &d->objects[d->n++];
	*o = (struct object){.what = whats[node->id.kind], .id = node->id};
	if (o->what == IS_PART)
		o->part = slow_new(WN_TREE_GRAIN, node->id.grain);
	return WN_OK;
}

static struct object *
find(struct drawing *d, struct wn_node_id id)
{
	for (uint32_t i = 0; i < d->n; i++) {
		struct wn_node_id x = d->objects[i].id;
		if (x.kind == id.kind && x.grain == id.grain && x.index == id.index)
			return &d->objects[i];
	}
	abort();
}

static wn_status
take_edge(const struct wn_edge *edge, void *user)
{
	struct drawing *d = user;
	if (edge->is_rogue || edge->kind == WN_EDGE_DEPEND)
		return WN_OK;
	struct object *from = find(d, edge->from);
	from->next = again(from->next, from->n_next + 1, sizeof *from->next);
	from->next[from->n_next++] = find(d, edge->to);
	return WN_OK;
}

/* --- the reduction --------------------------------------------------------------------------- */

static struct object *visit(struct object *n);

/* n and the part after it become one. The group stands where n stood. */
static void
merge(struct object *n, struct object *after)
{
	struct slow *group = slow_new(WN_TREE_LINEAR, 0);
	slow_add(group, n->part);
	slow_add(group, after->part);
	n->part = group;
	n->next[0] = after->next[0];
}

/* A fork, once its branches are single parts that lead to one join, is a group there itself. */
static void
close_fork(struct object *fork)
{
	struct slow *group = slow_new(WN_TREE_FORK_JOIN, fork->id.fj);
	struct object *join = fork->next[0]->next[0];
	for (uint32_t i = 0; i < fork->n_next; i++) {
		struct object *branch = fork->next[i];
		if (branch->what != IS_PART || branch->next[0] != join || join->what != IS_JOIN ||
		    join->id.fj != fork->id.fj)
			abort();
		slow_add(group, branch->part);
	}
	fork->what = IS_PART;
	fork->part = group;
	fork->n_next = 1;
	fork->next[0] = join->next[0];
}

static struct object *
visit(struct object *n)
{
	if (n->what == IS_PART && n->next[0]->what == IS_FORK) {
		visit(n->next[0]);
		merge(n, n->next[0]);
		return visit(n);
	}
	if (n->what == IS_PART && n->next[0]->what == IS_PART) {
		merge(n, n->next[0]);
		return visit(n);
	}
	if (n->what == IS_FORK) {
		for (uint32_t i = 0; i < n->n_next; i++)
			visit(n->next[i]);
		close_fork(n);
		return visit(n);
	}
	return n;
}

/* Members of a linear member of a linear group take its place. */
static void
normalise(struct slow *s)
{
	struct slow **members = s->members;
	uint32_t n = s->n;
	for (uint32_t i = 0; i < n; i++)
		normalise(members[i]);
	s->members = NULL;
	s->n = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct slow *m = members[i];
		if (s->kind != WN_TREE_LINEAR || m->kind != WN_TREE_LINEAR) {
			slow_add(s, m);
			continue;
		}
		for (uint32_t k = 0; k < m->n; k++)
			slow_add(s, m->members[k]);
		m->n = 0;
		slow_free(m);
	}
	free(members);
}

/* Whose a linear group is: its grain, or who owns its fork-joins. */
static void
name_linear(struct slow *s, const struct wn_graph *g)
{
	if (s->kind == WN_TREE_LINEAR)
		s->ref = s->members[0]->kind == WN_TREE_GRAIN ? s->members[0]->ref
		                                              : g->fjs[s->members[0]->ref].owner;
	for (uint32_t i = 0; i < s->n; i++)
		name_linear(s->members[i], g);
}

struct slow *
slow_of_drawing(const struct wn_graph *g)
{
	struct wn_draw *draw;
	struct drawing d = {0};
	struct slow *result = NULL;
	if (wn_draw_new(g, WN_FORM_REDUCED, &draw, NULL) != WN_OK ||
	    wn_draw_nodes(draw, count, &d) != WN_OK)
		abort();
	d.objects = again(NULL, d.capacity, sizeof *d.objects);
	if (wn_draw_nodes(draw, take_node, &d) != WN_OK ||
	    wn_draw_edges(draw, take_edge, &d) != WN_OK)
		abort();
	struct object *start = &d.objects[0];
	for (uint32_t i = 0; i < start->n_next; i++)
		visit(start->next[i]);
	if (start->n_next > 1) {
		result = slow_new(WN_TREE_SIBLING, WN_NO_FJ);
		for (uint32_t i = 0; i < start->n_next; i++)
			slow_add(result, start->next[i]->part);
	} else if (start->next[0]->what == IS_PART) {
		result = start->next[0]->part;
	}
	if (result) {
		normalise(result);
		name_linear(result, g);
	}
	for (uint32_t i = 0; i < d.n; i++)
		free(d.objects[i].next);
	free(d.objects);
	wn_draw_free(draw);
	return result;
}

struct slow *
slow_of_tree(const struct wn_tree *t, wn_tree_node node)
{
	struct slow *s = slow_new(t->kind[node], t->ref[node]);
	s->is_run = t->flags[node] & WN_TF_RUN;
	for (wn_tree_node c = wn_tree_first(t, node); c != WN_NO_TREE_NODE; c = wn_tree_next(t, c))
		slow_add(s, slow_of_tree(t, c));
	return s;
}

/* --- what is made of it ---------------------------------------------------------------------- */

char *
slow_shape(const struct slow *s)
{
	char **texts = again(NULL, s->n, sizeof *texts), *all;
	size_t length = 16;
	for (uint32_t i = 0; i < s->n; i++) {
		texts[i] = slow_shape(s->members[i]);
		length += strlen(texts[i]);
	}
	for (uint32_t i = 1; s->kind != WN_TREE_LINEAR && i < s->n; i++)
		for (uint32_t k = i; k > 0 && strcmp(texts[k - 1], texts[k]) > 0; k--) {
			char *swap = texts[k];
			texts[k] = texts[k - 1];
			texts[k - 1] = swap;
		}
	all = again(NULL, length, 1);
	sprintf(all, "%c(", "glfsa"[s->kind]);
	for (uint32_t i = 0; i < s->n; i++) {
		strcat(all, texts[i]);
		free(texts[i]);
	}
	strcat(all, ")");
	free(texts);
	return all;
}

static bool
mark(struct slow *s, const uint8_t *is_problem)
{
	s->has_problem = s->kind == WN_TREE_GRAIN && is_problem[s->ref];
	for (uint32_t i = 0; i < s->n; i++)
		s->has_problem |= mark(s->members[i], is_problem);
	return s->has_problem;
}

/* "if >= 2 children are non-problematic, move all of them (order kept) under one new sibling group
 * appended as last child" */
static void
separate_fork_join(struct slow *s)
{
	struct slow **members = s->members, *apart;
	uint32_t n = s->n, n_good = 0;
	for (uint32_t i = 0; i < n; i++)
		n_good += !members[i]->has_problem;
	if (n < 2 || n_good < 2)
		return;
	apart = slow_new(WN_TREE_SIBLING, s->ref);
	s->members = NULL;
	s->n = 0;
	for (uint32_t i = 0; i < n; i++)
		slow_add(members[i]->has_problem ? s : apart, members[i]);
	slow_add(s, apart);
	free(members);
}

/* "each maximal run of >= 2 consecutive non-problematic children becomes a new linear group in
 * place" */
static void
separate_linear(struct slow *s)
{
	struct slow **members = s->members;
	uint32_t n = s->n;
	if (n <= 2)
		return;
	s->members = NULL;
	s->n = 0;
	for (uint32_t i = 0; i < n;) {
		uint32_t to = i;
		while (to < n && !members[to]->has_problem)
			to++;
		if (to - i < 2) {
			slow_add(s, members[i++]);
			continue;
		}
		struct slow *run = slow_new(WN_TREE_LINEAR, s->ref);
		run->is_run = true;
		for (; i < to; i++)
			slow_add(run, members[i]);
		slow_add(s, run);
	}
	free(members);
}

static void
fold_alike(struct slow *s, char **shapes)
{
	struct slow **members = s->members;
	uint32_t n = s->n;
	bool *is_taken = again(NULL, n, sizeof *is_taken);
	memset(is_taken, 0, n);
	s->members = NULL;
	s->n = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct slow *group = NULL;
		if (is_taken[i])
			continue;
		for (uint32_t k = i + 1; k < n; k++) {
			if (is_taken[k] || !shapes[k] || !shapes[i] ||
			    strcmp(shapes[k], shapes[i]) != 0 ||
			    members[k]->has_problem != members[i]->has_problem)
				continue;
			if (!group) {
				group = slow_new(WN_TREE_ALIKE, s->ref);
				slow_add(group, members[i]);
			}
			slow_add(group, members[k]);
			is_taken[k] = true;
		}
		slow_add(s, group ? group : members[i]);
	}
	free(members);
	free(is_taken);
}

/* From the leaves up; shapes are those before anything is apart. */
static void
separate(struct slow *s, bool alike)
{
	uint32_t n = s->n;
	char **shapes = again(NULL, n + 1, sizeof *shapes);
	struct slow **old = again(NULL, n + 1, sizeof *old);
	bool is_branching = s->kind == WN_TREE_FORK_JOIN || s->kind == WN_TREE_SIBLING;
	for (uint32_t i = 0; i < n; i++) {
		old[i] = s->members[i];
		shapes[i] = slow_shape(old[i]);
	}
	for (uint32_t i = 0; i < n; i++)
		separate(s->members[i], alike);
	if (s->has_problem && s->kind == WN_TREE_FORK_JOIN)
		separate_fork_join(s);
	if (s->has_problem && s->kind == WN_TREE_LINEAR)
		separate_linear(s);
	for (uint32_t part = 0; alike && is_branching && part < 2; part++) {
		struct slow *group = s;
		if (part == 1) {
			group = s->n ? s->members[s->n - 1] : NULL;
			if (!group || group->kind != WN_TREE_SIBLING)
				break;
		}
		char **of = again(NULL, group->n + 1, sizeof *of);
		for (uint32_t k = 0; k < group->n; k++) {
			of[k] = NULL;
			for (uint32_t i = 0; i < n; i++)
				if (old[i] == group->members[k])
					of[k] = shapes[i];
		}
		fold_alike(group, of);
		free(of);
	}
	for (uint32_t i = 0; i < n; i++)
		free(shapes[i]);
	free(shapes);
	free(old);
}

void
slow_separate(struct slow *s, const uint8_t *is_problem, bool alike)
{
	mark(s, is_problem);
	separate(s, alike);
}

uint64_t
slow_theta(const struct slow *s)
{
	uint64_t a = 1;
	if (s->kind != WN_TREE_GRAIN)
		a = s->n - 1;
	if (s->kind == WN_TREE_FORK_JOIN)
		a += 2;
	return a + (s->above ? slow_theta(s->above) : 0);
}

static void
gather(const struct slow *s, const double *values, double *sum, uint32_t *n)
{
	if (s->kind == WN_TREE_GRAIN && !isnan(values[s->ref]))
		++*n;
	if (s->kind == WN_TREE_GRAIN && !isnan(values[s->ref]))
		*sum += values[s->ref];
	for (uint32_t i = 0; i < s->n; i++)
		gather(s->members[i], values, sum, n);
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Between one finite value and an infinite one: that one; of two, the lower. */
static double
middle(double low, double high)
{
	if (isinf(low) || isinf(high))
		return isinf(low) ? low : high;
	return low + (high - low) / 2;
}

double
slow_fold(const struct slow *s, enum wn_fold rule, const double *values)
{
	double *v = again(NULL, s->n, sizeof *v), result = NAN, sum = 0;
	uint32_t n = 0;
	if (s->kind == WN_TREE_GRAIN) {
		result = values[s->ref];
		if (rule == WN_FOLD_ANY && !isnan(result))
			result = result != 0;
		goto out;
	}
	if (rule == WN_FOLD_MEAN) {
		gather(s, values, &sum, &n);
		result = n ? sum / n : (double)NAN;
		goto out;
	}
	for (uint32_t i = 0; i < s->n; i++) {
		double value = slow_fold(s->members[i], rule, values);
		if (!isnan(value))
			v[n++] = value;
	}
	if (n == 0)
		goto out;
	for (uint32_t i = 0; i < n; i++)
		sum += v[i];
	result = sum;
	if (rule == WN_FOLD_ANY)
		result = sum > 0;
	qsort(v, n, sizeof *v, by_value);
	if (rule == WN_FOLD_MIN)
		result = v[0];
	if (rule == WN_FOLD_MAX)
		result = v[n - 1];
	if (rule == WN_FOLD_MEDIAN)
		result = n % 2 ? v[n / 2] : middle(v[n / 2 - 1], v[n / 2]);
out:
	free(v);
	return result;
}

/* --- comparing ------------------------------------------------------------------------------- */

static const char *
compare(struct slow *s, const struct wn_tree *t, wn_tree_node *at)
{
	wn_tree_node node = (*at)++;
	const char *why = "";
	s->node = node;
	if (node >= t->n)
		return "the tree ends too early";
	if (t->kind[node] != s->kind)
		return "another kind";
	if (t->ref[node] != s->ref)
		return "another grain or fork-join";
	if (t->n_children[node] != s->n)
		return "another number of members";
	if (!(t->flags[node] & WN_TF_RUN) != !s->is_run)
		return "a run, or none";
	if (t->parent[node] != (s->above ? s->above->node : WN_NO_TREE_NODE))
		return "another parent";
	if (t->theta[node] != slow_theta(s))
		return "another theta";
	for (uint32_t i = 0; i < s->n && !*why; i++)
		why = compare(s->members[i], t, at);
	if (!*why && t->end[node] != *at)
		return "another end";
	return why;
}

const char *
slow_compare(struct slow *s, const struct wn_tree *t)
{
	wn_tree_node at = 0;
	if (!s)
		return t->n ? "there is a tree of nothing" : "";
	const char *why = compare(s, t, &at);
	return *why ? why : at == t->n ? "" : "the tree goes on";
}
