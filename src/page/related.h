/* SPDX-License-Identifier: MIT */
/* related.h - draws lines between a selected node and its dependences. */
#pragma once

#include "page/map.h"
#include "page/structure.h"

#define RELATED_LINES_MAX (PAGE_RELATIONS_N * PAGE_RELATED_MAX)

/* Positions of the nodes of a picture. */
struct related_places {
	const struct snapshot *s;
	const struct page_view *view;
	const struct row *root;
	const struct structure *structure; /* NULL for a map */
};

/* Draws lines from predecessors to successors over a painted picture. */
void related_paint(const struct related_places *in, struct canvas *c);
