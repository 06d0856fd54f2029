/* SPDX-License-Identifier: MIT */
/* map.h - the work map, as draw.c has it painted. Private to this folder. */
#ifndef WN_PAGE_MAP_H
#define WN_PAGE_MAP_H

#include "page/canvas.h"
#include "page/snapshot.h"

/* Boxes that are still to be opened, and lanes of cores. */
struct map_scratch;

/* For runs of so many cores; false: out of memory. A run of more cores shares lanes. */
WN_MUST_CHECK bool map_scratch_new(uint32_t n_cores, struct map_scratch **out);
/* NULL is fine. */
void map_scratch_free(struct map_scratch *scratch);

/* The most that a picture of the page can take. */
struct canvas_size map_needs(const struct page *p);
void map_paint(const struct snapshot *s, const struct page_view *view, const struct row *root,
               struct canvas *out);
/* A node's rectangle; false: it has none. Uses the canvas' scratch alone. */
bool map_frame(const struct snapshot *s, const struct row *root, uint32_t node, struct canvas *c,
               double frame[4]);
void map_size(const struct page *p, const struct row *root, double *width, double *height);

#endif /* WN_PAGE_MAP_H */
