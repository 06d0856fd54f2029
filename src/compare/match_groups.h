/* SPDX-License-Identifier: MIT */
/*
 * match_groups.h - finds groups of related grains, independent of threads: two runs of one program
 * have the same groups with the same names, whatever the schedule.
 *
 *     T/F<k>          k-th fork-join of task T, as wn_tree_name() calls it; of a context outside
 *                     all regions R/F<k>
 *     T/J             what T created and an ancestor of T joined
 *     X.P<k>          a team: what its threads created, and its loops; X as in lineages
 *     X.P<k>.s<j>/F<i>  i-th fork-join of the j-th single; X.P<k>.t<n>/F<i> of team thread n itself
 *     X.P<k>.L<j>     a loop's chunks, on all threads; X.P<k>.S<j> the sections of a construct
 *
 * A group's shape contains neither times nor threads: for a team, it does not depend on the number
 * of threads, on which of them created what a single created, or on the assignment of chunks. It
 * consists of the groups of each task, in order, and the number of members of each shape in these.
 */
#pragma once

#include "compare/match.h"
#include "graph/grain_names.h"

#define WN_NO_GROUP UINT32_MAX

enum wn_group_kind {
	WN_GROUP_FORK_JOIN = 0, /* of a task, or of a context outside all regions */
	WN_GROUP_LATE,          /* joined by an ancestor of its creator */
	WN_GROUP_TEAM,
	WN_GROUP_SINGLE, /* a fork-join of a single's tasks */
	WN_GROUP_THREAD, /* a fork-join of a team thread's tasks outside singles */
	WN_GROUP_LOOP,
	WN_GROUP_SECTIONS,
	WN_GROUP_KIND_N
};

struct wn_group {
	uint64_t name;        /* hash of the text that wn_group_name() writes */
	uint64_t shape;       /* equal if members have, in some order, equal shapes */
	uint64_t work_ns;     /* of all grains inside, members' own included */
	uint64_t own_work_ns; /* of the members alone: excludes smaller groups inside */
	wn_grain owner;       /* the grain that created it, or one of several */
	wn_grain first;       /* a member */
	uint32_t parent;      /* group that the owner is a member of, or the team; WN_NO_GROUP */
	uint32_t number;      /* F<k>, L<j>, S<j> in its name; else 0 */
	uint32_t n_members;   /* drawn grains; for a team its drawn implicit tasks */
	uint32_t n_grains;    /* grains (wn_is_grain()) inside, at any depth */
	uint8_t kind;         /* enum wn_group_kind */
};

struct wn_groups {
	const struct wn_graph *g; /* borrowed */
	uint32_t n;
	struct wn_group *items; /* in order of their first members' ids */
	uint32_t *of;           /* [g->n] group that a grain is a member of, WN_NO_GROUP if none */
	uint64_t *shape;        /* [g->n] of each grain with its contents */
	uint64_t root_shape;    /* of the whole run */
};

/**
 * Finds the groups of a run.
 *
 * @param names  of a whole graph, which must outlive the result.
 * @param out    written only on success; release with wn_groups_fini().
 * @return WN_OK · WN_E_NOMEM
 *
 * Cost     O(n + fork-joins, and g log g for the g groups of teams' threads); 12 bytes per id and
 * 64 per group, meanwhile 8 more per id and 8 per fork-join. Threads  pure. Source   [P5] on
 * canonical structure and ids of groups; doc/metrics.md, "Comparing runs". Oracle
 * tests/property/prop_compare.c: shapes as sorted texts.
 */
WN_MUST_CHECK wn_status wn_groups_init(struct wn_groups *out, const struct wn_names *names,
                                       wn_err *err);
void wn_groups_fini(struct wn_groups *groups);

/* Writes the readable name; returns the full length, as snprintf. Cost  O(depth). */
size_t wn_group_name(const struct wn_groups *groups, uint32_t group, char *buffer, size_t size);

/* The same with the name of the grain above shortened if it is long (graph/grain_names.h); names
 * NULL: its full lineage. */
size_t wn_group_name_by(const struct wn_groups *groups, uint32_t group,
                        const struct wn_names *names, char *buffer, size_t size);

/**
 * Finds the group of a name, full or as wn_group_name_by() shortens it.
 *
 * @param text  NUL-terminated.
 * @param out   WN_NO_GROUP if there is none; written only on success.
 * @return WN_OK · WN_E_NOMEM
 *
 * Cost     O(groups); of a shortened name as wn_names_new(). Threads  pure.
 */
WN_MUST_CHECK wn_status wn_group_find(const struct wn_groups *groups, const char *text,
                                      uint32_t *out);

/* Returns the grain whose name the group's name continues. */
static inline wn_grain
wn_group_above(const struct wn_groups *groups, uint32_t group)
{
	const struct wn_group *item = &groups->items[group];
	return item->kind == WN_GROUP_TEAM ? groups->g->parent[item->first] : item->owner;
}

/* "fork-join", "late", "team", "single", "thread", "loop", "sections" */
const char *wn_group_kind_name(uint8_t kind);
