/* SPDX-License-Identifier: MIT */
/* join.h - matches two lists of items by key: sorts both, then walks them together. Private to
 * this folder. */
#pragma once

#include "winnow/base.h"

#define JOIN_NONE UINT32_MAX

struct join_item {
	uint64_t key;
	uint32_t id;
	uint32_t next; /* scratch of join_pair() */
};

/* Sorts by key; stable. Cost  O(n); 16 bytes per item meanwhile. */
WN_MUST_CHECK wn_status join_sort(struct join_item *items, size_t n);

/* Returns whether two items with one key are really equal. Sides are 0 and 1. */
typedef bool join_same_fn(void *user, int side_x, uint32_t x, int side_y, uint32_t y);

struct join {
	struct join_item *items[2]; /* sorted */
	size_t n[2];
	uint32_t *to[2];    /* by id: matching id on the other side; the caller initialises it with
	                       JOIN_NONE */
	join_same_fn *same; /* called only where a side has several items of a key ... */
	bool compares_always; /* ... or for all equal keys */
	void *user;
	uint64_t n_by_order; /* pairs among items that are equal to others of their own side: paired
	                        in order */
};

/* Cost  O(n), if keys are hashes with few collisions. */
WN_MUST_CHECK wn_status join_pair(struct join *j);
