/* SPDX-License-Identifier: MIT */
#include "picture/curve.h"

#include "base/decimal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WIDTH  920.0
#define HEIGHT 640.0
#define LEFT   84.0
#define RIGHT  (WIDTH - 72.0)
#define TOP    96.0
#define BOTTOM 400.0
/* the strip of limits, and the panel of shares */
#define STRIP       22.0
#define SHARES_TOP  446.0
#define SHARES_LOW  572.0
#define FONT        13
#define SMALL       11
#define LETTER      0.56 /* mean width of a letter by its height */
#define INK         "#1f2933"
#define SOFT        "#52606d"
#define GRID        "#e4e7eb"
#define FRAME       "#9aa5b1"
#define LINE        "#0b5cad"
#define MEASURED    "#b3261e"
#define BEST        "#dcefe0"
#define CURVE_TICKS 16u

/* Ranges of the data, and where they lie in the picture. */
struct plot {
	const struct svg *s;
	const struct curve *c;
	double x0, x1, y0, y1; /* of log2 x or x, and of ln ns */
};

static double
along(const struct plot *p, double x)
{
	double at = p->c->is_doubling ? log2(x) : x;
	return LEFT + (RIGHT - LEFT) * (at - p->x0) / (p->x1 - p->x0);
}

static double
up(const struct plot *p, double ns)
{
	double at = log(fmax(ns, 1));
	return BOTTOM - (BOTTOM - TOP) * (at - p->y0) / (p->y1 - p->y0);
}

static void
write_text(const struct svg *s, double x, double y, int size, const char *anchor, const char *fill,
           const char *text)
{
	char head[128];
	svg_pair(s, "<text x=\"", x, "\" y=\"", y, "\"");
	snprintf(head, sizeof head, " font-size=\"%d\" text-anchor=\"%s\" fill=\"%s\">", size,
	         anchor, fill);
	svg_raw(s, head);
	svg_words(s, text, strlen(text));
	svg_raw(s, "</text>\n");
}

static void
write_line(const struct svg *s, double x1, double y1, double x2, double y2, const char *attributes)
{
	svg_pair(s, "<path d=\"M", x1, " ", y1, "");
	svg_pair(s, "L", x2, " ", y2, "\" ");
	svg_raw(s, attributes);
	svg_raw(s, "/>\n");
}

static void
write_box(const struct svg *s, double x, double y, double width, double height,
          const char *attributes)
{
	svg_pair(s, "<rect x=\"", x, "\" y=\"", y, "\"");
	svg_pair(s, " width=\"", fmax(width, 0), "\" height=\"", fmax(height, 0), "\" ");
	svg_raw(s, attributes);
	svg_raw(s, "/>\n");
}

/* --- ranges --- */

static double
least_of(const struct curve_point *p)
{
	double bound = fmax((double)p->bounds_ns[0], (double)p->bounds_ns[1]);
	double least = p->low_ns ? (double)p->low_ns : (double)p->high_ns;
	return bound > 0 ? fmin(least, bound) : least;
}

static void
set_ranges(struct plot *p)
{
	const struct curve *c = p->c;
	double least = INFINITY, most = 1;
	for (size_t i = 0; i < c->n; i++) {
		least = fmin(least, least_of(&c->points[i]));
		most = fmax(most, (double)c->points[i].high_ns);
	}
	for (size_t i = 0; i < c->n_marks; i++) {
		least = fmin(least, (double)c->marks[i].ns);
		most = fmax(most, (double)c->marks[i].ns);
	}
	if (c->level_ns) {
		least = fmin(least, (double)c->level_ns);
		most = fmax(most, (double)c->level_ns);
	}
	p->y0 = log(fmax(least, 1)) - 0.08;
	p->y1 = log(fmax(most, 1)) + 0.08;
	double first = c->points[0].x, last = c->points[c->n - 1].x;
	p->x0 = c->is_doubling ? log2(first) : first;
	p->x1 = c->is_doubling ? log2(last) : last;
	if (c->n == 1 || p->x1 <= p->x0) {
		p->x0 -= 0.5;
		p->x1 += 0.5;
	}
}

/* --- axes --- */

/* 1, 2 or 5 times a power of ten, for some five steps in the range. */
static double
round_step(double range)
{
	double power = pow(10, floor(log10(range / 5))), part = range / 5 / power;
	return power * (part >= 5 ? 5 : part >= 2 ? 2 : 1);
}

