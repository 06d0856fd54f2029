/* SPDX-License-Identifier: MIT */
/*
 * structure.h - the papers' picture, in three steps: which boxes there are (structure_layout.c),
 * how large and where they are (structure.c), and what they look like (structure_paint.c). Private
 * to these.
 *
 * Things are laid out in the order of breadth: members lie one after the other, behind their group.
 * So sizes are found by one scan backwards, and places by one forwards.
 */
#ifndef WN_PAGE_STRUCTURE_H
#define WN_PAGE_STRUCTURE_H

#include "page/private.h"

#define RANKS_MAX   64u /* one below the other, by dependences */
#define GRAIN_MOST  70.0f
#define BOX_WIDTH   78.0f
#define BOX_HEIGHT  32.0f
#define PILE        3.0f /* between the boxes of a card */
#define BAR_WIDTH   3.0f
#define CIRCLE      10.0f
#define EDGE        14.0f /* between a fork and what it forks */
#define MARGIN      8.0f  /* inside a frame */
#define COUNT_WIDTH 30.0f /* of "x 1,000" */

enum box_kind { BOX_GRAIN, BOX_CLOSED, BOX_CARD, BOX_STRIP, BOX_LINEAR, BOX_FORK };

struct box {
	uint8_t kind, flags, colour, severity;
	bool is_missing, is_mixed; /* a card of several shapes */
	uint8_t rank;              /* below those that it depends on */
	bool has_successor;
	uint32_t node, end, site;
	uint32_t parent;   /* box it is in */
	uint32_t first, n; /* boxes in it; of a strip: its bars */
	uint32_t n_members, n_grains, n_problem;
	uint64_t work_ns, shape;
	double least, most;  /* of the metric that is shown; NAN */
	uint64_t longest_ns; /* what heights of grains here are in proportion to */
	const struct row *row;
	float w, h, x, y; /* x, y: left, top */
};

struct bar {
	uint32_t node, n, n_problem;
	uint64_t work_ns; /* of the longest */
	uint8_t flags, colour, severity;
};

struct structure {
	uint64_t key;
	struct box *boxes;
	size_t n_boxes, boxes_capacity;
	struct bar *bars;
	size_t n_bars, bars_capacity;
	struct edge *edges; /* from box to box */
	size_t n_edges, edges_capacity;
	float width, height;
};

/* structure_layout.c: the root and what is in its open groups, those around `towards` among them,
 * into an empty s; x, y, w and h are not set. False: memory ran out. O(boxes + members of open
 * groups). */
bool structure_choose_boxes(struct page *p, struct structure *s, const struct page_view *view,
                            const struct row *root, uint32_t towards);

/* structure.c: p->structure, as it is if nothing has changed. */
wn_status structure_lay_out(struct page *p, const struct page_view *view, const struct row *root,
                            wn_err *err);
/* How high a grain is among those whose longest one is known. */
float structure_grain_height(const struct page_view *v, uint64_t work_ns, uint64_t longest_ns);

#endif /* WN_PAGE_STRUCTURE_H */
