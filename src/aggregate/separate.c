/* SPDX-License-Identifier: MIT */
/*
 * separate.c - builds a tree of the same leaves with additional groups in two sweeps: upwards, the
 * number of nodes that each old node will contain; downwards, their positions. A group's new
 * members depend only on the problems and shapes of its members.
 *
 *      fork-join         fork-join               linear           linear
 *        a                 b!                      a                run 0-1
 *        b!                d!                      b                  a
 *        c         ->      sibling                 c!       ->        b
 *        d!                  a                     d                c!
 *                            c                                      d
 *
 * `at` has an entry for each old node: first the number of nodes that it will contain, then, once
 * the group above has been placed, its position.
 */
#include "aggregate/separate.h"

#include "aggregate/hash.h"
#include "aggregate/tree_private.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/mix.h"
#include "table/values.h"

#include <stdatomic.h>
#include <string.h>

#define NODES_MAX 0x7fffffffu
#define NONE      UINT32_MAX

/* Position of a member in its alike group. */
enum place { PLACE_FIRST = 64, PLACE_LATER = 128 };

struct separating {
	const struct wn_tree *t;
	struct wn_tree *out;
	uint8_t *flags;      /* [n] the tree's flags, with marks and enum place */
	uint32_t *at;        /* [n] */
	uint64_t *shape;     /* [n], NULL = no alike groups */
	uint32_t *next_same; /* [n] next member of its alike group, NONE at the end */
	atomic_bool is_out_of_memory, is_too_big; /* only set; read after joining threads */
};

static bool
has_problem(const struct separating *s, wn_tree_node i)
{
	return s->flags[i] & WN_TF_PROBLEM;
}

static bool
is_branching(const struct wn_tree *t, wn_tree_node i)
{
	return t->kind[i] == WN_TREE_FORK_JOIN || t->kind[i] == WN_TREE_SIBLING;
}

/* How the members of a group are regrouped. */
struct plan {
	bool is_apart;         /* members without a problem go into a sibling group ... */
	uint32_t n_apart;      /* ... and their number */
	uint32_t n_apart_made; /* alike groups among them ... */
	uint32_t n_apart_in;   /* ... and the number of their members */
	uint32_t n_made;       /* alike groups among the others, or runs ... */
	uint32_t n_in;         /* ... and the number of their members */
};

static uint32_t
length_of_run(const struct separating *s, wn_tree_node from, wn_tree_node end)
{
	uint32_t n = 0;
	for (wn_tree_node c = from; c < end && !has_problem(s, c); c = s->t->end[c])
		n++;
	return n;
}

static bool
has_runs(const struct separating *s, wn_tree_node i)
{
	return s->t->kind[i] == WN_TREE_LINEAR && has_problem(s, i) && s->t->n_children[i] > 2;
}

static struct plan
plan_linear(const struct separating *s, wn_tree_node i)
{
	const struct wn_tree *t = s->t;
	struct plan p = {.n_made = 0};
	if (!has_runs(s, i))
		return p;
	for (wn_tree_node c = i + 1; c < t->end[i];) {
		uint32_t length = length_of_run(s, c, t->end[i]);
		p.n_made += length > 1;
		p.n_in += length > 1 ? length : 0;
		for (uint32_t k = 0; k < (length ? length : 1); k++)
			c = t->end[c];
	}
	return p;
}

static struct plan
plan_branches(const struct separating *s, wn_tree_node i)
{
	const struct wn_tree *t = s->t;
	struct plan p = {.n_made = 0};
	for (wn_tree_node c = i + 1; c < t->end[i]; c = t->end[c])
		p.n_apart += !has_problem(s, c);
	p.is_apart = t->kind[i] == WN_TREE_FORK_JOIN && has_problem(s, i) && p.n_apart > 1;
	for (wn_tree_node c = i + 1; s->shape && c < t->end[i]; c = t->end[c]) {
		bool is_first = s->flags[c] & PLACE_FIRST;
		bool is_in = s->flags[c] & (PLACE_FIRST | PLACE_LATER);
		if (p.is_apart && !has_problem(s, c)) {
			p.n_apart_made += is_first;
			p.n_apart_in += is_in;
		} else {
			p.n_made += is_first;
			p.n_in += is_in;
		}
	}
	return p;
}

