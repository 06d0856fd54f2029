/* SPDX-License-Identifier: MIT */
/* structure_paint.c - converts the papers' picture to shapes: frames of open groups, then edges,
 * then the boxes that cover their ends; texts where they fit. */
#include "base/decimal.h"
#include "page/related.h"

#include <string.h>

/* Minimum scales for a number in a box, for one line of text and the number of its card, for two.
 */
#define ONE_NUMBER 0.34
#define ONE_LINE   0.6
#define TWO_LINES  0.85
#define HALF_LINE  3.5 /* from the middle of small text to its base line */

struct painter {
	const struct page *p;
	const struct structure *s;
	const struct page_view *v;
	struct canvas *out;
	double sx, sy;
};

static uint8_t
ramp_of(uint32_t n_problem, uint32_t n, uint8_t severity)
{
	if (n_problem == 0)
		return 0;
	if (severity)
		return severity;
	double share = 255.0 * n_problem / (n ? n : 1);
	return share >= 255 ? 255 : share < 1 ? 1 : (uint8_t)share;
}

static uint8_t
flags_of(const struct painter *k, uint8_t flags, uint32_t n_problem, uint32_t node, uint32_t site)
{
	bool is_dim = (k->v->problem != PAGE_ALL_PROBLEMS && n_problem == 0) ||
	              (k->v->site != NO_NODE && site != k->v->site);
	return (uint8_t)((n_problem ? PAGE_F_PROBLEM : 0) |
	                 (flags & PAGE_NODE_CRITICAL ? PAGE_F_CRITICAL : 0) |
	                 (flags & PAGE_NODE_ROGUE ? PAGE_F_ROGUE : 0) |
	                 (flags & PAGE_NODE_ESTIMATED ? PAGE_F_ESTIMATED : 0) |
	                 (is_dim ? PAGE_F_DIM : 0) |
	                 (node == k->v->selected ? PAGE_F_SELECTED : 0));
}

static void
paint(struct painter *k, struct page_shape shape, double x, double y, double w, double h)
{
	double px = (x - k->v->x) * k->sx, py = (y - k->v->y) * k->sy, pw = w * k->sx,
	       ph = h * k->sy;
	double left = pw < 0 ? px + pw : px, right = pw < 0 ? px : px + pw;
	double top = ph < 0 ? py + ph : py, bottom = ph < 0 ? py : py + ph;
	if (right < -8 || bottom < -8 || left > k->v->width + 8.0 || top > k->v->height + 8.0)
		return;
	shape.x = (float)px;
	shape.y = (float)py;
	shape.w = (float)pw;
	shape.h = (float)ph;
	canvas_shape(k->out, &shape);
}

static void
line(struct painter *k, uint8_t kind, bool is_critical, double x, double y, double to_x,
     double to_y)
{
	struct page_shape shape = {.node = NO_NODE,
	                           .kind = kind,
	                           .colour = PAGE_NO_COLOUR,
	                           .flags = is_critical ? PAGE_F_CRITICAL : 0};
	if (k->out->n_shapes < PAGE_SHAPES_MAX)
		paint(k, shape, x, y, to_x - x, to_y - y);
}

static void
text(struct painter *k, double x, double y, uint8_t anchor, uint8_t style, const char *words)
{
	double px = (x - k->v->x) * k->sx, py = (y - k->v->y) * k->sy;
	if (k->sy < ONE_NUMBER || px < -64 || py < 0 || px > k->v->width + 64.0 ||
	    py > k->v->height + 16.0)
		return; /* too small to read */
	canvas_text(k->out, (float)px, (float)py, anchor, style, words, strlen(words));
}

static double
middle(const struct box *t)
{
	double w = t->kind == BOX_CARD ? t->w - COUNT_WIDTH : t->w;
	return (double)t->x + w / 2;
}

/* Formats about three digits of any magnitude. */
static size_t
short_value(double value, char out[WN_DECIMAL_BYTES])
{
	char power[2 + WN_DECIMAL_BYTES] = "e-";
	double size = value < 0 ? -value : value;
	uint32_t n = 0;
	for (; size > 0 && size < 0.01 && n < 400; n++)
		value *= 10, size *= 10;
	if (n == 0)
		return strlen(wn_decimal_ratio(value, out));
	for (; size < 1; n++)
		value *= 10, size *= 10;
	wn_decimal_fixed(value, 1, out);
	wn_decimal_count(n, power + 2);
	memcpy(out + strlen(out), power, strlen(power) + 1);
	return strlen(out);
}

/* Formats a count that fits a small box: in thousands from 100,000 on. */
static void
count_words(uint32_t n, char *out)
{
	wn_decimal_count(n < 100000 ? n : n / 1000, out);
	if (n >= 100000)
		memcpy(out + strlen(out), " k", 3);
}

