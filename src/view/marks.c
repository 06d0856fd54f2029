/* SPDX-License-Identifier: MIT */
/* marks.c - selects the tree nodes to mark in a comparison. Groups of compare/match_groups.h do not
 * depend on threads, so each maps to the smallest node that holds all its members. */
#include "base/error.h"
#include "base/mem.h"
#include "view/view_private.h"

#include <stdlib.h>
#include <string.h>

/* Finds for each group of B the first and the last leaf of its members. */
struct reach {
	wn_tree_node first, last;
};

static struct reach *
find_reaches(const struct wn_page_data *v)
{
	const struct wn_groups *groups = &v->options.diff->groups[1];
	const struct wn_tree *t = v->tree;
	struct reach *reach = wn_calloc(groups->n, sizeof *reach);
	if (!reach)
		return NULL;
	for (uint32_t k = 0; k < groups->n; k++)
		reach[k].first = WN_NO_TREE_NODE;
	for (wn_tree_node i = 0; i < t->n; i++) {
		uint32_t k = t->kind[i] == WN_TREE_GRAIN ? groups->of[t->ref[i]] : WN_NO_GROUP;
		if (k == WN_NO_GROUP)
			continue;
		if (reach[k].first == WN_NO_TREE_NODE)
			reach[k].first = i;
		reach[k].last = i;
	}
	return reach;
}

static wn_tree_node
node_of_reach(const struct wn_tree *t, const struct reach *r)
{
	wn_tree_node at = r->first;
	if (at == WN_NO_TREE_NODE)
		return at;
	/* a member's own group does not contain it */
	if (t->parent[at] != WN_NO_TREE_NODE && t->kind[t->parent[at]] == WN_TREE_LINEAR &&
	    t->parent[at] + 1 == at)
		at = t->parent[at];
	do
		at = t->parent[at] == WN_NO_TREE_NODE ? WN_TREE_ROOT : t->parent[at];
	while (at != WN_TREE_ROOT && (t->end[at] <= r->last || t->kind[at] == WN_TREE_LINEAR));
	return at;
}

/* Returns the node where a group of A would be: the grain that its name continues from, or its
 * group. */
static wn_tree_node
place_of_vanished(const struct wn_page_data *v, const struct reach *reach, uint32_t group)
{
	const struct wn_diff *d = v->options.diff;
	const struct wn_tree *t = v->tree;
	for (; group != WN_NO_GROUP; group = d->groups[0].items[group].parent) {
		uint32_t there = d->changes.to[0][group];
		wn_grain above = wn_group_above(&d->groups[0], group);
		wn_grain id = above == WN_NO_GRAIN ? WN_NO_GRAIN : d->match.to[0][above];
		wn_tree_node at = id == WN_NO_GRAIN ? WN_NO_TREE_NODE : wn_tree_node_of(t, id);
		if (there != WN_NO_GROUP && reach[there].first != WN_NO_TREE_NODE)
			return node_of_reach(t, &reach[there]);
		if (at != WN_NO_TREE_NODE)
			return t->parent[at] != WN_NO_TREE_NODE &&
			               t->kind[t->parent[at]] == WN_TREE_LINEAR &&
			               t->parent[at] + 1 == at
			           ? t->parent[at]
			           : at;
	}
	return WN_TREE_ROOT;
}

struct found {
	wn_tree_node node;
	const char *what;
	uint32_t group[2];
};

struct marks {
	struct found *at;
	size_t n, capacity;
	bool is_failed;
};

static void
add(struct marks *m, wn_tree_node node, const char *what, const uint32_t group[2])
{
	if (node == WN_NO_TREE_NODE)
		return; /* nothing of it is drawn */
	if (wn_grow(&m->at, &m->capacity, m->n + 1, sizeof *m->at) != 0)
		m->is_failed = true;
	else
		m->at[m->n++] = (struct found){node, what, {group[0], group[1]}};
}

