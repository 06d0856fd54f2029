/* SPDX-License-Identifier: MIT */
/* weight.h - values of the path by the requested weight. Private to this folder. */
#pragma once

#include "graph/graph.h"
#include "report/units.h"

/* Formats a sum of weights: a time with its unit, else a count. Returns `out`. */
const char *report_weight(const struct wn_path *path, uint64_t sum, bool is_raw,
                          char out[UNITS_BYTES]);

/* work / span; NAN if the span is 0. */
double report_exposed(const struct wn_path *path);

/* Counts the grains marked critical, without implicit tasks. Cost O(n). */
uint64_t report_critical_grains(const struct wn_graph *g);

#define WN_CARRIED_BYTES 320

/* Describes how many grains have transferred counts, and why others lack them. Returns `out`. */
const char *report_carried(const struct wn_carried *c, char out[WN_CARRIED_BYTES]);
