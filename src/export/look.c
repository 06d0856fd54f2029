/* SPDX-License-Identifier: MIT */
/* look.c - computes colours, sizes and texts of drawings. Definitions follow the R prototype of
 * [P5]. */
#include "base/decimal.h"
#include "export/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *
wn_export_edge_kind(enum wn_edge_kind kind)
{
	static const char *const names[WN_EDGE_KIND_N] = {"create", "sync", "continue", "scope",
	                                                  "depend"};
	return names[kind];
}

const char *
wn_export_edge_colour(const struct wn_edge *edge)
{
	if (edge->is_critical)
		return WN_COLOUR_CRITICAL;
	if (edge->kind == WN_EDGE_CREATE)
		return WN_COLOUR_FORK;
	if (edge->kind == WN_EDGE_DEPEND)
		return WN_COLOUR_DEPEND;
	return edge->kind == WN_EDGE_SYNC ? WN_COLOUR_JOIN : WN_COLOUR_EDGE;
}

/* Converts hue and saturation at full value. */
static void
hsv(double h, double s, char out[WN_COLOUR_BYTES])
{
	double sixth = h * 6.0;
	double rgb[3];
	for (int i = 0; i < 3; i++) {
		double k = fmod((i == 0 ? 5.0 : i == 1 ? 3.0 : 1.0) + sixth, 6.0);
		double low = k < 4.0 - k ? k : 4.0 - k;
		rgb[i] = 1.0 - s * (low < 0.0 ? 0.0 : low > 1.0 ? 1.0 : low);
	}
	snprintf(out, WN_COLOUR_BYTES, "#%02X%02X%02X", (unsigned)(rgb[0] * 255.0 + 0.5) & 0xff,
	         (unsigned)(rgb[1] * 255.0 + 0.5) & 0xff, (unsigned)(rgb[2] * 255.0 + 0.5) & 0xff);
}

static double
between(double from, double to, uint32_t k, uint32_t n)
{
	return n > 1 ? from + (to - from) * (double)k / (double)(n - 1) : from;
}

/* topo.colors(n) has three ramps: a third from green to yellow, a third from yellow to pale, and
 * before them the rest, from blue to cyan. */
const char *
wn_export_palette(uint32_t k, uint32_t n, char out[WN_COLOUR_BYTES])
{
	uint32_t third = n / 3, blue = n - 2 * third, at = n - 1 - k;
	if (at < blue)
		hsv(between(43.0 / 60, 31.0 / 60, at, blue), 1.0, out);
	else if (at < blue + third)
		hsv(between(23.0 / 60, 11.0 / 60, at - blue, third), 1.0, out);
	else
		hsv(between(10.0 / 60, 6.0 / 60, at - blue - third, third),
		    between(1.0, 0.3, at - blue - third, third), out);
	return out;
}

const char *
wn_export_colour(const struct wn_export *x, wn_grain id, char out[WN_COLOUR_BYTES])
{
	const struct wn_export_place *place = wn_export_place(x, id);
	if (!place)
		memcpy(out, "#C0C0C0", WN_COLOUR_BYTES);
	else
		wn_export_palette((uint32_t)(place - x->places), x->n_places, out);
	return out;
}

bool
wn_export_is_dark(const char *colour)
{
	unsigned long rgb = strtoul(colour + 1, NULL, 16);
	return (rgb >> 16 & 0xff) * 299 + (rgb >> 8 & 0xff) * 587 + (rgb & 0xff) * 114 < 128000;
}

/* Right-closed bins of equal width over [least, most]. floor(range * bin / 10) without overflow. */
unsigned
wn_export_height(const struct wn_export *x, uint64_t weight_ns)
{
	uint64_t range = x->most_ns - x->least_ns;
	uint64_t above = weight_ns > x->least_ns ? weight_ns - x->least_ns : 0;
	unsigned bin = 1;
	if (x->most_ns <= x->least_ns)
		return WN_SIZE_GRAIN;
	while (bin < 10 && above > range / 10 * bin + range % 10 * bin / 10)
		bin++;
	return bin * WN_SIZE_GRAIN;
}

const char *
wn_export_count(const struct wn_export_place *place, char out[40])
{
	uint64_t n = place->n_grains ? place->n_grains : place->n_implicit;
	char digits[WN_DECIMAL_BYTES];
	snprintf(out, 40, "%s %s%s", wn_decimal_count(n, digits),
	         place->n_grains ? "grain" : "implicit task", n == 1 ? "" : "s");
	return out;
}

const char *
wn_export_duration(const struct wn_export *x, uint64_t ns, char out[16])
{
	static const char *const times[] = {"ns", "µs", "ms", "s"};
	static const char *const cycles[] = {"cycles", "kcycles", "Mcycles", "Gcycles"};
	bool is_ns = strcmp(wn_trace_unit(x->g->trace), "ns") == 0;
	const char *const *units = is_ns ? times : cycles;
	double value = (double)ns;
	size_t unit = 0;
	/* 999.95 and above would print as 1000.0 */
	while (unit < 3 && value >= (unit == 0 ? 1000.0 : 999.95)) {
		value /= 1000.0;
		unit++;
	}
	snprintf(out, 16, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
	return out;
}
