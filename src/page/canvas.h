/* SPDX-License-Identifier: MIT */
/* canvas.h - holds a picture in arrays whose size is known in advance. canvas_reserve() is the only
 * function here that allocates; the others append, and drop what has no room, which cannot happen
 * after a reservation for the same snapshot and view. */
#pragma once

#include "base/decimal.h"
#include "page/private.h"

/* The longest text of a box: two values with a separator. */
#define CANVAS_TEXT_BYTES (3 * WN_DECIMAL_BYTES)

struct canvas {
	struct page_shape *shapes; /* [shapes_max] */
	struct page_text *texts;   /* [texts_max] */
	char *bytes;               /* [bytes_max] bytes of the texts */
	double
	    *needs_area; /* [n_chunks] the area of the picture that each missing chunk would fill */
	size_t n_shapes, n_texts, n_bytes;
	size_t shapes_max, texts_max, bytes_max;
	uint32_t n_chunks;
	uint64_t n_grains; /* grains that the shapes represent */
	struct map_scratch *map;
};

struct canvas_size {
	size_t n_shapes, n_texts, n_bytes;
};

/* Reserves room for a picture of at most that size. False: out of memory; the painted picture
 * stays. */
WN_MUST_CHECK bool canvas_reserve(struct canvas *c, const struct canvas_size *size);
void canvas_free(struct canvas *c);

/* Starts an empty picture. */
void canvas_begin(struct canvas *c);
void canvas_begin_needs(struct canvas *c);
void canvas_shape(struct canvas *c, const struct page_shape *shape);
void canvas_text(struct canvas *c, float x, float y, uint8_t anchor, uint8_t style,
                 const char *text, size_t n_bytes);
/* Records a node that is not loaded, and its share of the picture. */
void canvas_need(struct canvas *c, const struct page *p, uint32_t node, double area);
/* Returns the picture for callers outside this folder. */
struct page_picture canvas_picture(const struct canvas *c);

/* compare_marks.c. Draws the marks of nodes [node, end) in a corner of a rectangle of pixels: the
 * left corner for an open group, as the marks of members are on the right. */
void canvas_marks(struct canvas *c, const struct page *p, const struct page_view *v, uint32_t node,
                  uint32_t end, bool is_open, double x0, double y0, double x1, double y1);
