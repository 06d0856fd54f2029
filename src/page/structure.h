/* SPDX-License-Identifier: MIT */
/*
 * structure.h - draws the papers' picture in three steps: selects boxes (structure_layout.c),
 * computes sizes and positions (structure.c), and makes shapes (structure_paint.c). The first two
 * make a layout, the last paints it without changing it. Private to this folder.
 *
 * Boxes are stored in breadth-first order: members are consecutive and follow their group. Sizes
 * need one backward scan, positions one forward scan.
 */
#pragma once

#include "page/canvas.h"
#include "page/snapshot.h"

#define RANKS_MAX   64u /* below each other, by dependences */
#define GRAIN_MOST  70.0f
#define BOX_WIDTH   78.0f
#define BOX_HEIGHT  32.0f
#define PILE        3.0f /* gap between the boxes of a card */
#define BAR_WIDTH   3.0f
#define CIRCLE      10.0f
#define EDGE        14.0f /* gap between a fork and its branches */
#define MARGIN      8.0f  /* margin inside a frame */
#define COUNT_WIDTH 30.0f /* width of "x 1,000" */

enum box_kind { BOX_GRAIN, BOX_CLOSED, BOX_CARD, BOX_STRIP, BOX_LINEAR, BOX_FORK };

struct box {
	uint8_t kind, flags, colour, severity;
	bool is_missing, is_mixed; /* a card of several shapes */
	uint8_t rank;              /* below its predecessors */
	bool has_successor;
	bool is_bare; /* drawn without a frame of its own: box_margin() */
	uint32_t node, end, site;
	uint32_t parent;   /* enclosing box */
	uint32_t first, n; /* inner boxes; of a strip: its bars */
	uint32_t n_members, n_grains, n_problem;
	uint64_t work_ns, shape;
	double least, most;  /* value of the shown metric; NAN */
	uint64_t longest_ns; /* scale of the heights of grains */
	const struct row *row;
	float w, h, x, y; /* x, y: left, top */
};

/* Margin inside a box. A fork-join in a sequence has none: its circles delimit it, and
 * nested frames add nothing. */
static inline float
box_margin(const struct box *t)
{
	return t->is_bare ? 0 : MARGIN;
}

struct bar {
	uint32_t node, n, n_problem;
	uint64_t work_ns; /* length of the longest */
	uint8_t flags, colour, severity;
};

struct structure {
	uint64_t key; /* version of the page and the view that was laid out */
	struct box *boxes;
	size_t n_boxes, boxes_capacity;
	struct bar *bars;
	size_t n_bars, bars_capacity;
	struct edge *edges; /* from box to box */
	size_t n_edges, edges_capacity;
	float width, height;
};

/* structure_layout.c: adds the root and the content of its open groups, including those around
 * `towards`, to an empty s; x, y, w and h are not set. Reads the dependences of chunks if they are
 * drawn. False: out of memory. O(boxes + members of open groups). */
WN_MUST_CHECK bool structure_choose_boxes(struct page *p, struct structure *s,
                                          const struct page_view *view, const struct row *root,
                                          uint32_t towards);

/* structure.c: makes a layout of p->shown; NULL: p->structure is up to date. WN_OK · WN_E_NOMEM */
WN_MUST_CHECK wn_status structure_lay_out(struct page *p, const struct page_view *view,
                                          const struct row *root, struct structure **out,
                                          wn_err *err);
/* Computes a node's rectangle; false: it is in a closed group. */
bool structure_frame(const struct structure *s, uint32_t node, double frame[4]);
/* Computes the rectangle of the innermost box that holds a node, if any; true: it is the node's
 * own. */
bool structure_holds(const struct structure *s, uint32_t node, double frame[4]);

/* structure_paint.c: returns the largest size of a layout's picture. */
struct canvas_size structure_needs(const struct page *p, const struct structure *s);
void structure_paint(const struct snapshot *snapshot, const struct structure *s,
                     const struct page_view *view, struct canvas *out);

/* Returns the height of a grain relative to the longest. */
float structure_grain_height(const struct page_view *v, uint64_t work_ns, uint64_t longest_ns);
