/* SPDX-License-Identifier: MIT */
/*
 * cutoffs.h - a program run with one cut-off after the other: what a task does, what it costs to
 * have it, and what threads idle meanwhile; between which cut-offs the first outweighs the second
 * and the second the third.
 */
#ifndef WN_CHARACTERIZE_CUTOFFS_H
#define WN_CHARACTERIZE_CUTOFFS_H

#include "winnow/base.h"

enum wn_trend { WN_TREND_EXECUTION = 0, WN_TREND_PARALLELISATION, WN_TREND_IDLE, WN_TREND_N };

struct wn_cutoff {
	double at;             /* the cut-off */
	double ns[WN_TREND_N]; /* per task; NAN = not measured */
};

/* Where one trend meets another. */
struct wn_meeting {
	size_t n;           /* times they meet; 0: they do not, or less than two runs tell */
	double first, last; /* cut-offs of the first and of the last time; NAN if n is 0 */
	/* before the first and after the last cut-off: is the first trend above? -1 unknown */
	int starts_above, ends_above;
};

struct wn_cutoff_range {
	bool is_log;             /* cut-offs are all above 0: interpolated on their logarithms */
	struct wn_meeting grain; /* parallelisation and execution */
	struct wn_meeting idle;  /* idleness and parallelisation */
	size_t n_good;           /* stretches where parallelisation is not above execution, and
	                            idleness not above parallelisation */
	double from, to;         /* the widest of them; if there is none, between the meetings that
	                            are nearest to each other; NAN: there are no two meetings */
	bool is_open_below, is_open_above; /* it starts at the first or ends at the last cut-off
	                                      that was measured: it may go further */
};

/**
 * Finds the range of cut-offs to recommend. Between neighbouring cut-offs the logarithm of a trend
 * is a straight line over that of the cut-off (over the cut-off itself, if one is not above 0).
 * Values of 0 count as 1 ns there.
 *
 * @param runs  [n] in ascending order of `at`, each once.
 * Cost     O(n). Threads  pure. Source  [P2] figure 2.
 */
void wn_cutoff_range(const struct wn_cutoff *runs, size_t n, struct wn_cutoff_range *out);

#endif /* WN_CHARACTERIZE_CUTOFFS_H */
