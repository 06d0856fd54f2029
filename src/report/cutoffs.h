/* SPDX-License-Identifier: MIT */
/* cutoffs.h - evaluates a series of runs with different cut-offs and finds the best range ([P2]
 * figure 2). Definitions: doc/characterize.md. */
#pragma once

#include "report/properties.h"
#include "report/text.h"

#include <jansson.h>

struct wn_cutoff_run {
	char *file;
	char *argv; /* NUL-terminated arguments */
	size_t argv_bytes;
	char command[WN_REPORT_COMMAND_BYTES];
	double at; /* NAN until it is known */
	uint32_t n_threads;
	uint64_t
	    time_ns; /* elapsed time of the process; if unknown, from the first event to the last */
	struct wn_task_times times;
};

struct wn_cutoffs {
	struct wn_cutoff_run *runs; /* [n] in order of cut-offs after wn_cutoffs_end() */
	size_t n, capacity;
	bool by_mean;    /* compare means over tasks, not medians */
	size_t argument; /* index of the argument that holds the cut-off, from 1; 0: cut-offs were
	                    given */
	struct wn_cutoff *points; /* [n] the values that are compared */
	struct wn_cutoff_range range;
};

extern const char *const wn_trend_names[WN_TREND_N]; /* "execution", ... */

/* Copies what the series needs from a report. at: the run's cut-off, or NAN. WN_OK · WN_E_NOMEM ·
 * WN_E_ARG (an imported table). Cost O(n log n) in the run's grains. */
WN_MUST_CHECK wn_status wn_cutoffs_add(struct wn_cutoffs *c, const char *file, double at,
                                       const struct wn_report *r, wn_err *err);
/* Reads cut-offs that were not given from the one argument in which the command lines differ, sorts
 * the runs and computes the range. WN_OK · WN_E_NOMEM · WN_E_ARG (no such argument, not a number,
 * or two runs with the same cut-off). */
WN_MUST_CHECK wn_status wn_cutoffs_end(struct wn_cutoffs *c, wn_err *err);
void wn_cutoffs_fini(struct wn_cutoffs *c);

WN_MUST_CHECK wn_status wn_cutoffs_text(const struct wn_cutoffs *c,
                                        const struct wn_text_style *style, FILE *to, wn_err *err);
/* Schema winnow.cutoffs/1. */
WN_MUST_CHECK wn_status wn_cutoffs_json(const struct wn_cutoffs *c, json_t **out, wn_err *err);
