/* SPDX-License-Identifier: MIT */
/*
 * places.h - resolves the sites of a trace (addresses) to places in the source.
 *
 * Sites with the same file, line, function and kind of grain are one place. Every site is resolved
 * once, so the cost depends on the number of sites, not of grains.
 */
#pragma once

#include "graph/graph.h"
#include "symbols/static_loops.h"
#include "symbols/symbols.h"

#define WN_NO_PLACE UINT32_MAX

struct wn_report_place {
	struct wn_place source; /* strings belong to the wn_places */
	const char *label;      /* "sort.c:155", "lib/sort.c:155" if there are several sort.c, else
	                           "libfoo.so+0x1234"; for the runtime itself: "(runtime)" */
	uint8_t kind;           /* enum wn_grain_kind; 0 = no grain has this place */
	bool is_foreign;        /* the runtime did not report a location in user code */
};

/* A code file whose debug information could not be read completely. */
struct wn_report_module {
	const char *name;
	bool is_stale, is_missing;
	uint32_t n_places;
};

struct wn_places {
	wn_symbols *symbols;
	struct wn_report_place *items;
	size_t n;
	uint32_t *of_site; /* [wn_trace_n_sites] place, WN_NO_PLACE for sites of waits */
	uint32_t n_sites;
	struct wn_report_module *modules;
	size_t n_modules;
	struct wn_static_loops static_loops; /* number of all code files */
	char **labels;                       /* storage of `label`, [n] */
};

/**
 * Resolves every site of a grain, region, loop, mutex, call of MPI or note of the graph.
 *
 * @param out  written only on success; release with wn_places_fini().
 * @return WN_OK · WN_E_NOMEM
 *
 * Cost     O(grains + sites log sites), and one symbol lookup for each site.
 * Threads  pure.
 */
WN_MUST_CHECK wn_status wn_places_init(struct wn_places *out, const struct wn_graph *g,
                                       wn_err *err);
void wn_places_fini(struct wn_places *places);

/* Adds a place of code that no site has, as the last one: source as looked up. Moves the items.
 * Returns WN_OK or WN_E_NOMEM. */
WN_MUST_CHECK wn_status wn_places_add(struct wn_places *places, const struct wn_place *source,
                                      wn_err *err);

/* Returns the place of a site, NULL if it has none (as for WN_NO_SITE). */
const struct wn_report_place *wn_places_of(const struct wn_places *places, uint32_t site);