/* Returns the value of one group, or the range of a card's groups. */
static bool
value_words(const struct box *t, char words[3 * WN_DECIMAL_BYTES])
{
	if (t->least != t->least)
		return false;
	size_t n = short_value(t->least, words);
	if (t->most != t->least) {
		memcpy(words + n, " - ", 3);
		short_value(t->most, words + n + 3);
	}
	return true;
}

static void
paint_words(struct painter *k, const struct box *t)
{
	char words[3 * WN_DECIMAL_BYTES];
	double x = middle(t) - (t->kind == BOX_CARD ? (double)PILE : 0);
	double y = (double)t->y + (t->kind == BOX_CARD ? (double)(2 * PILE) : 0);
	bool has_room = k->sy >= TWO_LINES;
	uint32_t n = t->is_mixed || t->kind != BOX_CARD ? t->n_grains : t->n_grains / t->n_members;
	wn_decimal_count(n, words);
	memcpy(words + strlen(words), n == 1 ? " grain" : " grains", n == 1 ? 7 : 8);
	if (has_room)
		text(k, x, y + 14, 1, PAGE_TEXT, words);
	/* the shown metric has priority */
	bool has_value = value_words(t, words);
	if (!has_room && (!has_value || k->sy < ONE_LINE))
		count_words(n, words);
	if (!has_room)
		text(k, x, y + (double)BOX_HEIGHT / 2 + HALF_LINE / k->sy, 1, PAGE_TEXT_SMALL,
		     words);
	if (!has_value)
		wn_decimal_time(t->kind == BOX_CARD && !t->is_mixed ? t->work_ns / t->n_members
		                                                    : t->work_ns,
		                words);
	if (has_room)
		text(k, x, y + 26, 1, PAGE_TEXT_SMALL, words);
	if (t->kind != BOX_CARD || k->sy < ONE_LINE)
		return;
	memcpy(words, "x ", 2);
	wn_decimal_count(t->n_members, words + 2);
	text(k, (double)(t->x + t->w - COUNT_WIDTH) + 2, (double)t->y + 10, 0, PAGE_TEXT_COUNT,
	     words);
}

static void
paint_strip(struct painter *k, const struct box *t)
{
	const struct bar *bars = t->n ? &k->s->bars[t->first] : NULL;
	char words[3 * WN_DECIMAL_BYTES];
	double bottom = (double)t->y + (double)(GRAIN_MOST + MARGIN / 2),
	       x = (double)(t->x + MARGIN / 2);
	for (uint32_t i = 0; i < t->n; i++, x += (double)BAR_WIDTH) {
		const struct bar *b = &bars[i];
		double h = (double)structure_grain_height(k->v, b->work_ns, t->longest_ns);
		struct page_shape shape = {
		    .node = b->node,
		    .kind = PAGE_BAR,
		    .colour = b->colour,
		    .ramp = ramp_of(b->n_problem, b->n, b->n == 1 ? b->severity : 0),
		    .flags = flags_of(k, b->flags, b->n_problem, b->node, t->site)};
		shape.flags |= b->n > 1 ? PAGE_F_MORE : 0;
		paint(k, shape, x, bottom - h, (double)BAR_WIDTH, h);
	}
	count_words(t->n_grains, words);
	if (k->sy >= ONE_LINE) {
		wn_decimal_count(t->n_grains, words);
		memcpy(words + strlen(words), " grains, ", 10);
		wn_decimal_time(t->work_ns, words + strlen(words));
	}
	text(k, middle(t), bottom + 13, 1, PAGE_TEXT_SMALL, words);
}

/* Draws from above a box's middle to below it, further if the join is lower. */
static void
paint_branch(struct painter *k, const struct box *fork, const struct box *t)
{
	double x = (double)(fork->x + fork->w / 2),
	       top = (double)(fork->y + box_margin(fork) + CIRCLE);
	double bottom = (double)(fork->y + fork->h - box_margin(fork) - CIRCLE);
	bool is_critical = t->flags & PAGE_NODE_CRITICAL && fork->flags & PAGE_NODE_CRITICAL;
	double below = (double)(t->y + t->h), turn = bottom - (double)EDGE;
	if (t->rank == 0)
		line(k, PAGE_BEND, is_critical, x, top, middle(t), (double)t->y);
	if (t->has_successor)
		return;
	if (turn > below)
		line(k, PAGE_LINE, is_critical, middle(t), below, middle(t), turn);
	line(k, PAGE_BEND, is_critical, middle(t), turn > below ? turn : below, x, bottom);
}

