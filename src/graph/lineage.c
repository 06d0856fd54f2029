/* SPDX-License-Identifier: MIT */
/* lineage.c - converts grains to schedule-independent names, which are paths from the root, and
 * back. */
#include "graph/grain_names.h"
#include "graph/graph.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/mix.h"
#include "table/name.h"

#include <string.h>

/* Computes the step from the parent's name to this grain's. */
static struct wn_name_step
step_of(const struct wn_graph *g, wn_grain id)
{
	wn_grain parent = g->parent[id];
	const struct wn_range *range = g->range[id] ? &g->ranges[g->range[id] - 1] : NULL;
	bool has_parent = parent != WN_NO_GRAIN;
	struct wn_named_grain grain = {
	    .kind = g->kind[id],
	    .parent_kind = has_parent ? g->kind[parent] : WN_GRAIN_INITIAL,
	    .parent_thread = has_parent ? g->child_number[parent] - 1 : 0,
	    .single = g->context[id],
	    .number = g->child_number[id],
	    .has_range = range != NULL,
	    .first = range ? range->first : 0,
	    .n = range ? range->iterations : 0,
	};
	if (grain.kind == WN_GRAIN_CHUNK || grain.kind == WN_GRAIN_SECTION) {
		grain.number = g->loops[g->context[id]].number;
	} else if (grain.kind == WN_GRAIN_IMPLICIT) {
		grain.number = g->regions[g->context[id]].number;
		grain.single = g->regions[g->context[id]].context;
	} else if (grain.kind == WN_GRAIN_TASKLOOP && range) {
		grain.number = range->taskloop;
	}
	return wn_name_step_of(&grain);
}

static void
put_step(const struct wn_graph *g, wn_grain id, struct wn_name *t)
{
	struct wn_name_step s = step_of(g, id);
	wn_name_step(t, &s);
}

/* An imported task has the name that its tool gives it: R-1-2, the child numbers from the root. */
static void
put_imported(const struct wn_graph *g, wn_grain id, uint32_t depth, struct wn_name *t)
{
	wn_grain chain[256];
	wn_name_imported(t, false, 0);
	for (uint32_t done = 0; done < depth;) {
		uint32_t take = depth - done < 256 ? depth - done : 256;
		wn_grain at = id;
		for (uint32_t i = 0; i < depth - done - take; i++)
			at = g->parent[at];
		for (uint32_t i = take; i-- > 0; at = g->parent[at])
			chain[i] = at;
		for (uint32_t i = 0; i < take; i++)
			wn_name_imported(t, true, g->child_number[chain[i]]);
		done += take;
	}
}

#define MARKS 256u

/* Writes the last `to` steps of a grain's path, outermost first. */
static void
put_steps(const struct wn_graph *g, wn_grain id, uint32_t to, struct wn_name *t)
{
	wn_grain chain[MARKS];
	while (to > 0) {
		uint32_t take = to < MARKS ? to : MARKS;
		wn_grain at = id;
		for (uint32_t i = 0; i < to - take; i++)
			at = g->parent[at];
		for (uint32_t i = take; i-- > 0; at = g->parent[at])
			chain[i] = at;
		for (uint32_t i = 0; i < take; i++)
			put_step(g, chain[i], t);
		to -= take;
	}
}

/* Writes a path from the root down. The way up is divided at checkpoint grains, so that any depth
 * needs constant memory, and few steps are repeated. */
static void
put_path(const struct wn_graph *g, wn_grain id, uint32_t depth, struct wn_name *t)
{
	wn_grain marks[MARKS], at = id;
	uint32_t spacing = depth / MARKS + 1, n = 0;
	for (uint32_t i = 0; i < depth; i++, at = g->parent[at])
		if (i % spacing == 0)
			marks[n++] = at;
	for (uint32_t to = depth; n-- > 0; to = n * spacing)
		put_steps(g, marks[n], to - n * spacing, t);
}

size_t
wn_graph_lineage(const struct wn_graph *g, wn_grain id, char *buffer, size_t size)
{
	struct wn_name t = {buffer, size, 0, false};
	wn_grain at = id;
	uint32_t depth = 0;
	if (g->detail < WN_DETAIL_NAMES) { /* a lean graph does not keep its numbers */
		wn_name_text(&t, "?");
		goto out;
	}
	while (g->parent[at] != WN_NO_GRAIN && depth < g->n) {
		at = g->parent[at];
		depth++;
	}
	if (g->imported) {
		put_imported(g, id, depth, &t);
		goto out;
	}
	wn_name_context(&t, g->thread[at]);
	put_path(g, id, depth, &t);
	wn_name_own(&t, g->kind[id] == WN_GRAIN_IMPLICIT, g->child_number[id] - 1);
out:
	if (size)
		buffer[t.length < size ? t.length : size - 1] = '\0';
	return t.length;
}