/* Round times: multiples of a step, over wide ranges 1, 2 and 5 times powers of ten, over wider
 * ones powers of ten. */
static size_t
time_ticks(const struct plot *p, double ticks[CURVE_TICKS])
{
	static const double steps[] = {1, 2, 5};
	double range = p->y1 - p->y0, least = exp(p->y0), most = exp(p->y1);
	size_t n = 0, n_steps = range > log(3000) ? 1 : 3;
	if (range < log(8)) {
		double step = round_step(most - least);
		for (double k = ceil(least / step); k * step <= most && n < CURVE_TICKS; k++)
			ticks[n++] = k * step;
		return n;
	}
	for (double power = pow(10, floor(log10(least))); power <= most; power *= 10)
		for (size_t k = 0; k < n_steps && n < CURVE_TICKS; k++)
			if (power * steps[k] >= least && power * steps[k] <= most)
				ticks[n++] = power * steps[k];
	return n;
}

/* "10 ms", not "10.0 ms". */
static const char *
tick_text(double ns, char out[WN_DECIMAL_BYTES])
{
	static const char *const units[] = {"ns", "us", "ms", "s"};
	size_t k = 0;
	while (k < 3 && ns >= 999.5) {
		ns /= 1000;
		k++;
	}
	snprintf(out, WN_DECIMAL_BYTES, "%.4g %s", ns, units[k]);
	return out;
}

static void
draw_times(const struct plot *p)
{
	double ticks[CURVE_TICKS];
	char text[WN_DECIMAL_BYTES];
	size_t n = time_ticks(p, ticks);
	for (size_t i = 0; i < n; i++) {
		double y = up(p, ticks[i]);
		write_line(p->s, LEFT, y, RIGHT, y, "stroke=\"" GRID "\"");
		write_text(p->s, LEFT - 8, y + 4, SMALL, "end", SOFT, tick_text(ticks[i], text));
	}
	write_text(p->s, LEFT, TOP - 10, SMALL, "middle", INK, "time");
}

static void
draw_speed_ups(const struct plot *p)
{
	static const double steps[] = {1, 2, 5};
	char text[WN_DECIMAL_BYTES];
	double one = (double)p->c->one_ns;
	if (!(one > 0))
		return;
	write_text(p->s, RIGHT, TOP - 10, SMALL, "middle", INK, "speed-up");
	for (double power = 0.001; power < 1e6; power *= 10)
		for (size_t k = 0; k < 3; k++) {
			double y = up(p, one / (power * steps[k]));
			if (y < TOP || y > BOTTOM)
				continue;
			snprintf(text, sizeof text, "%g", power * steps[k]);
			write_line(p->s, RIGHT, y, RIGHT + 5, y, "stroke=\"" FRAME "\"");
			write_text(p->s, RIGHT + 9, y + 4, SMALL, "start", SOFT, text);
		}
}

static bool
is_power(double x)
{
	double log = log2(x);
	return fabs(log - floor(log + 0.5)) < 1e-9;
}

/* Labels of points: powers of two on an axis that doubles, else each that has room. */
static void
draw_values(const struct plot *p)
{
	const struct curve *c = p->c;
	char text[WN_DECIMAL_BYTES];
	double free_from = -INFINITY;
	for (size_t i = 0; i < c->n; i++) {
		double x = along(p, c->points[i].x);
		snprintf(text, sizeof text, "%.0f", c->points[i].x);
		double half = (double)strlen(text) * SMALL * LETTER / 2;
		if ((c->is_doubling && c->n > 8 && !is_power(c->points[i].x)) ||
		    x - half < free_from)
			continue;
		write_line(p->s, x, TOP, x, BOTTOM, "stroke=\"" GRID "\"");
		write_line(p->s, x, SHARES_LOW, x, SHARES_LOW + 4, "stroke=\"" FRAME "\"");
		write_text(p->s, x, SHARES_LOW + 17, SMALL, "middle", SOFT, text);
		free_from = x + half + 6;
	}
	write_text(p->s, (LEFT + RIGHT) / 2, SHARES_LOW + 34, FONT, "middle", INK, c->x_title);
}

/* --- curves --- */

enum height { OF_NS, OF_LOW, OF_HIGH, OF_BOUND_0, OF_BOUND_1 };

static double
height_of(const struct curve_point *point, enum height which)
{
	switch (which) {
	case OF_NS:
		return (double)point->ns;
	case OF_LOW:
		return (double)point->low_ns;
	case OF_HIGH:
		return (double)point->high_ns;
	case OF_BOUND_0:
		return (double)point->bounds_ns[0];
	case OF_BOUND_1:
		break;
	}
	return (double)point->bounds_ns[1];
}

