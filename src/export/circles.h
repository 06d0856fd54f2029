/* SPDX-License-Identifier: MIT */
/* circles.h - common parts of task graph pictures, whether a circle represents one grain or many:
 * the size of circles, and the legend. Private to this folder. */
#pragma once

#include "base/decimal.h"
#include "export/export.h"
#include "export/out.h"

#define CIRCLES_LEGEND 780 /* width */
#define CIRCLES_LEAST  30  /* radius, in tenths; the minimum for smaller weights */

/* The style of circles, and their white background. */
extern const char circles_style[];

struct circles {
	const struct wn_export *x;
	struct wn_out *o;
	uint64_t most; /* weight of the largest circle */
	uint32_t radius_most;
	uint32_t n_grains; /* drawn grains, without implicit tasks */
};

/* Returns a radius in tenths; areas are proportional to weights. */
uint32_t circles_radius(const struct circles *c, uint64_t weight);

/* Formats a sum of weights, or one weight; only times have a unit. Returns `out`. */
const char *circles_weight(const struct circles *c, uint64_t weight, char out[WN_DECIMAL_BYTES]);
/* Returns " instructions"; nothing for times. */
void circles_unit(const struct circles *c);

/* Draws a triangle of height 10 whose upper edge has its middle at x, y: a fork's points up, a
 * join's down. */
void circles_fork(struct wn_out *o, int64_t x, int64_t y, bool is_fork, bool is_critical);

/* Writes the legend from the top: command, sums, places with the weight of their grains, symbols,
 * sample sizes; `note` follows the number of grains. WN_OK · WN_E_NOMEM */
wn_status circles_legend(const struct circles *c, bool has_groups, const char *note, wn_err *err);
int64_t circles_legend_height(const struct circles *c);
