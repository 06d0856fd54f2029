/* SPDX-License-Identifier: MIT */
/* ramp.h - maps a grain's severity, among the grains with the same problem, to a colour from yellow
 * to red, in steps at round numbers. */
#pragma once

#include "export/export.h"

#include <stdint.h>

/* About n steps of equal width at round numbers (1, 2 or 5 times a power of 10) that cover all
 * values from least to most, starting at `first` times `unit`. */
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

/* Returns the step of a value; a step includes its upper end. Infinite values are in the last or
 * first. */
uint32_t wn_steps_find(const struct wn_steps *s, double value);

/* Writes colour k of n, from yellow (0) to red. Returns `out`. */
const char *wn_ramp_colour(uint32_t k, uint32_t n, char out[WN_COLOUR_BYTES]);
