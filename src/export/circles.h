/* SPDX-License-Identifier: MIT */
/*
 * circles.h - what pictures of the task graph have in common, whether each grain is a circle or a
 * circle stands for many: how large circles are, and the legend that says so. Private to this
 * folder.
 */
#ifndef WN_EXPORT_CIRCLES_H
#define WN_EXPORT_CIRCLES_H

#include "base/decimal.h"
#include "export/export.h"
#include "export/out.h"

#define CIRCLES_LEGEND 780 /* width */
#define CIRCLES_LEAST  30  /* radius, in tenths; what weighs less has it, too */

/* The style of circles, and the white behind them. */
extern const char circles_style[];

struct circles {
	const struct wn_export *x;
	struct wn_out *o;
	uint64_t most; /* weight of the largest circle */
	uint32_t radius_most;
	uint32_t n_grains; /* that are drawn, without implicit tasks */
};

/* In tenths; areas are in proportion to weights. */
uint32_t circles_radius(const struct circles *c, uint64_t weight);

/* A sum of weights, or one, without its unit if it is no time. Returns `out`. */
const char *circles_weight(const struct circles *c, uint64_t weight, char out[WN_DECIMAL_BYTES]);
/* " instructions"; nothing after times. */
void circles_unit(const struct circles *c);

/* A triangle whose upper edge has its middle at x, y: a fork's points up, a join's down. 10 high.
 */
void circles_fork(struct wn_out *o, int64_t x, int64_t y, bool is_fork, bool is_critical);

/* From the top: command, sums, places with what their grains weigh, symbols, sample sizes; `note`
 * is behind the number of grains. WN_OK · WN_E_NOMEM */
wn_status circles_legend(const struct circles *c, bool has_groups, const char *note, wn_err *err);
int64_t circles_legend_height(const struct circles *c);

#endif /* WN_EXPORT_CIRCLES_H */
