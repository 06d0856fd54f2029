/* SPDX-License-Identifier: MIT */
/* cutoffs.h - compares a program's runs with increasing cut-offs: execution time per task,
 * parallelisation cost per task, and idle time; finds the cut-offs between which execution
 * outweighs parallelisation and parallelisation outweighs idleness. */
#pragma once

#include "winnow/base.h"

enum wn_trend { WN_TREND_EXECUTION = 0, WN_TREND_PARALLELISATION, WN_TREND_IDLE, WN_TREND_N };

struct wn_cutoff {
	double at;             /* the cut-off */
	double ns[WN_TREND_N]; /* per task; NAN = not measured */
};

/* Where two trends cross. */
struct wn_meeting {
	size_t n; /* number of crossings; 0 also if fewer than two runs have both values */
	double first, last; /* cut-offs of the first and the last crossing; NAN if n is 0 */
	/* whether the first trend is above before the first and after the last cut-off; -1 unknown
	 */
	int starts_above, ends_above;
};

struct wn_cutoff_range {
	bool is_log;             /* all cut-offs are above 0: interpolated on their logarithms */
	struct wn_meeting grain; /* parallelisation and execution */
	struct wn_meeting idle;  /* idleness and parallelisation */
	size_t n_good;   /* ranges where parallelisation is not above execution, and idleness not
	                    above parallelisation */
	double from, to; /* the widest of them; if none, the range between the nearest crossings;
	                    NAN: there are no two crossings */
	bool is_open_below, is_open_above; /* the range starts at the first or ends at the last
	                                      measured cut-off, and may extend further */
};

/**
 * Finds the range of cut-offs to recommend. Between neighbouring cut-offs the logarithm of a trend
 * is interpolated linearly over the logarithm of the cut-off (over the cut-off itself, if one is
 * not above 0). Values of 0 count as 1 ns there.
 *
 * @param runs  [n] in ascending order of `at`, each once.
 * Cost     O(n). Threads  pure. Source  [P2] figure 2.
 */
void wn_cutoff_range(const struct wn_cutoff *runs, size_t n, struct wn_cutoff_range *out);
