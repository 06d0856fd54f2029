/* SPDX-License-Identifier: MIT */
/* draw.c - makes pictures in two steps: prepares what a picture needs, which may fail; then paints
 * it, which only reads the snapshot and writes into reserved memory. */
#include "base/error.h"
#include "page/related.h"

static bool
has_size(const struct page_view *v)
{
	return v->w >= 0 && v->h >= 0 && v->width > 0 && v->height > 0 && v->width <= 32768 &&
	       v->height <= 32768;
}

/* Reserves room for a picture of the shown data; structure: the layout, NULL for a map. */
static wn_status
reserve(struct page *p, const struct structure *structure, wn_err *err)
{
	struct canvas_size size = structure ? structure_needs(p, structure) : map_needs(p);
	bool is_fine =
	    canvas_reserve(p->canvas, &size) &&
	    (structure || p->canvas->map || map_scratch_new(p->run.n_cores, &p->canvas->map));
	return is_fine ? WN_OK : wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
}

/* Prepares p->shown: for the structure a layout of the view's open groups, and room for shapes. */
static wn_status
lay_out(struct page *p, const struct page_view *view, wn_err *err)
{
	const struct row *root = page_row(p, view->root);
	struct structure *layout = NULL;
	wn_status st;
	if (!has_size(view))
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "a picture of no size");
	if (!root)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "there is no node %u here", view->root);
	if (view->kind == PAGE_MAP)
		return reserve(p, NULL, err);
	WN_TRY(structure_lay_out(p, view, root, &layout, err));
	WN_TRY(reserve(p, layout ? layout : p->structure, err));
	if (layout) {
		structure_free(p->structure);
		p->structure = layout;
	}
	return WN_OK;
out:
	structure_free(layout);
	return st;
}

wn_status
page_prepare(struct page *p, const struct page_view *view, wn_err *err)
{
	struct snapshot_change change = {view->problem < PAGE_PROBLEMS_MAX ? view->problem
	                                                                   : PAGE_ALL_PROBLEMS,
	                                 .chunk = SNAPSHOT_ALL_CHUNKS};
	if (change.problem == p->shown->problem)
		return lay_out(p, view, err);
	uint32_t version = p->version;
	struct snapshot *s = snapshot_new(p, &change);
	if (!s)
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	struct snapshot *before = snapshot_show(p, s);
	wn_status st = lay_out(p, view, err);
	if (st == WN_OK) {
		snapshot_free(before);
		return WN_OK;
	}
	snapshot_free(snapshot_show(p, before));
	p->version = version;
	return st;
}

static void
size_of(const struct page *p, const struct page_view *view, double *width, double *height)
{
	if (view->kind == PAGE_MAP) {
		map_size(p, page_row(p, view->root), width, height);
		return;
	}
	*width = (double)p->structure->width;
	*height = (double)p->structure->height;
}

wn_status
page_size(struct page *p, const struct page_view *view, double *width, double *height, wn_err *err)
{
	wn_status st = page_prepare(p, view, err);
	if (st == WN_OK)
		size_of(p, view, width, height);
	return st;
}

/* A picture is a pure function of these. */
static void
paint(const struct snapshot *s, const struct structure *structure, const struct page_view *view,
      struct canvas *out)
{
	const struct row *root = page_row(s->page, view->root);
	bool is_map = view->kind == PAGE_MAP;
	struct related_places places = {s, view, root, is_map ? NULL : structure};
	if (is_map)
		map_paint(s, view, root, out);
	else
		structure_paint(s, structure, view, out);
	related_paint(&places, out);
}

void
page_paint(struct page *p, const struct page_view *view, struct page_picture *out)
{
	struct page_view own = *view;
	if (!(own.w > 0 && own.h > 0)) {
		own.x = own.y = 0;
		size_of(p, view, &own.w, &own.h);
	}
	paint(p->shown, p->structure, &own, p->canvas);
	*out = canvas_picture(p->canvas);
}

wn_status
page_draw(struct page *p, const struct page_view *view, struct page_picture *out, wn_err *err)
{
	wn_status st = page_prepare(p, view, err);
	if (st == WN_OK)
		page_paint(p, view, out);
	return st;
}

uint32_t
page_needs(const struct page *p, uint32_t *out, uint32_t n_max)
{
	const double *needs_area = p->canvas->needs_area;
	uint32_t n = 0;
	for (uint32_t k = 0; k < p->run.n_chunks; k++) {
		if (!(needs_area[k] > 0))
			continue;
		uint32_t at = n < n_max ? n : n_max; /* sorts by area, then by number */
		while (at > 0 && needs_area[out[at - 1]] < needs_area[k])
			at--;
		for (uint32_t i = n < n_max ? n : n_max - 1; n_max && i > at; i--)
			out[i] = out[i - 1];
		if (at < n_max)
			out[at] = k;
		n += n < n_max;
	}
	return n;
}

bool
page_frame_of(struct page *p, const struct page_view *view, uint32_t node, double frame[4])
{
	if (page_prepare(p, view, NULL) != WN_OK)
		return false;
	const struct row *root = page_row(p, view->root);
	if (node < root->node || node >= root->end)
		return false;
	return view->kind == PAGE_MAP ? map_frame(p->shown, root, node, p->canvas, frame)
	                              : structure_frame(p->structure, node, frame);
}
