/* SPDX-License-Identifier: MIT */
/* map.h - the interface of the work map to draw.c. Private to this folder. */
#pragma once

#include "page/canvas.h"
#include "page/snapshot.h"

/* Scratch space for boxes to be opened and lanes of cores. */
struct map_scratch;

/* Allocates for runs on so many cores; false: out of memory. Runs on more cores merge lanes. */
WN_MUST_CHECK bool map_scratch_new(uint32_t n_cores, struct map_scratch **out);
/* NULL is fine. */
void map_scratch_free(struct map_scratch *scratch);

/* Returns the largest size of a picture of the page. */
struct canvas_size map_needs(const struct page *p);
void map_paint(const struct snapshot *s, const struct page_view *view, const struct row *root,
               struct canvas *out);
/* Computes a node's rectangle; false: it has none. Uses only the canvas' scratch. */
bool map_frame(const struct snapshot *s, const struct row *root, uint32_t node, struct canvas *c,
               double frame[4]);
void map_size(const struct page *p, const struct row *root, double *width, double *height);
