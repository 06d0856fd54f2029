/* SPDX-License-Identifier: MIT */
/* related.h - lines from a selected node to what it depends on, and to what depends on it. */
#ifndef WN_PAGE_RELATED_H
#define WN_PAGE_RELATED_H

#include "page/map.h"
#include "page/structure.h"

#define RELATED_LINES_MAX (PAGE_RELATIONS_N * PAGE_RELATED_MAX)

/* Where nodes of a picture are. */
struct related_places {
	const struct snapshot *s;
	const struct page_view *view;
	const struct row *root;
	const struct structure *structure; /* of a map: NULL */
};

/* Lines from what must end to what waits for it, over a picture that is painted. */
void related_paint(const struct related_places *in, struct canvas *c);

#endif /* WN_PAGE_RELATED_H */