/* Draws one line through the known heights of points from..to. */
static void
draw_through(const struct plot *p, size_t from, size_t to, enum height which,
             const char *attributes)
{
	bool is_open = false;
	for (size_t i = from; i <= to && i < p->c->n; i++) {
		double ns = height_of(&p->c->points[i], which);
		if (!(ns > 0))
			continue;
		svg_pair(p->s, is_open ? "L" : "<path d=\"M", along(p, p->c->points[i].x), " ",
		         up(p, ns), "");
		is_open = true;
	}
	if (!is_open)
		return;
	svg_raw(p->s, "\" fill=\"none\" ");
	svg_raw(p->s, attributes);
	svg_raw(p->s, "/>\n");
}

static void
draw_band(const struct plot *p, size_t from, size_t to, const char *opacity)
{
	const struct curve_point *points = p->c->points;
	if (to <= from)
		return;
	for (size_t i = from; i <= to; i++)
		svg_pair(p->s, i == from ? "<path d=\"M" : "L", along(p, points[i].x), " ",
		         up(p, (double)points[i].high_ns), "");
	for (size_t i = to + 1; i-- > from;)
		svg_pair(p->s, "L", along(p, points[i].x), " ", up(p, (double)points[i].low_ns),
		         "");
	svg_raw(p->s, "Z\" fill=\"" LINE "\" fill-opacity=\"");
	svg_raw(p->s, opacity);
	svg_raw(p->s, "\"/>\n");
}

/* The last point before the first one that is extrapolated; the first one if all are. */
static size_t
last_known(const struct curve *c)
{
	size_t i = 0;
	while (i < c->n && !c->points[i].is_extrapolated)
		i++;
	return i > 0 ? i - 1 : 0;
}

static void
draw_dots(const struct plot *p)
{
	const struct curve *c = p->c;
	for (size_t i = 0; i < c->n; i++) {
		const struct curve_point *point = &c->points[i];
		double x = along(p, point->x);
		if (c->n > 1 && !point->ns)
			continue;
		if (c->n == 1) /* no band of one point */
			write_line(
			    p->s, x, up(p, (double)point->low_ns), x, up(p, (double)point->high_ns),
			    "stroke=\"" LINE "\" stroke-width=\"6\" stroke-opacity=\"0.25\"");
		if (point->ns && c->n <= 24) {
			svg_pair(p->s, "<circle cx=\"", x, "\" cy=\"", up(p, (double)point->ns),
			         "");
			svg_raw(p->s, point->is_extrapolated
			                  ? "\" r=\"2.6\" fill=\"#fff\" stroke=\"" LINE "\"/>\n"
			                  : "\" r=\"2.8\" fill=\"" LINE "\"/>\n");
		}
	}
	for (size_t i = 0; i < c->n_marks; i++) {
		svg_pair(p->s, "<circle cx=\"", along(p, c->marks[i].x), "\" cy=\"",
		         up(p, (double)c->marks[i].ns), "");
		svg_raw(p->s, "\" r=\"4.5\" fill=\"" MEASURED "\" stroke=\"#fff\"/>\n");
	}
}

/* Everything above the shares; the inner document clips what leaves the frame. */
static void
draw_curves(const struct plot *p)
{
	const struct curve *c = p->c;
	size_t known = last_known(c), last = c->n - 1;
	bool is_all_unknown = c->points[0].is_extrapolated;
	svg_pair(p->s, "<svg x=\"", LEFT, "\" y=\"", TOP, "\"");
	svg_pair(p->s, " width=\"", RIGHT - LEFT, "\" height=\"", BOTTOM - TOP, "\"");
	svg_pair(p->s, " viewBox=\"", LEFT, " ", TOP, "");
	svg_pair(p->s, " ", RIGHT - LEFT, " ", BOTTOM - TOP, "\">\n");
	draw_band(p, 0, known, "0.20");
	draw_band(p, known, last, "0.10");
	draw_through(p, 0, last, OF_BOUND_0,
	             "stroke=\"#5b6570\" stroke-width=\"1.3\" stroke-dasharray=\"7 3\"");
	draw_through(p, 0, last, OF_BOUND_1,
	             "stroke=\"#5b6570\" stroke-width=\"1.3\" stroke-dasharray=\"2 3\"");
	if (!is_all_unknown)
		draw_through(p, 0, known, OF_NS, "stroke=\"" LINE "\" stroke-width=\"2.2\"");
	if (known < last)
		draw_through(p, known, last, OF_NS,
		             "stroke=\"" LINE "\" stroke-width=\"2\" stroke-dasharray=\"5 4\"");
	if (c->level_ns)
		write_line(p->s, LEFT, up(p, (double)c->level_ns), RIGHT,
		           up(p, (double)c->level_ns),
		           "stroke=\"" MEASURED "\" stroke-width=\"1.3\" stroke-dasharray=\"8 4\"");
	svg_raw(p->s, "</svg>\n");
	draw_dots(p);
}

