/* SPDX-License-Identifier: MIT */
/*
 * join.h - which of two lists of keyed things are the same: sorted by key, then walked together.
 * Private to this folder.
 */
#ifndef WN_COMPARE_JOIN_H
#define WN_COMPARE_JOIN_H

#include "winnow/base.h"

#define JOIN_NONE UINT32_MAX

struct join_item {
	uint64_t key;
	uint32_t id;
	uint32_t next; /* scratch of join_pair() */
};

/* Sorts by key; of one key, the order stays. Cost  O(n); 16 bytes per item meanwhile. */
WN_MUST_CHECK wn_status join_sort(struct join_item *items, size_t n);

/* Are two things with one key really the same? Sides are 0 and 1. */
typedef bool join_same_fn(void *user, int side_x, uint32_t x, int side_y, uint32_t y);

struct join {
	struct join_item *items[2]; /* sorted */
	size_t n[2];
	uint32_t *to[2];    /* by id: what it is on the other side; the caller fills JOIN_NONE in */
	join_same_fn *same; /* asked only where more than one thing of a side has a key ... */
	bool asks_always;   /* ... or wherever keys are the same */
	void *user;
	uint64_t n_by_order; /* pairs of things that are the same as others of their own side: the
	                        k-th is paired with the k-th */
};

/* Cost  O(n), where keys are hashes and few different things have the same one. */
WN_MUST_CHECK wn_status join_pair(struct join *j);

#endif /* WN_COMPARE_JOIN_H */
