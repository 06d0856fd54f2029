/* SPDX-License-Identifier: MIT */
/* draw.c - a picture as it grows, and what is asked of it afterwards. */
#include "base/error.h"
#include "base/mem.h"
#include "page/private.h"

#include <string.h>

void
draw_begin(struct page *p)
{
	p->n_shapes = p->n_texts = 0;
	p->words.n = 0;
	p->n_grains_drawn = 0;
	draw_begin_needs(p);
}

void
draw_begin_needs(struct page *p)
{
	for (uint32_t k = 0; k < p->run.n_chunks; k++)
		p->needs_area[k] = 0;
}

bool
draw_shape(struct page *p, const struct page_shape *shape)
{
	if (wn_grow(&p->shapes, &p->shapes_capacity, p->n_shapes + 1, sizeof *p->shapes) != 0)
		return false;
	p->shapes[p->n_shapes++] = *shape;
	return true;
}

void
draw_need(struct page *p, uint32_t node, double area)
{
	uint32_t k = page_chunk_of(p, node);
	/* what it begins in may be what is missing */
	while (p->chunks[k].rows && !p->chunks[k].is_linked && p->chunks[k].parent < node) {
		node = p->chunks[k].parent;
		k = page_chunk_of(p, node);
	}
	p->needs_area[k] += area > 0 ? area : 1;
}

bool
draw_text(struct page *p, float x, float y, uint8_t anchor, uint8_t style, const char *text,
          size_t n_bytes)
{
	size_t at = p->words.n;
	if (wn_grow(&p->texts, &p->texts_capacity, p->n_texts + 1, sizeof *p->texts) != 0 ||
	    !bytes_add(&p->words, text, n_bytes))
		return false;
	p->texts[p->n_texts++] =
	    (struct page_text){x, y, (uint32_t)at, (uint16_t)n_bytes, anchor, style};
	return true;
}

static wn_status
root_of(struct page *p, const struct page_view *view, const struct row **root, wn_err *err)
{
	bool is_frame = view->w >= 0 && view->h >= 0 && view->width > 0 && view->height > 0;
	if (view->problem != p->problem && !page_choose(p, view->problem))
		return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
	*root = page_row(p, view->root);
	if (!is_frame || view->width > 32768 || view->height > 32768)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "a picture of no size");
	if (!*root)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "there is no node %u here", view->root);
	return WN_OK;
}

wn_status
page_size(struct page *p, const struct page_view *view, double *width, double *height, wn_err *err)
{
	const struct row *root;
	wn_status st = root_of(p, view, &root, err);
	if (st != WN_OK)
		return st;
	if (view->kind == PAGE_MAP) {
		map_size(p, root, width, height);
		return WN_OK;
	}
	return structure_size(p, view, root, width, height, err);
}

wn_status
page_draw(struct page *p, const struct page_view *given, struct page_picture *out, wn_err *err)
{
	const struct row *root;
	struct page_view own = *given, *view = &own;
	wn_status st = root_of(p, view, &root, err);
	if (st != WN_OK)
		return st;
	if (!(view->w > 0 && view->h > 0)) {
		own.x = own.y = 0;
		if ((st = page_size(p, view, &own.w, &own.h, err)) != WN_OK)
			return st;
	}
	st = view->kind == PAGE_MAP ? map_draw(p, view, root, err)
	                            : structure_draw(p, view, root, err);
	if (st != WN_OK)
		return st;
	*out = (struct page_picture){.shapes = p->shapes,
	                             .texts = p->texts,
	                             .bytes = p->words.at,
	                             .n_shapes = (uint32_t)p->n_shapes,
	                             .n_texts = (uint32_t)p->n_texts,
	                             .n_bytes = (uint32_t)p->words.n,
	                             .n_grains = p->n_grains_drawn,
	                             .is_exact = true};
	for (uint32_t k = 0; k < p->run.n_chunks; k++)
		out->is_exact &= p->needs_area[k] == 0;
	return WN_OK;
}

static bool
is_in(const struct page_shape *s, float x, float y)
{
	return x >= s->x && x < s->x + s->w && y >= s->y && y < s->y + s->h;
}

uint32_t
page_at(const struct page *p, float x, float y)
{
	for (size_t i = p->n_shapes; i-- > 0;)
		if (p->shapes[i].kind < PAGE_LINE && p->shapes[i].node != NO_NODE &&
		    is_in(&p->shapes[i], x, y))
			return p->shapes[i].node;
	return NO_NODE;
}

uint32_t
page_needs(const struct page *p, uint32_t *out, uint32_t n_max)
{
	uint32_t n = 0;
	for (uint32_t k = 0; k < p->run.n_chunks; k++) {
		if (!(p->needs_area[k] > 0))
			continue;
		uint32_t at = n < n_max ? n : n_max; /* by area, then by number */
		while (at > 0 && p->needs_area[out[at - 1]] < p->needs_area[k])
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
	const struct row *root;
	if (root_of(p, view, &root, NULL) != WN_OK || node < root->node || node >= root->end)
		return false;
	return view->kind == PAGE_MAP ? map_frame(p, root, node, frame)
	                              : structure_frame(p, view, root, node, frame);
}
