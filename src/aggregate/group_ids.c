/* SPDX-License-Identifier: MIT */
/* group_ids.c - converts nodes to readable ids and back. A group's name consists of the grain that
 * owns it and its role; numbers are indices among the owner's fork-joins and members before
 * separation. */
#include "aggregate/tree.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/plural.h"
#include "table/name.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool
is_run(const struct wn_tree *t, wn_tree_node i)
{
	return t->flags[i] & WN_TF_RUN;
}

static bool
is_root_group(const struct wn_tree *t, wn_tree_node i)
{
	return t->kind[i] == WN_TREE_SIBLING && t->ref[i] == WN_NO_FJ;
}

/* Returns the linear group that contains it: not the run that it may be in. */
static wn_tree_node
linear_of(const struct wn_tree *t, wn_tree_node i)
{
	wn_tree_node group = t->parent[i];
	if (group != WN_NO_TREE_NODE && is_run(t, group))
		group = t->parent[group];
	return group != WN_NO_TREE_NODE && t->kind[group] == WN_TREE_LINEAR ? group
	                                                                    : WN_NO_TREE_NODE;
}

/* Iterates over the members of a linear group as before separation. */
#define EACH_MEMBER(t, linear, m)                                                                  \
	for (wn_tree_node m = first_member(t, linear); m != WN_NO_TREE_NODE;                       \
	     m = next_member(t, linear, m))

static wn_tree_node
first_member(const struct wn_tree *t, wn_tree_node linear)
{
	return is_run(t, linear + 1) ? linear + 2 : linear + 1;
}

static wn_tree_node
next_member(const struct wn_tree *t, wn_tree_node linear, wn_tree_node m)
{
	wn_tree_node next = t->end[m];
	if (next >= t->end[linear])
		return WN_NO_TREE_NODE;
	return is_run(t, next) ? next + 1 : next;
}

/* Number of members of its linear group before it: all of them, or fork-joins only. */
static uint32_t
place_in_linear(const struct wn_tree *t, wn_tree_node linear, wn_tree_node node, bool fork_joins)
{
	uint32_t place = 0;
	EACH_MEMBER(t, linear, m)
	{
		if (m >= node)
			break;
		place += !fork_joins || t->kind[m] == WN_TREE_FORK_JOIN;
	}
	return place;
}

static uint32_t
number_of(const struct wn_tree *t, wn_tree_node i)
{
	wn_tree_node linear = linear_of(t, i), group = t->parent[i];
	uint32_t place = 0;
	if (t->number)
		return t->number[i];
	if (t->kind[i] == WN_TREE_FORK_JOIN)
		return linear == WN_NO_TREE_NODE ? 0 : place_in_linear(t, linear, i, true);
	if (is_run(t, i))
		return place_in_linear(t, linear, i, false);
	if (t->kind[i] == WN_TREE_ALIKE)
		for (wn_tree_node c = group + 1; c < i; c = t->end[c])
			place += t->kind[c] == WN_TREE_ALIKE;
	return place;
}

/* Computes number_of() for each member of a group. */
static void
number_members(const struct wn_tree *t, wn_tree_node group, uint32_t *number)
{
	uint32_t n_members = 0, n_fork_joins = 0, n_alike = 0;
	if (t->kind[group] != WN_TREE_LINEAR) {
		for (wn_tree_node c = group + 1; c < t->end[group]; c = t->end[c])
			if (t->kind[c] == WN_TREE_ALIKE)
				number[c] = n_alike++;
		return;
	}
	if (is_run(t, group))
		return;
	EACH_MEMBER(t, group, m)
	{
		if (is_run(t, t->parent[m]) && t->parent[m] + 1 == m)
			number[t->parent[m]] = n_members;
		if (t->kind[m] == WN_TREE_FORK_JOIN)
			number[m] = n_fork_joins++;
		n_members++;
	}
}

wn_status
wn_tree_number(struct wn_tree *t, wn_err *err)
{
	uint32_t *number = t->number ? NULL : wn_calloc(t->n, sizeof *number);
	if (t->number)
		return WN_OK;
	if (!number)
		return wn_no_memory_for(err, t->n, "nodes");
	for (wn_tree_node i = 0; i < t->n; i++)
		if (t->kind[i] != WN_TREE_GRAIN)
			number_members(t, i, number);
	t->number = number;
	return WN_OK;
}

struct name {
	struct wn_name text;
	const struct wn_names *names; /* NULL: whole lineages */
};

