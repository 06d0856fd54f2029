/* SPDX-License-Identifier: MIT */
/* links_svg.c - draws arcs whose height grows with the distance of their ends, and more so if they
 * go back, so that two arcs between the same boxes are nested. Arcs leave a box right of its middle
 * and enter it left of it, so they overlap neither each other nor the fork and join edges. */
#include "export/links_svg.h"

#include "base/decimal.h"

#include <inttypes.h>

#define ASIDE     3 /* horizontal offset from a box's middle */
#define ARC_LEAST 16
#define ARC_STEP  8 /* per box in between, */
#define STEPS     8 /* up to this many */
#define ARC_BACK  13
#define LABEL     9 /* above the arc's middle */
#define BEND      30

const char links_style[] =
    "<style>.e .a{stroke:none}.depend .a{fill:#7B4FB5}.create .a{fill:#2E8B57}"
    ".critical .a{fill:#E00000}"
    ".l{font-size:10px;paint-order:stroke;stroke:#ffffff;stroke-width:3}</style>\n";

/* Returns the member of a row that begins with this box, or the box itself. */
static uint32_t
member(const struct box *boxes, uint32_t i)
{
	while (boxes[i].before == BOXES_NONE && boxes[i].parent != BOXES_NONE &&
	       boxes[boxes[i].parent].kind == BOX_COLUMN)
		i = boxes[i].parent;
	return i;
}

/* Returns the row that contains the box, the outermost of nested rows; BOXES_NONE. */
static uint32_t
line_of(const struct box *boxes, uint32_t i)
{
	uint32_t row = boxes[i].parent;
	if (row == BOXES_NONE || boxes[row].kind == BOX_COLUMN)
		return BOXES_NONE;
	while (boxes[row].kind == BOX_ROW && boxes[row].parent != BOXES_NONE &&
	       boxes[boxes[row].parent].kind != BOX_COLUMN)
		row = boxes[row].parent;
	return row;
}

/* Returns the previous member, for any but the first of its row. */
static uint32_t
left_of(const struct box *boxes, uint32_t i)
{
	while (boxes[i].before == BOXES_NONE)
		i = boxes[i].parent;
	i = boxes[i].before;
	while (boxes[i].kind == BOX_ROW)
		i = boxes[i].last;
	return i;
}

/* Returns the height of the arc; 0: its ends do not stand side by side. */
static int64_t
arc(const struct link *l, const struct box *boxes)
{
	uint32_t from = member(boxes, l->from), to = member(boxes, l->to);
	uint32_t first = from < to ? from : to, i = from < to ? to : from;
	uint32_t line = line_of(boxes, from);
	if (line == BOXES_NONE || line_of(boxes, to) != line || from == to)
		return 0;
	int64_t height = ARC_LEAST + (from > to ? ARC_BACK : 0);
	i = left_of(boxes, i);
	for (int k = 0; k < STEPS && i != first; k++, i = left_of(boxes, i))
		height += ARC_STEP;
	return height;
}

void
links_room(const struct links *l, struct box *boxes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		boxes[i].room = 0;
	for (size_t i = 0; i < l->n; i++) {
		int64_t height = arc(&l->items[i], boxes);
		if (!height)
			continue;
		struct box *row = &boxes[line_of(boxes, member(boxes, l->items[i].from))];
		if (height + LABEL > row->room)
			row->room = height + LABEL;
	}
}

/* A single link needs no number. */
static void
put_text(struct wn_out *o, const struct link *l, int64_t x, int64_t y)
{
	char count[WN_DECIMAL_BYTES];
	if (l->n > 1)
		wn_out_format(o,
		              "<text class=\"l\" x=\"%" PRId64 "\" y=\"%" PRId64
		              "\" text-anchor=\"middle\">%s</text>\n",
		              x, y, wn_decimal_count(l->n, count));
}

static void
put_link(struct wn_out *o, const struct link *l, const struct box *boxes)
{
	char count[WN_DECIMAL_BYTES];
	const struct box *from = &boxes[l->from], *to = &boxes[l->to];
	int64_t x1 = from->middle + ASIDE, x2 = to->middle - ASIDE, y2 = to->top;
	int64_t height = arc(l, boxes), y1 = from->top + (height ? 0 : from->height);
	int64_t bend = y2 - y1 > 2 * BEND ? (y2 - y1) / 2 : BEND;
	int64_t out_y = height ? y1 - height * 4 / 3 : y1 + bend;
	int64_t in_y = height ? y2 - height * 4 / 3 : y2 - bend;
	wn_out_format(o,
	              "<path%s d=\"M%" PRId64 " %" PRId64 "C%" PRId64 " %" PRId64 " %" PRId64
	              " %" PRId64 " %" PRId64 " %" PRId64 "\"><title>%s ",
	              l->is_rogue ? " class=\"rogue\"" : "", x1, y1, x1, out_y, x2, in_y, x2, y2,
	              wn_decimal_count(l->n, count));
	wn_out_format(o, "%s%s</title></path>\n",
	              l->is_rogue ? "made here and joined elsewhere" : "dependence",
	              l->is_rogue || l->n == 1 ? "" : "s");
	wn_out_format(o, "<path class=\"a\" d=\"M%" PRId64 " %" PRId64 "l-2.5 -6h5z\"/>\n", x2, y2);
	put_text(o, l, (x1 + x2) / 2, (y1 + 3 * (out_y + in_y) + y2) / 8 + 3);
}

void
links_put(struct wn_out *o, const struct links *l, const struct box *boxes, bool is_critical)
{
	for (int rogue = 0; rogue < 2; rogue++) {
		wn_out_format(o, "<g class=\"e %s\">\n",
		              is_critical ? "critical"
		              : rogue     ? "create"
		                          : "depend");
		for (size_t i = 0; i < l->n; i++)
			if (l->items[i].is_rogue == rogue && l->items[i].is_critical == is_critical)
				put_link(o, &l->items[i], boxes);
		wn_out_text(o, "</g>\n");
	}
}
