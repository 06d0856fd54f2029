/* SPDX-License-Identifier: MIT */
/*
 * canvas.h - where a picture is painted: arrays of a size that is known before. canvas_reserve() is
 * the only function here that allocates; the others append, and drop what has no room, which a
 * reservation for the same snapshot and view rules out.
 */
#ifndef WN_PAGE_CANVAS_H
#define WN_PAGE_CANVAS_H

#include "base/decimal.h"
#include "page/private.h"

/* The longest text of a box: two values with what is between them. */
#define CANVAS_TEXT_BYTES (3 * WN_DECIMAL_BYTES)

struct canvas {
	struct page_shape *shapes; /* [shapes_max] */
	struct page_text *texts;   /* [texts_max] */
	char *bytes;               /* [bytes_max] of the texts */
	double *needs_area;        /* [n_chunks] how much of the picture each would fill */
	size_t n_shapes, n_texts, n_bytes;
	size_t shapes_max, texts_max, bytes_max;
	uint32_t n_chunks;
	uint64_t n_grains; /* that the shapes stand for */
	struct map_scratch *map;
};

struct canvas_size {
	size_t n_shapes, n_texts, n_bytes;
};

/* Room for a picture of at most that size. False: out of memory; what is painted stays. */
WN_MUST_CHECK bool canvas_reserve(struct canvas *c, const struct canvas_size *size);
void canvas_free(struct canvas *c);

/* An empty picture. */
void canvas_begin(struct canvas *c);
void canvas_begin_needs(struct canvas *c);
void canvas_shape(struct canvas *c, const struct page_shape *shape);
void canvas_text(struct canvas *c, float x, float y, uint8_t anchor, uint8_t style,
                 const char *text, size_t n_bytes);
/* A node is not loaded, which fills so much of the picture. */
void canvas_need(struct canvas *c, const struct page *p, uint32_t node, double area);
/* The picture as it is read from outside. */
struct page_picture canvas_picture(const struct canvas *c);

/* marks.c. Signs of the marks on nodes [node, end) in a corner of a rectangle of pixels: the left
 * one of a group that is open, as members have theirs to the right. */
void canvas_marks(struct canvas *c, const struct page *p, const struct page_view *v, uint32_t node,
                  uint32_t end, bool is_open, double x0, double y0, double x1, double y1);

#endif /* WN_PAGE_CANVAS_H */
