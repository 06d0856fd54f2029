/* SPDX-License-Identifier: MIT */
#include "export/ramp.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* R's preferences: for larger steps, and for 5 over 2; and the tolerance for round numbers. */
#define BIAS      1.5
#define BIAS_FIVE (0.5 + 1.5 * BIAS)
#define EPSILON   1e-10

/* A third of the requested steps is enough; a smaller range counts as one value. */
static double
width_of(double least, double most, double n, double n_least)
{
	double range = most - least;
	double size = fmax(fabs(least), fabs(most));
	double smallest = (1.0 + 1.0 / (1.0 + BIAS)) * fmax(1.0, n) * DBL_EPSILON * 3.0;
	bool is_none = range == 0.0 && most == 0.0;
	if (!is_none && range >= size * smallest)
		return range / n;
	double width = is_none ? 1.0 : size;
	width = width > 10.0 ? 9.0 + width / 10.0 : width;
	width *= 0.75;
	return n_least > 1.0 ? width / n_least : width;
}

static double
round_unit(double width)
{
	double base = pow(10.0, floor(log10(width))), unit = base;
	if (2.0 * base - width < BIAS * (width - unit)) {
		unit = 2.0 * base;
		if (5.0 * base - width < BIAS_FIVE * (width - unit)) {
			unit = 5.0 * base;
			if (10.0 * base - width < BIAS * (width - unit))
				unit = 10.0 * base;
		}
	}
	return unit;
}

struct wn_steps
wn_steps_of(double least, double most, uint32_t n)
{
	int64_t n_least = n / 3;
	double width = fmax(width_of(least, most, n, (double)n_least), DBL_MIN * 20.0);
	double unit = round_unit(width);
	double first = floor(least / unit + EPSILON), last = ceil(most / unit - EPSILON);
	while (first * unit > least + EPSILON * unit)
		first--;
	while (last * unit < most - EPSILON * unit)
		last++;
	int64_t lack = n_least - (int64_t)(last - first + 0.5);
	if (lack > 0 && first >= 0.0) {
		last += (double)(lack / 2);
		first -= (double)(lack / 2 + lack % 2);
	} else if (lack > 0) {
		first -= (double)(lack / 2);
		last += (double)(lack / 2 + lack % 2);
	}
	double n_steps = last - first;
	return (struct wn_steps){
	    .unit = unit, .first = (int64_t)first, .n = n_steps < 1.0 ? 1 : (uint32_t)n_steps};
}

uint32_t
wn_steps_find(const struct wn_steps *s, double value)
{
	double at = ceil(value / s->unit - (double)s->first - EPSILON) - 1.0;
	if (!(at > 0.0))
		return 0;
	return at < (double)s->n ? (uint32_t)at : s->n - 1;
}

const char *
wn_ramp_colour(uint32_t k, uint32_t n, char out[WN_COLOUR_BYTES])
{
	double share = n > 1 ? (double)k / (double)(n - 1) : 1.0;
	snprintf(out, WN_COLOUR_BYTES, "#FF%02X00", (unsigned)(255.0 * (1.0 - share) + 0.5) & 0xff);
	return out;
}
