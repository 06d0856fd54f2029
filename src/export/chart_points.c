/* SPDX-License-Identifier: MIT */
/*
 * chart_points.c - points and their names. Each name tries places around its point, near ones
 * first, and takes the first that is inside the plot and free of points and names before it.
 */
#include "base/mem.h"
#include "export/chart.h"

#include <math.h>

#define RADIUS 4.5
#define RINGS  7u
#define AROUND 12u

struct box {
	double left, top, right, bottom;
};

static double
overlap(const struct box *a, const struct box *b)
{
	double width = fmin(a->right, b->right) - fmax(a->left, b->left);
	double height = fmin(a->bottom, b->bottom) - fmax(a->top, b->top);
	return width > 0 && height > 0 ? width * height : 0;
}

/* The box of a name at a place around its point. */
static struct box
place(const struct chart_point *p, double width, unsigned ring, unsigned around)
{
	/* beside it, then above and below, then between */
	static const unsigned order[AROUND] = {0, 6, 3, 9, 1, 11, 5, 7, 2, 10, 4, 8};
	double angle = order[around] * 2 * 3.14159265358979 / AROUND;
	double away = RADIUS + 4 + ring * 9.0, height = CHART_LABEL;
	double x = p->x + cos(angle) * away, y = p->y + sin(angle) * away;
	x += cos(angle) > 0.3 ? 0 : cos(angle) < -0.3 ? -width : -width / 2;
	y += sin(angle) > 0.3 ? height / 2 : sin(angle) < -0.3 ? -height / 2 : 0;
	return (struct box){x, y - height / 2 - 1, x + width, y + height / 2 + 1};
}

static double
cost(const struct chart *c, const struct box *box, const struct box *taken, size_t n_taken)
{
	double sum = 0;
	if (box->left < c->left || box->right > c->left + c->width || box->top < c->top ||
	    box->bottom > c->top + c->height)
		sum += 1e6;
	for (size_t i = 0; i < n_taken; i++)
		sum += overlap(box, &taken[i]);
	return sum;
}

static void
draw_name(struct chart *c, const struct chart_point *p, const char *name, const struct box *box,
          unsigned ring)
{
	double x = fmin(fmax(p->x, box->left), box->right);
	double y = fmin(fmax(p->y, box->top), box->bottom);
	if (ring > 0)
		wn_out_format(c->o,
		              "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"" CHART_FAINT
		              "\" stroke-width=\".7\"/>\n",
		              p->x, p->y, x, y);
	chart_text(c->o, box->left, box->bottom - 3, CHART_LABEL, "start", p->colour, name);
}

/* taken: [2 * n], the points in front. */
static void
draw_names(struct chart *c, const struct chart_point *points, size_t n, struct box *taken)
{
	for (size_t i = 0; i < n; i++) {
		char cut[CHART_NAME_BYTES];
		const char *name = chart_cut(points[i].name, 26, cut);
		double width = chart_text_width(name, CHART_LABEL), best_cost = INFINITY;
		struct box best = {0};
		unsigned best_ring = 0;
		for (unsigned k = 0; k < RINGS * AROUND && best_cost > 0; k++) {
			struct box box = place(&points[i], width, k / AROUND, k % AROUND);
			double its = cost(c, &box, taken, n + i);
			if (its >= best_cost)
				continue;
			best_cost = its;
			best = box;
			best_ring = k / AROUND;
		}
		taken[n + i] = best;
		draw_name(c, &points[i], name, &best, best_ring);
	}
}

bool
chart_points(struct chart *c, const struct chart_point *points, size_t n)
{
	struct box *taken = wn_calloc(2 * n, sizeof *taken);
	if (!taken)
		return false;
	for (size_t i = 0; i < n; i++)
		taken[i] = (struct box){points[i].x - RADIUS, points[i].y - RADIUS,
		                        points[i].x + RADIUS, points[i].y + RADIUS};
	draw_names(c, points, n, taken);
	for (size_t i = 0; i < n; i++)
		wn_out_format(c->o,
		              "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\" "
		              "stroke=\"#ffffff\" stroke-width=\".8\"/>\n",
		              points[i].x, points[i].y, RADIUS, points[i].colour);
	wn_free(taken);
	return true;
}
