/* SPDX-License-Identifier: MIT */
/* chart_components.c - draws scree, loadings and scores. */
#include "base/error.h"
#include "base/mem.h"
#include "export/characterize.h"
#include "export/chart.h"

#include <math.h>

#define BARS_MAX 12u
#define BAR      "#0072B2"
#define BAR_PALE "#b9cfe0"
#define BAR_DOWN "#D55E00"

static wn_status
nothing(wn_err *err)
{
	return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "nothing was analysed: there is no picture");
}

static wn_status
finish(struct wn_out *o, wn_err *err)
{
	chart_end(o);
	wn_status st = wn_out_end(o, err);
	wn_free(o);
	return st;
}

static struct wn_out *
start(FILE *to)
{
	struct wn_out *o = wn_calloc(1, sizeof *o);
	if (o)
		wn_out_begin(o, to);
	return o;
}

/* --- scree --- */

static void
draw_bar(struct wn_out *o, double x, double y, double width, double height, const char *fill)
{
	wn_out_format(o,
	              "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\" "
	              "fill=\"%s\"/>\n",
	              x, y, width, height, fill);
}

static void
draw_scree(struct wn_out *o, const struct wn_characterization *r, size_t n, double left, double top,
           double step, double height)
{
	char text[32];
	for (int percent = 0; percent <= 100; percent += 20) {
		double y = top + height * (1 - percent / 100.0);
		wn_out_format(o, "<path d=\"M%.1f %.1fh%.1f\" stroke=\"" CHART_GRID "\"/>\n", left,
		              y, step * (double)n);
		snprintf(text, sizeof text, "%d %%", percent);
		chart_text(o, left - 8, y + 4, CHART_LABEL, "end", "#52606d", text);
	}
	for (size_t k = 0; k < n; k++) {
		double x = left + step * ((double)k + 0.5), tall = height * r->pca.share[k];
		draw_bar(o, x - step * 0.3, top + height - tall, step * 0.6, tall,
		         k < r->n_kept ? BAR : BAR_PALE);
		snprintf(text, sizeof text, "PC%zu", k + 1);
		chart_text(o, x, top + height + 18, CHART_LABEL, "middle", CHART_INK, text);
		snprintf(text, sizeof text, "%.1f %%", 100 * r->pca.share[k]);
		chart_text(o, x, top + height + 34, CHART_LABEL, "middle", "#52606d", text);
	}
	wn_out_text(o, "<path fill=\"none\" stroke=\"" CHART_INK "\" stroke-width=\"1.4\" d=\"");
	for (size_t k = 0; k < n; k++)
		wn_out_format(o, "%s%.1f %.1f", k ? "L" : "M", left + step * ((double)k + 0.5),
		              top + height * (1 - r->pca.cumulative[k]));
	wn_out_text(o, "\"/>\n");
	for (size_t k = 0; k < n; k++)
		wn_out_format(o,
		              "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"#fff\" "
		              "stroke=\"" CHART_INK "\"/>\n",
		              left + step * ((double)k + 0.5),
		              top + height * (1 - r->pca.cumulative[k]));
	double wanted = top + height * (1 - r->keep);
	wn_out_format(
	    o, "<path d=\"M%.1f %.1fh%.1f\" stroke=\"" BAR_DOWN "\" stroke-dasharray=\"5 4\"/>\n",
	    left, wanted, step * (double)n);
}

wn_status
wn_draw_scree(const struct wn_characterization *r, FILE *to, wn_err *err)
{
	char more[160];
	if (r->none != WN_ANALYSED)
		return nothing(err);
	struct wn_out *o = start(to);
	if (!o)
		return wn_no_memory(err);
	size_t n = r->pca.n_components < BARS_MAX ? r->pca.n_components : BARS_MAX;
	double step = n < 6 ? 90 : 66, width = 110 + step * (double)n;
	snprintf(more, sizeof more,
	         "Bars: each component's share. Line: all so far; dashed: the %.3g %% wanted; %zu "
	         "of %zu "
	         "kept",
	         100 * r->keep, r->n_kept, r->pca.n_components);
	width = fmax(width, 60 + chart_text_width(more, CHART_FONT));
	chart_begin(o, width, 430, "Variance of components", more);
	draw_scree(o, r, n, 80, 80, step, 290);
	return finish(o, err);
}

/* --- loadings --- */

#define ROW    26.0
#define COLUMN 170.0

static void
draw_loading(struct wn_out *o, double middle, double y, double value)
{
	char text[32];
	double wide = fabs(value) * COLUMN * 0.32;
	draw_bar(o, value < 0 ? middle - wide : middle, y - 8, wide, 16,
	         value < 0 ? BAR_DOWN : BAR);
	snprintf(text, sizeof text, "%+.2f", value);
	chart_text(o, value < 0 ? middle - wide - 4 : middle + wide + 4, y + 4, CHART_LABEL,
	           value < 0 ? "end" : "start", "#52606d", text);
}

