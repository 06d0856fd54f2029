/* SPDX-License-Identifier: MIT */
/*
 * outside.h - how long the process ran before OpenMP was first in use, and after its last event.
 */
#ifndef WN_METRICS_OUTSIDE_H
#define WN_METRICS_OUTSIDE_H

#include "graph/graph.h"

struct wn_outside {
	uint64_t before_ns; /* from the start of the process to the first event ... */
	uint64_t after_ns;  /* ... and from the last one to its end */
};

/**
 * The process ended when its recorder last looked at the clock, or `winnow record` after it, and
 * had started wall_ns before. Nothing of that time is in the graph.
 *
 * @param elapsed_ns  from the first event to the last one, pauses included.
 * @param out         written only if it is known.
 * @return false where the end was not seen, or the times contradict each other.
 * Cost O(1). Pure.
 */
bool wn_outside_of(const struct wn_graph *g, uint64_t elapsed_ns, struct wn_outside *out);

#endif /* WN_METRICS_OUTSIDE_H */
