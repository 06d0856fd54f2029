/* SPDX-License-Identifier: MIT */
/* tree_words.c - describes the nodes of a tree in the program's terms: regions, loops, tasks. */
#include "base/plural.h"
#include "report/tree_view_private.h"
#include "report/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Returns the first grain of a node. */
static wn_grain
head_of(const struct wn_tree *t, wn_tree_node node)
{
	while (t->kind[node] != WN_TREE_GRAIN)
		node++;
	return t->ref[node];
}

/* Returns the grain of a fork-join's branch. */
static wn_grain
branch_of(const struct wn_tree *t, wn_tree_node node)
{
	return t->kind[node] == WN_TREE_LINEAR ? t->ref[node] : head_of(t, node);
}

/* Returns the branch that represents the inside of a fork-join, or a part of its branches. */
static wn_grain
first_branch(const struct wn_tree *t, wn_tree_node group)
{
	wn_tree_node c = group + 1;
	while (t->kind[c] == WN_TREE_SIBLING || t->kind[c] == WN_TREE_ALIKE)
		c++;
	return branch_of(t, c);
}

/* Returns the creation site of a branch; for implicit tasks, the region's. */
static uint32_t
site_of(const struct wn_graph *g, wn_grain id)
{
	if (g->kind[id] == WN_GRAIN_IMPLICIT && g->context[id] < g->n_regions)
		return g->regions[g->context[id]].site;
	return g->site[id];
}

/* Tests whether all branches, including those in separate parts, have one place. */
static bool
is_one_place(const struct wn_report_tree *r, wn_tree_node group,
             const struct wn_report_place *place)
{
	const struct wn_tree *t = r->u.tree;
	for (wn_tree_node c = group + 1; c < t->end[group];) {
		if (t->kind[c] == WN_TREE_SIBLING || t->kind[c] == WN_TREE_ALIKE) {
			c++;
			continue;
		}
		if (wn_places_of(&r->places, site_of(t->g, branch_of(t, c))) != place)
			return false;
		c = t->end[c];
	}
	return true;
}

const struct wn_report_place *
tree_place(const struct wn_report_tree *r, wn_tree_node node)
{
	const struct wn_tree *t = r->u.tree;
	const struct wn_graph *g = t->g;
	const struct wn_report_place *place;
	switch ((enum wn_tree_kind)t->kind[node]) {
	case WN_TREE_GRAIN:
	case WN_TREE_LINEAR:
		return wn_places_of(&r->places, site_of(g, t->ref[node]));
	case WN_TREE_FORK_JOIN:
	case WN_TREE_SIBLING:
	case WN_TREE_ALIKE:
		if (t->ref[node] == WN_NO_FJ)
			return NULL;
		place = wn_places_of(&r->places, site_of(g, first_branch(t, node)));
		return is_one_place(r, node, place) ? place : NULL;
	case WN_TREE_KIND_N:
		break;
	}
	return NULL;
}

const char *
tree_kind(const struct wn_tree *t, wn_tree_node node)
{
	static const char *const names[WN_TREE_KIND_N] = {"grain", "linear", "fork_join",
	                                                  "siblings", "alike"};
	return names[t->kind[node]];
}

/* Formats "[0:8)" for a chunk or a taskloop's task, or the number of a section. */
static void
grain_words(const struct wn_graph *g, wn_grain id, char out[TREE_WORDS_BYTES])
{
	const struct wn_range *range = g->range[id] ? &g->ranges[g->range[id] - 1] : NULL;
	const char *kind = wn_report_kind(g->kind[id]);
	if (g->kind[id] == WN_GRAIN_INITIAL)
		snprintf(out, TREE_WORDS_BYTES, "outside all regions");
	else if (g->kind[id] == WN_GRAIN_IMPLICIT)
		snprintf(out, TREE_WORDS_BYTES, "implicit task");
	else if (range && g->kind[id] == WN_GRAIN_SECTION)
		snprintf(out, TREE_WORDS_BYTES, "%s %" PRIu64, kind, range->first);
	else if (range && range->iterations)
		snprintf(out, TREE_WORDS_BYTES, "%s [%" PRIu64 ":%" PRIu64 ")", kind, range->first,
		         range->first + range->iterations);
	else
		snprintf(out, TREE_WORDS_BYTES, "%s", kind);
	if (g->label && g->label[id]) {
		size_t used = strlen(out);
		snprintf(out + used, TREE_WORDS_BYTES - used, " \"%.80s\"",
		         wn_trace_name(g->trace, g->label[id]));
	}
}

static void
linear_words(const struct wn_tree *t, wn_tree_node node, char out[TREE_WORDS_BYTES])
{
	const struct wn_graph *g = t->g;
	if (t->flags[node] & WN_TF_RUN) {
		snprintf(out, TREE_WORDS_BYTES, "%" PRIu32 " in a row without problems",
		         t->n_children[node]);
		return;
	}
	grain_words(g, t->ref[node], out);
}

