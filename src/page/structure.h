/* SPDX-License-Identifier: MIT */
/*
 * structure.h - the papers' picture, in three steps: which boxes there are (structure_layout.c),
 * how large and where they are (structure.c), and their shapes (structure_paint.c). The first two
 * make a layout, the last paints it and changes nothing. Private to this folder.
 *
 * Things are laid out in the order of breadth: members lie one after the other, behind their group.
 * So sizes are found by one scan backwards, and places by one forwards.
 */
#ifndef WN_PAGE_STRUCTURE_H
#define WN_PAGE_STRUCTURE_H

#include "page/canvas.h"
#include "page/snapshot.h"

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
	uint64_t key; /* of the page and the view that it was laid out for */
	struct box *boxes;
	size_t n_boxes, boxes_capacity;
	struct bar *bars;
	size_t n_bars, bars_capacity;
	struct edge *edges; /* from box to box */
	size_t n_edges, edges_capacity;
	float width, height;
};

/* structure_layout.c: the root and what is in its open groups, those around `towards` among them,
 * into an empty s; x, y, w and h are not set. Reads the dependences of chunks where they are drawn.
 * False: out of memory. O(boxes + members of open groups). */
WN_MUST_CHECK bool structure_choose_boxes(struct page *p, struct structure *s,
                                          const struct page_view *view, const struct row *root,
                                          uint32_t towards);

/* structure.c: makes a layout of p->shown; NULL: p->structure is that already. WN_OK · WN_E_NOMEM
 */
WN_MUST_CHECK wn_status structure_lay_out(struct page *p, const struct page_view *view,
                                          const struct row *root, struct structure **out,
                                          wn_err *err);
/* A node's rectangle; false: it is in a closed group. */
bool structure_frame(const struct structure *s, uint32_t node, double frame[4]);
/* The rectangle of the innermost box that holds a node, where there is one; true: it is the node.
 */
bool structure_holds(const struct structure *s, uint32_t node, double frame[4]);

/* structure_paint.c: the most that a picture of a layout can take. */
struct canvas_size structure_needs(const struct page *p, const struct structure *s);
void structure_paint(const struct snapshot *snapshot, const struct structure *s,
                     const struct page_view *view, struct canvas *out);

/* How high a grain is among those whose longest one is known. */
float structure_grain_height(const struct page_view *v, uint64_t work_ns, uint64_t longest_ns);

#endif /* WN_PAGE_STRUCTURE_H */
