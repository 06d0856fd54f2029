/* SPDX-License-Identifier: MIT */
/* links_svg.h - draws links between boxes of a picture: arcs between boxes side by side, curves
 * otherwise, each with a head, and with its count from two on. Private to this folder. */
#pragma once

#include "export/links.h"
#include "export/out.h"
#include "picture/boxes.h"

/* Style of labels and heads. */
extern const char links_style[];

/* Reserves room for arcs over the members of a row, in the outermost of nested rows. Needs boxes
 * with their kinds set; rows without links get no room. O(boxes + links * members of a row). */
void links_room(const struct links *l, struct box *boxes, size_t n);

/* Draws the critical or the other links, from the exit point of a box to the entry point of
 * another. Needs placed boxes. The same cost. */
void links_put(struct wn_out *o, const struct links *l, const struct box *boxes, bool is_critical);
