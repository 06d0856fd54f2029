/* SPDX-License-Identifier: MIT */
/* lanes.c - draws the grain that each thread was executing, as measured: grains from begin to end;
 * a grain that runs inside another on the same thread replaces it, which splits the outer one into
 * pieces. */
#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"
#include "page/canvas.h"
#include "page/table.h"

#include <math.h>
#include <string.h>

static double
later(double a, double b)
{
	return a > b ? a : b;
}

static double
earlier(double a, double b)
{
	return a < b ? a : b;
}

void
page_lanes_begin(struct page *p, const struct page_lanes *view)
{
	p->lanes.view = *view;
	p->lanes.n = 0;
	p->lanes.is_too_many = false;
}

wn_status
page_lanes_rows(struct page *p, const uint32_t *row_of, uint32_t n, wn_err *err)
{
	uint32_t *own = wn_calloc(n, sizeof *own);
	if (!own)
		return wn_no_memory(err);
	memcpy(own, row_of, n * sizeof *own);
	wn_free(p->lanes.row_of);
	p->lanes.row_of = own;
	p->lanes.n_row_of = n;
	return WN_OK;
}

void
page_lanes_request(struct page *p, struct table *t)
{
	static const char *const names[LANE_COLUMNS_N] = {
	    [LANE_THREAD] = "thread", [LANE_BEGIN] = "begin_ns", [LANE_END] = "end_ns"};
	const char *name;
	for (uint32_t k = 0; (name = table_column(t, k)); k++)
		for (uint32_t i = 0; i < LANE_COLUMNS_N; i++)
			if (strcmp(name, names[i]) == 0) {
				p->lanes.columns[i] = k;
				table_request_column(t, k);
			}
}

wn_status
page_lanes_add(struct page *p, const struct table *t, wn_err *err)
{
	struct lanes *l = &p->lanes;
	for (uint32_t i = 0; i < table_rows(t) && !l->is_too_many; i++) {
		double thread = table_value(t, l->columns[LANE_THREAD], i);
		struct stay lane = {.begin = table_value(t, l->columns[LANE_BEGIN], i),
		                    .end = table_value(t, l->columns[LANE_END], i),
		                    .node = table_node(t, i),
		                    .colour = page_colour(p, table_site(t, i))};
		/* also false if one is unknown */
		bool is_in = thread < (l->row_of ? l->n_row_of : l->view.n_threads) &&
		             lane.begin < l->view.to_ns && lane.end > l->view.from_ns &&
		             lane.begin < lane.end;
		if (!is_in)
			continue;
		lane.thread = l->row_of ? l->row_of[(uint32_t)thread] : (uint32_t)thread;
		if (wn_grow(&l->at, &l->capacity, l->n + 1, sizeof *l->at) != 0)
			return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
		l->at[l->n++] = lane;
		l->is_too_many = l->n > PAGE_SHAPES_MAX;
	}
	return WN_OK;
}

bool
page_lanes_are_full(const struct page *p)
{
	return p->lanes.is_too_many;
}

/* Sorts by thread and begin; of those that begin together, the outer one, which ends last, is
 * first. */
static bool
is_before(const void *a, const void *b)
{
	const struct stay *x = a, *y = b;
	if (x->thread != y->thread)
		return x->thread < y->thread;
	if (x->begin != y->begin)
		return x->begin < y->begin;
	return x->end != y->end ? x->end > y->end : x->node < y->node;
}

/* Draws a piece; nothing if it is outside the window. At least a pixel wide, so that it is visible.
 */
static void
paint_piece(const struct page_lanes *v, struct canvas *out, const struct stay *lane, double begin,
            double end)
{
	double scale = v->width / (v->to_ns - v->from_ns);
	double x = later(begin - v->from_ns, 0) * scale;
	double to = earlier(end - v->from_ns, v->to_ns - v->from_ns) * scale;
	if (end <= begin || end <= v->from_ns || begin >= v->to_ns)
		return;
	struct page_shape shape = {
	    .x = (float)x,
	    .y = v->row * (float)lane->thread,
	    .w = (float)later(to - x, 1),
	    .h = v->row > 3 ? v->row - 2 : v->row,
	    .node = lane->node,
	    .kind = PAGE_GRAIN,
	    .flags = lane->node == v->selected ? PAGE_F_SELECTED : 0,
	    .colour = lane->colour,
	};
	canvas_shape(out, &shape);
}

/* Draws the grains of one thread [n]; `inside` has room for as many: those begun and not ended, the
 * innermost last. */
static void
paint_thread(const struct page_lanes *v, struct canvas *out, const struct stay *lanes, size_t n,
             const struct stay **inside)
{
	size_t depth = 0;
	double at = 0; /* everything before is painted */
	for (size_t i = 0; i <= n; i++) {
		double next = i < n ? lanes[i].begin : INFINITY;
		while (depth > 0 && inside[depth - 1]->end <= next) {
			const struct stay *done = inside[--depth];
			paint_piece(v, out, done, at, done->end);
			at = later(at, done->end);
		}
		if (depth > 0)
			paint_piece(v, out, inside[depth - 1], at, next);
		at = later(at, next);
		if (i < n)
			inside[depth++] = &lanes[i];
	}
}

/* Draws lanes in order, with scratch space for as many grains. */
static void
paint(const struct lanes *l, const struct stay **inside, struct canvas *out)
{
	canvas_begin(out);
	for (size_t i = 0, n; i < l->n && !l->is_too_many; i += n) {
		for (n = 1; i + n < l->n && l->at[i + n].thread == l->at[i].thread;)
			n++;
		paint_thread(&l->view, out, l->at + i, n, inside);
	}
}

wn_status
page_lanes_draw(struct page *p, struct page_picture *out, wn_err *err)
{
	struct lanes *l = &p->lanes;
	const struct stay **inside = wn_calloc(l->n, sizeof *inside);
	/* each grain adds a piece that ends with it, and one before each grain inside it */
	struct canvas_size size = {.n_shapes = 2 * l->n};
	if (!inside || !wn_order(l->at, l->n, sizeof *l->at, is_before) ||
	    !canvas_reserve(p->canvas, &size)) {
		wn_free(inside);
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	}
	paint(l, inside, p->canvas);
	wn_free(inside);
	bool is_exact = !l->is_too_many && p->canvas->n_shapes <= PAGE_SHAPES_MAX;
	*out = canvas_picture(p->canvas);
	out->n_shapes = is_exact ? out->n_shapes : 0;
	out->n_grains = is_exact ? l->n : 0;
	out->is_exact = is_exact;
	return WN_OK;
}