static void
paint_open(struct painter *k, const struct box *t)
{
	const struct box *in = k->s->boxes + t->first;
	struct page_shape circle = {.node = t->node,
	                            .kind = PAGE_FORK,
	                            .colour = PAGE_NO_COLOUR,
	                            .flags = t->flags & PAGE_NODE_CRITICAL ? PAGE_F_CRITICAL : 0};
	for (uint32_t i = 0; i < t->n; i++)
		if (t->kind == BOX_FORK)
			paint_branch(k, t, &in[i]);
		else if (i > 0)
			line(k, PAGE_LINE, in[i].flags & in[i - 1].flags & PAGE_NODE_CRITICAL,
			     middle(&in[i - 1]), (double)(in[i - 1].y + in[i - 1].h),
			     middle(&in[i]), (double)in[i].y);
	if (t->kind != BOX_FORK)
		return;
	double x = (double)(t->x + t->w / 2 - CIRCLE / 2);
	paint(k, circle, x, (double)(t->y + box_margin(t)), (double)CIRCLE, (double)CIRCLE);
	circle.kind = PAGE_JOIN;
	paint(k, circle, x, (double)(t->y + t->h - box_margin(t) - CIRCLE), (double)CIRCLE,
	      (double)CIRCLE);
}

static void
paint_box(struct painter *k, const struct box *t)
{
	static const uint8_t kinds[] = {
	    [BOX_GRAIN] = PAGE_GRAIN, [BOX_CLOSED] = PAGE_CLOSED, [BOX_CARD] = PAGE_CARD,
	    [BOX_STRIP] = PAGE_STRIP, [BOX_LINEAR] = PAGE_OPEN,   [BOX_FORK] = PAGE_OPEN};
	struct page_shape shape = {.node = t->node, .kind = kinds[t->kind], .colour = t->colour};
	shape.ramp = ramp_of(t->n_problem, t->n_grains, t->kind == BOX_GRAIN ? t->severity : 0);
	shape.flags = flags_of(k, t->flags, t->n_problem, t->node, t->site);
	shape.flags |= t->kind == BOX_CLOSED || t->kind == BOX_CARD ? PAGE_F_MORE : 0;
	shape.flags |= t->is_missing ? PAGE_F_MISSING : 0;
	bool is_card = t->kind == BOX_CARD; /* its front box */
	k->out->n_grains += t->kind < BOX_LINEAR ? t->n_grains : 0;
	double w = (double)(is_card ? BOX_WIDTH : t->w), h = (double)(is_card ? BOX_HEIGHT : t->h);
	double y = (double)t->y + (is_card ? (double)(2 * PILE) : 0);
	if (shape.flags & PAGE_F_MISSING)
		canvas_need(k->out, k->p, t->node, w * h);
	if (!t->is_bare || shape.flags & PAGE_F_SELECTED)
		paint(k, shape, (double)t->x, y, w, h);
	double left = ((double)t->x - k->v->x) * k->sx, top = (y - k->v->y) * k->sy;
	canvas_marks(k->out, k->p, k->v, t->node, t->kind >= BOX_LINEAR ? t->node + 1 : t->end,
	             t->kind >= BOX_LINEAR, left, top, left + w * k->sx, top + h * k->sy);
	if (t->kind == BOX_CLOSED || t->kind == BOX_CARD)
		paint_words(k, t);
	else if (t->kind == BOX_STRIP)
		paint_strip(k, t);
}

struct canvas_size
structure_needs(const struct page *p, const struct structure *s)
{
	/* per box: itself and two circles, or three lines; three texts and signs of marks */
	struct canvas_size size = {.n_shapes =
	                               6 * s->n_boxes + s->n_bars + s->n_edges + RELATED_LINES_MAX};
	size.n_texts = (p->n_marks ? 3u + PAGE_MARK_N : 3u) * s->n_boxes;
	size.n_bytes = CANVAS_TEXT_BYTES * size.n_texts;
	return size;
}

void
structure_paint(const struct snapshot *snapshot, const struct structure *s,
                const struct page_view *view, struct canvas *out)
{
	struct painter k = {snapshot->page,        s, view, out, view->width / view->w,
	                    view->height / view->h};
	canvas_begin(out);
	/* frames, then edges, then the boxes that cover their ends */
	for (size_t i = 0; i < s->n_boxes; i++)
		if (s->boxes[i].kind >= BOX_LINEAR)
			paint_box(&k, &s->boxes[i]);
	for (size_t i = 0; i < s->n_boxes; i++)
		if (s->boxes[i].kind >= BOX_LINEAR)
			paint_open(&k, &s->boxes[i]);
	for (size_t i = 0; i < s->n_edges; i++) {
		const struct box *from = &s->boxes[s->edges[i].from],
				 *to = &s->boxes[s->edges[i].to];
		line(&k, PAGE_DEPENDENCE, from->flags & to->flags & PAGE_NODE_CRITICAL,
		     middle(from), (double)(from->y + from->h), middle(to), (double)to->y);
	}
	for (size_t i = 0; i < s->n_boxes; i++)
		if (s->boxes[i].kind < BOX_LINEAR)
			paint_box(&k, &s->boxes[i]);
}