static void
draw_best(const struct plot *p)
{
	const struct curve *c = p->c;
	if (c->best_low > c->best_high)
		return;
	double x1 = along(p, c->best_low), x2 = along(p, c->best_high);
	write_box(p->s, fmax(x1 - 5, LEFT), TOP, fmin(x2 + 5, RIGHT) - fmax(x1 - 5, LEFT),
	          BOTTOM - TOP, "fill=\"" BEST "\"");
}

static void
draw_extrapolation(const struct plot *p)
{
	const struct curve *c = p->c;
	size_t known = last_known(c);
	bool is_all = c->points[0].is_extrapolated;
	if (!is_all && known + 1 == c->n)
		return;
	double x = is_all ? LEFT : along(p, c->points[known].x);
	if (!is_all)
		write_line(p->s, x, TOP, x, SHARES_LOW,
		           "stroke=\"" SOFT "\" stroke-dasharray=\"3 3\"");
	write_text(p->s, x + 6, TOP + 15, SMALL, "start", SOFT, "extrapolated");
}

/* --- what limits, and where the time goes --- */

static void
draw_limit(const struct plot *p, double x1, double x2, const char *limit)
{
	double wide = (double)strlen(limit) * SMALL * LETTER;
	write_box(p->s, x1, SHARES_TOP - STRIP, x2 - x1, STRIP - 4,
	          "fill=\"#eef1f4\" stroke=\"#fff\" stroke-width=\"2\"");
	if (wide + 6 <= x2 - x1)
		write_text(p->s, (x1 + x2) / 2, SHARES_TOP - STRIP + 13, SMALL, "middle", INK,
		           limit);
}

/* Stretches between the middles of neighbours with different limits. */
static void
draw_limits(const struct plot *p)
{
	const struct curve *c = p->c;
	double from = LEFT;
	for (size_t i = 0; i < c->n; i++) {
		bool is_last = i + 1 == c->n;
		if (!is_last && c->points[i + 1].limit == c->points[i].limit)
			continue;
		double to =
		    is_last ? RIGHT : (along(p, c->points[i].x) + along(p, c->points[i + 1].x)) / 2;
		draw_limit(p, from, to, c->points[i].limit);
		from = to;
	}
	write_text(p->s, LEFT - 8, SHARES_TOP - STRIP + 13, SMALL, "end", SOFT, "limited by");
}

static void
draw_share(const struct plot *p, size_t k, double *below)
{
	const struct curve *c = p->c;
	double tall = SHARES_LOW - SHARES_TOP;
	bool is_single = c->n == 1;
	for (size_t i = 0; i < c->n; i++) {
		double y = SHARES_LOW - tall * (below[i] + c->points[i].share[k]);
		double x = is_single ? LEFT : along(p, c->points[i].x);
		svg_pair(p->s, i ? "L" : "<path d=\"M", x, " ", y, "");
		if (is_single)
			svg_pair(p->s, "L", RIGHT, " ", y, "");
	}
	for (size_t i = c->n; i-- > 0;) {
		double y = SHARES_LOW - tall * below[i];
		if (is_single)
			svg_pair(p->s, "L", RIGHT, " ", y, "");
		svg_pair(p->s, "L", is_single ? LEFT : along(p, c->points[i].x), " ", y, "");
		below[i] += c->points[i].share[k];
	}
	svg_raw(p->s, "Z\" fill=\"");
	svg_raw(p->s, c->share_colours[k]);
	svg_raw(p->s, "\" stroke=\"#fff\" stroke-width=\"0.6\"/>\n");
}

static bool
is_seen(const struct curve *c, size_t k)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->points[i].share[k] >= 0.01)
			return true;
	return false;
}

