/* SPDX-License-Identifier: MIT */
#include "grains/shape.h"

#include <string.h>

static bool
is_before(uint32_t parent)
{
	return parent >= WN_SHAPE_BEFORE;
}

/* Closes the groups that end after a grain, innermost first. `group` is the innermost open one. */
static bool
close_groups(struct wn_grains_shape *s, uint32_t *group, uint32_t n_open, uint64_t n, uint32_t end)
{
	for (; n && !is_before(*group); n--) {
		uint32_t closed = *group;
		*group = s->parent[closed];
		s->end[closed] = end;
		s->n_left_open--;
	}
	if (n > n_open - s->n_closed_before)
		return false;
	s->n_closed_before += (uint32_t)n;
	if (n)
		*group = WN_SHAPE_BEFORE + s->n_closed_before;
	return true;
}

/* Computes each node's parent and end, each grain's and group's row. */
static bool
find_groups(struct wn_grains_shape *s, const uint64_t *closes, uint32_t n_open)
{
	uint32_t group = WN_SHAPE_BEFORE, n_grains = 0, n_groups = 0;
	for (uint32_t i = 0; i < s->n_nodes; i++) {
		s->parent[i] = group;
		if (s->kind[i] > WN_GRAINS_NODE_SIBLING)
			return false;
		if (s->kind[i] != WN_GRAINS_NODE_GRAIN) {
			if (n_groups == s->n_groups)
				return false;
			s->row[i] = n_groups++;
			s->end[i] = s->n_nodes;
			s->n_left_open++;
			group = i;
			continue;
		}
		if (n_grains == s->n_grains)
			return false;
		s->row[i] = n_grains;
		s->end[i] = i + 1;
		if (!close_groups(s, &group, n_open, closes[n_grains++], i + 1))
			return false;
	}
	return n_grains == s->n_grains && n_groups == s->n_groups;
}

/* Returns the linear group that contains a node, with at most one group of another kind between;
 * else a node that is not linear. */
static uint32_t
linear_around(const struct wn_grains_shape *s, uint32_t node)
{
	uint32_t group = s->parent[node];
	if (!is_before(group) && s->kind[group] != WN_GRAINS_NODE_LINEAR)
		group = s->parent[group];
	return group;
}

static void
find_owners(struct wn_grains_shape *s)
{
	for (uint32_t i = 0; i < s->n_nodes; i++) {
		if (s->kind[i] != WN_GRAINS_NODE_GRAIN)
			continue;
		uint32_t group = linear_around(s, i);
		if (!is_before(group) && group + 1 == i)
			group = linear_around(s, group);
		bool has_owner = !is_before(group) && s->kind[group] == WN_GRAINS_NODE_LINEAR &&
		                 s->kind[group + 1] == WN_GRAINS_NODE_GRAIN && group + 1 < i;
		s->owner_row[s->row[i]] = has_owner ? s->row[group + 1] : WN_GRAINS_NONE;
	}
}

bool
wn_grains_shape(struct wn_grains_shape *s, const uint64_t *closes, uint32_t n_open)
{
	s->n_closed_before = 0;
	s->n_left_open = 0;
	if (s->n_nodes >= WN_SHAPE_BEFORE || n_open >= WN_SHAPE_BEFORE ||
	    !find_groups(s, closes, n_open))
		return false;
	find_owners(s);
	return true;
}

static void
expect_owners(const struct wn_grains_shape *s, const uint64_t *id, uint64_t *owner)
{
	for (uint32_t i = 0; i < s->n_nodes; i++) {
		if (s->kind[i] == WN_GRAINS_NODE_GRAIN)
			continue;
		bool has_first = s->kind[i] == WN_GRAINS_NODE_LINEAR && i + 1 < s->n_nodes &&
		                 s->kind[i + 1] == WN_GRAINS_NODE_GRAIN;
		if (has_first)
			owner[s->row[i]] = id[s->row[i + 1]];
		else
			owner[s->row[i]] =
			    is_before(s->parent[i]) ? 0 : owner[s->row[s->parent[i]]];
	}
}

static void
expect_siblings(const struct wn_grains_shape *s, const uint64_t *work,
                const struct wn_grains_expected *out)
{
	for (uint32_t i = 0; i < s->n_nodes; i++) {
		uint32_t group = s->parent[i], first = i;
		if (is_before(group) || s->kind[group] != WN_GRAINS_NODE_FORK_JOIN)
			continue;
		if (s->kind[i] == WN_GRAINS_NODE_LINEAR && i + 1 < s->n_nodes)
			first = i + 1;
		if (s->kind[first] != WN_GRAINS_NODE_GRAIN)
			continue;
		uint32_t k = s->row[group];
		if (out->siblings_n)
			out->siblings_n[k]++;
		if (out->siblings_sum)
			out->siblings_sum[k] += work[s->row[first]];
		if (out->siblings_max && work[s->row[first]] > out->siblings_max[k])
			out->siblings_max[k] = work[s->row[first]];
	}
}

void
wn_grains_expect(const struct wn_grains_shape *s, const uint64_t *id, const uint64_t *work,
                 const struct wn_grains_expected *out)
{
	if (out->owner)
		expect_owners(s, id, out->owner);
	if (out->siblings_sum)
		memset(out->siblings_sum, 0, s->n_groups * sizeof *out->siblings_sum);
	if (out->siblings_max)
		memset(out->siblings_max, 0, s->n_groups * sizeof *out->siblings_max);
	if (out->siblings_n)
		memset(out->siblings_n, 0, s->n_groups * sizeof *out->siblings_n);
	if (out->siblings_sum || out->siblings_max || out->siblings_n)
		expect_siblings(s, work, out);
}
