/* SPDX-License-Identifier: MIT */
#include "graph/grain_names.h"

#include "base/error.h"
#include "base/mem.h"

#include <inttypes.h>
#include <string.h>

#define UNKNOWN  UINT32_MAX
#define SHORTENS "..#" /* no lineage contains it */

struct wn_names {
	const struct wn_graph *g;
	bool are_whole;
	uint64_t short_bytes, whole_bytes;
	/* NULL if every name is a full lineage */
	uint32_t *depth;  /* [n] steps from the root */
	wn_grain *anchor; /* [n] grain named by the first steps; for short names itself */
	uint64_t *hash;   /* [n] */
};

/* Computes values of a path's grains from the known ones downwards. */
struct walk {
	struct wn_names *names;
	uint64_t *length; /* [n] length of the lineage; NULL: not computed */
	wn_grain *path;
	size_t capacity;
};

static void
take_step(struct walk *w, wn_grain id)
{
	const struct wn_graph *g = w->names->g;
	wn_grain parent = g->parent[id];
	bool is_root = parent == WN_NO_GRAIN;
	uint32_t depth = is_root ? 0 : w->names->depth[parent] + 1;
	w->names->depth[id] = depth;
	if (w->length) {
		uint64_t above = is_root ? 0 : w->length[parent];
		w->length[id] = above + (above > 0) + wn_graph_step(g, id, NULL, 0);
	}
	w->names->anchor[id] = depth <= WN_NAME_STEPS_FIRST ? id : w->names->anchor[parent];
}

static bool
walk_path(struct walk *w, wn_grain id)
{
	const struct wn_graph *g = w->names->g;
	size_t n = 0;
	for (; id != WN_NO_GRAIN && w->names->depth[id] == UNKNOWN; id = g->parent[id]) {
		if (n >= g->n || wn_grow(&w->path, &w->capacity, n + 1, sizeof *w->path) != 0)
			return false;
		w->path[n++] = id;
	}
	while (n-- > 0)
		take_step(w, w->path[n]);
	return true;
}

static void
count_bytes(struct walk *w)
{
	struct wn_names *names = w->names;
	char name[512];
	for (wn_grain id = 0; id < names->g->n; id++) {
		if (names->depth[id] == UNKNOWN)
			continue;
		names->whole_bytes += w->length[id];
		names->short_bytes += names->depth[id] <= WN_NAME_STEPS_MAX
		                          ? w->length[id]
		                          : wn_name(names, id, name, sizeof name);
	}
}

static bool
walk_all(struct walk *w)
{
	const struct wn_graph *g = w->names->g;
	for (wn_grain id = 0; id < g->n; id++)
		if (g->kind[id] != WN_GRAIN_NONE && !walk_path(w, id))
			return false;
	return true;
}

static uint32_t
deepest(const struct wn_names *names)
{
	uint32_t most = 0;
	for (wn_grain id = 0; id < names->g->n; id++)
		if (names->depth[id] != UNKNOWN && names->depth[id] > most)
			most = names->depth[id];
	return most;
}

/* A second pass, for deep graphs, where lengths matter. */
static bool
measure(struct walk *w)
{
	struct wn_names *names = w->names;
	size_t n = names->g->n;
	names->hash = wn_calloc(n, sizeof *names->hash);
	w->length = wn_calloc(n, sizeof *w->length);
	if (!names->hash || !w->length)
		return false;
	memset(names->depth, 0xff, n * sizeof *names->depth);
	if (!walk_all(w) || wn_graph_lineage_hashes(names->g, names->hash, NULL) != WN_OK)
		return false;
	count_bytes(w);
	return true;
}

/* Frees everything if no name is too long. */
static void
forget(struct wn_names *names)
{
	wn_free(names->depth);
	wn_free(names->anchor);
	names->depth = names->anchor = NULL;
}

