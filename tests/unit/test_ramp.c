/* SPDX-License-Identifier: MIT */
/* Steps as R's pretty() makes them; which step a value is in; colours from yellow to red. */
#include "export/ramp.h"
#include "tap.h"

#include <math.h>
#include <string.h>

static void
steps(double least, double most, double unit, int64_t first, uint32_t n)
{
	struct wn_steps s = wn_steps_of(least, most, 10);
	ok(fabs(s.unit - unit) < 1e-12 * unit && s.first == first && s.n == n,
	   "[%g, %g] is %u steps of %g from %g (found %u of %g from %g)", least, most, n, unit,
	   (double)first * unit, s.n, s.unit, (double)s.first * s.unit);
	ok((double)s.first * s.unit <= least && (double)(s.first + s.n) * s.unit >= most,
	   "the steps hold both ends");
	ok(wn_steps_find(&s, least) < s.n && wn_steps_find(&s, most) < s.n,
	   "both ends are in a step");
}

int
main(void)
{
	char colour[WN_COLOUR_BYTES];
	steps(0, 1, 0.1, 0, 10);
	steps(1, 10, 1, 1, 9);
	steps(2, 37, 5, 0, 8);
	steps(0.123, 0.987, 0.1, 1, 9);
	steps(-3, 4, 0.5, -6, 14);
	steps(5, 5, 1, 3, 3);
	steps(0, 0, 0.2, -2, 3);
	steps(1e9, 3e9, 2e8, 5, 10);
	struct wn_steps s = wn_steps_of(0, 1, 10);
	ok(wn_steps_find(&s, 0) == 0 && wn_steps_find(&s, 0.1) == 0 &&
	       wn_steps_find(&s, 0.1001) == 1 && wn_steps_find(&s, 1) == 9,
	   "the upper end of a step is in it");
	ok(wn_steps_find(&s, -INFINITY) == 0 && wn_steps_find(&s, INFINITY) == 9,
	   "infinite values are at the ends");
	ok(strcmp(wn_ramp_colour(0, 9, colour), "#FFFF00") == 0, "the first colour is yellow");
	ok(strcmp(wn_ramp_colour(8, 9, colour), "#FF0000") == 0, "the last colour is red");
	ok(strcmp(wn_ramp_colour(0, 1, colour), "#FF0000") == 0, "a single colour is red");
	return done();
}