wn_status
wn_draw_loadings(const struct wn_characterization *r, FILE *to, wn_err *err)
{
	char text[CHART_NAME_BYTES];
	double names = 60;
	if (r->none != WN_ANALYSED)
		return nothing(err);
	struct wn_out *o = start(to);
	if (!o)
		return wn_no_memory(err);
	for (size_t j = 0; j < r->n_variables; j++) {
		const char *name = chart_cut(r->cases->variables[r->variable_of[j]], 30, text);
		names = fmax(names, chart_text_width(name, CHART_FONT));
	}
	size_t n = r->n_kept < BARS_MAX ? r->n_kept : BARS_MAX;
	double left = 40 + names, top = 100, rows = ROW * (double)r->n_variables;
	chart_begin(o, fmax(left + COLUMN * (double)n + 24, 460), top + rows + 30, "Loadings",
	            "What each property has of each component kept");
	for (size_t k = 0; k < n; k++) {
		double middle = left + COLUMN * ((double)k + 0.5);
		snprintf(text, sizeof text, "PC%zu (%.1f %%)", k + 1, 100 * r->pca.share[k]);
		chart_text(o, middle, top - 14, CHART_FONT, "middle", CHART_INK, text);
		wn_out_format(o, "<path d=\"M%.1f %.1fv%.1f\" stroke=\"" CHART_FAINT "\"/>\n",
		              middle, top - 4, rows + 8);
		for (size_t j = 0; j < r->n_variables; j++)
			draw_loading(o, middle, top + ROW * ((double)j + 0.5),
			             r->pca.loadings[k * r->n_variables + j]);
	}
	for (size_t j = 0; j < r->n_variables; j++)
		chart_text(o, left - 12, top + ROW * ((double)j + 0.5) + 4, CHART_FONT, "end",
		           CHART_INK, chart_cut(r->cases->variables[r->variable_of[j]], 30, text));
	return finish(o, err);
}

/* --- scores --- */

#define LEGEND_MAX 24u /* clusters with different marks */

static void
draw_legend(struct wn_out *o, const struct wn_characterization *r, double x, double y)
{
	char text[32];
	for (size_t k = 0; k < r->n_clusters && k < LEGEND_MAX; k++) {
		size_t n = 0;
		for (size_t i = 0; i < r->n; i++)
			n += r->cluster[i] == k;
		chart_mark(o, x, y - 4, 5, k);
		snprintf(text, sizeof text, "cluster %zu (%zu)", k + 1, n);
		chart_text(o, x + 12, y, CHART_LABEL, "start", CHART_INK, text);
		y += 18;
	}
	if (r->n_clusters > LEGEND_MAX) {
		snprintf(text, sizeof text, "and %zu more", r->n_clusters - LEGEND_MAX);
		chart_text(o, x + 12, y, CHART_LABEL, "start", CHART_INK, text);
	}
}

static void
draw_zero(struct chart *c)
{
	if (c->x.low < 0 && c->x.high > 0)
		wn_out_format(c->o, "<path d=\"M%.1f %.1fv%.1f\" stroke=\"" CHART_FAINT "\"/>\n",
		              chart_x(c, 0), c->top, c->height);
	if (c->y.low < 0 && c->y.high > 0)
		wn_out_format(c->o, "<path d=\"M%.1f %.1fh%.1f\" stroke=\"" CHART_FAINT "\"/>\n",
		              c->left, chart_y(c, 0), c->width);
}

static struct chart_axis
axis_of(const double *values, size_t n, const char *title)
{
	struct chart_axis a = {.low = values[0], .high = values[0], .title = title};
	for (size_t i = 1; i < n; i++) {
		a.low = fmin(a.low, values[i]);
		a.high = fmax(a.high, values[i]);
	}
	return a;
}

static void
axis_title(const struct wn_characterization *r, size_t k, char out[64])
{
	snprintf(out, 64, "PC%zu (%.1f %% of the variance%s)", k + 1, 100 * r->pca.share[k],
	         k < r->n_kept ? "" : ", not kept");
}

wn_status
wn_draw_scores(const struct wn_characterization *r, size_t across, size_t up, FILE *to, wn_err *err)
{
	char titles[2][64];
	if (r->none != WN_ANALYSED || across >= r->pca.n_components || up >= r->pca.n_components)
		return nothing(err);
	struct chart_point *points = wn_calloc(r->n, sizeof *points);
	struct wn_out *o = points ? start(to) : NULL;
	if (!o) {
		wn_free(points);
		return wn_no_memory(err);
	}
	const double *x = r->pca.scores + across * r->n, *y = r->pca.scores + up * r->n;
	struct chart c = {.o = o, .left = 90, .top = 70, .width = 700, .height = 520};
	axis_title(r, across, titles[0]);
	axis_title(r, up, titles[1]);
	c.x = axis_of(x, r->n, titles[0]);
	c.y = axis_of(y, r->n, titles[1]);
	chart_begin(o, 940, 660, "Scores", "The nearer two are, the more alike");
	chart_axes(&c);
	draw_zero(&c);
	for (size_t i = 0; i < r->n; i++)
		points[i] = (struct chart_point){chart_x(&c, x[i]), chart_y(&c, y[i]),
		                                 r->cases->names[r->case_of[i]], r->cluster[i]};
	bool is_done = chart_points(&c, points, r->n);
	draw_legend(o, r, 812, 84);
	wn_status st = finish(o, err);
	wn_free(points);
	return is_done ? st : wn_no_memory(err);
}