static void
add_all(struct marks *m, const struct wn_page_data *v, const struct reach *reach)
{
	static const char *const names[] = {"changed", "created", "vanished"};
	const struct wn_diff *d = v->options.diff;
	for (size_t i = 0; i < d->changes.n; i++) {
		const struct wn_change *c = &d->changes.items[i];
		if (d->change_is_inside[i])
			add(m,
			    c->kind == WN_CHANGE_VANISHED
			        ? place_of_vanished(v, reach, c->group[0])
			        : node_of_reach(v->tree, &reach[c->group[1]]),
			    names[c->kind], c->group);
	}
	/* keeps significant differences only */
	for (size_t i = 0; i < d->n_ordered && i < WN_DIFF_GROUPS; i++) {
		const uint32_t of[2] = {d->group_order[i], d->changes.to[0][d->group_order[i]]};
		bool is_slower =
		    d->groups[1].items[of[1]].own_work_ns > d->groups[0].items[of[0]].own_work_ns;
		if (d->spread[i].clarity == WN_CLEAR)
			add(m, node_of_reach(v->tree, &reach[of[1]]),
			    is_slower ? "slower" : "faster", of);
	}
}

static int
by_node(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->group[0] != y->group[0])
		return x->group[0] < y->group[0] ? -1 : 1;
	if (x->group[1] != y->group[1])
		return x->group[1] < y->group[1] ? -1 : 1;
	return strcmp(x->what, y->what);
}

static json_t *
pair(const struct wn_diff *d, const uint32_t group[2], bool is_work)
{
	json_t *list = json_array();
	for (int side = 0; list && side < 2; side++) {
		const struct wn_group *item =
		    group[side] == WN_NO_GROUP ? NULL : &d->groups[side].items[group[side]];
		json_t *value =
		    !item
			? json_null()
			: json_integer((json_int_t)(is_work ? item->own_work_ns : item->n_members));
		if (json_array_append_new(list, value) != 0) {
			json_decref(list);
			return NULL;
		}
	}
	return list;
}

static json_t *
mark_json(const struct wn_diff *d, const struct found *f)
{
	int named = f->group[0] == WN_NO_GROUP;
	size_t n = wn_group_name(&d->groups[named], f->group[named], NULL, 0);
	char *name = wn_calloc(n + 1, 1);
	json_t *o = json_object();
	if (name)
		wn_group_name(&d->groups[named], f->group[named], name, n + 1);
	bool is_failed = !name || json_object_set_new(o, "node", json_integer(f->node)) != 0 ||
	                 json_object_set_new(o, "what", json_string(f->what)) != 0 ||
	                 json_object_set_new(o, "id", json_string(name)) != 0 ||
	                 json_object_set_new(o, "members", pair(d, f->group, false)) != 0 ||
	                 json_object_set_new(o, "members_work_ns", pair(d, f->group, true)) != 0;
	wn_free(name);
	if (is_failed) {
		json_decref(o);
		return NULL;
	}
	return o;
}

wn_status
view_marks(const struct wn_page_data *v, json_t **out, wn_err *err)
{
	json_t *list = json_array();
	struct marks m = {.n = 0};
	*out = list;
	if (!v->options.diff)
		return list ? WN_OK : wn_no_memory(err);
	struct reach *reach = find_reaches(v);
	if (reach)
		add_all(&m, v, reach);
	bool is_failed = !list || !reach || m.is_failed;
	if (!is_failed && m.n > 0)
		qsort(m.at, m.n, sizeof *m.at, by_node);
	for (size_t i = 0; i < m.n && !is_failed; i++)
		is_failed = json_array_append_new(list, mark_json(v->options.diff, &m.at[i])) != 0;
	wn_free(reach);
	wn_free(m.at);
	if (is_failed) {
		json_decref(list);
		*out = NULL;
		return wn_no_memory(err);
	}
	return WN_OK;
}
