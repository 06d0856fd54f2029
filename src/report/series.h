/* SPDX-License-Identifier: MIT */
/*
 * series.h - evaluates several runs as a scaling series: the speed-up and the overhead of more
 * threads. The baseline is the run with the fewest threads; among several, the first added.
 */
#ifndef WN_REPORT_SERIES_H
#define WN_REPORT_SERIES_H

#include "compare/match_places.h"
#include "report/report.h"
#include "report/text.h"

#include <jansson.h>

/* Values of one place in one run. */
struct wn_series_site {
	uint64_t n, work_ns;
	uint64_t creation_ns; /* valid if known for all n */
	uint64_t sync_ns;
	bool creation_known;
};

struct wn_series_run {
	char *file; /* as given */
	char command[sizeof((struct wn_report *)0)->command];
	uint32_t n_threads;
	uint64_t n_grains, time_ns, elapsed_ns, work_ns, span_ns, idle_ns, overhead_ns, thread_ns;
	bool has_wall; /* time_ns is the process's; else from the first event to the last */
	double parallelism;
	bool is_complete;
	struct wn_place_name *places; /* [n_places] with strings of their own */
	struct wn_series_site *sites; /* [n_places] */
	uint32_t n_places;
	struct wn_place_pairs pairs; /* ratios to the baseline; valid after wn_series_end() */
};

struct wn_series {
	struct wn_series_run *runs; /* [n] in order of threads after wn_series_end() */
	size_t n, capacity;
	uint32_t *order; /* [n_order] places of the baseline, most work there first */
	size_t n_order;
	bool other_command; /* the command lines differ */
};

/* Copies what the series needs from a report, which may then be released. WN_OK · WN_E_NOMEM ·
 * WN_E_ARG (an imported table, or a run whose times are not valid). Cost O(places). */
WN_MUST_CHECK wn_status wn_series_add(struct wn_series *s, const char *file,
                                      const struct wn_report *r, wn_err *err);
/* Sorts the runs and matches their places with those of the baseline, runs[0]. Needs at least one
 * run. */
WN_MUST_CHECK wn_status wn_series_end(struct wn_series *s, wn_err *err);
void wn_series_fini(struct wn_series *s);

/* All after wn_series_end(). NAN if unknown. */
double wn_series_speedup(const struct wn_series *s, size_t run);
double wn_series_efficiency(const struct wn_series *s, size_t run);
double wn_series_inflation(const struct wn_series *s, size_t run);
/* Returns a run's values for a place of the baseline; NULL: the run lacks the place. */
const struct wn_series_site *wn_series_site(const struct wn_series *s, size_t run,
                                            uint32_t of_baseline);

WN_MUST_CHECK wn_status wn_series_text(const struct wn_series *s, const struct wn_text_style *style,
                                       FILE *to, wn_err *err);
WN_MUST_CHECK wn_status wn_series_json(const struct wn_series *s, json_t **out, wn_err *err);

#endif /* WN_REPORT_SERIES_H */
