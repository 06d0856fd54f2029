/* SPDX-License-Identifier: MIT */
/* export.c - common parts of all formats: the places of grains, and descriptions of one. */
#include "export/export.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PLACE_TEXT_BYTES 256

static wn_status
open_symbols(struct wn_export *x, wn_err *err)
{
	const struct wn_trace_module *from;
	size_t n = wn_trace_modules(x->g->trace, &from);
	struct wn_module *modules = wn_calloc(n, sizeof *modules);
	if (!modules)
		return wn_no_memory(err);
	for (size_t i = 0; i < n; i++)
		modules[i] = (struct wn_module){.base = from[i].base,
		                                .begin = from[i].begin,
		                                .end = from[i].end,
		                                .build_id = from[i].build_id,
		                                .build_id_bytes = from[i].build_id_bytes,
		                                .path = from[i].path};
	wn_status st = wn_symbols_new(modules, n, &x->symbols, err);
	wn_free(modules);
	return st;
}

/* A site with a drawn grain and the text of its place, for sorting. */
struct used_site {
	uint32_t site;
	uint32_t order; /* position of its first grain among sites */
	struct wn_place place;
	char text[PLACE_TEXT_BYTES];
};

static int
by_text(const void *a, const void *b)
{
	const struct used_site *x = a, *y = b;
	int c = strcmp(x->text, y->text);
	return c ? c : (x->order > y->order) - (x->order < y->order);
}

WN_COMPARE(by_order, struct used_site, WN_BY(order))

static wn_status
find_place(struct wn_export *x, struct used_site *used, wn_grain id)
{
	struct wn_site_key key = wn_trace_site(x->g->trace, used->site);
	uint8_t kind =
	    x->g->kind[id]; /* the flag applies to tasks only; loops use the bit for another */
	bool is_task = kind == WN_GRAIN_TASK || kind == WN_GRAIN_TASKLOOP;
	bool is_entry = is_task && key.aux & WN_TASK_SITE_FUNCTION;
	wn_status st =
	    wn_symbols_find_site(x->symbols, x->g->trace, used->site, is_entry, &used->place);
	if (st == WN_OK)
		wn_place_text(&used->place, used->text, sizeof used->text);
	return st;
}

/* Collects one entry for each site with a drawn grain, in order of the first. */
static wn_status
collect_sites(struct wn_export *x, struct used_site **out, uint32_t *n, wn_err *err)
{
	const struct wn_graph *g = x->g;
	struct used_site *used = NULL;
	size_t capacity = 0;
	wn_status st = WN_OK;
	*n = 0;
	for (wn_grain id = 0; id < g->n; id++) {
		uint32_t site = g->site[id];
		if (!wn_is_drawn(g, id) || site == WN_NO_SITE || x->place_of[site] != WN_NO_SITE)
			continue;
		if (wn_grow(&used, &capacity, (size_t)*n + 1, sizeof *used) != 0)
			WN_TRY(wn_no_memory(err));
		used[*n].site = site;
		used[*n].order = *n;
		WN_TRY(find_place(x, &used[*n], id));
		x->place_of[site] = (*n)++;
	}
	*out = used;
	return WN_OK;
out:
	wn_free(used);
	return st;
}

/* Merges sites with the same text into one place, numbered by the first. */
static wn_status
merge_places(struct wn_export *x, struct used_site *used, uint32_t n, wn_err *err)
{
	if (n == 0)
		return WN_OK;
	x->places = wn_calloc(n, sizeof *x->places);
	x->texts = wn_calloc(n, PLACE_TEXT_BYTES);
	uint32_t *first =
	    wn_calloc(n, sizeof *first); /* by order: order of the first site with its text */
	if (!x->places || !x->texts || !first) {
		wn_free(first);
		return wn_no_memory(err);
	}
	qsort(used, n, sizeof *used, by_text);
	for (uint32_t i = 0; i < n; i++) {
		bool is_same = i > 0 && strcmp(used[i].text, used[i - 1].text) == 0;
		first[used[i].order] = is_same ? first[used[i - 1].order] : used[i].order;
	}
	qsort(used, n, sizeof *used, by_order);
	for (uint32_t i = 0; i < n; i++) {
		if (first[i] == i) {
			char *text = x->texts + (size_t)x->n_places * PLACE_TEXT_BYTES;
			memcpy(text, used[i].text, PLACE_TEXT_BYTES);
			x->places[x->n_places] =
			    (struct wn_export_place){.text = text, .found = used[i].place};
			x->place_of[used[i].site] = x->n_places++;
		} else {
			x->place_of[used[i].site] = x->place_of[used[first[i]].site];
		}
	}
	wn_free(first);
	return WN_OK;
}

static void
weigh(struct wn_export *x, uint64_t weight_ns)
{
	x->least_ns = weight_ns < x->least_ns ? weight_ns : x->least_ns;
	x->most_ns = weight_ns > x->most_ns ? weight_ns : x->most_ns;
}

