/* SPDX-License-Identifier: MIT */
/*
 * trace_unseen.h - constructs that ran and that no event of the trace tells of.
 */
#ifndef WN_TRACE_UNSEEN_H
#define WN_TRACE_UNSEEN_H

#include "trace/trace_format.h"

#include <stdbool.h>
#include <stddef.h>

#define WN_UNSEEN_BYTES 224u /* holds the longest text */

/**
 * Describes what ran after the OpenMP runtime had shut down, as libomp does on
 * omp_pause_resource_all(omp_pause_hard): since when, and how many constructs were counted.
 *
 * @param h     a trace's header.
 * @param text  [size] one clause without a full stop; written only where the result is true.
 *
 * @return whether there is anything: such a recording is incomplete.
 */
bool wn_header_unseen(const struct wn_trace_header *h, char *text, size_t size);

#endif /* WN_TRACE_UNSEEN_H */
