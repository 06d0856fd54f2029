/* SPDX-License-Identifier: MIT */
#include "export/layout.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>

#define GAP_X   14 /* between siblings */
#define GAP_Y   18 /* above and below forks and joins */
#define ROW_GAP 34 /* between rows of tasks that depend on each other */
#define MARGIN  24

/* Width / height of children in rows. Narrower children stay in one row: if there are few, the
 * limit is larger, as branches in rows look like a sequence. */
#define PAGE     1.6
#define WRAP_FEW 2400
#define WRAP     700
#define FEW      4

/* Keeps edges steep: one unit of height per SLOPE units to the side, up to a limit. */
#define SLOPE         7
#define SLOPE_AT_MOST 90

/* Returns the height for edges of a given horizontal reach. */
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
	return !wn_is_drawn(g, id) ? 0
	       : l->side           ? l->side[id]
	                           : wn_export_height(l->x, wn_work_ns(g, id));
}

static int64_t
grain_width(const struct wn_layout *l, wn_grain id)
{
	return l->side ? grain_height(l, id) : WN_SIZE_GRAIN;
}

static uint32_t
rank_of(const struct wn_layout *l, wn_grain id)
{
	return l->rank ? l->rank[id] : 0;
}

/* Computes widths and heights of the rows of a fork-join from its children's boxes; returns their
 * number. */
static uint32_t
measure_rows(struct wn_layout *l, uint32_t fj)
{
	const struct wn_draw *d = l->x->draw;
	uint32_t n = 0;
	for (wn_grain c = wn_draw_first_child(d, fj); c != WN_NO_GRAIN;
	     c = wn_draw_next_child(d, c)) {
		uint32_t rank = rank_of(l, c);
		if (wn_grow(&l->rows, &l->rows_capacity, (size_t)rank + 1, sizeof *l->rows) != 0) {
			l->is_out_of_memory = true;
			return n;
		}
		while (n <= rank)
			l->rows[n++] = (struct wn_row){.width = -GAP_X};
		l->rows[rank].width += GAP_X + l->grain[c].width;
		l->rows[rank].height = max_i64(l->rows[rank].height, l->grain[c].height);
	}
	return n;
}

/* Arranges children in rows with about the aspect ratio of a page. */
static void
wrap_rows(struct wn_layout *l, uint32_t fj)
{
	const struct wn_draw *d = l->x->draw;
	double area = 0;
	int64_t width = 0, widest = 0, sum = 0;
	uint32_t n = 0;
	for (wn_grain c = wn_draw_first_child(d, fj); c != WN_NO_GRAIN;
	     c = wn_draw_next_child(d, c)) {
		const struct wn_box *box = &l->grain[c];
		area += (double)(box->width + GAP_X) * (double)(box->height + ROW_GAP);
		widest = max_i64(widest, box->width);
		sum += box->width + GAP_X;
		n++;
	}
	int64_t room = max_i64(widest, (int64_t)sqrt(PAGE * area));
	uint32_t row = 0;
	if (sum < (n <= FEW ? WRAP_FEW : WRAP))
		room = sum;
	for (wn_grain c = wn_draw_first_child(d, fj); c != WN_NO_GRAIN;
	     c = wn_draw_next_child(d, c)) {
		int64_t with = width + (width ? GAP_X : 0) + l->grain[c].width;
		bool is_full = width && with > room;
		row += is_full;
		width = is_full ? l->grain[c].width : with;
		l->rank[c] = row;
	}
}

/* Computes the size of a fork-join from its children's boxes. */
static void
size_fj(struct wn_layout *l, uint32_t fj)
{
	const struct wn_draw *d = l->x->draw;
	struct wn_box *box = &l->fj[fj];
	int64_t outer = l->grain[wn_draw_first_child(d, fj)].width, last = 0;
	if (l->is_wrapped)
		wrap_rows(l, fj);
	uint32_t n_rows = measure_rows(l, fj);
	box->n_rows = n_rows;
	box->width = 0;
	box->height = (n_rows - 1) * ROW_GAP;
	for (uint32_t i = 0; i < n_rows; i++) {
		box->width = max_i64(box->width, l->rows[i].width);
		box->height += l->rows[i].height;
	}
	for (wn_grain c = wn_draw_first_child(d, fj); c != WN_NO_GRAIN;
	     c = wn_draw_next_child(d, c))
		last = l->grain[c].width;
	box->gap = gap_for((box->width - (outer < last ? outer : last)) / 2);
	if (l->is_wrapped && n_rows > 1) {
		box->gap = ROW_GAP;
		box->width += 2 * WN_LAYOUT_SIDE;
	}
	box->height += 2 * WN_SIZE_FORK + 2 * box->gap;
}

