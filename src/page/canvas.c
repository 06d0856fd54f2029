/* SPDX-License-Identifier: MIT */
/* canvas.c - arrays that hold a picture, each limited to its reserved size. */
#include "page/canvas.h"

#include "base/mem.h"
#include "page/map.h"

#include <string.h>

bool
canvas_reserve(struct canvas *c, const struct canvas_size *size)
{
	return wn_grow(&c->shapes, &c->shapes_max, size->n_shapes, sizeof *c->shapes) == 0 &&
	       wn_grow(&c->texts, &c->texts_max, size->n_texts, sizeof *c->texts) == 0 &&
	       wn_grow(&c->bytes, &c->bytes_max, size->n_bytes, 1) == 0;
}

void
canvas_free(struct canvas *c)
{
	wn_free(c->shapes);
	wn_free(c->texts);
	wn_free(c->bytes);
	wn_free(c->needs_area);
	map_scratch_free(c->map);
}

void
canvas_begin(struct canvas *c)
{
	c->n_shapes = c->n_texts = c->n_bytes = 0;
	c->n_grains = 0;
	canvas_begin_needs(c);
}

void
canvas_begin_needs(struct canvas *c)
{
	for (uint32_t k = 0; k < c->n_chunks; k++)
		c->needs_area[k] = 0;
}

void
canvas_shape(struct canvas *c, const struct page_shape *shape)
{
	if (c->n_shapes < c->shapes_max)
		c->shapes[c->n_shapes++] = *shape;
}

void
canvas_text(struct canvas *c, float x, float y, uint8_t anchor, uint8_t style, const char *text,
            size_t n_bytes)
{
	if (c->n_texts == c->texts_max || n_bytes > c->bytes_max - c->n_bytes)
		return;
	c->texts[c->n_texts++] =
	    (struct page_text){x, y, (uint32_t)c->n_bytes, (uint16_t)n_bytes, anchor, style};
	memcpy(c->bytes + c->n_bytes, text, n_bytes);
	c->n_bytes += n_bytes;
}

void
canvas_need(struct canvas *c, const struct page *p, uint32_t node, double area)
{
	uint32_t k = page_chunk_of(p, node);
	/* the missing part may be the chunk that it begins in */
	while (p->chunks[k].rows && !p->chunks[k].is_linked && p->chunks[k].parent < node) {
		node = p->chunks[k].parent;
		k = page_chunk_of(p, node);
	}
	c->needs_area[k] += area > 0 ? area : 1;
}

struct page_picture
canvas_picture(const struct canvas *c)
{
	struct page_picture out = {.shapes = c->shapes,
	                           .texts = c->texts,
	                           .bytes = c->bytes,
	                           .n_shapes = (uint32_t)c->n_shapes,
	                           .n_texts = (uint32_t)c->n_texts,
	                           .n_bytes = (uint32_t)c->n_bytes,
	                           .n_grains = c->n_grains,
	                           .is_exact = true};
	for (uint32_t k = 0; k < c->n_chunks; k++)
		out.is_exact &= c->needs_area[k] == 0;
	return out;
}