static struct plan
plan_of(const struct separating *s, wn_tree_node i)
{
	return is_branching(s->t, i) ? plan_branches(s, i) : plan_linear(s, i);
}

/* Members left in the group itself, and new groups. */
static uint32_t
members_of(const struct separating *s, wn_tree_node i, const struct plan *p)
{
	uint32_t n = s->t->n_children[i] - p->n_in + p->n_made;
	return p->is_apart ? n - p->n_apart + 1 : n;
}

/* Maps a shape to the last member that has it: open addressing. */
struct table {
	uint32_t few[4 * WN_VALUES_FEW];
	uint32_t *last;
	size_t mask;
};

static bool
table_init(struct table *table, uint32_t n_members)
{
	size_t size = 4 * WN_VALUES_FEW;
	while (size < 2 * (size_t)n_members)
		size *= 2;
	table->last = table->few;
	table->mask = size - 1;
	if (size > 4 * WN_VALUES_FEW && !(table->last = wn_calloc(size, sizeof *table->last)))
		return false;
	memset(table->last, 0xff, size * sizeof *table->last);
	return true;
}

static void
find_alike(struct separating *s, wn_tree_node i)
{
	const struct wn_tree *t = s->t;
	struct table table;
	if (!table_init(&table, t->n_children[i])) {
		atomic_store_explicit(&s->is_out_of_memory, true, memory_order_relaxed);
		return;
	}
	for (wn_tree_node c = i + 1; c < t->end[i]; c = t->end[c]) {
		size_t place = wn_mix(s->shape[c], has_problem(s, c)) & table.mask;
		uint32_t last;
		s->next_same[c] = NONE;
		for (; (last = table.last[place]) != NONE; place = (place + 1) & table.mask)
			if (s->shape[last] == s->shape[c] &&
			    has_problem(s, last) == has_problem(s, c))
				break;
		table.last[place] = c;
		if (last == NONE)
			continue;
		if (!(s->flags[last] & PLACE_LATER))
			s->flags[last] |= PLACE_FIRST;
		s->flags[c] |= PLACE_LATER;
		s->next_same[last] = c;
	}
	if (table.last != table.few)
		wn_free(table.last);
}

static void
size_up(void *user, wn_tree_node from, wn_tree_node to, wn_tree_node limit)
{
	struct separating *s = user;
	const struct wn_tree *t = s->t;
	for (wn_tree_node i = to; i-- > from;) {
		uint64_t size = 1;
		if (t->end[i] > limit)
			continue;
		if (s->shape && is_branching(t, i))
			find_alike(s, i);
		for (wn_tree_node c = i + 1; c < t->end[i]; c = t->end[c])
			size += s->at[c];
		struct plan p = plan_of(s, i);
		size += p.is_apart + p.n_apart_made + p.n_made;
		if (size > NODES_MAX) {
			atomic_store_explicit(&s->is_too_big, true, memory_order_relaxed);
			size = NODES_MAX;
		}
		s->at[i] = (uint32_t)size;
	}
}

/* Writes a new group; its contents, and so its end, are not known yet. */
static wn_tree_node
put_made(struct separating *s, wn_tree_node at, wn_tree_node parent, enum wn_tree_kind kind,
         uint32_t ref, uint32_t n_children, uint8_t flags)
{
	struct wn_tree *o = s->out;
	o->kind[at] = (uint8_t)kind;
	o->flags[at] = flags;
	o->parent[at] = parent;
	o->ref[at] = ref;
	o->n_children[at] = n_children;
	o->theta[at] = o->theta[parent] + wn_tree_adds(kind, n_children);
	return at;
}

/* Assigns the position of an old node, which fills in the rest itself. Returns the position after
 * it. */
static wn_tree_node
put_member(struct separating *s, wn_tree_node c, wn_tree_node at, wn_tree_node parent)
{
	uint32_t size = s->at[c];
	s->out->parent[at] = parent;
	s->out->end[at] = at + size;
	s->at[c] = at;
	return at + size;
}

static wn_tree_node
put_alike(struct separating *s, wn_tree_node first, wn_tree_node at, wn_tree_node parent,
          uint32_t ref)
{
	uint32_t n = 0;
	for (wn_tree_node c = first; c != NONE; c = s->next_same[c])
		n++;
	wn_tree_node group = put_made(s, at, parent, WN_TREE_ALIKE, ref, n, 0);
	for (wn_tree_node c = first; c != NONE; c = s->next_same[c])
		at = put_member(s, c, c == first ? group + 1 : at, group);
	s->out->end[group] = at;
	return at;
}