static void
size_grain(struct wn_layout *l, wn_grain id)
{
	const struct wn_draw *d = l->x->draw;
	struct wn_box *box = &l->grain[id];
	box->width = grain_width(l, id);
	box->height = grain_height(l, id);
	for (uint32_t fj = wn_draw_first_fj(d, id); fj != WN_NO_FJ; fj = wn_draw_next_fj(d, fj)) {
		box->width = max_i64(box->width, l->fj[fj].width);
		box->height += (box->height ? GAP_Y : 0) + l->fj[fj].height;
	}
}

/* Computes positions of an owner's fork-joins and of their children's boxes. */
static void
place_below(struct wn_layout *l, wn_grain id)
{
	const struct wn_draw *d = l->x->draw;
	int64_t y = l->grain[id].top + grain_height(l, id);
	for (uint32_t fj = wn_draw_first_fj(d, id); fj != WN_NO_FJ; fj = wn_draw_next_fj(d, fj)) {
		struct wn_box *box = &l->fj[fj];
		uint32_t n_rows = measure_rows(l, fj);
		box->middle = l->grain[id].middle;
		box->top = y + (y > l->grain[id].top ? GAP_Y : 0);
		y = box->top + WN_SIZE_FORK + box->gap;
		for (uint32_t i = 0; i < n_rows; i++) {
			l->rows[i].top = y;
			l->rows[i].x = box->middle - l->rows[i].width / 2;
			y += l->rows[i].height + ROW_GAP;
		}
		for (wn_grain c = wn_draw_first_child(d, fj); c != WN_NO_GRAIN;
		     c = wn_draw_next_child(d, c)) {
			struct wn_row *row = &l->rows[rank_of(l, c)];
			l->grain[c].middle = row->x + l->grain[c].width / 2;
			l->grain[c].top = row->top;
			l->grain[c].foot = row->top + row->height;
			row->x += l->grain[c].width + GAP_X;
		}
		y = box->top + box->height;
	}
}

/* Returns the first grain of a subtree in post-order. */
static wn_grain
deepest(const struct wn_draw *d, wn_grain id)
{
	uint32_t fj;
	while ((fj = wn_draw_first_fj(d, id)) != WN_NO_FJ)
		id = wn_draw_first_child(d, fj);
	return id;
}

/* Computes boxes in post-order, so that a grain is sized after its descendants. */
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

/* Computes positions from the root down. */
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

/* Places the children of S: contexts outside regions, and grains below no fork-join. */
static bool
is_top(const struct wn_export *x, wn_grain id)
{
	const struct wn_graph *g = x->g;
	uint32_t fj = g->fj[id];
	if (!wn_is_drawn(g, id))
		return wn_draw_first_fj(x->draw, id) != WN_NO_FJ;
	return fj == WN_NO_FJ || g->fjs[fj].n_children == 0;
}

/* Computes rows of tasks that depend on siblings, in creation order, so predecessors come first. */
static bool
find_ranks(struct wn_layout *l)
{
	const struct wn_graph *g = l->x->g;
	if (g->n_dependents) {
		l->rank = wn_calloc(g->n, sizeof *l->rank);
		l->gate = wn_calloc(g->n_gates, sizeof *l->gate);
		if (!l->rank || !l->gate)
			return false;
	}
	for (size_t i = 0; i < g->n_dependents; i++) {
		const struct wn_dependent *d = &g->dependents[i];
		uint32_t rank = 0;
		if (!wn_is_grain(g, d->grain))
			continue;
		for (uint32_t k = 0; k < d->n_predecessors; k++) {
			wn_grain before = g->predecessors[d->first_predecessor + k];
			if (g->fj[before] == g->fj[d->grain] && l->rank[before] >= rank)
				rank = l->rank[before] + 1;
		}
		for (uint32_t k = 0; k < d->n_gates; k++) {
			uint32_t gate = g->gates_before[d->first_gate + k];
			const struct wn_dep_gate *from = &g->gates[gate];
			/* a gate does not use `gap`: it holds the row behind the gate, once known
			 */
			for (uint32_t m = 0; !l->gate[gate].gap && m < from->n_members; m++)
				l->gate[gate].height =
				    max_i64(l->gate[gate].height,
				            l->rank[g->gate_members[from->first_member + m]] + 1);
			l->gate[gate].gap = 1;
			if (g->fj[g->gate_members[from->first_member]] == g->fj[d->grain])
				rank = (uint32_t)max_i64(rank, l->gate[gate].height);
		}
		l->rank[d->grain] = rank;
	}
	if (!g->n_dependents && l->side) {
		l->is_wrapped = true;
		l->rank = wn_calloc(g->n, sizeof *l->rank);
	}
	return l->rank || !l->is_wrapped;
}

