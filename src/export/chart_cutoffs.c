/* SPDX-License-Identifier: MIT */
/* chart_cutoffs.c - draws the three times of a task over cut-offs, and the recommended range. */
#include "base/error.h"
#include "base/mem.h"
#include "export/characterize.h"
#include "export/chart.h"

#include <math.h>

static const char *const names[WN_TREND_N] = {
    [WN_TREND_EXECUTION] = "execution",
    [WN_TREND_PARALLELISATION] = "parallelisation",
    [WN_TREND_IDLE] = "idle",
};
static const char *const colours[WN_TREND_N] = {
    [WN_TREND_EXECUTION] = "#0072B2",
    [WN_TREND_PARALLELISATION] = "#D55E00",
    [WN_TREND_IDLE] = "#6B4C9A",
};

static const char *
time_text(double ns, char out[32])
{
	if (ns < 1e3)
		snprintf(out, 32, "%.3g ns", ns);
	else if (ns < 1e6)
		snprintf(out, 32, "%.3g us", ns / 1e3);
	else if (ns < 1e9)
		snprintf(out, 32, "%.3g ms", ns / 1e6);
	else
		snprintf(out, 32, "%.3g s", ns / 1e9);
	return out;
}

static void
draw_band(struct chart *c, const struct wn_cutoff_range *range)
{
	if (isnan(range->from))
		return;
	double from = chart_x(c, range->from), to = chart_x(c, range->to);
	wn_out_format(c->o,
	              "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" "
	              "opacity=\".55\"/>\n",
	              from, c->top, fmax(to - from, 2), c->height,
	              range->n_good ? "#d5f0dd" : "#fbe3cf");
	chart_text(c->o, (from + to) / 2, c->top + 16, CHART_LABEL, "middle",
	           range->n_good ? "#1e7b45" : "#a2520b",
	           range->n_good ? "recommended" : "least bad");
}

static void
draw_trend(struct chart *c, const struct wn_cutoff *runs, size_t n, int k)
{
	bool is_down = false; /* pen state */
	wn_out_format(c->o, "<path fill=\"none\" stroke-width=\"2\" stroke=\"%s\" d=\"",
	              colours[k]);
	for (size_t i = 0; i < n; i++) {
		if (isnan(runs[i].ns[k])) {
			is_down = false;
			continue;
		}
		wn_out_format(c->o, "%s%.1f %.1f", is_down ? "L" : "M", chart_x(c, runs[i].at),
		              chart_y(c, fmax(runs[i].ns[k], 1)));
		is_down = true;
	}
	wn_out_text(c->o, "\"/>\n");
	for (size_t i = 0; i < n; i++)
		if (!isnan(runs[i].ns[k]))
			wn_out_format(
			    c->o, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>\n",
			    chart_x(c, runs[i].at), chart_y(c, fmax(runs[i].ns[k], 1)), colours[k]);
}

/* Places names at the right end of the lines, at least one line of text apart. */
static void
draw_names(struct chart *c, const struct wn_cutoff *last)
{
	int order[WN_TREND_N] = {0, 1, 2};
	double y[WN_TREND_N], free_from = c->top;
	for (int k = 0; k < WN_TREND_N; k++)
		y[k] = isnan(last->ns[k]) ? c->top + c->height : chart_y(c, fmax(last->ns[k], 1));
	for (int i = 1; i < WN_TREND_N; i++)
		for (int k = i; k > 0 && y[order[k]] < y[order[k - 1]]; k--) {
			int swap = order[k];
			order[k] = order[k - 1];
			order[k - 1] = swap;
		}
	for (int i = 0; i < WN_TREND_N; i++) {
		int k = order[i];
		double at = fmax(y[k], free_from);
		chart_text(c->o, c->left + c->width + 10, at + 4, CHART_FONT, "start", colours[k],
		           names[k]);
		free_from = at + 17;
	}
}

wn_status
wn_draw_cutoffs(const struct wn_cutoff *runs, size_t n, const struct wn_cutoff_range *range,
                bool by_mean, FILE *to, wn_err *err)
{
	if (n == 0)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "no runs: there is no picture");
	struct wn_out *o = wn_calloc(1, sizeof *o);
	double *ticks = wn_calloc(n, sizeof *ticks);
	wn_status st = WN_OK;
	if (!o || !ticks)
		WN_TRY(wn_no_memory(err));
	struct chart c = {.o = o, .left = 90, .top = 70, .width = 620, .height = 380};
	c.y =
	    (struct chart_axis){.low = INFINITY, .high = 1, .is_log = true, .tick_text = time_text};
	c.y.title = by_mean ? "per task, mean" : "per task, median";
	c.x = (struct chart_axis){.low = runs[0].at,
	                          .high = runs[n - 1].at,
	                          .is_log = range->is_log,
	                          .ticks = ticks,
	                          .n_ticks = n,
	                          .title = "cut-off"};
	for (size_t i = 0; i < n; i++) {
		ticks[i] = runs[i].at;
		for (int k = 0; k < WN_TREND_N; k++) {
			double ns = isnan(runs[i].ns[k]) ? 1 : fmax(runs[i].ns[k], 1);
			c.y.low = fmin(c.y.low, ns);
			c.y.high = fmax(c.y.high, ns);
		}
	}
	wn_out_begin(o, to);
	chart_begin(o, 850, 520, "What a task does, costs, and lets idle",
	            "Stay where execution is above parallelisation, and that above idleness");
	chart_axes(&c);
	draw_band(&c, range);
	for (int k = 0; k < WN_TREND_N; k++)
		draw_trend(&c, runs, n, k);
	draw_names(&c, &runs[n - 1]);
	chart_end(o);
	WN_TRY(wn_out_end(o, err));
out:
	wn_free(o);
	wn_free(ticks);
	return st;
}
