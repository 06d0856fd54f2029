/* SPDX-License-Identifier: MIT */
/*
 * boxes.h - where boxes inside boxes go: members of a column below each other, those of a row side
 * by side, between a fork and a join where it has these.
 */
#ifndef WN_PICTURE_BOXES_H
#define WN_PICTURE_BOXES_H

#include <stddef.h>
#include <stdint.h>

#define BOXES_NONE UINT32_MAX

enum box_kind {
	BOX_LEAF = 0, /* comes with its size */
	BOX_COLUMN,
	BOX_ROW,
	BOX_FORKED /* a row between a fork and a join */
};

struct box {
	uint32_t parent;       /* earlier in the array; BOXES_NONE of the first */
	uint32_t before, last; /* found: the member before it; its own last one; BOXES_NONE */
	uint8_t kind;          /* enum box_kind */
	int64_t room;          /* of a row: kept free above its members */
	int64_t width, height; /* given of leaves, found of others */
	int64_t middle, top;   /* of the first one given */
	int64_t gap;           /* found, of BOX_FORKED: below the fork and above the join */
};

struct boxes_style {
	int64_t gap_x, gap_y;
	int64_t mark; /* height of a fork or a join */
	int64_t
	    slope; /* a gap has one more unit of height for so many to the side, and stays steep; */
	int64_t slope_most; /* up to that height */
};

/* Finds the members of each, before and last; by parent alone. O(n). */
void boxes_begin(struct box *boxes, size_t n);

/**
 * Finds the sizes of all boxes, members before what they are in.
 *
 * @param boxes [n] in pre-order, begun; kind and room set, and the sizes of leaves.
 * Cost     O(n).  Threads  pure.
 * Oracle   tests/export/test_boxes.c: no two overlap, and each is inside its parent
 */
void boxes_size(struct box *boxes, size_t n, const struct boxes_style *style);

/* Then the positions, from the first box down, whose own is set. The same cost. */
void boxes_place(struct box *boxes, size_t n, const struct boxes_style *style);

#endif /* WN_PICTURE_BOXES_H */
