/* SPDX-License-Identifier: MIT */
/* boxes.h - places nested boxes: members of a column below each other, those of a row side by side,
 * between a fork and a join if there is one. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define BOXES_NONE UINT32_MAX

enum box_kind {
	BOX_LEAF = 0, /* the size is given */
	BOX_COLUMN,
	BOX_ROW,
	BOX_FORKED /* a row between a fork and a join */
};

struct box {
	uint32_t parent;       /* index of an earlier box; BOXES_NONE for the first */
	uint32_t before, last; /* computed: the previous member; its own last member; BOXES_NONE */
	uint8_t kind;          /* enum box_kind */
	int64_t room;          /* row: free height above its members */
	int64_t width, height; /* given for leaves, computed for others */
	int64_t middle, top;   /* given for the first one, computed for others */
	int64_t gap;           /* computed for BOX_FORKED: below the fork and above the join */
};

struct boxes_style {
	int64_t gap_x, gap_y;
	int64_t mark;       /* height of a fork or a join */
	int64_t slope;      /* edges stay steep: one unit of gap per this many to the side, */
	int64_t slope_most; /* up to that height */
};

/* Links the members of each box, before and last, from parent alone. O(n). */
void boxes_begin(struct box *boxes, size_t n);

/**
 * Computes the sizes of all boxes, members before their parents.
 *
 * @param boxes [n] in pre-order, begun; kind and room set, and the sizes of leaves.
 * Cost     O(n).  Threads  pure.
 * Oracle   tests/export/test_boxes.c: no two overlap, and each is inside its parent
 */
void boxes_size(struct box *boxes, size_t n, const struct boxes_style *style);

/* Computes the positions, from the first box down, whose own is set. The same cost. */
void boxes_place(struct box *boxes, size_t n, const struct boxes_style *style);
