/* SPDX-License-Identifier: MIT */
/*
 * changes.h - how the groups of two runs differ in structure: which changed their shape themselves,
 * which only one run has, and what is elsewhere with the shape it had.
 *
 * A change is told once, at the innermost place: a group that differs only because of something
 * inside one of its members is not listed, nor is what is inside a part that only one run has.
 */
#ifndef WN_COMPARE_CHANGES_H
#define WN_COMPARE_CHANGES_H

#include "compare/groups.h"

enum wn_change_kind {
	WN_CHANGE_SHAPE = 0, /* both runs have the group; its members differ in number or shape */
	WN_CHANGE_CREATED,   /* only B has it, and what it is in is in both */
	WN_CHANGE_VANISHED,  /* only A has it, and what it is in is in both */
	WN_CHANGE_KIND_N
};

struct wn_change {
	uint8_t kind;       /* enum wn_change_kind */
	uint32_t group[2];  /* in A, in B; WN_NO_GROUP */
	uint32_t n_left[2]; /* members in A, in B that have no partner in the other's group */
};

/* What is somewhere else: a grain with all that is inside it, or a group. */
struct wn_move {
	bool is_group;
	uint32_t part[2];  /* grains, or groups, of A and B */
	uint32_t n_grains; /* with what is inside */
};

struct wn_changes {
	const struct wn_match *match;      /* borrowed */
	const struct wn_groups *groups[2]; /* borrowed */
	uint32_t *to[2];                   /* [groups->n] which is which, by name */
	uint64_t n_by_order;               /* pairs of groups whose names others have, too */
	struct wn_change *items;           /* by A's groups, then by B's that A lacks */
	size_t n;
	struct wn_move *moves; /* groups, then grains, by A's */
	size_t n_moves;
	uint64_t n_moved; /* grains in them */
	bool is_same;     /* the runs have one shape, and all groups by one name */
};

/**
 * Finds the changes.
 *
 * Moved is what has its creator in both runs but itself in one only, and the same shape as such a
 * part of the other run, from the same place in the source: a group of two grains or more that has
 * vanished, and one that was created, with no member that both runs have; then a grain with
 * children.
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

#endif /* WN_COMPARE_CHANGES_H */