const char *
wn_graph_lineage_after(const struct wn_graph *g, wn_grain id, struct wn_lineage *last)
{
	struct wn_name t = {last->text, sizeof last->text, 0, false};
	uint32_t depth = 0, shared;
	if (g->detail < WN_DETAIL_NAMES || g->imported)
		return NULL;
	for (wn_grain at = id; g->parent[at] != WN_NO_GRAIN; at = g->parent[at])
		if (++depth >= WN_LINEAGE_STEPS)
			return NULL;
	wn_grain at = id;
	for (shared = depth + 1; shared > 0; shared--, at = g->parent[at]) {
		if (shared <= last->n && last->steps[shared - 1].id == at)
			break;
		last->steps[shared - 1].id = at;
	}
	t.length = shared ? last->steps[shared - 1].end : 0;
	t.has_begun = t.length > 0;
	for (last->n = shared; last->n <= depth; last->n++) {
		at = last->steps[last->n].id;
		if (last->n > 0)
			put_step(g, at, &t);
		else
			wn_name_context(&t, g->thread[at]);
		if (t.length >= t.size)
			return NULL;
		last->steps[last->n].end = (uint32_t)t.length;
	}
	wn_name_own(&t, g->kind[id] == WN_GRAIN_IMPLICIT, g->child_number[id] - 1);
	if (t.length >= t.size)
		return NULL;
	last->text[t.length] = '\0';
	return last->text;
}

static uint64_t
hash_step(const struct wn_graph *g, wn_grain id, uint64_t hash)
{
	struct wn_name_step s = step_of(g, id);
	hash = wn_mix(hash, s.where ? (uint64_t)s.where[0] : 0);
	hash = wn_mix(hash, s.where_number);
	hash = wn_mix(hash, (uint64_t)s.what[0]);
	hash = wn_mix(hash, s.number);
	hash = wn_mix(hash, s.part);
	hash = wn_mix(hash, s.first);
	return wn_mix(hash, s.end);
}

/* Hashes from the highest ancestor without a hash down to this grain. */
static bool
hash_path(const struct wn_graph *g, wn_grain id, uint64_t *out, uint8_t *has_hash, wn_grain **path,
          size_t *capacity)
{
	size_t n = 0;
	uint64_t hash;
	for (; id != WN_NO_GRAIN && !has_hash[id]; id = g->parent[id]) {
		if (n >= g->n || wn_grow(path, capacity, n + 1, sizeof **path) != 0)
			return false;
		(*path)[n++] = id;
	}
	hash = id == WN_NO_GRAIN ? 0 : out[id];
	while (n-- > 0) {
		id = (*path)[n];
		hash = g->parent[id] == WN_NO_GRAIN ? wn_mix(0, g->thread[id])
		                                    : hash_step(g, id, hash);
		out[id] = hash;
		has_hash[id] = 1;
	}
	return true;
}

wn_status
wn_graph_lineage_hashes(const struct wn_graph *g, uint64_t *out, wn_err *err)
{
	if (g->detail < WN_DETAIL_NAMES)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "a lean graph has no names");
	uint8_t *has_hash = wn_calloc(g->n, 1);
	wn_grain *path = NULL;
	size_t capacity = 0;
	bool is_done = has_hash != NULL;
	for (wn_grain id = 0; is_done && id < g->n; id++)
		if (!has_hash[id] && g->kind[id] != WN_GRAIN_NONE)
			is_done = hash_path(g, id, out, has_hash, &path, &capacity);
	/* children of an implicit task do not continue its full name */
	for (wn_grain id = 0; is_done && id < g->n; id++)
		if (g->kind[id] == WN_GRAIN_IMPLICIT)
			out[id] = wn_mix(out[id], g->child_number[id]);
	wn_free(has_hash);
	wn_free(path);
	return is_done ? WN_OK : wn_no_memory_for(err, g->n, "grains");
}

size_t
wn_graph_step(const struct wn_graph *g, wn_grain id, char *buffer, size_t size)
{
	struct wn_name t = {buffer, size, 0, false};
	if (g->detail < WN_DETAIL_NAMES)
		wn_name_text(&t, "?");
	else if (g->parent[id] != WN_NO_GRAIN)
		put_step(g, id, &t);
	else
		wn_name_context(&t, g->thread[id]);
	if (size)
		buffer[t.length < size ? t.length : size - 1] = '\0';
	return t.length;
}

/* Children by parent, ordered by id, and the candidates whose names are still to be matched. */
struct search {
	const struct wn_graph *g;
	const char *text;
	size_t length;
	wn_grain *first_child, *next_child; /* [n] */
	struct candidate {
		wn_grain id;
		size_t at; /* length of the text that matches it and its ancestors */
	} * candidates;
	size_t n_candidates, capacity;
	wn_grain found;
};