/* Places members of a branching group: all, or those with or without a problem. */
static wn_tree_node
put_branches(struct separating *s, wn_tree_node i, wn_tree_node at, wn_tree_node parent, bool all,
             bool problems)
{
	const struct wn_tree *t = s->t;
	for (wn_tree_node c = i + 1, next; c < t->end[i]; c = next) {
		next = t->end[c];
		if ((!all && has_problem(s, c) != problems) || s->flags[c] & PLACE_LATER)
			continue;
		at = s->flags[c] & PLACE_FIRST ? put_alike(s, c, at, parent, t->ref[i])
		                               : put_member(s, c, at, parent);
	}
	return at;
}

static void
lay_branches(struct separating *s, wn_tree_node i, const struct plan *p)
{
	wn_tree_node group = s->at[i], at = group + 1;
	if (!p->is_apart) {
		put_branches(s, i, at, group, true, false);
		return;
	}
	at = put_branches(s, i, at, group, false, true);
	wn_tree_node apart = put_made(s, at, group, WN_TREE_SIBLING, s->t->ref[i],
	                              p->n_apart - p->n_apart_in + p->n_apart_made, 0);
	s->out->end[apart] = put_branches(s, i, at + 1, apart, false, false);
}

static void
lay_linear(struct separating *s, wn_tree_node i)
{
	const struct wn_tree *t = s->t;
	wn_tree_node group = s->at[i], at = group + 1;
	bool may_run = has_runs(s, i);
	for (wn_tree_node c = i + 1; c < t->end[i];) {
		uint32_t length = may_run ? length_of_run(s, c, t->end[i]) : 0;
		wn_tree_node parent = group;
		if (length > 1)
			parent =
			    put_made(s, at++, group, WN_TREE_LINEAR, t->ref[i], length, WN_TF_RUN);
		for (uint32_t k = 0; k < (length > 1 ? length : 1); k++) {
			wn_tree_node next = t->end[c];
			at = put_member(s, c, at, parent);
			c = next;
		}
		if (parent != group)
			s->out->end[parent] = at;
	}
}

static void
write_nodes(void *user, wn_tree_node from, wn_tree_node to, wn_tree_node limit)
{
	struct separating *s = user;
	const struct wn_tree *t = s->t;
	struct wn_tree *o = s->out;
	for (wn_tree_node i = from; i < to; i++) {
		if (t->end[i] > limit)
			continue;
		wn_tree_node at = s->at[i], parent = o->parent[at];
		enum wn_tree_kind kind = t->kind[i];
		struct plan p = plan_of(s, i);
		uint32_t n = members_of(s, i, &p);
		o->kind[at] = (uint8_t)kind;
		o->flags[at] = s->flags[i] & (WN_TF_PROBLEM | WN_TF_CRITICAL);
		o->ref[at] = t->ref[i];
		o->n_children[at] = n;
		o->theta[at] =
		    (parent == WN_NO_TREE_NODE ? 0 : o->theta[parent]) + wn_tree_adds(kind, n);
		if (kind == WN_TREE_LINEAR)
			lay_linear(s, i);
		else if (kind != WN_TREE_GRAIN)
			lay_branches(s, i, &p);
	}
}

struct marking {
	const struct wn_tree *t;
	uint8_t *flags;
	const uint8_t *is_problem;
};

static void
mark_nodes(void *user, wn_tree_node from, wn_tree_node to, wn_tree_node limit)
{
	const struct marking *m = user;
	for (wn_tree_node i = from; i < to; i++) {
		if (m->t->end[i] > limit)
			continue;
		uint8_t flags = m->t->flags[i] & (uint8_t)~WN_TF_PROBLEM;
		if (m->t->kind[i] == WN_TREE_GRAIN && m->is_problem && m->is_problem[m->t->ref[i]])
			flags |= WN_TF_PROBLEM;
		m->flags[i] = flags;
	}
}

static void
mark(const struct wn_tree *t, uint8_t *flags, const uint8_t *is_problem)
{
	struct marking m = {t, flags, is_problem};
	tree_sweep_down(t, mark_nodes, &m);
	tree_flags_up(t, flags);
}

