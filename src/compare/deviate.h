/* SPDX-License-Identifier: MIT */
/* deviate.h - compares the work of two runs by place, and tests whether the difference is
 * significant. */
#pragma once

#include "compare/match.h"
#include "compare/match_groups.h"
#include "metrics/metrics.h"

enum wn_clarity {
	WN_UNKNOWN = 0, /* fewer than two pairs: the variance is unknown */
	WN_UNCLEAR,     /* not statistically significant */
	WN_CLEAR
};

/* One place in both runs: [0] in A, [1] in B. */
struct wn_place_diff {
	uint64_t n[2], work_ns[2];
	uint64_t creation_ns[2], n_creation_known[2];
	uint64_t n_problems[2]; /* grains with a problem */
	uint64_t problem[2][WN_PROBLEMS_MAX];
	uint64_t n_pairs;        /* grains that both runs have there and that started in both */
	uint64_t n_deviations;   /* of those, with nonzero work in A */
	uint64_t n_deviating;    /* of those, with a deviation above the threshold */
	double median_deviation; /* NAN without any */
	double pairs_ns;         /* work(B) - work(A) of the pairs */
	double error_ns;         /* standard error of that; NAN for fewer than two pairs */
	uint8_t clarity;         /* enum wn_clarity */
};

/* Over all grains. */
struct wn_deviation_problem {
	double threshold;
	uint64_t n_deviations;                     /* grains that have one */
	uint64_t count, on_critical_path, work_ns; /* above the threshold; path and work are B's */
};

struct wn_deviate_input {
	const struct wn_match *match;
	const struct wn_metrics *metrics[2];
	const uint32_t *place_of_site[2]; /* [sites] numbers of places, the same for both; or
	                                     UINT32_MAX */
	size_t n_places;
	const uint8_t *is_inside[2]; /* [ids] 0: leave the grain out; NULL: use all */
	double threshold;            /* a larger deviation is a problem: 2 in [P5] */
};

/**
 * Sums grains and implicit tasks by place. The error of a sum of n differences d is that of pairs:
 * the standard deviation of d times the root of n; a sum is clear if it exceeds the error times
 * the 97.5 % quantile of Student's t with n - 1 degrees of freedom. Differences between the runs
 * as a whole (a clock rate, another process on the machine) cannot be distinguished from the
 * program's with one run of each.
 *
 * @param out      [n_places] written on success.
 * @param problem  written on success.
 * @return WN_OK · WN_E_NOMEM
 *
 * Cost     O(n log n) for medians; 8 bytes per pair meanwhile. Threads  pure.
 * Source   [P5] on work deviation; doc/metrics.md, "Comparing runs".
 * Oracle   tests/property/prop_compare.c
 */
WN_MUST_CHECK wn_status wn_deviate(const struct wn_deviate_input *in, struct wn_place_diff *out,
                                   struct wn_deviation_problem *problem, wn_err *err);

/* Tests whether a sum of differences is significant. Cost  O(1). */
enum wn_clarity wn_clarity_of(double sum_ns, double error_ns, uint64_t n_pairs);
