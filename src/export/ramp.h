/* SPDX-License-Identifier: MIT */
/*
 * ramp.h - how bad a grain's value is among those that have the problem, as a colour: yellow to
 * red, in steps at round numbers.
 */
#ifndef WN_EXPORT_RAMP_H
#define WN_EXPORT_RAMP_H

#include "export/export.h"

#include <stdint.h>

/* About n steps of one width at round numbers (1, 2 or 5 times a power of 10) that hold all values
 * from least to most: from `first` times `unit` on. */
struct wn_steps {
	double unit;
	int64_t first;
	uint32_t n; /* at least 1 */
};

/**
 * Cost O(1). Pure.
 * Source  R's pretty(), which the R prototype of [P5] colours by; least and most are finite, n > 0.
 */
struct wn_steps wn_steps_of(double least, double most, uint32_t n);

/* Which step a value is in: the upper end of a step is in it. Infinite ones are in the last or the
 * first. */
uint32_t wn_steps_find(const struct wn_steps *s, double value);

/* Colour k of n, from yellow (0) to red. Returns `out`. */
const char *wn_ramp_colour(uint32_t k, uint32_t n, char out[WN_COLOUR_BYTES]);

#endif /* WN_EXPORT_RAMP_H */
