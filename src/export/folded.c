/* SPDX-License-Identifier: MIT */
/* folded.c - computes the graph of a view: the edges between its nodes. */
#include "export/folded_private.h"

#include "base/error.h"
#include "base/mem.h"

#include <string.h>

#define NONE UINT32_MAX

bool
folded_init(struct folded *f, const struct wn_export *x, const struct wn_view *v)
{
	*f = (struct folded){.x = x, .v = v, .has_ends = v->lines[0].node == WN_TREE_ROOT};
	f->first = wn_calloc(v->n, sizeof *f->first);
	f->last = wn_calloc(v->n, sizeof *f->last);
	f->before = wn_calloc(v->n, sizeof *f->before);
	if (!f->first || !f->last || !f->before)
		return false;
	for (uint32_t i = 0; i < v->n; i++)
		f->first[i] = f->last[i] = f->before[i] = NONE;
	for (uint32_t i = 1; i < v->n; i++) {
		uint32_t up = v->lines[i].parent;
		f->before[i] = f->last[up];
		f->last[up] = i;
		if (f->first[up] == NONE)
			f->first[up] = i;
	}
	return true;
}

void
folded_fini(struct folded *f)
{
	WN_FREE_ALL(f->first, f->last, f->before, f->name);
}

/* Tests for an open group of branches without a fork of its own. */
static bool
is_loose(const struct folded *f, uint32_t line)
{
	enum wn_tree_kind kind = folded_kind(f, line);
	return f->v->lines[line].is_open && (kind == WN_TREE_SIBLING || kind == WN_TREE_ALIKE);
}

static bool
is_chain(const struct folded *f, uint32_t line)
{
	return f->v->lines[line].is_open && folded_kind(f, line) == WN_TREE_LINEAR;
}

/* Returns the first or last node of a line that is not loose. */
static struct folded_end
end_of(const struct folded *f, uint32_t line, bool is_exit)
{
	while (is_chain(f, line))
		line = is_exit ? f->last[line] : f->first[line];
	if (!f->v->lines[line].is_open)
		return (struct folded_end){line, FOLDED_SELF};
	return (struct folded_end){line, is_exit ? FOLDED_JOIN : FOLDED_FORK};
}

bool
folded_is_critical(const struct folded *f, struct folded_end end)
{
	uint32_t fj = f->v->t->ref[f->v->lines[end.line].node];
	switch (end.part) {
	case FOLDED_SELF:
		return f->v->lines[end.line].sums.n_critical > 0;
	case FOLDED_FORK:
		return wn_draw_fork_is_critical(f->x->draw, fj);
	case FOLDED_JOIN:
		return wn_draw_join_is_critical(f->x->draw, fj);
	case FOLDED_START:
	case FOLDED_END:
		break;
	}
	return true;
}

static void
add_edge(const struct folded *f, struct folded_end from, struct folded_end to, folded_edge_fn *call,
         void *user)
{
	struct folded_edge e = {from, to, WN_EDGE_CONTINUE, false};
	if (from.part == FOLDED_FORK)
		e.kind = WN_EDGE_CREATE;
	else if (to.part == FOLDED_JOIN && from.part == FOLDED_SELF)
		e.kind = WN_EDGE_SYNC;
	else if (from.part == FOLDED_SELF || from.part == FOLDED_START)
		e.kind = WN_EDGE_SCOPE;
	e.is_critical = folded_is_critical(f, from) && folded_is_critical(f, to);
	call(&e, user);
}

