/* SPDX-License-Identifier: MIT */
#include "export/circles.h"

#include "base/error.h"
#include "base/mem.h"
#include "export/svg_parts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define N_SAMPLES 3

const char circles_style[] =
    "<style>.t{stroke:#3e4c59;stroke-width:.8}.r{fill:none;stroke:#3e4c59;stroke-width:.8}"
    ".w{stroke-dasharray:3 2}</style>\n"
    "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";

uint32_t
circles_radius(const struct circles *c, uint64_t weight)
{
	double part = c->most ? sqrt((double)weight / (double)c->most) : 0;
	uint32_t radius = (uint32_t)lround(part * c->radius_most);
	return radius > CIRCLES_LEAST ? radius : CIRCLES_LEAST;
}

const char *
circles_weight(const struct circles *c, uint64_t weight, char out[WN_DECIMAL_BYTES])
{
	const struct wn_path *path = c->x->g->path;
	if (path && !*path->unit)
		return wn_decimal_count(weight, out);
	return wn_export_duration(c->x, weight, out);
}

void
circles_unit(const struct circles *c)
{
	const struct wn_path *path = c->x->g->path;
	if (!path || *path->unit)
		return;
	wn_out_text(c->o, " ");
	wn_out_xml(c->o, path->name);
}

void
circles_fork(struct wn_out *o, int64_t x, int64_t y, bool is_fork, bool is_critical)
{
	wn_out_format(o, "<path class=\"%s%s\" d=\"M%" PRId64 " %" PRId64 "%s\"/>\n",
	              is_fork ? "f" : "j", is_critical ? "c" : "", x, y,
	              is_fork ? "l5.5 10h-11z" : "m-5.5 0h11l-5.5 10z");
}

/* --- legend --- */

static void
put_title(const struct circles *c, const char *note, int64_t y)
{
	const struct wn_graph *g = c->x->g;
	const struct wn_path *path = g->path;
	char work[WN_DECIMAL_BYTES], span[WN_DECIMAL_BYTES], ratio[WN_DECIMAL_BYTES];
	char count[WN_DECIMAL_BYTES];
	uint64_t sum = 0;
	for (wn_grain id = 0; id < g->n; id++)
		sum += wn_export_has(c->x, id) ? wn_path_weight(g, id) : 0;
	svg_title(c->o, y, wn_trace_header(g->trace)->command);
	svg_text(c->o, 24, y + LEGEND_LINE, "start");
	if (c->x->group) {
		wn_out_text(c->o, "only ");
		wn_out_xml(c->o, c->x->group);
		wn_out_text(c->o, ": ");
	}
	wn_out_format(c->o, "%s grain%s%s by ", wn_decimal_count(c->n_grains, count),
	              c->n_grains == 1 ? "" : "s", note);
	wn_out_xml(c->o, path ? path->name : "work");
	if (path)
		sum = c->x->group ? sum : path->work;
	uint64_t longest = path ? path->span : g->span_ns;
	wn_out_format(c->o, ": %s", circles_weight(c, sum, work));
	if (!c->x->group)
		wn_out_format(
		    c->o, ", span %s, exposed parallelism %s", circles_weight(c, longest, span),
		    wn_decimal_ratio(longest ? (double)sum / (double)longest : (double)NAN, ratio));
	wn_out_text(c->o, "</text>\n");
}

static wn_status
put_places(const struct circles *c, uint32_t n_places, int64_t *y, wn_err *err)
{
	const struct wn_graph *g = c->x->g;
	const struct wn_counts *counts = svg_path_counter(g);
	uint64_t *weights = wn_calloc(c->x->n_places, sizeof *weights);
	bool *is_unknown = wn_calloc(c->x->n_places, sizeof *is_unknown);
	if (!weights || !is_unknown) {
		wn_free(weights);
		wn_free(is_unknown);
		return wn_no_memory(err);
	}
	for (wn_grain id = 0; id < g->n; id++) {
		const struct wn_export_place *place = wn_is_drawn(g, id) && wn_export_has(c->x, id)
		                                          ? wn_export_place(c->x, id)
		                                          : NULL;
		if (!place)
			continue;
		weights[place - c->x->places] += wn_path_weight(g, id);
		if (counts && wn_count_is_unknown(counts, id))
			is_unknown[place - c->x->places] = true;
	}
	*y = svg_places(c->o, c->x, n_places, *y, weights, is_unknown);
	wn_free(weights);
	wn_free(is_unknown);
	return WN_OK;
}