static wn_status
weigh_node(const struct wn_node *node, void *user)
{
	if (node->id.kind == WN_NODE_GRAIN || node->id.kind == WN_NODE_FRAGMENT)
		weigh(user, node->weight_ns);
	return WN_OK;
}

static void
count_places(struct wn_export *x)
{
	const struct wn_graph *g = x->g;
	for (uint32_t i = 0; i < x->n_places; i++)
		x->places[i].n_grains = x->places[i].n_implicit = x->places[i].work_ns = 0;
	for (wn_grain id = 0; id < g->n; id++) {
		uint32_t place = g->site[id] == WN_NO_SITE ? WN_NO_SITE : x->place_of[g->site[id]];
		if (!wn_is_drawn(g, id) || place == WN_NO_SITE || !wn_export_has(x, id))
			continue;
		x->places[place].n_grains += wn_is_grain(g, id);
		x->places[place].n_implicit += !wn_is_grain(g, id);
		x->places[place].work_ns += wn_work_ns(g, id);
	}
}

wn_status
wn_export_weigh(struct wn_export *x)
{
	x->least_ns = UINT64_MAX;
	x->most_ns = 0;
	count_places(x);
	return wn_export_nodes(x, weigh_node, x);
}

wn_status
wn_export_new(const struct wn_graph *g, enum wn_form form, struct wn_export **out, wn_err *err)
{
	struct wn_export *x = wn_calloc(1, sizeof *x);
	struct used_site *used = NULL;
	uint32_t n_sites = wn_trace_n_sites(g->trace), n_used = 0;
	wn_status st;
	if (!x)
		return wn_no_memory(err);
	x->g = g;
	x->form = form;
	x->place_of = wn_calloc(n_sites, sizeof *x->place_of);
	if (!x->place_of)
		WN_TRY(wn_no_memory(err));
	memset(x->place_of, 0xff, n_sites * sizeof *x->place_of);
	WN_TRY(wn_names_new(g, &x->names, err));
	WN_TRY(open_symbols(x, err));
	WN_TRY(wn_draw_new(g, form, &x->draw, err));
	WN_TRY(collect_sites(x, &used, &n_used, err));
	WN_TRY(merge_places(x, used, n_used, err));
	WN_TRY(wn_export_weigh(x));
	wn_free(used);
	*out = x;
	return WN_OK;
out:
	wn_free(used);
	wn_export_free(x);
	return st;
}

void
wn_export_free(struct wn_export *x)
{
	if (!x)
		return;
	wn_draw_free(x->draw);
	wn_symbols_free(x->symbols);
	wn_names_free(x->names);
	WN_FREE_ALL(x->places, x->place_of, x->texts, x->has_grain, x->has_fj, x->group, x);
}

const struct wn_export_place *
wn_export_place(const struct wn_export *x, wn_grain id)
{
	uint32_t site = x->g->site[id];
	uint32_t place = site == WN_NO_SITE ? WN_NO_SITE : x->place_of[site];
	return place == WN_NO_SITE ? NULL : &x->places[place];
}

const char *
wn_export_kind(const struct wn_graph *g, wn_grain id)
{
	static const char *const names[WN_GRAIN_KIND_N] = {
	    [WN_GRAIN_NONE] = "unknown",      [WN_GRAIN_INITIAL] = "initial",
	    [WN_GRAIN_IMPLICIT] = "implicit", [WN_GRAIN_TASK] = "task",
	    [WN_GRAIN_TASKLOOP] = "taskloop", [WN_GRAIN_CHUNK] = "chunk",
	    [WN_GRAIN_SECTION] = "section",   [WN_GRAIN_HELPER] = "runtime",
	};
	return names[g->kind[id]];
}

const char *
wn_export_range(const struct wn_graph *g, wn_grain id, char out[48])
{
	const struct wn_range *range = g->range[id] ? &g->ranges[g->range[id] - 1] : NULL;
	out[0] = '\0';
	if (range && g->kind[id] == WN_GRAIN_SECTION)
		snprintf(out, 48, "[%" PRIu64 "]", range->first);
	else if (range && range->iterations)
		snprintf(out, 48, "[%" PRIu64 ":%" PRIu64 ")", range->first,
		         range->first + range->iterations);
	return out;
}

const char *
wn_export_lineage(const struct wn_export *x, wn_grain id, char **buffer, size_t *capacity)
{
	size_t length = wn_name(x->names, id, *buffer, *capacity);
	if (length < *capacity)
		return *buffer;
	if (wn_grow(buffer, capacity, length + 1, 1) != 0)
		return NULL;
	wn_name(x->names, id, *buffer, *capacity);
	return *buffer;
}

const char *
wn_export_label(const struct wn_graph *g, wn_grain id)
{
	return g->label && g->label[id] ? wn_trace_name(g->trace, g->label[id]) : NULL;
}
