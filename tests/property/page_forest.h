/* SPDX-License-Identifier: MIT */
/* page_forest.h - a page of a random forest, and hashes of its pictures: what native code and the
 * page's worker must agree on. */
#ifndef WN_PROPERTY_PAGE_FOREST_H
#define WN_PROPERTY_PAGE_FOREST_H

#include "aggregate/tree.h"
#include "forest.h"
#include "page/page.h"

struct page_forest {
	struct wn_graph *g;
	struct wn_tree *tree;
	uint32_t n_cores, n_grains;
	uint32_t n_first; /* linear groups before the first fork-join */
	uint64_t work_ns, span_ns;
	/* [tree->n], of grains */
	uint64_t *work, *shape;
	uint32_t *site, *problems;
	uint8_t *flags, *severity, *grain_kind;
};

#define PAGE_FOREST_SITES 11u

void page_forest_init(struct page_forest *f, enum forest_shape shape, uint32_t n, uint64_t seed,
                      uint32_t n_cores);
void page_forest_fini(struct page_forest *f);
struct page_nodes page_forest_nodes(const struct page_forest *f);
struct page *page_forest_whole(const struct page_forest *f);

/* The k-th of many different views. */
struct page_view page_forest_view(struct page *p, const struct page_forest *f, uint32_t k);
/* FNV-1a of the shapes and texts of n views. */
uint64_t page_forest_hash(struct page *p, const struct page_forest *f, uint32_t n);

#endif /* WN_PROPERTY_PAGE_FOREST_H */