/* Draws the shares from the bottom up, in pieces of points that fit `below`. */
static void
draw_shares(const struct plot *p)
{
	double below[CURVE_POINTS_MAX] = {0}, x = LEFT;
	for (size_t k = 0; k < p->c->n_shares; k++)
		draw_share(p, k, below);
	static const char *const labels[] = {"0 %", "50 %", "100 %"};
	for (int i = 0; i < 3; i++)
		write_text(p->s, LEFT - 8, SHARES_LOW - (SHARES_LOW - SHARES_TOP) * i / 2 + 4,
		           SMALL, "end", SOFT, labels[i]);
	for (size_t k = 0; k < p->c->n_shares; k++) {
		if (!is_seen(p->c, k))
			continue;
		char fill[32];
		snprintf(fill, sizeof fill, "fill=\"%s\"", p->c->share_colours[k]);
		write_box(p->s, x, HEIGHT - 22, 10, 10, fill);
		write_text(p->s, x + 14, HEIGHT - 13, SMALL, "start", INK, p->c->share_names[k]);
		x += 30 + (double)strlen(p->c->share_names[k]) * SMALL * LETTER;
	}
}

/* --- head --- */

static double
draw_key(const struct svg *s, double x, const char *attributes, const char *name)
{
	write_line(s, x, 70, x + 26, 70, attributes);
	write_text(s, x + 32, 74, SMALL, "start", INK, name);
	return x + 50 + (double)strlen(name) * SMALL * LETTER;
}

/* One point is no line. */
static bool
has_bound(const struct curve *c, int k)
{
	size_t n = 0;
	for (size_t i = 0; i < c->n; i++)
		n += c->points[i].bounds_ns[k] > 0;
	return n > 1;
}

static void
draw_keys(const struct plot *p)
{
	const struct curve *c = p->c;
	double x = LEFT;
	x = draw_key(p->s, x, "stroke=\"" LINE "\" stroke-width=\"2.2\"", "predicted");
	x = draw_key(p->s, x, "stroke=\"" LINE "\" stroke-width=\"10\" stroke-opacity=\"0.2\"",
	             "range for 90 % of cases");
	for (int k = 0; k < 2; k++)
		if (c->bound_names[k] && has_bound(c, k))
			x = draw_key(p->s, x,
			             k ? "stroke=\"#5b6570\" stroke-width=\"1.3\" "
			                 "stroke-dasharray=\"2 3\""
			               : "stroke=\"#5b6570\" stroke-width=\"1.3\" "
			                 "stroke-dasharray=\"7 3\"",
			             c->bound_names[k]);
	if (c->level_ns)
		x = draw_key(p->s, x,
		             "stroke=\"" MEASURED
		             "\" stroke-width=\"1.3\" stroke-dasharray=\"8 4\"",
		             "without");
	if (c->n_marks) {
		svg_pair(p->s, "<circle cx=\"", x + 6, "\" cy=\"", 70,
		         "\" r=\"4.5\" fill=\"" MEASURED "\"/>\n");
		write_text(p->s, x + 16, 74, SMALL, "start", INK, "measured");
		x += 80;
	}
	if (c->best_low <= c->best_high) {
		write_box(p->s, x, 63, 14, 14, "fill=\"" BEST "\" stroke=\"#7fb58c\"");
		write_text(p->s, x + 20, 74, SMALL, "start", INK, "within 5 % of the best");
	}
}

void
curve_svg(const struct svg *s, const struct curve *c)
{
	struct plot p = {.s = s, .c = c};
	set_ranges(&p);
	svg_raw(s, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
	svg_pair(s, " width=\"", WIDTH, "\" height=\"", HEIGHT, "\"");
	svg_pair(s, " viewBox=\"0 0 ", WIDTH, " ", HEIGHT, "\">\n");
	svg_raw(s, "<style>text{font-family:-apple-system,'Segoe UI',Helvetica,Arial,sans-serif}"
	           "</style>\n");
	write_box(s, 0, 0, WIDTH, HEIGHT, "fill=\"#fff\"");
	write_text(s, 24, 30, 17, "start", INK, c->title);
	if (c->more)
		write_text(s, 24, 50, FONT, "start", SOFT, c->more);
	draw_keys(&p);
	draw_best(&p);
	draw_times(&p);
	draw_speed_ups(&p);
	draw_values(&p);
	draw_curves(&p);
	write_box(s, LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP, "fill=\"none\" stroke=\"" FRAME "\"");
	draw_limits(&p);
	draw_shares(&p);
	draw_extrapolation(&p);
	svg_raw(s, "</svg>\n");
}