wn_status
wn_names_new(const struct wn_graph *g, struct wn_names **out, wn_err *err)
{
	if (g->detail < WN_DETAIL_NAMES)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "a lean graph has no names");
	struct wn_names *names = wn_calloc(1, sizeof *names);
	struct walk w = {.names = names};
	bool is_done = names && (names->depth = wn_calloc_none(g->n)) &&
	               (names->anchor = wn_calloc_none(g->n));
	if (is_done) {
		names->g = g;
		is_done = walk_all(&w);
	}
	if (is_done && deepest(names) > WN_NAME_STEPS_MAX)
		is_done = measure(&w);
	else if (is_done)
		forget(names);
	wn_free(w.length);
	wn_free(w.path);
	if (is_done) {
		*out = names;
		return WN_OK;
	}
	wn_names_free(names);
	return wn_no_memory(err);
}

void
wn_names_free(struct wn_names *names)
{
	if (!names)
		return;
	forget(names);
	wn_free(names->hash);
	wn_free(names);
}

void
wn_names_keep_whole(struct wn_names *names)
{
	names->are_whole = true;
}

uint64_t
wn_names_bytes(const struct wn_names *names, bool are_whole)
{
	return are_whole ? names->whole_bytes : names->short_bytes;
}

/* "P0.t0.1..#20000-5d41402abc4b2a76.1"; for imported tasks "R-1-2..#20000-5d41402abc4b2a76-1".
 * Children of an implicit task omit its thread, the task itself does not. */
static size_t
write_short(const struct wn_names *names, wn_grain id, char *buffer, size_t size)
{
	const struct wn_graph *g = names->g;
	char text[512];
	size_t n = wn_graph_lineage(g, names->anchor[id], text, sizeof text / 2);
	if (n >= sizeof text / 2)
		n = sizeof text / 2 - 1;
	n += (size_t)snprintf(text + n, sizeof text - n, SHORTENS "%" PRIu32 "-%016" PRIx64 "%s",
	                      names->depth[id], names->hash[id], g->imported ? "-" : ".");
	if (g->imported)
		n += (size_t)snprintf(text + n, sizeof text - n, "%" PRIu32, g->child_number[id]);
	else
		n += wn_graph_step(g, id, text + n, sizeof text - n);
	if (g->kind[id] == WN_GRAIN_IMPLICIT)
		n += (size_t)snprintf(text + n, sizeof text - n, ".t%" PRIu32,
		                      g->child_number[id] - 1);
	if (size)
		snprintf(buffer, size, "%s", text);
	return n;
}

size_t
wn_name(const struct wn_names *names, wn_grain id, char *buffer, size_t size)
{
	bool is_short = names->are_whole || !names->depth || names->depth[id] == UNKNOWN ||
	                names->depth[id] <= WN_NAME_STEPS_MAX;
	return is_short ? wn_graph_lineage(names->g, id, buffer, size)
	                : write_short(names, id, buffer, size);
}

bool
wn_name_is_short(const char *text, size_t length)
{
	return memmem(text, length, SHORTENS, strlen(SHORTENS)) != NULL;
}

wn_status
wn_names_find(const struct wn_graph *g, const char *text, size_t length, wn_grain *out, wn_err *err)
{
	struct wn_names *names;
	char name[512];
	wn_grain found = WN_NO_GRAIN;
	wn_status st = wn_names_new(g, &names, err);
	if (st != WN_OK)
		return st;
	for (wn_grain id = 0; names->depth && id < g->n && found == WN_NO_GRAIN; id++) {
		if (names->depth[id] == UNKNOWN || names->depth[id] <= WN_NAME_STEPS_MAX)
			continue;
		size_t n = write_short(names, id, name, sizeof name);
		if (n == length && memcmp(name, text, n) == 0)
			found = id;
	}
	wn_names_free(names);
	if (found == WN_NO_GRAIN)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "no grain is called '%.*s'",
		               length > 120 ? 120 : (int)length, text);
	*out = found;
	return WN_OK;
}
