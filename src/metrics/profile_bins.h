/* SPDX-License-Identifier: MIT */
/* profile_bins.h - the bins of the parallelism profile (profile.c) that a fragment touches. Private
 * to this folder; inline, since it is called for each fragment. */
#pragma once

#include "metrics/metrics_private.h"

/* All fragments of an imported table count, as in the prototype, including those of length 0. */
static inline bool
profile_counts(const struct wn_graph *g, const struct wn_fragment *f)
{
	return f->ns > 0 || g->imported;
}

struct bins {
	uint64_t first, end; /* none if first >= end */
};

/* The bin found last: what is looked up next is most often in it, or in the one after it. Times are
 * doubled, as the width is. */
struct bin_finder {
	uint64_t twice, last, last_begin;
	uint64_t inverse; /* 2^64 / twice, rounded down; 2^64 - 1 if that is 2^64 */
	bool is_within;
};

static inline struct bin_finder
bin_finder(const struct wn_metrics *m)
{
	__extension__ typedef unsigned __int128 wide;
	uint64_t twice = m->bin_twice_ns;
	return (struct bin_finder){.twice = twice,
	                           .inverse =
	                               twice > 1 ? (uint64_t)(((wide)1 << 64) / twice) : UINT64_MAX,
	                           .is_within = m->options.within};
}

/* at / twice */
static inline uint64_t
find_bin(struct bin_finder *b, uint64_t at)
{
	__extension__ typedef unsigned __int128 wide;
	uint64_t behind = at - b->last_begin; /* wraps around if it is before */
	if (behind < b->twice)
		return b->last;
	if (behind - b->twice < b->twice) {
		b->last++;
		b->last_begin += b->twice;
		return b->last;
	}
	/* cheaper than a division, and at most one too small: the inverse is less than 1 too small,
	 * and at / 2^64 is below 1 */
	b->last = (uint64_t)((wide)at * b->inverse >> 64);
	b->last_begin = b->last * b->twice;
	if (at - b->last_begin >= b->twice) {
		b->last++;
		b->last_begin += b->twice;
	}
	return b->last;
}

/* Bin k is [k w, k w + w - 1], both ends included; w is a multiple of one half. Computes the bins
 * that a fragment touches, or that lie wholly inside it. */
static inline struct bins
bins_of(struct bin_finder *b, const struct wn_fragment *f)
{
	uint64_t start = 2 * f->start_ns, end = start + 2 * f->ns;
	struct bins found;
	if (!b->is_within) {
		found.first = find_bin(b, start + 1);
		found.end = find_bin(b, end) + 1;
	} else {
		found.first = find_bin(b, start + b->twice - 1);
		found.end = end + 2 < b->twice ? 0 : find_bin(b, end + 2 - b->twice) + 1;
	}
	return found;
}

/**
 * Finds the problems of instantaneous parallelism, without the values of grains
 * (profile_problems.c).
 *
 * @param is_done  false: the types have different thresholds, or counts are too large; nothing has
 *                 been done.
 * @return WN_OK · WN_E_NOMEM
 * Cost     O(bins + fragments); 4 bytes per bin meanwhile. Threads  starts some of its own.
 * Oracle   tests/property/prop_metrics.c: problems are those of the whole graph.
 */
WN_MUST_CHECK wn_status profile_find_problems(struct wn_metrics *m, bool *is_done, wn_err *err);