static void
add_lineage(struct name *name, const struct wn_graph *g, wn_grain id)
{
	struct wn_name *t = &name->text;
	char *to = t->length < t->size ? t->buffer + t->length : NULL;
	size_t room = to ? t->size - t->length : 0;
	t->length +=
	    name->names ? wn_name(name->names, id, to, room) : wn_graph_lineage(g, id, to, room);
}

static void
add_fork_join(struct name *name, const struct wn_tree *t, wn_tree_node i)
{
	add_lineage(name, t->g, t->g->fjs[t->ref[i]].owner);
	wn_name_group(&name->text, WN_GRAINS_NODE_FORK_JOIN, number_of(t, i));
}

/* Appends the name of a group made by separation among the members of a fork-join or the root. */
static void
add_made(struct name *name, const struct wn_tree *t, wn_tree_node i)
{
	wn_tree_node above = t->kind[i] == WN_TREE_ALIKE ? t->parent[i] : i;
	if (t->ref[i] == WN_NO_FJ)
		wn_name_group(&name->text, WN_GRAINS_NODE_SIBLING, 0);
	else
		add_fork_join(name, t,
		              t->kind[above] == WN_TREE_SIBLING ? t->parent[above] : above);
	if (t->ref[i] != WN_NO_FJ && t->kind[above] == WN_TREE_SIBLING)
		wn_name_text(&name->text, "/S");
	if (t->kind[i] == WN_TREE_ALIKE)
		wn_name_number(&name->text, "/A", number_of(t, i), "");
}

size_t
wn_tree_name(const struct wn_tree *t, wn_tree_node node, char *buffer, size_t size)
{
	return wn_tree_name_by(t, NULL, node, buffer, size);
}

size_t
wn_tree_name_by(const struct wn_tree *t, const struct wn_names *names, wn_tree_node node,
                char *buffer, size_t size)
{
	struct name name = {{buffer, size, 0, false}, names};
	switch ((enum wn_tree_kind)t->kind[node]) {
	case WN_TREE_GRAIN:
		add_lineage(&name, t->g, t->ref[node]);
		break;
	case WN_TREE_LINEAR:
		add_lineage(&name, t->g, t->ref[node]);
		wn_name_group(&name.text, WN_GRAINS_NODE_LINEAR, 0);
		if (is_run(t, node)) {
			uint32_t first = number_of(t, node);
			wn_name_number(&name.text, "/R", first, "-");
			wn_name_number(&name.text, "", first + t->n_children[node] - 1, "");
		}
		break;
	case WN_TREE_FORK_JOIN:
		add_fork_join(&name, t, node);
		break;
	case WN_TREE_SIBLING:
	case WN_TREE_ALIKE:
		add_made(&name, t, node);
		break;
	case WN_TREE_KIND_N:
		break;
	}
	if (size)
		buffer[name.text.length < size ? name.text.length : size - 1] = '\0';
	return name.text.length;
}

/* The part of a name after the lineage. */
struct parts {
	bool has_linear, has_fork_join, has_run, has_sibling, has_alike;
	uint32_t fork_join, first, last, alike;
};

static bool
read_number(const char **at, uint32_t *out)
{
	uint64_t number = 0;
	const char *p = *at;
	if (*p < '0' || *p > '9' || (*p == '0' && p[1] >= '0' && p[1] <= '9'))
		return false;
	for (; *p >= '0' && *p <= '9'; p++)
		if ((number = number * 10 + (uint64_t)(*p - '0')) > UINT32_MAX)
			return false;
	*at = p;
	*out = (uint32_t)number;
	return true;
}

static bool
read_letter(const char **at, char letter)
{
	bool is_there = (*at)[0] == '/' && (*at)[1] == letter;
	*at += is_there ? 2 : 0;
	return is_there;
}

static bool
read_parts(const char *at, struct parts *p)
{
	memset(p, 0, sizeof *p);
	if (read_letter(&at, 'L')) {
		p->has_linear = true;
		if ((p->has_run = read_letter(&at, 'R')))
			return read_number(&at, &p->first) && *at++ == '-' &&
			       read_number(&at, &p->last) && !*at;
		return !*at;
	}
	if ((p->has_fork_join = read_letter(&at, 'F')) && !read_number(&at, &p->fork_join))
		return false;
	p->has_sibling = read_letter(&at, 'S');
	if ((p->has_alike = read_letter(&at, 'A')) && !read_number(&at, &p->alike))
		return false;
	return !*at && (p->has_fork_join || p->has_sibling || !p->has_alike);
}

