/* SPDX-License-Identifier: MIT */
/* chart_points.c - draws points and their names. Each name takes the first position around its
 * point, nearest first, that is inside the plot and clear of points and earlier names. A name
 * without a position is omitted and counted in a corner. */
#include "base/mem.h"
#include "export/chart.h"

#include <math.h>

#define RADIUS  4.5
#define RINGS   14u
#define AROUND  12u
#define LETTERS 26u /* positions of a name */

struct box {
	double left, top, right, bottom;
};

static bool
overlap(const struct box *a, const struct box *b)
{
	return fmin(a->right, b->right) > fmax(a->left, b->left) &&
	       fmin(a->bottom, b->bottom) > fmax(a->top, b->top);
}

/* Returns the box of a name at a position around its point. */
static struct box
place(const struct chart_point *p, double width, unsigned ring, unsigned around)
{
	/* beside, then above and below, then diagonal */
	static const unsigned order[AROUND] = {0, 6, 3, 9, 1, 11, 5, 7, 2, 10, 4, 8};
	double angle = order[around] * 2 * 3.14159265358979 / AROUND;
	double away = RADIUS + 4 + ring * 9.0, height = CHART_LABEL;
	double x = p->x + cos(angle) * away, y = p->y + sin(angle) * away;
	x += cos(angle) > 0.3 ? 0 : cos(angle) < -0.3 ? -width : -width / 2;
	y += sin(angle) > 0.3 ? height / 2 : sin(angle) < -0.3 ? -height / 2 : 0;
	return (struct box){x, y - height / 2 - 1, x + width, y + height / 2 + 1};
}

static bool
is_free(const struct chart *c, const struct box *box, const struct box *taken, size_t n_taken)
{
	if (box->left < c->left || box->right > c->left + c->width || box->top < c->top ||
	    box->bottom > c->top + c->height)
		return false;
	for (size_t i = 0; i < n_taken; i++)
		if (overlap(box, &taken[i]))
			return false;
	return true;
}

/* Draws a line from a point to its name if it is far. */
static void
draw_line(struct chart *c, const struct chart_point *p, const struct box *box)
{
	double x = fmin(fmax(p->x, box->left), box->right);
	double y = fmin(fmax(p->y, box->top), box->bottom);
	if (hypot(x - p->x, y - p->y) > RADIUS + 8)
		wn_out_format(c->o,
		              "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"" CHART_FAINT
		              "\" stroke-width=\".7\"/>\n",
		              p->x, p->y, x, y);
}

/* A white rim keeps text readable over lines. */
static void
draw_name(struct chart *c, const struct chart_point *p, const char *name, const struct box *box)
{
	wn_out_format(c->o,
	              "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" fill=\"%s\" stroke=\"#ffffff\" "
	              "stroke-width=\"3\" paint-order=\"stroke\">",
	              box->left, box->bottom - 3, CHART_LABEL,
	              chart_colours[p->cluster % CHART_COLOURS]);
	wn_out_xml(c->o, name);
	wn_out_text(c->o, "</text>\n");
}

/* Finds a free position for a name; false if there is none. */
static bool
find_place(const struct chart *c, const struct chart_point *p, double width, struct box *taken,
           size_t n_taken)
{
	for (unsigned k = 0; k < RINGS * AROUND; k++) {
		struct box box = place(p, width, k / AROUND, k % AROUND);
		if (!is_free(c, &box, taken, n_taken))
			continue;
		taken[n_taken] = box;
		return true;
	}
	return false;
}

/* taken: [2 * n], the points first; at: [n] position of each name. Returns the number of names
 * without room. */
static size_t
draw_names(struct chart *c, const struct chart_point *points, size_t n, struct box *taken,
           size_t *at)
{
	char cut[CHART_NAME_BYTES];
	size_t n_taken = n;
	for (size_t i = 0; i < n; i++) {
		const char *name = chart_cut(points[i].name, LETTERS, cut);
		at[i] =
		    find_place(c, &points[i], chart_text_width(name, CHART_LABEL), taken, n_taken)
			? n_taken++
			: 0;
		if (at[i])
			draw_line(c, &points[i], &taken[at[i]]);
	}
	for (size_t i = 0; i < n; i++)
		if (at[i])
			draw_name(c, &points[i], chart_cut(points[i].name, LETTERS, cut),
			          &taken[at[i]]);
	return 2 * n - n_taken;
}

bool
chart_points(struct chart *c, const struct chart_point *points, size_t n)
{
	struct box *taken = wn_calloc(2 * n, sizeof *taken);
	size_t *at = wn_calloc(n, sizeof *at);
	if (!taken || !at) {
		wn_free(taken);
		wn_free(at);
		return false;
	}
	for (size_t i = 0; i < n; i++)
		taken[i] = (struct box){points[i].x - RADIUS, points[i].y - RADIUS,
		                        points[i].x + RADIUS, points[i].y + RADIUS};
	size_t n_nameless = draw_names(c, points, n, taken, at);
	if (n_nameless > 0) {
		char text[80];
		snprintf(text, sizeof text, "%zu name%s no room", n_nameless,
		         n_nameless == 1 ? " has" : "s have");
		chart_text(c->o, c->left + c->width, c->top - 8, CHART_LABEL, "end", "#52606d",
		           text);
	}
	for (size_t i = 0; i < n; i++)
		chart_mark(c->o, points[i].x, points[i].y, RADIUS, points[i].cluster);
	wn_free(taken);
	wn_free(at);
	return true;
}