void
folded_edges(const struct folded *f, folded_edge_fn *call, void *user)
{
	const struct wn_view *v = f->v;
	struct folded_end start = {0, FOLDED_START}, end = {0, FOLDED_END};
	for (uint32_t i = 0; i < v->n; i++) {
		uint32_t up = v->lines[i].parent;
		if (is_loose(f, i))
			continue;
		while (up != WN_NO_VIEW_LINE && is_loose(f, up))
			up = v->lines[up].parent;
		struct folded_end entry = end_of(f, i, false), exit = end_of(f, i, true);
		if (up == WN_NO_VIEW_LINE) {
			if (!f->has_ends)
				continue;
			add_edge(f, start, entry, call, user);
			add_edge(f, exit, end, call, user);
		} else if (is_chain(f, up)) {
			if (f->before[i] != NONE)
				add_edge(f, end_of(f, f->before[i], true), entry, call, user);
		} else {
			add_edge(f, (struct folded_end){up, FOLDED_FORK}, entry, call, user);
			add_edge(f, exit, (struct folded_end){up, FOLDED_JOIN}, call, user);
		}
	}
}

wn_status
folded_links(const struct folded *f, struct links *out, wn_err *err)
{
	const struct wn_tree *t = f->v->t;
	uint32_t *line_of = wn_calloc(f->x->g->n, sizeof *line_of);
	if (!line_of)
		return wn_no_memory(err);
	for (size_t i = 0; i < f->x->g->n; i++)
		line_of[i] = LINKS_NONE;
	for (uint32_t i = 0; i < f->v->n; i++) {
		wn_tree_node node = f->v->lines[i].node;
		wn_tree_node end = f->v->lines[i].is_open ? node : t->end[node];
		for (; node < end; node++)
			if (t->kind[node] == WN_TREE_GRAIN)
				line_of[t->ref[node]] = i;
	}
	wn_status st = links_make(f->x, line_of, (uint32_t)f->v->n, out, err);
	wn_free(line_of);
	return st;
}

/* --- descriptions of nodes --- */

const char *
folded_id(struct folded *f, uint32_t line)
{
	const struct wn_tree *t = f->v->t;
	wn_tree_node node = f->v->lines[line].node;
	size_t length = wn_tree_name(t, node, f->name, f->name_capacity);
	if (length < f->name_capacity)
		return f->name;
	if (wn_grow(&f->name, &f->name_capacity, length + 1, 1) != 0)
		return NULL;
	wn_tree_name(t, node, f->name, f->name_capacity);
	return f->name;
}

const char *
folded_short_id(struct folded *f, uint32_t line)
{
	if (!folded_id(f, line))
		return NULL;
	char *slash = strchr(f->name, '/'), *at = slash ? slash : f->name + strlen(f->name);
	/* a task's group is named by the last number of the task */
	while (at > f->name && at[-1] != '.')
		at--;
	return at;
}

const struct wn_export_place *
folded_place(const struct folded *f, uint32_t line)
{
	const struct wn_tree *t = f->v->t;
	wn_tree_node node = f->v->lines[line].node;
	if (t->kind[node] == WN_TREE_GRAIN || t->kind[node] == WN_TREE_LINEAR)
		return wn_export_place(f->x, t->ref[node]);
	const struct wn_export_place *place = NULL;
	for (wn_tree_node c = node + 1; c < t->end[node];) {
		if (t->kind[c] == WN_TREE_SIBLING || t->kind[c] == WN_TREE_ALIKE) {
			c++;
			continue;
		}
		wn_tree_node head = c;
		while (t->kind[head] == WN_TREE_FORK_JOIN)
			head++;
		const struct wn_export_place *of_c = wn_export_place(f->x, t->ref[head]);
		if (place && of_c != place)
			return NULL;
		place = of_c;
		c = t->end[c];
	}
	return place;
}

bool
folded_is_problematic(const struct folded *f, uint32_t line)
{
	return f->v->lines[line].sums.n_problematic > 0;
}

const char *
folded_count(const struct folded *f, uint32_t line, char out[40])
{
	const struct wn_tree *t = f->v->t;
	wn_tree_node node = f->v->lines[line].node;
	struct wn_export_place all = {.n_grains = f->v->lines[line].sums.n_grains};
	if (all.n_grains == 0)
		for (wn_tree_node i = node; i < t->end[node]; i++)
			all.n_implicit += t->kind[i] == WN_TREE_GRAIN;
	return wn_export_count(&all, out);
}