static wn_tree_node
find_linear(const struct wn_tree *t, wn_grain id)
{
	for (wn_tree_node i = 0; i < t->n; i++)
		if (t->kind[i] == WN_TREE_LINEAR && !is_run(t, i) && t->ref[i] == id)
			return i;
	return WN_NO_TREE_NODE;
}

static wn_tree_node
find_fork_join(const struct wn_tree *t, wn_grain owner, uint32_t number, uint32_t *n_found)
{
	*n_found = 0;
	for (wn_tree_node i = 0; i < t->n; i++)
		if (t->kind[i] == WN_TREE_FORK_JOIN && t->g->fjs[t->ref[i]].owner == owner &&
		    (*n_found)++ == number)
			return i;
	return WN_NO_TREE_NODE;
}

static wn_tree_node
find_run(const struct wn_tree *t, wn_tree_node linear, const struct parts *p)
{
	for (wn_tree_node c = linear + 1; c < t->end[linear]; c = t->end[c])
		if (is_run(t, c) && number_of(t, c) == p->first &&
		    p->first + t->n_children[c] - 1 == p->last)
			return c;
	return WN_NO_TREE_NODE;
}

/* Finds the n-th member of a kind. */
static wn_tree_node
find_member(const struct wn_tree *t, wn_tree_node group, enum wn_tree_kind kind, uint32_t n)
{
	for (wn_tree_node c = group + 1; c < t->end[group]; c = t->end[c])
		if (t->kind[c] == kind && n-- == 0)
			return c;
	return WN_NO_TREE_NODE;
}

static wn_status
no_node(wn_err *err, const char *text, const char *why)
{
	return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "'%.100s': %s", text, why);
}

static wn_status
find_made(const struct wn_tree *t, const char *text, const struct parts *p, wn_tree_node *node,
          wn_err *err)
{
	if (p->has_sibling && !is_root_group(t, *node)) {
		*node = find_member(t, *node, WN_TREE_SIBLING, 0);
		if (*node == WN_NO_TREE_NODE)
			return no_node(err, text, "no members of the fork-join are apart here");
	}
	if (p->has_alike) {
		*node = find_member(t, *node, WN_TREE_ALIKE, p->alike);
		if (*node == WN_NO_TREE_NODE)
			return no_node(err, text, "there are not so many groups of one shape here");
	}
	return WN_OK;
}

static wn_status
find_in_linear(const struct wn_tree *t, const char *text, wn_grain id, const struct parts *p,
               wn_tree_node *node, wn_err *err)
{
	*node = find_linear(t, id);
	if (*node == WN_NO_TREE_NODE)
		return no_node(err, text, "nothing follows that grain but its join");
	if (p->has_run && (*node = find_run(t, *node, p)) == WN_NO_TREE_NODE)
		return no_node(err, text, "these members are no run here");
	return WN_OK;
}

static wn_status
find_from(const struct wn_tree *t, const char *text, wn_grain id, const struct parts *p,
          wn_tree_node *node, wn_err *err)
{
	uint32_t n_fork_joins;
	if (p->has_linear)
		return find_in_linear(t, text, id, p, node, err);
	if (!p->has_fork_join) {
		*node = wn_tree_node_of(t, id);
		if (*node == WN_NO_TREE_NODE)
			return no_node(err, text,
			               "that is drawn nowhere itself; its groups are, as in R/F0");
		return WN_OK;
	}
	*node = find_fork_join(t, id, p->fork_join, &n_fork_joins);
	if (*node == WN_NO_TREE_NODE)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
		               "'%.100s': it has %" PRIu32 " fork-join%s, counted from 0", text,
		               n_fork_joins, wn_plural(n_fork_joins));
	return find_made(t, text, p, node, err);
}

wn_status
wn_tree_find(const struct wn_tree *t, const char *text, wn_tree_node *out, wn_err *err)
{
	size_t length = strcspn(text, "/");
	struct parts parts;
	wn_grain id;
	wn_tree_node node = WN_TREE_ROOT;
	wn_status st;
	if (!read_parts(text + length, &parts))
		return no_node(err, text, "no id; ids are like P0.s0.1, P0.s0.1/L, P0.s0.1/F0");
	if (parts.has_sibling && !parts.has_fork_join) {
		if (length != 1 || text[0] != 'R' || t->n == 0 || !is_root_group(t, node))
			return no_node(err, text,
			               "only the root is called so: R/S, where several "
			               "contexts hang off S");
		st = find_made(t, text, &parts, &node, err);
	} else {
		st = wn_graph_find(t->g, text, length, &id, err);
		if (st == WN_OK)
			st = find_from(t, text, id, &parts, &node, err);
	}
	if (st == WN_OK)
		*out = node;
	return st;
}