static void
put_circle(const struct circles *c, const char *class, int64_t x, int64_t y, uint32_t tenths)
{
	wn_out_format(c->o,
	              "<circle class=\"%s\" cx=\"%" PRId64 "\" cy=\"%" PRId64
	              "\" r=\"%u.%u\" fill=\"#ffffff\"/>\n",
	              class, x, y, tenths / 10, tenths % 10);
}

static void
put_symbols(const struct circles *c, bool has_groups, int64_t y)
{
	circles_fork(c->o, 34, y - 10, true, false);
	circles_fork(c->o, 104, y - 10, false, false);
	wn_out_format(c->o, "<path class=\"critical\" d=\"M168 %" PRId64 "h28\"/>\n", y - 5);
	svg_marks_names(c->o, y);
	if (has_groups) {
		put_circle(c, "t", 327, y - 5, 70);
		put_circle(c, "r", 327, y - 5, 95);
		svg_text(c->o, 344, y, "start");
		wn_out_text(c->o, "a group, and how many grains are in it</text>\n");
	} else {
		put_circle(c, "t w", 327, y - 5, 70);
		svg_text(c->o, 342, y, "start");
		wn_out_text(c->o, "a thread's own part of a region</text>\n");
	}
}

/* Returns the largest of 1, 2, 5, 10, ... that is not above the value. */
static uint64_t
round_down(uint64_t value)
{
	uint64_t unit = 1;
	while (value / unit >= 10)
		unit *= 10;
	return unit * (value / unit >= 5 ? 5 : value / unit >= 2 ? 2 : 1);
}

static int64_t
samples_height(const struct circles *c)
{
	return 2 * (int64_t)c->radius_most / 10 + 14;
}

/* Chooses circles of round weights; the last one is the upper limit of the smallest circle. */
static void
put_samples(const struct circles *c, int64_t top)
{
	char text[WN_DECIMAL_BYTES];
	int64_t x = 24, middle = top + samples_height(c) / 2;
	uint64_t weight = c->most ? round_down(c->most) : 0;
	for (int i = 0; i < N_SAMPLES && weight > 0; i++) {
		uint32_t radius = circles_radius(c, weight);
		if (radius <= CIRCLES_LEAST)
			break;
		x += radius / 10;
		put_circle(c, "t", x, middle, radius);
		x += radius / 10 + 8;
		svg_text(c->o, x, middle + 5, "start");
		wn_out_format(c->o, "%s</text>\n", circles_weight(c, weight, text));
		x += 8 * (int64_t)strlen(text) + 22;
		weight = round_down(weight / 4);
	}
	double part = (double)CIRCLES_LEAST / c->radius_most;
	uint64_t least = (uint64_t)(part * part * (double)c->most);
	put_circle(c, "t", x + 3, middle, CIRCLES_LEAST);
	svg_text(c->o, x + 14, middle + 5, "start");
	wn_out_format(c->o, "at most %s", circles_weight(c, least, text));
	circles_unit(c);
	wn_out_text(c->o, "</text>\n");
}

int64_t
circles_legend_height(const struct circles *c)
{
	int64_t n_lines = 3 + (int64_t)svg_n_places(c->x) + svg_n_links(c->x);
	return 40 + n_lines * LEGEND_LINE + samples_height(c) + 16;
}

wn_status
circles_legend(const struct circles *c, bool has_groups, const char *note, wn_err *err)
{
	int64_t y = 40;
	put_title(c, note, y);
	y += 2 * LEGEND_LINE + 6;
	wn_status st = put_places(c, svg_n_places(c->x), &y, err);
	put_symbols(c, has_groups, y + 4);
	y = svg_links(c->o, c->x, has_groups, y + 4);
	put_samples(c, y + 8);
	return st;
}
