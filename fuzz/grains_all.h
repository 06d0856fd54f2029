/* SPDX-License-Identifier: MIT */
/* grains_all.h - everything in a file of grains, read once. Also used by tests/view. */
#ifndef WN_FUZZ_GRAINS_ALL_H
#define WN_FUZZ_GRAINS_ALL_H

#include "tests/view/grains_file.h"

struct grains_read {
	size_t n;     /* columns that could be read */
	uint64_t sum; /* of all their values, and of the index */
};

/* Reads all columns of all parts, those of chunks as a page does. Parts with more rows than n_max
 * are not looked at. What was left out of the file is no fault. Returns the first fault, and goes
 * on after it. */
wn_status grains_read_all(struct wn_grains_file *file, size_t n_max, struct grains_read *read,
                          wn_err *err);

#endif /* WN_FUZZ_GRAINS_ALL_H */
