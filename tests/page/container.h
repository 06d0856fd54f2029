/* SPDX-License-Identifier: MIT */
/* container.h - run.grains of a random program in memory, and pages of it: of its parts, and of the
 * whole tree. */
#ifndef WN_TESTS_PAGE_CONTAINER_H
#define WN_TESTS_PAGE_CONTAINER_H

#include "aggregate/tree.h"
#include "grains/column.h"
#include "page/page.h"
#include "report/report.h"
#include "tests/property/made.h"

struct container {
	struct made made;
	struct wn_trace *trace;
	struct wn_report *report;
	struct wn_tree *tree;
	char *bytes; /* run.grains */
	size_t n_bytes;
	struct wn_grains_head head;
	struct wn_grains_part *parts;   /* [head.n_parts] with `at` from the file's begin */
	struct wn_grains_block *blocks; /* [head.n_blocks] the same */
};

/* False: there is nothing to record. */
bool container_make(struct container *c, uint64_t seed, uint32_t size, uint32_t chunk_grains);
void container_free(struct container *c);

/* How many parts of a kind there are. */
uint32_t container_n(const struct container *c, enum wn_grains_part_kind kind);

/* A page that knows of the parts, and has none of them. */
struct page *container_page(const struct container *c);
/* Puts what pictures need of a part. */
void container_put(const struct container *c, struct page *p, enum wn_grains_part_kind kind,
                   uint32_t number);
/* Looks at a part for what a node has to do with others (page_relate()). */
void container_look(const struct container *c, struct page *p, enum wn_grains_part_kind kind,
                    uint32_t number, uint32_t first, bool is_own);
/* Puts what a table asked for of a part, and all of a table of the file; those of a kind. */
struct table;
void container_take(const struct container *c, struct table *t, enum wn_grains_part_kind kind,
                    uint32_t number, bool is_summary_only);

/* A page of the tree itself, without what parts do not tell: severities. */
struct page *container_whole(const struct container *c);

#endif /* WN_TESTS_PAGE_CONTAINER_H */
