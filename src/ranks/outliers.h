/* SPDX-License-Identifier: MIT */
/* outliers.h - finds ranks that differ from the others, by the median and the median absolute
 * deviation (MAD), on which a few outliers have no influence. */
#pragma once

#include "ranks/summary.h"

/* What ranks are compared by: elapsed time, time of the first thread in MPI, and the other
 * categories of the threads' time, divided by the number of threads. */
enum { WN_MEASURE_ELAPSED = WN_TIME_N, WN_MEASURE_MPI, WN_MEASURE_N };

/* "elapsed", "mpi" or a category's name, as in JSON; and its title. */
const char *wn_measure_name(int measure);
const char *wn_measure_title(int measure);

struct wn_outlier {
	uint32_t index; /* in the summary's ranks */
	int measure;
	double z;                     /* 0.6745 (value - median) / MAD; infinite if MAD is 0 */
	uint64_t value_ns, median_ns; /* median of all ranks */
	uint64_t place;               /* WN_TIME_WORK: key of the place that differs most, or 0 */
	int64_t place_ns;             /* by how much, per thread, from the median of its ranks */
};

/* Fewer ranks have no outliers: half of them could be any. */
#define WN_OUTLIER_RANKS 5u
/* Bounds on |z|, and on the difference as a share of the job's run time. */
#define WN_OUTLIER_Z     3.5
#define WN_OUTLIER_SHARE 0.01

/**
 * Finds outliers: |z| > WN_OUTLIER_Z and a difference of more than WN_OUTLIER_SHARE of the run
 * time. With a MAD of 0, where more than half of the ranks are equal, the second test decides.
 *
 * @param run_ns  the job's run time.
 * @param out     *out is allocated, largest difference first; free with wn_free().
 * @return WN_OK · WN_E_NOMEM
 * Cost     O(n log n). Threads  pure.
 * Source   Iglewicz and Hoaglin, How to Detect and Handle Outliers (1993).
 */
WN_MUST_CHECK wn_status wn_outliers(const struct wn_ranks *s, uint64_t run_ns,
                                    struct wn_outlier **out, size_t *n_out, wn_err *err);