static bool
list_children(struct search *s)
{
	const struct wn_graph *g = s->g;
	s->first_child = wn_calloc(g->n, sizeof *s->first_child);
	s->next_child = wn_calloc(g->n, sizeof *s->next_child);
	if (!s->first_child || !s->next_child)
		return false;
	memset(s->first_child, 0xff, g->n * sizeof *s->first_child);
	for (wn_grain id = g->n; id-- > 0;) {
		wn_grain parent = g->parent[id];
		if (parent == WN_NO_GRAIN || g->kind[id] == WN_GRAIN_NONE)
			continue;
		s->next_child[id] = s->first_child[parent];
		s->first_child[parent] = id;
	}
	return true;
}

/* Returns whether the text continues with this step, and advances *at past it and the dot. */
static bool
is_step(const struct search *s, const char *step, size_t length, size_t *at)
{
	size_t end = *at + length;
	if (end > s->length || memcmp(s->text + *at, step, length) != 0)
		return false;
	if (end < s->length && length && s->text[end] != '.')
		return false;
	*at = end < s->length && length ? end + 1 : end;
	return true;
}

static void
take(struct search *s, wn_grain id)
{
	if (s->found == WN_NO_GRAIN || id < s->found)
		s->found = id;
}

/* The name of an implicit task ends with its thread; its children's names need not contain it. */
static void
consider(struct search *s, wn_grain id, size_t at)
{
	char name[32];
	struct wn_name t = {name, sizeof name, 0, false};
	bool is_over = at == s->length && (at == 0 || s->text[at - 1] != '.');
	if (s->g->kind[id] != WN_GRAIN_IMPLICIT) {
		if (is_over)
			take(s, id);
		return;
	}
	wn_name_own(&t, true, s->g->child_number[id] - 1);
	if (at < s->length && is_step(s, name, t.length, &at) && at == s->length)
		take(s, id);
}

static bool
follow(struct search *s, wn_grain id, size_t at)
{
	consider(s, id, at);
	if (at >= s->length)
		return true;
	if (wn_grow(&s->candidates, &s->capacity, s->n_candidates + 1, sizeof *s->candidates) != 0)
		return false;
	s->candidates[s->n_candidates++] = (struct candidate){id, at};
	return true;
}

static bool
search_roots(struct search *s)
{
	for (wn_grain id = 0; id < s->g->n; id++) {
		char step[128];
		struct wn_name t = {step, sizeof step, 0, false};
		size_t at = 0;
		if (s->g->parent[id] != WN_NO_GRAIN || s->g->kind[id] == WN_GRAIN_NONE)
			continue;
		wn_name_context(&t, s->g->thread[id]);
		if (s->g->thread[id] == 0 && s->length == 1 && s->text[0] == 'R')
			take(s, id);
		if (is_step(s, step, t.length, &at) && !follow(s, id, at))
			return false;
	}
	return true;
}

static bool
search_children(struct search *s)
{
	while (s->n_candidates > 0) {
		struct candidate above = s->candidates[--s->n_candidates];
		for (wn_grain id = s->first_child[above.id]; id != WN_NO_GRAIN;
		     id = s->next_child[id]) {
			char step[128];
			struct wn_name t = {step, sizeof step, 0, false};
			size_t at = above.at;
			put_step(s->g, id, &t);
			if (t.length < sizeof step && is_step(s, step, t.length, &at) &&
			    !follow(s, id, at))
				return false;
		}
	}
	return true;
}

/* R-1-2: descends one level per number. */
static void
find_imported(struct search *s)
{
	const struct wn_graph *g = s->g;
	wn_grain id = 0;
	size_t at = 1;
	if (s->length == 0 || s->text[0] != 'R')
		return;
	while (id != WN_NO_GRAIN && at < s->length) {
		uint64_t number = 0;
		if (s->text[at++] != '-' || at == s->length)
			return;
		for (; at < s->length && s->text[at] >= '0' && s->text[at] <= '9'; at++)
			number = number < UINT32_MAX ? 10 * number + (uint64_t)(s->text[at] - '0')
			                             : number;
		for (id = s->first_child[id]; id != WN_NO_GRAIN; id = s->next_child[id])
			if (g->child_number[id] == number)
				break;
	}
	s->found = id;
}

wn_status
wn_graph_find(const struct wn_graph *g, const char *text, size_t length, wn_grain *out, wn_err *err)
{
	struct search s = {.g = g, .text = text, .length = length, .found = WN_NO_GRAIN};
	if (g->detail < WN_DETAIL_NAMES)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "a lean graph has no names");
	if (wn_name_is_short(text, length))
		return wn_names_find(g, text, length, out, err);
	bool is_done = list_children(&s);
	if (is_done && g->imported)
		find_imported(&s);
	else
		is_done = is_done && search_roots(&s) && search_children(&s);
	WN_FREE_ALL(s.first_child, s.next_child, s.candidates);
	if (!is_done)
		return wn_no_memory_for(err, g->n, "grains");
	if (s.found == WN_NO_GRAIN)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "no grain is called '%.*s'",
		               length > 120 ? 120 : (int)length, text);
	*out = s.found;
	return WN_OK;
}
