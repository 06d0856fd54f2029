/* SPDX-License-Identifier: MIT */
/*
 * prop_marks.c - which nodes a comparison of two random programs marks: each is the least that
 * holds all members of its group, is called as the group where both have that name, and every
 * change is told once. WN_SEED=N runs one seed, WN_SEEDS=N that many.
 */
#include "container.h"

#include "base/mem.h"
#include "compare/match_groups.h"
#include "report/diff.h"
#include "tests/property/seeds.h"
#include "view/view_private.h"

#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"changed", "created", "vanished", "slower", "faster"};
enum { CHANGED, CREATED, VANISHED, SLOWER, FASTER, KINDS_N };
static uint64_t n_of[KINDS_N];

static int
kind_of(const char *what)
{
	for (int k = 0; k < KINDS_N; k++)
		if (strcmp(what, kinds[k]) == 0)
			return k;
	differ("%s is no change", what);
	return 0;
}

static bool
is_inside(const struct wn_tree *t, wn_tree_node leaf, wn_tree_node group)
{
	return group < leaf && leaf < t->end[group];
}

static bool
holds_all(const struct wn_diff *d, const struct wn_tree *t, uint32_t group, wn_tree_node node)
{
	for (wn_tree_node i = 0; i < t->n; i++)
		if (t->kind[i] == WN_TREE_GRAIN && d->groups[1].of[t->ref[i]] == group &&
		    !is_inside(t, i, node))
			return false;
	return true;
}

static void
check_group(const struct wn_diff *d, const struct wn_tree *t, wn_tree_node node, const char *id)
{
	uint32_t group;
	char name[1024];
	if (wn_group_find(&d->groups[1], id, &group) != WN_OK || group == WN_NO_GROUP) {
		differ("this run has no %s", id);
		return;
	}
	if (!holds_all(d, t, group, node))
		differ("not all of %s is in node %u", id, node);
	if (t->kind[node] != WN_TREE_FORK_JOIN && node != WN_TREE_ROOT)
		differ("%s is marked at node %u, of kind %u", id, node, t->kind[node]);
	for (wn_tree_node i = node + 1; i < t->end[node]; i++)
		if (t->kind[i] == WN_TREE_FORK_JOIN && holds_all(d, t, group, i))
			differ("%s is in node %u, too, inside %u", id, i, node);
	wn_tree_name(t, node, name, sizeof name);
	if (d->groups[1].items[group].kind == WN_GROUP_FORK_JOIN && strcmp(name, id) != 0)
		differ("%s is marked at %s", id, name);
}

/* At what its name goes on from, if that is drawn. */
static void
check_vanished(const struct wn_diff *d, const struct wn_tree *t, wn_tree_node node, const char *id)
{
	uint32_t group;
	if (wn_group_find(&d->groups[0], id, &group) != WN_OK || group == WN_NO_GROUP ||
	    d->changes.to[0][group] != WN_NO_GROUP) {
		differ("%s has not vanished", id);
		return;
	}
	wn_grain above = d->match.to[0][wn_group_above(&d->groups[0], group)];
	wn_tree_node at = above == WN_NO_GRAIN ? WN_NO_TREE_NODE : wn_tree_node_of(t, above);
	if (at != WN_NO_TREE_NODE && at != node &&
	    !(t->kind[node] == WN_TREE_LINEAR && node + 1 == at))
		differ("%s, of node %u, is marked at %u", id, at, node);
}

static void
check(const struct wn_diff *d, const struct wn_tree *t, const json_t *marks)
{
	uint64_t n[KINDS_N] = {0}, n_changes[WN_CHANGE_KIND_N] = {0}, undrawn = 0;
	wn_tree_node before = 0;
	size_t i;
	const json_t *mark;
	json_array_foreach(marks, i, mark)
	{
		wn_tree_node node = (wn_tree_node)json_integer_value(json_object_get(mark, "node"));
		const char *id = json_string_value(json_object_get(mark, "id"));
		int what = kind_of(json_string_value(json_object_get(mark, "what")));
		const json_t *work = json_object_get(mark, "members_work_ns");
		json_int_t a = json_integer_value(json_array_get(work, 0)),
			   b = json_integer_value(json_array_get(work, 1));
		n[what]++;
		n_of[what]++;
		if (node < before || node >= t->n) {
			differ("mark %zu is at %u, after %u of %u", i, node, before, t->n);
			return;
		}
		before = node;
		if (what == VANISHED)
			check_vanished(d, t, node, id);
		else
			check_group(d, t, node, id);
		if ((what == SLOWER && b <= a) || (what == FASTER && b >= a))
			differ("%s is %s: %lld after %lld", id, kinds[what], (long long)b,
			       (long long)a);
	}
	for (size_t k = 0; k < d->changes.n; k++) {
		const struct wn_change *c = &d->changes.items[k];
		bool is_drawn = c->kind == WN_CHANGE_VANISHED;
		for (wn_tree_node x = 0; x < t->n && !is_drawn; x++)
			is_drawn = t->kind[x] == WN_TREE_GRAIN &&
			           d->groups[1].of[t->ref[x]] == c->group[1];
		n_changes[c->kind] += is_drawn;
		undrawn += !is_drawn;
	}
	if (n[CHANGED] != n_changes[WN_CHANGE_SHAPE] ||
	    n[CREATED] != n_changes[WN_CHANGE_CREATED] ||
	    n[VANISHED] != n_changes[WN_CHANGE_VANISHED])
		differ("of %zu changes, %" PRIu64 " of which are not drawn, %" PRIu64 " are marked",
		       d->changes.n, undrawn, n[CHANGED] + n[CREATED] + n[VANISHED]);
}

static bool
holds(uint64_t seed)
{
	static struct container a, b;
	uint32_t size = 20 + (uint32_t)(seed % 7) * 30;
	bool is_made = container_make(&a, seed, size, 64);
	/* the same grown, or another one whose names are like it */
	is_made &=
	    container_make(&b, seed % 3 ? seed : seed + 1, size + (uint32_t)(seed % 2) * 9, 64);
	if (is_made) {
		struct wn_diff *d;
		const struct wn_diff_options options = {.group = NULL};
		json_t *marks;
		wn_err err;
		if (wn_diff_build(a.report, b.report, &options, &d, &err) != WN_OK) {
			differ("no comparison: %s", err.msg);
		} else {
			struct wn_page_data v = {
			    .g = b.report->graph, .tree = b.tree, .options = {.diff = d}};
			if (view_marks(&v, &marks, NULL) != WN_OK)
				abort();
			check(d, b.tree, marks);
			json_decref(marks);
			wn_diff_free(d);
		}
	}
	container_free(&a);
	container_free(&b);
	return !why[0];
}

int
main(void)
{
	struct seeds seeds = seeds_wanted(120);
	ok(seeds_bad(seeds, holds) == 0, "nodes are marked where %" PRIu64 " runs differ", seeds.n);
	for (int k = 0; k < KINDS_N; k++)
		ok(n_of[k] > 0 || seeds.n < 100, "%" PRIu64 " groups are %s", n_of[k], kinds[k]);
	ok(wn_mem_live() == 0, "nothing is left in memory");
	return done();
}
