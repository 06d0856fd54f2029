/* SPDX-License-Identifier: MIT */
/* boxes.c - computes sizes from the last box up and positions from the first one down: two scans of
 * the array, without a stack. */
#include "picture/boxes.h"

#include <stdbool.h>

static bool
is_row(const struct box *b)
{
	return b->kind == BOX_ROW || b->kind == BOX_FORKED;
}

static int64_t
greater(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

void
boxes_begin(struct box *boxes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		boxes[i].before = boxes[i].last = BOXES_NONE;
	for (size_t i = 1; i < n; i++) {
		struct box *up = &boxes[boxes[i].parent];
		boxes[i].before = up->last;
		up->last = (uint32_t)i;
	}
}

/* Needs the gaps that its members require. */
static void
size_group(struct box *b, const struct boxes_style *style)
{
	if (is_row(b))
		b->height += b->room;
	if (b->kind != BOX_FORKED)
		return;
	int64_t reach = b->width / 2 / style->slope;
	b->gap = style->gap_y + (reach > style->slope_most ? style->slope_most : reach);
	b->height += 2 * (style->mark + b->gap);
}

void
boxes_size(struct box *boxes, size_t n, const struct boxes_style *style)
{
	for (size_t i = 0; i < n; i++)
		if (boxes[i].kind != BOX_LEAF)
			boxes[i].width = boxes[i].height = 0;
	for (size_t i = n; i-- > 0;) {
		struct box *b = &boxes[i];
		size_group(b, style);
		if (i == 0)
			break;
		struct box *up = &boxes[b->parent];
		bool is_first = b->before == BOXES_NONE;
		if (is_row(up)) {
			up->width += b->width + (is_first ? 0 : style->gap_x);
			up->height = greater(up->height, b->height);
		} else {
			up->width = greater(up->width, b->width);
			up->height += b->height + (is_first ? 0 : style->gap_y);
		}
	}
}

void
boxes_place(struct box *boxes, size_t n, const struct boxes_style *style)
{
	for (size_t i = 1; i < n; i++) {
		struct box *b = &boxes[i];
		const struct box *up = &boxes[b->parent];
		const struct box *before = b->before == BOXES_NONE ? NULL : &boxes[b->before];
		if (is_row(up)) {
			int64_t left = before ? before->middle - before->width / 2 + before->width +
			                            style->gap_x
			                      : up->middle - up->width / 2;
			b->middle = left + b->width / 2;
			b->top = up->top + (up->kind == BOX_FORKED ? style->mark + up->gap : 0) +
			         up->room;
		} else {
			b->middle = up->middle;
			b->top = before ? before->top + before->height + style->gap_y : up->top;
		}
	}
}
