/* SPDX-License-Identifier: MIT */
/* scale.h - autoscaling: makes variables dimensionless, with mean 0 and standard deviation 1. */
#pragma once

#include "winnow/base.h"

/**
 * Subtracts the mean and divides by the standard deviation (divisor n - 1).
 *
 * @param at    [n] scaled in place, if the result is true.
 * @param mean, sd  written if the result is true.
 * @return false: all values are equal, or too large to be squared.
 * Cost     O(n). Threads  pure. Source  [P2] step 1; R's scale().
 */
WN_MUST_CHECK bool wn_autoscale(double *at, size_t n, double *mean, double *sd);
