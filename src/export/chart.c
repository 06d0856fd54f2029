/* SPDX-License-Identifier: MIT */
#include "export/chart.h"

#include <math.h>

#define LETTER 0.6 /* average width of a letter relative to its height */

const char *const chart_colours[CHART_COLOURS] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                  "#B8860B", "#56B4E9", "#6B4C9A", "#4D4D4D"};

void
chart_mark(struct wn_out *o, double x, double y, double r, size_t cluster)
{
	const char *colour = chart_colours[cluster % CHART_COLOURS];
	if (cluster < CHART_COLOURS)
		wn_out_format(o,
		              "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\" "
		              "stroke=\"#ffffff\" stroke-width=\".8\"/>\n",
		              x, y, r, colour);
	else if (cluster < 2 * CHART_COLOURS)
		wn_out_format(o,
		              "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"#ffffff\" "
		              "stroke=\"%s\" stroke-width=\"2\"/>\n",
		              x, y, r - 1, colour);
	else
		wn_out_format(o,
		              "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
		              "fill=\"%s\" stroke=\"#ffffff\" stroke-width=\".8\"/>\n",
		              x - r + 0.5, y - r + 0.5, 2 * r - 1, 2 * r - 1, colour);
}

void
chart_begin(struct wn_out *o, double width, double height, const char *title, const char *more)
{
	wn_out_format(o,
	              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
	              "viewBox=\"0 0 %.0f %.0f\">\n",
	              width, height, width, height);
	wn_out_text(o, "<style>text{font-family:-apple-system,'Segoe UI',Helvetica,Arial,"
	               "sans-serif}</style>\n");
	wn_out_format(o, "<rect width=\"%.0f\" height=\"%.0f\" fill=\"#ffffff\"/>\n", width,
	              height);
	chart_text(o, 24, 32, 17, "start", CHART_INK, title);
	if (more)
		chart_text(o, 24, 52, CHART_FONT, "start", "#52606d", more);
}

void
chart_end(struct wn_out *o)
{
	wn_out_text(o, "</svg>\n");
}

void
chart_text(struct wn_out *o, double x, double y, double size, const char *anchor,
           const char *colour, const char *text)
{
	wn_out_format(o,
	              "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.0f\" text-anchor=\"%s\" "
	              "fill=\"%s\">",
	              x, y, size, anchor, colour);
	wn_out_xml(o, text);
	wn_out_text(o, "</text>\n");
}

double
chart_text_width(const char *text, double size)
{
	size_t n = 0;
	for (; *text; text++)
		n += ((unsigned char)*text & 0xC0) != 0x80;
	return (double)n * size * LETTER;
}

const char *
chart_cut(const char *name, size_t n, char out[CHART_NAME_BYTES])
{
	size_t bytes = 0, letters = 0;
	while (name[bytes] && bytes + 8 < CHART_NAME_BYTES && letters < n) {
		bytes++;
		while (((unsigned char)name[bytes] & 0xC0) == 0x80 && bytes + 8 < CHART_NAME_BYTES)
			bytes++;
		letters++;
	}
	snprintf(out, CHART_NAME_BYTES, "%.*s%s", (int)bytes, name, name[bytes] ? ".." : "");
	return out;
}

static double
share(const struct chart_axis *a, double value)
{
	return a->is_log ? (log(value) - log(a->low)) / (log(a->high) - log(a->low))
	                 : (value - a->low) / (a->high - a->low);
}

double
chart_x(const struct chart *c, double value)
{
	return c->left + c->width * share(&c->x, value);
}

double
chart_y(const struct chart *c, double value)
{
	return c->top + c->height * (1 - share(&c->y, value));
}

/* Widens the range by a twelfth at each end. */
static void
widen(struct chart_axis *a)
{
	double low = a->is_log ? log(a->low) : a->low, high = a->is_log ? log(a->high) : a->high;
	double air = high > low ? (high - low) / 12 : 1;
	a->low = a->is_log ? exp(low - air) : low - air;
	a->high = a->is_log ? exp(high + air) : high + air;
}

/* 1, 2 or 5 times a power of ten, for five to ten ticks. */
static double
round_step(double range)
{
	double power = pow(10, floor(log10(range / 5))), part = range / 5 / power;
	return power * (part >= 5 ? 5 : part >= 2 ? 2 : 1);
}

#define TICKS_MAX 24u

static size_t
find_ticks(const struct chart_axis *a, double ticks[TICKS_MAX])
{
	size_t n = 0;
	if (a->is_log) {
		for (double p = ceil(log10(a->low)); p <= log10(a->high) && n < TICKS_MAX; p++)
			ticks[n++] = pow(10, p);
		return n;
	}
	double step = round_step(a->high - a->low);
	for (double k = ceil(a->low / step); k * step <= a->high && n < TICKS_MAX; k++)
		ticks[n++] = k * step;
	return n;
}

static const char *
tick_text(const struct chart_axis *a, double value, char out[32])
{
	if (a->tick_text)
		return a->tick_text(value, out);
	snprintf(out, 32, "%.6g", fabs(value) < 1e-12 ? 0.0 : value);
	return out;
}

static void
draw_x(struct chart *c)
{
	double found[TICKS_MAX], bottom = c->top + c->height, free_from = -INFINITY;
	const double *ticks = c->x.ticks ? c->x.ticks : found;
	size_t n = c->x.ticks ? c->x.n_ticks : find_ticks(&c->x, found);
	char text[32];
	for (size_t i = 0; i < n; i++) {
		double x = chart_x(c, ticks[i]);
		const char *label = tick_text(&c->x, ticks[i], text);
		double half = chart_text_width(label, CHART_LABEL) / 2;
		wn_out_format(c->o, "<path d=\"M%.1f %.1fV%.1f\" stroke=\"" CHART_GRID "\"/>\n", x,
		              c->top, bottom);
		if (x - half < free_from)
			continue;
		chart_text(c->o, x, bottom + 18, CHART_LABEL, "middle", "#52606d", label);
		free_from = x + half + 6;
	}
	chart_text(c->o, c->left + c->width / 2, bottom + 42, CHART_FONT, "middle", CHART_INK,
	           c->x.title);
}

static void
draw_y(struct chart *c)
{
	double found[TICKS_MAX];
	const double *ticks = c->y.ticks ? c->y.ticks : found;
	size_t n = c->y.ticks ? c->y.n_ticks : find_ticks(&c->y, found);
	char text[32];
	for (size_t i = 0; i < n; i++) {
		double y = chart_y(c, ticks[i]);
		wn_out_format(c->o, "<path d=\"M%.1f %.1fH%.1f\" stroke=\"" CHART_GRID "\"/>\n",
		              c->left, y, c->left + c->width);
		chart_text(c->o, c->left - 8, y + 4, CHART_LABEL, "end", "#52606d",
		           tick_text(&c->y, ticks[i], text));
	}
	double middle = c->top + c->height / 2;
	wn_out_format(c->o,
	              "<text transform=\"translate(%.1f %.1f) rotate(-90)\" font-size=\"%d\" "
	              "text-anchor=\"middle\" fill=\"" CHART_INK "\">",
	              c->left - 58, middle, CHART_FONT);
	wn_out_xml(c->o, c->y.title);
	wn_out_text(c->o, "</text>\n");
}

void
chart_axes(struct chart *c)
{
	widen(&c->x);
	widen(&c->y);
	draw_x(c);
	draw_y(c);
	wn_out_format(c->o,
	              "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" "
	              "stroke=\"" CHART_FAINT "\"/>\n",
	              c->left, c->top, c->width, c->height);
}
