/* SPDX-License-Identifier: MIT */
/* Boxes inside boxes: each inside its parent, none over another, forks and joins free. */
#include "picture/boxes.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#define MOST 400

static const struct boxes_style style = {
    .gap_x = 7, .gap_y = 9, .mark = 10, .slope = 6, .slope_most = 50};

static uint32_t state = 1;

static uint32_t
draw(uint32_t below)
{
	state = state * 1664525 + 1013904223;
	return (state >> 8) % below;
}

/* Any tree, in pre-order: each box is in one of those that the one before it is in, or in it. */
static size_t
make(struct box *boxes)
{
	size_t n = 1 + draw(MOST - 1);
	memset(boxes, 0, n * sizeof *boxes);
	boxes[0].parent = BOXES_NONE;
	boxes[0].kind = (uint8_t)(1 + draw(3));
	for (size_t i = 1; i < n; i++) {
		uint32_t up = (uint32_t)i - 1;
		while (up && (boxes[up].kind == BOX_LEAF || draw(3) == 0))
			up = boxes[up].parent;
		boxes[i].parent = up;
		boxes[i].kind = (uint8_t)draw(4);
		boxes[i].room =
		    boxes[i].kind == BOX_ROW || boxes[i].kind == BOX_FORKED ? draw(30) : 0;
	}
	/* sizes of groups are found, whatever they were */
	for (size_t i = 0; i < n; i++) {
		boxes[i].width = 2 * draw(40);
		boxes[i].height = 2 * draw(40);
	}
	return n;
}

static int64_t
left(const struct box *b)
{
	return b->middle - b->width / 2;
}

static bool
is_inside(const struct box *b, const struct box *up)
{
	int64_t above = up->room, below = 0;
	if (up->kind == BOX_FORKED) {
		above += style.mark + up->gap;
		below += style.mark + up->gap;
	}
	return left(b) >= left(up) && left(b) + b->width <= left(up) + up->width &&
	       b->top >= up->top + above && b->top + b->height <= up->top + up->height - below;
}

/* Beside it with the gap between them, or below it; a member before it. */
static bool
is_behind(const struct box *b, const struct box *before, const struct box *up)
{
	if (up->kind == BOX_COLUMN)
		return b->middle == before->middle &&
		       b->top == before->top + before->height + style.gap_y;
	return b->top == before->top && left(b) == left(before) + before->width + style.gap_x;
}

static bool
is_right(const struct box *boxes, size_t n)
{
	uint32_t last[MOST];
	for (size_t i = 0; i < n; i++)
		last[i] = BOXES_NONE;
	for (size_t i = 1; i < n; i++) {
		const struct box *b = &boxes[i], *up = &boxes[b->parent];
		if (b->before != last[b->parent] || !is_inside(b, up))
			return false;
		if (b->before != BOXES_NONE && !is_behind(b, &boxes[b->before], up))
			return false;
		last[b->parent] = (uint32_t)i;
	}
	for (size_t i = 0; i < n; i++)
		if (boxes[i].last != last[i])
			return false;
	return true;
}

int
main(void)
{
	static struct box boxes[MOST];
	int n_wrong = 0;
	for (int i = 0; i < 300; i++) {
		size_t n = make(boxes);
		boxes_begin(boxes, n);
		boxes_size(boxes, n, &style);
		boxes[0].middle = boxes[0].width / 2;
		boxes[0].top = 40;
		boxes_place(boxes, n, &style);
		n_wrong += !is_right(boxes, n);
	}
	ok(n_wrong == 0, "300 trees: members are inside, one after the other");

	/* 2 * 40 + 7 wide, so that the gaps are 9 + 87 / 2 / 6 high */
	struct box row[] = {{.parent = BOXES_NONE, .kind = BOX_FORKED, .room = 5},
	                    {.parent = 0, .width = 40, .height = 20},
	                    {.parent = 0, .width = 40, .height = 30}};
	boxes_begin(row, 3);
	boxes_size(row, 3, &style);
	ok(row[0].width == 87 && row[0].gap == 16, "a wide row has higher gaps");
	ok(row[0].height == 30 + 5 + 2 * (10 + 16),
	   "as high as its highest member, gaps and marks");
	row[1].width = 4000;
	boxes_size(row, 3, &style);
	ok(row[0].gap == 9 + 50, "up to a limit");
	return done();
}