void
wn_tree_problems(const struct wn_metrics *m, uint32_t mask, uint8_t *out)
{
	for (wn_grain id = 0; id < m->g->n; id++)
		out[id] = (m->problems[id] & mask) != 0;
}

void
wn_tree_mark(struct wn_tree *t, const uint8_t *is_problem)
{
	mark(t, t->flags, is_problem);
}

static bool
make(struct separating *s, bool alike)
{
	size_t n = s->t->n;
	return (s->flags = wn_calloc(n, 1)) && (s->at = wn_calloc(n, sizeof *s->at)) &&
	       (!alike || ((s->shape = wn_calloc(n, sizeof *s->shape)) &&
	                   (s->next_same = wn_calloc(n, sizeof *s->next_same))));
}

static wn_status
separate(struct separating *s, const uint8_t *is_problem, wn_err *err)
{
	const struct wn_tree *t = s->t;
	struct wn_tree *o = s->out;
	wn_status st = s->shape ? wn_tree_shapes(t, s->shape, err) : WN_OK;
	if (st != WN_OK)
		return st;
	mark(t, s->flags, is_problem);
	tree_sweep_up(t, size_up, s);
	if (atomic_load_explicit(&s->is_out_of_memory, memory_order_relaxed))
		return WN_E_NOMEM;
	if (atomic_load_explicit(&s->is_too_big, memory_order_relaxed))
		return wn_fail(err, WN_E_LIMIT, WN_NO_OFFSET,
		               "the separated tree has more than %u nodes", NODES_MAX - 1);
	if (!tree_columns(o, t->n ? s->at[0] : 0))
		return WN_E_NOMEM;
	if (t->n) {
		o->parent[0] = WN_NO_TREE_NODE;
		o->end[0] = o->n;
		s->at[0] = 0;
	}
	tree_sweep_down(t, write_nodes, s);
	tree_finish(o);
	return WN_OK;
}

wn_status
wn_tree_separate(const struct wn_tree *t, const uint8_t *is_problem,
                 const struct wn_separation *options, struct wn_tree **out, wn_err *err)
{
	struct separating s = {.t = t};
	wn_status st = WN_E_NOMEM;
	if (t->is_separated)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "the tree is separated");
	s.out = wn_calloc(1, sizeof *s.out);
	if (s.out && make(&s, options && options->alike)) {
		s.out->g = t->g;
		s.out->n_threads = t->n_threads;
		s.out->is_separated = true;
		st = separate(&s, is_problem, err);
	}
	WN_FREE_ALL(s.flags, s.at, s.shape, s.next_same);
	if (st == WN_OK) {
		*out = s.out;
		return st;
	}
	wn_tree_free(s.out);
	return st == WN_E_NOMEM ? wn_no_memory_for(err, t->n, "nodes") : st;
}

/* Only for groups with problems: new groups contain none. */
static void
theta_down(void *user, wn_tree_node from, wn_tree_node to, wn_tree_node limit)
{
	struct separating *s = user;
	const struct wn_tree *t = s->t;
	for (wn_tree_node i = from; i < to; i++) {
		if (t->end[i] > limit || !has_problem(s, i))
			continue;
		struct plan p = plan_of(s, i);
		s->at[i] = (i == WN_TREE_ROOT ? 0 : s->at[t->parent[i]]) +
		           wn_tree_adds(t->kind[i], members_of(s, i, &p));
	}
}

wn_status
wn_tree_theta_apart(const struct wn_tree *t, const uint8_t *is_problem, uint32_t *out, wn_err *err)
{
	struct separating s = {.t = t};
	uint32_t most = 0;
	wn_status st = WN_OK;
	if (t->is_separated)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "the tree is separated");
	if (make(&s, false)) {
		mark(t, s.flags, is_problem);
		tree_sweep_down(t, theta_down, &s);
		for (wn_tree_node i = 0; i < t->n; i++)
			if (t->kind[i] == WN_TREE_GRAIN && has_problem(&s, i) && s.at[i] > most)
				most = s.at[i];
		*out = most;
	} else {
		st = wn_no_memory_for(err, t->n, "nodes");
	}
	wn_free(s.flags);
	wn_free(s.at);
	return st;
}
