/* SPDX-License-Identifier: MIT */
/*
 * places.h - the sites of a trace (addresses) as places in the source, for people.
 *
 * Sites with the same file, line, function and kind of grain are one place. Every site is looked up
 * once, so a million grains cost as much as the lines they come from.
 */
#ifndef WN_REPORT_PLACES_H
#define WN_REPORT_PLACES_H

#include "graph/graph.h"
#include "symbols/static_loops.h"
#include "symbols/symbols.h"

#define WN_NO_PLACE UINT32_MAX

struct wn_report_place {
	struct wn_place source; /* strings belong to the wn_places */
	const char *label;      /* "sort.c:155", "lib/sort.c:155" if there are several sort.c, else
	                           "libfoo.so+0x1234"; in the runtime itself: "(runtime)" */
	uint8_t kind;           /* enum wn_grain_kind; 0 = no grain comes from here */
	bool is_foreign;        /* the runtime did not tell where in the user's code */
};

/* A file of code that could not be looked into as it should. */
struct wn_report_module {
	const char *name;
	bool is_stale, is_missing, lacks_debug_info;
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
	struct wn_static_loops static_loops; /* over all files of code */
	char **labels;                       /* what `label` points to, [n] */
};

/**
 * Looks up every site that a grain, region, loop or note of the graph has.
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

/* The place of a site, NULL if it has none (WN_NO_SITE, say). */
const struct wn_report_place *wn_places_of(const struct wn_places *places, uint32_t site);

#endif /* WN_REPORT_PLACES_H */