/* Gates are centred below the lowest of their members. */
static void
place_gates(struct wn_layout *l)
{
	const struct wn_graph *g = l->x->g;
	for (size_t i = 0; i < g->n_gates; i++) {
		const struct wn_dep_gate *gate = &g->gates[i];
		struct wn_box *box = &l->gate[i];
		*box = (struct wn_box){.width = WN_SIZE_GATE, .height = WN_SIZE_GATE};
		for (uint32_t m = 0; m < gate->n_members; m++) {
			wn_grain id = g->gate_members[gate->first_member + m];
			box->middle += l->grain[id].middle;
			box->top = max_i64(box->top, l->grain[id].top + grain_height(l, id));
		}
		box->middle /= gate->n_members;
		box->top += (ROW_GAP - WN_SIZE_GATE) / 2;
	}
}

struct bounds {
	const struct wn_layout *l;
	int64_t left, top, right, bottom;
};

static wn_status
add_node(const struct wn_node *node, void *user)
{
	struct bounds *b = user;
	struct wn_box box = wn_layout_node(b->l, node->id);
	int64_t left = box.middle - box.width / 2;
	b->left = left < b->left ? left : b->left;
	b->top = box.top < b->top ? box.top : b->top;
	b->right = max_i64(b->right, left + box.width);
	b->bottom = max_i64(b->bottom, box.top + box.height);
	return WN_OK;
}

/* Computes the rectangle of a part of the graph at its position in the whole. */
static wn_status
find_bounds(struct wn_layout *l)
{
	struct bounds b = {l, INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN};
	wn_status st = wn_export_nodes(l->x, add_node, &b);
	if (st != WN_OK || b.left > b.right)
		return st;
	l->left = b.left - MARGIN;
	l->top = b.top - MARGIN;
	l->width = b.right - b.left + 2 * MARGIN;
	l->height = b.bottom - b.top + 2 * MARGIN;
	return WN_OK;
}

wn_status
wn_layout_new(const struct wn_export *x, const uint16_t *side, struct wn_layout **out, wn_err *err)
{
	const struct wn_graph *g = x->g;
	struct wn_layout *l = wn_calloc(1, sizeof *l);
	int64_t at = MARGIN;
	if (!l || !(l->grain = wn_calloc(g->n, sizeof *l->grain)) ||
	    !(l->fj = wn_calloc(g->n_fjs, sizeof *l->fj))) {
		wn_layout_free(l);
		return wn_no_memory(err);
	}
	l->x = x;
	l->side = side;
	if (!find_ranks(l)) {
		wn_layout_free(l);
		return wn_no_memory(err);
	}
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
	place_gates(l);
	l->width = max_i64(at - GAP_X, MARGIN + WN_SIZE_GRAIN) + MARGIN;
	l->end_y = MARGIN + WN_SIZE_END + GAP_Y + l->height + GAP_Y;
	l->height = l->end_y + WN_SIZE_END + MARGIN;
	wn_status st = x->has_grain ? find_bounds(l) : WN_OK;
	if (l->is_out_of_memory)
		st = wn_no_memory(err);
	if (st == WN_OK)
		*out = l;
	else
		wn_layout_free(l);
	return st;
}

void
wn_layout_free(struct wn_layout *l)
{
	if (!l)
		return;
	WN_FREE_ALL(l->grain, l->fj, l->gate, l->rank, l->rows, l);
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
		                       WN_SIZE_END, WN_SIZE_END, .gap = 0};
	if (id.kind == WN_NODE_GRAIN)
		return (struct wn_box){l->grain[id.grain].middle, l->grain[id.grain].top,
		                       grain_width(l, id.grain), grain_height(l, id.grain),
		                       .foot = l->grain[id.grain].foot};
	if (id.kind == WN_NODE_GATE)
		return l->gate[id.index];
	int64_t top = l->fj[id.fj].top;
	if (id.kind == WN_NODE_JOIN)
		top += l->fj[id.fj].height - WN_SIZE_FORK;
	return (struct wn_box){l->fj[id.fj].middle, top, WN_SIZE_FORK, WN_SIZE_FORK, .gap = 0};
}
