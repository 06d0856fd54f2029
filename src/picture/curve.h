/* SPDX-License-Identifier: MIT */
/* curve.h - draws predicted times over a parameter, as the number of threads or the depth of a
 * cut-off: the curve with its range, bounds and measured points; below it what the threads' time
 * goes to. */
#pragma once

#include "picture/svg.h"

#include <stdint.h>

#define CURVE_SHARES_MAX 12u
#define CURVE_POINTS_MAX 256u

struct curve_point {
	double x;
	uint64_t ns, low_ns, high_ns; /* ns = 0: only the range is known */
	uint64_t bounds_ns[2];        /* 0: unknown */
	bool is_extrapolated;
	const char *limit;              /* what it is limited by; compared by address */
	double share[CURVE_SHARES_MAX]; /* of the threads' time; sum 1 */
};

/* A time that was measured. */
struct curve_mark {
	double x;
	uint64_t ns;
};

struct curve {
	const char *title, *more; /* foreign text is allowed in both; more: NULL without */
	const char *x_title;
	bool is_doubling;                 /* x doubles at even distances; else it is linear */
	const struct curve_point *points; /* [n] ascending by x; n > 0 */
	size_t n;                         /* at most CURVE_POINTS_MAX */
	const struct curve_mark *marks;   /* [n_marks] */
	size_t n_marks;
	uint64_t level_ns;          /* a time to compare with: a horizontal line; 0: none */
	uint64_t one_ns;            /* time with a speed-up of 1; 0: no such axis */
	double best_low, best_high; /* values of x to mark as the best ones; low > high: none */
	const char *bound_names[2];
	const char *const *share_names, *const *share_colours; /* [n_shares] */
	size_t n_shares;
};

/* Writes the picture as one SVG document. Cost O(n). */
void curve_svg(const struct svg *s, const struct curve *c);
