/* SPDX-License-Identifier: MIT */
/* chart_tree.c - draws the dendrogram: cases on the left, heights to the right, clusters in colour.
 */
#include "base/error.h"
#include "base/mem.h"
#include "export/characterize.h"
#include "export/chart.h"

#include <math.h>

#define ROW 19.0

struct node {
	double x, y;
	size_t cluster; /* CHART_COLOURS or more: not one cluster, above the cut */
	bool is_mixed;
};

static struct node
part(const struct node *cases, const struct node *merges, int32_t which)
{
	return which < 0 ? cases[-which - 1] : merges[which - 1];
}

static const char *
colour(const struct node *n)
{
	return n->is_mixed ? CHART_FAINT : chart_colours[n->cluster % CHART_COLOURS];
}

/* Counts clusters that share the colour of an earlier one. */
static const char *
dashes(const struct node *n)
{
	return n->is_mixed || n->cluster < CHART_COLOURS ? ""
	       : n->cluster < (size_t)2 * CHART_COLOURS  ? " stroke-dasharray=\"6 2\""
	                                                 : " stroke-dasharray=\"2 2\"";
}

static void
draw_branch(struct wn_out *o, const struct node *from, double x, double y)
{
	wn_out_format(o,
	              "<path d=\"M%.1f %.1fH%.1fV%.1f\" fill=\"none\" stroke=\"%s\" "
	              "stroke-width=\"1.6\"%s/>\n",
	              from->x, from->y, x, y, colour(from), dashes(from));
}

static void
draw_tree(struct chart *c, const struct wn_characterization *r, struct node *cases,
          struct node *merges)
{
	char text[CHART_NAME_BYTES];
	for (size_t i = 0; i < r->n; i++) {
		size_t who = r->order[i];
		cases[who] = (struct node){.x = chart_x(c, 0),
		                           .y = c->top + ROW * ((double)i + 0.5),
		                           .cluster = r->cluster[who]};
		chart_text(c->o, c->left - 8, cases[who].y + 4, CHART_LABEL, "end",
		           colour(&cases[who]),
		           chart_cut(r->cases->names[r->case_of[who]], 36, text));
	}
	for (size_t i = 0; i + 1 < r->n; i++) {
		struct node a = part(cases, merges, r->merges[i].a),
			    b = part(cases, merges, r->merges[i].b);
		merges[i] =
		    (struct node){.x = chart_x(c, r->merges[i].height),
		                  .y = (a.y + b.y) / 2,
		                  .cluster = a.cluster,
		                  .is_mixed = a.is_mixed || b.is_mixed || a.cluster != b.cluster};
		draw_branch(c->o, &a, merges[i].x, merges[i].y);
		draw_branch(c->o, &b, merges[i].x, merges[i].y);
	}
}

/* Draws the cut between the last merge inside a cluster and the first of two clusters. */
static void
draw_cut(struct chart *c, const struct wn_characterization *r)
{
	if (r->n_clusters < 2 || r->n_clusters > r->n)
		return;
	double above = r->merges[r->n - r->n_clusters].height;
	double below = r->n > r->n_clusters ? r->merges[r->n - r->n_clusters - 1].height : 0;
	wn_out_format(c->o,
	              "<path d=\"M%.1f %.1fv%.1f\" stroke=\"" CHART_INK
	              "\" stroke-dasharray=\"5 4\"/>\n",
	              chart_x(c, (above + below) / 2), c->top, c->height);
}

static void
draw_scale(struct chart *c, double top)
{
	double step = pow(10, floor(log10(top > 0 ? top : 1)));
	char text[32];
	step = top / step < 2 ? step / 5 : top / step < 5 ? step / 2 : step;
	for (double at = 0; at <= top * 1.0001; at += step) {
		double x = chart_x(c, at);
		wn_out_format(c->o, "<path d=\"M%.1f %.1fv%.1f\" stroke=\"" CHART_GRID "\"/>\n", x,
		              c->top, c->height);
		snprintf(text, sizeof text, "%.4g", at);
		chart_text(c->o, x, c->top + c->height + 16, CHART_LABEL, "middle", "#52606d",
		           text);
	}
	chart_text(c->o, c->left + c->width / 2, c->top + c->height + 38, CHART_FONT, "middle",
	           CHART_INK, "height of the merge");
}

wn_status
wn_draw_dendrogram(const struct wn_characterization *r, FILE *to, wn_err *err)
{
	char text[CHART_NAME_BYTES];
	double names = 60;
	if (r->none != WN_ANALYSED)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
		               "nothing was analysed: there is no picture");
	struct wn_out *o = wn_calloc(1, sizeof *o);
	struct node *cases = wn_calloc(r->n, sizeof *cases),
		    *merges = wn_calloc(r->n, sizeof *merges);
	wn_status st = WN_OK;
	if (!o || !cases || !merges)
		WN_TRY(wn_no_memory(err));
	for (size_t i = 0; i < r->n; i++)
		names = fmax(names,
		             chart_text_width(chart_cut(r->cases->names[r->case_of[i]], 36, text),
		                              CHART_LABEL));
	double top = r->merges[r->n - 2].height;
	struct chart c = {.o = o, .left = 36 + names, .top = 70, .width = 560};
	c.height = ROW * (double)r->n;
	c.x = (struct chart_axis){.low = 0, .high = top > 0 ? top * 1.03 : 1};
	wn_out_begin(o, to);
	snprintf(text, sizeof text,
	         "Ward (%s) of autoscaled scores; the dashed line cuts %zu clusters",
	         r->ward == WN_WARD_D ? "ward.D" : "ward.D2", r->n_clusters);
	chart_begin(o, fmax(c.left + c.width + 40, 520), c.top + c.height + 60, "Dendrogram", text);
	draw_scale(&c, top);
	draw_tree(&c, r, cases, merges);
	draw_cut(&c, r);
	chart_end(o);
	WN_TRY(wn_out_end(o, err));
out:
	WN_FREE_ALL(o, cases, merges);
	return st;
}
