/* SPDX-License-Identifier: MIT */
#include "export/layout.h"

#include "base/error.h"
#include "base/mem.h"

#define GAP_X  14 /* between siblings */
#define GAP_Y  18 /* above and below forks and joins */
#define MARGIN 24

/* Edges stay steep: one more unit of height for so many to the side, up to that height. */
#define SLOPE         7
#define SLOPE_AT_MOST 90

/* What edges that reach so far to the side need. */
static int64_t
gap_for(int64_t reach)
{
	return GAP_Y + (reach / SLOPE > SLOPE_AT_MOST ? SLOPE_AT_MOST : reach / SLOPE);
}

static int64_t
max_i64(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t
grain_height(const struct wn_layout *l, wn_grain id)
{
	const struct wn_graph *g = l->x->g;
	return wn_is_drawn(g, id) ? wn_export_height(l->x, g->work_ns[id]) : 0;
}

/* Sizes of a fork-join whose children's boxes are known. */
static void
size_fj(struct wn_layout *l, uint32_t fj)
{
	const struct wn_draw *d = l->x->draw;
	struct wn_box *box = &l->fj[fj];
	int64_t outer = l->grain[wn_draw_first_child(d, fj)].width, last = 0;
	box->width = -GAP_X;
	box->height = 0;
	for (wn_grain c = wn_draw_first_child(d, fj); c != WN_NO_GRAIN;
	     c = wn_draw_next_child(d, c)) {
		box->width += GAP_X + l->grain[c].width;
		box->height = max_i64(box->height, l->grain[c].height);
		last = l->grain[c].width;
	}
	box->gap = gap_for((box->width - (outer < last ? outer : last)) / 2);
	box->height += 2 * WN_SIZE_FORK + 2 * box->gap;
}

static void
size_grain(struct wn_layout *l, wn_grain id)
{
	const struct wn_draw *d = l->x->draw;
	struct wn_box *box = &l->grain[id];
	box->width = WN_SIZE_GRAIN;
	box->height = grain_height(l, id);
	for (uint32_t fj = wn_draw_first_fj(d, id); fj != WN_NO_FJ; fj = wn_draw_next_fj(d, fj)) {
		box->width = max_i64(box->width, l->fj[fj].width);
		box->height += (box->height ? GAP_Y : 0) + l->fj[fj].height;
	}
}

/* Positions of an owner's fork-joins and of their children's boxes. */
static void
place_below(struct wn_layout *l, wn_grain id)
{
	const struct wn_draw *d = l->x->draw;
	int64_t y = l->grain[id].top + grain_height(l, id);
	for (uint32_t fj = wn_draw_first_fj(d, id); fj != WN_NO_FJ; fj = wn_draw_next_fj(d, fj)) {
		struct wn_box *box = &l->fj[fj];
		int64_t x = l->grain[id].middle - box->width / 2;
		box->middle = l->grain[id].middle;
		box->top = y + (y > l->grain[id].top ? GAP_Y : 0);
		for (wn_grain c = wn_draw_first_child(d, fj); c != WN_NO_GRAIN;
		     c = wn_draw_next_child(d, c)) {
			l->grain[c].middle = x + l->grain[c].width / 2;
			l->grain[c].top = box->top + WN_SIZE_FORK + box->gap;
			x += l->grain[c].width + GAP_X;
		}
		y = box->top + box->height;
	}
}

/* The first grain of a subtree in post-order. */
static wn_grain
deepest(const struct wn_draw *d, wn_grain id)
{
	uint32_t fj;
	while ((fj = wn_draw_first_fj(d, id)) != WN_NO_FJ)
		id = wn_draw_first_child(d, fj);
	return id;
}

/* All boxes of a tree from the leaves up: a grain is sized when all below it is. */
static void
size_tree(struct wn_layout *l, wn_grain root)
{
	const struct wn_graph *g = l->x->g;
	const struct wn_draw *d = l->x->draw;
	wn_grain id = deepest(d, root);
	for (;;) {
		size_grain(l, id);
		if (id == root)
			return;
		wn_grain sibling = wn_draw_next_child(d, id);
		uint32_t fj = g->fj[id];
		if (sibling != WN_NO_GRAIN) {
			id = deepest(d, sibling);
			continue;
		}
		size_fj(l, fj);
		uint32_t next = wn_draw_next_fj(d, fj);
		id = next != WN_NO_FJ ? deepest(d, wn_draw_first_child(d, next)) : g->fjs[fj].owner;
	}
}

/* The same tree from the root down. */
static void
place_tree(struct wn_layout *l, wn_grain root)
{
	const struct wn_graph *g = l->x->g;
	const struct wn_draw *d = l->x->draw;
	wn_grain id = root;
	for (;;) {
		uint32_t fj = wn_draw_first_fj(d, id);
		place_below(l, id);
		if (fj != WN_NO_FJ) {
			id = wn_draw_first_child(d, fj);
			continue;
		}
		while (id != root && wn_draw_next_child(d, id) == WN_NO_GRAIN &&
		       wn_draw_next_fj(d, g->fj[id]) == WN_NO_FJ)
			id = g->fjs[g->fj[id]].owner;
		if (id == root)
			return;
		wn_grain sibling = wn_draw_next_child(d, id);
		id = sibling != WN_NO_GRAIN ? sibling
		                            : wn_draw_first_child(d, wn_draw_next_fj(d, g->fj[id]));
	}
}

/* What hangs off S: contexts outside regions, and grains below no fork-join. */
static bool
is_top(const struct wn_export *x, wn_grain id)
{
	const struct wn_graph *g = x->g;
	uint32_t fj = g->fj[id];
	if (!wn_is_drawn(g, id))
		return wn_draw_first_fj(x->draw, id) != WN_NO_FJ;
	return fj == WN_NO_FJ || g->fjs[fj].n_children == 0;
}

wn_status
wn_layout_new(const struct wn_export *x, struct wn_layout **out, wn_err *err)
{
	const struct wn_graph *g = x->g;
	struct wn_layout *l = wn_calloc(1, sizeof *l);
	int64_t at = MARGIN;
	if (!l || !(l->grain = wn_calloc(g->n, sizeof *l->grain)) ||
	    !(l->fj = wn_calloc(g->n_fjs, sizeof *l->fj))) {
		wn_layout_free(l);
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	}
	l->x = x;
	l->start_y = MARGIN;
	for (wn_grain id = 0; id < g->n; id++) {
		if (!is_top(x, id))
			continue;
		size_tree(l, id);
		l->grain[id].middle = at + l->grain[id].width / 2;
		l->grain[id].top = MARGIN + WN_SIZE_END + GAP_Y;
		l->height = max_i64(l->height, l->grain[id].height);
		at += l->grain[id].width + GAP_X;
		place_tree(l, id);
	}
	l->width = max_i64(at - GAP_X, MARGIN + WN_SIZE_GRAIN) + MARGIN;
	l->end_y = MARGIN + WN_SIZE_END + GAP_Y + l->height + GAP_Y;
	l->height = l->end_y + WN_SIZE_END + MARGIN;
	*out = l;
	return WN_OK;
}

void
wn_layout_free(struct wn_layout *l)
{
	if (!l)
		return;
	wn_free(l->grain);
	wn_free(l->fj);
	wn_free(l);
}

int64_t
wn_layout_gap(const struct wn_layout *l, struct wn_node_id id)
{
	return id.kind == WN_NODE_JOIN ? l->fj[id.fj].gap : GAP_Y;
}

struct wn_box
wn_layout_node(const struct wn_layout *l, struct wn_node_id id)
{
	if (id.kind == WN_NODE_START || id.kind == WN_NODE_END)
		return (struct wn_box){l->width / 2,
		                       id.kind == WN_NODE_START ? l->start_y : l->end_y,
		                       WN_SIZE_END, WN_SIZE_END, 0};
	if (id.kind == WN_NODE_GRAIN)
		return (struct wn_box){l->grain[id.grain].middle, l->grain[id.grain].top,
		                       WN_SIZE_GRAIN, grain_height(l, id.grain), 0};
	int64_t top = l->fj[id.fj].top;
	if (id.kind == WN_NODE_JOIN)
		top += l->fj[id.fj].height - WN_SIZE_FORK;
	return (struct wn_box){l->fj[id.fj].middle, top, WN_SIZE_FORK, WN_SIZE_FORK, 0};
}
