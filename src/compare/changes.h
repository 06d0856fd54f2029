/* SPDX-License-Identifier: MIT */
/*
 * changes.h - finds how the groups of two runs differ in structure: groups that changed their
 * shape, groups that exist in one run only, and parts that moved with their shape unchanged.
 *
 * A change is reported once, at the innermost place: not listed are groups that differ only
 * because of something inside one of their members, and the contents of a part that exists in one
 * run only.
 */
#pragma once

#include "compare/match_groups.h"

enum wn_change_kind {
	WN_CHANGE_SHAPE = 0, /* both runs have the group; its members differ in number or shape */
	WN_CHANGE_CREATED,   /* exists only in B; what contains it exists in both */
	WN_CHANGE_VANISHED,  /* exists only in A; what contains it exists in both */
	WN_CHANGE_KIND_N
};

struct wn_change {
	uint8_t kind;       /* enum wn_change_kind */
	uint32_t group[2];  /* in A, in B; WN_NO_GROUP */
	uint32_t n_left[2]; /* members in A, in B that are unmatched in the other's group */
};

/* A part that moved: a grain with all its contents, or a group. */
struct wn_move {
	bool is_group;
	uint32_t part[2];  /* grains, or groups, of A and B */
	uint32_t n_grains; /* with all contents */
};

struct wn_changes {
	const struct wn_match *match;      /* borrowed */
	const struct wn_groups *groups[2]; /* borrowed */
	uint32_t *to[2];                   /* [groups->n] matching group, by name */
	uint64_t n_by_order;               /* pairs of groups whose names are not unique */
	struct wn_change *items;           /* by A's groups, then by B's that A lacks */
	size_t n;
	struct wn_move *moves; /* groups, then grains, by A's */
	size_t n_moves;
	uint64_t n_moved; /* grains in them */
	bool is_same;     /* the runs have one shape, and all groups match by name */
};

/**
 * Finds the changes.
 *
 * A part has moved if its creator exists in both runs but itself in one only, and the other run
 * has such a part of the same shape from the same place in the source: a group of at least two
 * grains that has vanished, and one that was created, without a member common to both runs; or a
 * grain with children.
 *
 * @param place_of_site  [2][sites] numbers that mean the same in both runs; NULL, NULL: places do
 * not count.
 * @param out            written only on success; release with wn_changes_fini().
 * @return WN_OK · WN_E_NOMEM
 *
 * Cost     O(n + groups); 4 bytes per group, and meanwhile 44 per group and 8 per id. Threads pure.
 * Oracle   tests/property/prop_compare.c
 */
WN_MUST_CHECK wn_status wn_changes_init(struct wn_changes *out, const struct wn_match *match,
                                        const struct wn_groups *a, const struct wn_groups *b,
                                        const uint32_t *const place_of_site[2], wn_err *err);
void wn_changes_fini(struct wn_changes *changes);
