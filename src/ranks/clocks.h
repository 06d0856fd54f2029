/* SPDX-License-Identifier: MIT */
/* clocks.h - relates the clocks of ranks. Ranks of one boot of one node have the same monotonic
 * clock: their times are related exactly. Nodes are related by their wall clocks, whose errors are
 * not known. */
#pragma once

#include "ranks/summary.h"

struct wn_clocks {
	uint32_t n_nodes;  /* different boots; ranks without one count as one node */
	bool is_one_clock; /* all times below are exact; else they have the error of wall clocks */
	/* several nodes, related by their messages: times have this error at most, as far as clocks
	 * do not drift */
	bool is_by_messages;
	uint64_t uncertainty_ns;
	uint64_t wall_skew_ns; /* by messages: two nodes' wall clocks were this far apart at most */
	uint64_t span_ns;      /* from the first event of any rank to the last event of any rank */
	uint64_t begin_spread_ns, end_spread_ns; /* between the ranks' first and last events */
	/* of a node: how far its wall clock moved against its monotonic clock between the starts of
	 * its ranks; the largest of all nodes. A bound from below on the error */
	uint64_t step_ns;
};

/**
 * @param begin_ns  [ranks] written on success: first event of each rank after that of the first
 * one.
 * @return WN_OK · WN_E_NOMEM
 * Cost     O(ranks log ranks). Threads  pure.
 */
WN_MUST_CHECK wn_status wn_relate_clocks(const struct wn_ranks *s, uint64_t *begin_ns,
                                         struct wn_clocks *out, wn_err *err);

/* Computes the span and the spreads from first events. */
void wn_clocks_measure(const struct wn_ranks *s, uint64_t *begin_ns, struct wn_clocks *out);