/* Formats the number and kind of branches: "14 tasks". */
static void
count_words(const struct wn_graph *g, wn_grain branch, uint64_t n, char out[TREE_WORDS_BYTES])
{
	char count[UNITS_BYTES];
	units_count(n, count);
	switch ((enum wn_grain_kind)g->kind[branch]) {
	case WN_GRAIN_IMPLICIT:
		snprintf(out, TREE_WORDS_BYTES, "%s thread%s", count, wn_plural(n));
		break;
	case WN_GRAIN_CHUNK:
	case WN_GRAIN_SECTION:
	case WN_GRAIN_TASK:
		snprintf(out, TREE_WORDS_BYTES, "%s %s%s", count, wn_report_kind(g->kind[branch]),
		         wn_plural(n));
		break;
	case WN_GRAIN_TASKLOOP:
		snprintf(out, TREE_WORDS_BYTES, "%s task%s", count, wn_plural(n));
		break;
	case WN_GRAIN_NONE:
	case WN_GRAIN_INITIAL:
	case WN_GRAIN_HELPER:
	case WN_GRAIN_KIND_N:
		snprintf(out, TREE_WORDS_BYTES, "%s member%s", count, wn_plural(n));
		break;
	}
}

static void
fork_join_words(const struct wn_tree *t, wn_tree_node node, char out[TREE_WORDS_BYTES])
{
	const struct wn_graph *g = t->g;
	wn_grain branch = first_branch(t, node);
	char count[TREE_WORDS_BYTES];
	uint64_t n = g->fjs[t->ref[node]].n_children;
	if (g->kind[branch] == WN_GRAIN_IMPLICIT && g->context[branch] < g->n_regions &&
	    g->regions[g->context[branch]].team_size)
		n = g->regions[g->context[branch]].team_size;
	count_words(g, branch, n, count);
	const char *what = g->kind[branch] == WN_GRAIN_IMPLICIT   ? "parallel region, "
	                   : g->kind[branch] == WN_GRAIN_CHUNK    ? "loop, "
	                   : g->kind[branch] == WN_GRAIN_SECTION  ? "sections, "
	                   : g->kind[branch] == WN_GRAIN_TASKLOOP ? "taskloop, "
	                                                          : "";
	snprintf(out, TREE_WORDS_BYTES, "%s%.100s", what, count);
}

uint64_t
tree_members(const struct wn_tree *t, wn_tree_node group)
{
	uint64_t n = 0;
	if (t->kind[group] == WN_TREE_GRAIN)
		return 0;
	for (wn_tree_node c = group + 1; c < t->end[group]; c = t->end[c])
		n += t->kind[c] == WN_TREE_ALIKE ? t->n_children[c] : 1;
	return n;
}

static void
made_words(const struct wn_tree *t, wn_tree_node node, char out[TREE_WORDS_BYTES])
{
	const struct wn_graph *g = t->g;
	char count[UNITS_BYTES], what[TREE_WORDS_BYTES];
	uint64_t n = tree_members(t, node);
	if (t->kind[node] == WN_TREE_ALIKE) {
		count_words(g, first_branch(t, node), n, what);
		snprintf(out, TREE_WORDS_BYTES, "%.100s alike", what);
	} else if (t->ref[node] == WN_NO_FJ) {
		snprintf(out, TREE_WORDS_BYTES, "%s contexts outside all regions",
		         units_count(n, count));
	} else {
		snprintf(out, TREE_WORDS_BYTES, "%s without problems", units_count(n, count));
	}
}

const char *
tree_words(const struct wn_report_tree *r, const struct wn_view_line *line,
           char out[TREE_WORDS_BYTES])
{
	const struct wn_tree *t = r->u.tree;
	char count[UNITS_BYTES];
	if (line->node == WN_NO_TREE_NODE) {
		bool is_fine = line->sums.n_problematic == 0 && !r->u.view->is_by_work;
		snprintf(out, TREE_WORDS_BYTES, "and %s more%s",
		         units_count(line->n_members, count), is_fine ? " without problems" : "");
		return out;
	}
	switch ((enum wn_tree_kind)t->kind[line->node]) {
	case WN_TREE_GRAIN:
		grain_words(t->g, t->ref[line->node], out);
		break;
	case WN_TREE_LINEAR:
		linear_words(t, line->node, out);
		break;
	case WN_TREE_FORK_JOIN:
		fork_join_words(t, line->node, out);
		break;
	case WN_TREE_SIBLING:
	case WN_TREE_ALIKE:
		made_words(t, line->node, out);
		break;
	case WN_TREE_KIND_N:
		out[0] = '\0';
		break;
	}
	return out;
}
