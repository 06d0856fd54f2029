/* SPDX-License-Identifier: MIT */
/* groups.h - groups of ranks that behave alike: that spend their time in the same way. */
#pragma once

#include "ranks/summary.h"

#define WN_GROUPS_MAX 8u
/* Ranks of one group divide their threads' time alike up to this share of it. */
#define WN_GROUP_RADIUS 0.05

struct wn_rank_group {
	uint32_t centre; /* index in the summary's ranks of the rank that represents it */
	uint32_t n_ranks;
	double radius; /* largest distance of a member from it */
};

/**
 * Groups ranks. Ranks of different applications are never in one group.
 *
 * The distance of two ranks is the share of time that one would have to spend in another way to be
 * like the other: half the sum of differences of their shares of T R, over categories of time, with
 * work divided by place (the places with most work of all ranks). The first centre of an
 * application is the rank that is nearest to the mean; then the rank that is farthest from all
 * centres becomes one, until none is farther than WN_GROUP_RADIUS or there are WN_GROUPS_MAX. Ties:
 * the lower rank.
 *
 * @param run_ns    the job's run time.
 * @param group_of  [ranks] written on success: group of each rank.
 * @param groups    [WN_GROUPS_MAX] by number of ranks, largest first; *n_groups of them.
 * @return WN_OK · WN_E_NOMEM
 * Cost     O(ranks * groups). Threads  pure.
 * Source   farthest-first traversal: Gonzalez, Clustering to minimize the maximum intercluster
 *          distance (1985); no grouping of that many groups has half the radius.
 */
WN_MUST_CHECK wn_status wn_rank_groups(const struct wn_ranks *s, uint64_t run_ns,
                                       uint32_t *group_of, struct wn_rank_group *groups,
                                       size_t *n_groups, wn_err *err);
