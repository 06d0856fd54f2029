/* SPDX-License-Identifier: MIT */
#include "compare/match_names.h"

#include "base/error.h"
#include "base/mem.h"
#include "trace/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define STEP_BYTES 128

uint64_t
wn_name_continued(uint64_t path, const char *text, size_t length)
{
	while (length > 0) {
		const char *dot = memchr(text, '.', length);
		size_t n = dot ? (size_t)(dot - text) : length;
		path = XXH3_64bits_withSeed(text, n, path);
		n += dot != NULL;
		text += n;
		length -= n;
	}
	return path;
}

/* Hashes the suffix of an implicit task's name. */
static size_t
put_thread(const struct wn_graph *g, wn_grain id, char text[STEP_BYTES])
{
	int n = snprintf(text, STEP_BYTES, "t%" PRIu32, g->child_number[id] - 1);
	return n > 0 ? (size_t)n : 0;
}

uint64_t
wn_name_of(const struct wn_names *names, wn_grain id)
{
	char text[STEP_BYTES];
	if (names->g->kind[id] != WN_GRAIN_IMPLICIT)
		return names->path[id];
	return wn_name_continued(names->path[id], text, put_thread(names->g, id, text));
}

static void
name_after(struct wn_names *names, wn_grain id, uint64_t above)
{
	char text[STEP_BYTES];
	size_t n = wn_graph_step(names->g, id, text, sizeof text);
	names->path[id] = wn_name_continued(above, text, n);
}

/* Climbs from a grain to the first named ancestor, and names the grains on the way back. */
static wn_status
name_path(struct wn_names *names, uint8_t *is_named, wn_grain id, wn_grain **above,
          size_t *capacity, wn_err *err)
{
	const struct wn_graph *g = names->g;
	size_t n = 0;
	uint64_t path = WN_NAME_ROOT;
	for (; id != WN_NO_GRAIN && !is_named[id]; id = g->parent[id]) {
		if (n == g->n)
			return wn_fail(err, WN_E_INVARIANT, WN_NO_OFFSET,
			               "grain %" PRIu32 " is above itself", id);
		if (wn_grow(above, capacity, n + 1, sizeof **above) != 0)
			return WN_E_NOMEM;
		(*above)[n++] = id;
	}
	if (id != WN_NO_GRAIN)
		path = names->path[id];
	while (n-- > 0) {
		name_after(names, (*above)[n], path);
		path = names->path[(*above)[n]];
		is_named[(*above)[n]] = 1;
	}
	return WN_OK;
}

wn_status
wn_names_init(struct wn_names *out, const struct wn_graph *g, wn_err *err)
{
	struct wn_names names = {.g = g};
	wn_grain *above = NULL;
	size_t capacity = 0;
	uint8_t *is_named = NULL;
	wn_status st = WN_OK;
	if (g->detail < WN_DETAIL_NAMES)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "a lean graph has no names");
	names.path = wn_calloc(g->n, sizeof *names.path);
	is_named = wn_calloc(g->n, 1);
	if (!names.path || !is_named)
		st = WN_E_NOMEM;
	for (wn_grain id = 0; st == WN_OK && id < g->n; id++)
		if (g->kind[id] != WN_GRAIN_NONE)
			st = name_path(&names, is_named, id, &above, &capacity, err);
	wn_free(is_named);
	wn_free(above);
	if (st != WN_OK) {
		wn_names_fini(&names);
		return st == WN_E_NOMEM ? wn_no_memory_for(err, g->n, "grains") : st;
	}
	*out = names;
	return WN_OK;
}

void
wn_names_fini(struct wn_names *names)
{
	wn_free(names->path);
	names->path = NULL;
}

bool
wn_names_agree(const struct wn_graph *ga, wn_grain a, const struct wn_graph *gb, wn_grain b)
{
	char step_a[STEP_BYTES], step_b[STEP_BYTES];
	bool is_implicit = ga->kind[a] == WN_GRAIN_IMPLICIT;
	if (is_implicit != (gb->kind[b] == WN_GRAIN_IMPLICIT))
		return false;
	if (is_implicit && ga->child_number[a] != gb->child_number[b])
		return false;
	for (uint32_t n = 0; n <= ga->n; n++) {
		if (ga == gb && a == b)
			return true;
		wn_graph_step(ga, a, step_a, sizeof step_a);
		wn_graph_step(gb, b, step_b, sizeof step_b);
		if (strcmp(step_a, step_b) != 0)
			return false;
		a = ga->parent[a];
		b = gb->parent[b];
		if (a == WN_NO_GRAIN || b == WN_NO_GRAIN)
			return a == b;
	}
	return false;
}
