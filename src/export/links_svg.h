/* SPDX-License-Identifier: MIT */
/*
 * links_svg.h - links between boxes of a picture: arcs above what stands side by side, curves
 * between all else, each with a head, and with how many they are from two on. Private to this
 * folder.
 */
#ifndef WN_EXPORT_LINKS_SVG_H
#define WN_EXPORT_LINKS_SVG_H

#include "export/links.h"
#include "export/out.h"
#include "picture/boxes.h"

/* Of labels and heads. */
extern const char links_style[];

/* Gives rows, of rows in rows the outermost, the room that arcs over their members need. The boxes
 * are begun, their kinds set; rows
 * without links have none. O(boxes + links * members of a row). */
void links_room(const struct links *l, struct box *boxes, size_t n);

/* Draws those on the critical path, or the others, from where a box is left to where one is
 * entered. The boxes are placed. The same cost. */
void links_put(struct wn_out *o, const struct links *l, const struct box *boxes, bool is_critical);

#endif /* WN_EXPORT_LINKS_SVG_H */
