/* SPDX-License-Identifier: MIT */
/* outside.h - computes how long the process ran before its first OpenMP event, and after its last
 * event. */
#pragma once

#include "graph/graph.h"

struct wn_outside {
	uint64_t before_ns; /* from the start of the process to the first event ... */
	uint64_t after_ns;  /* ... and from the last one to its end */
};

/**
 * The process ended at the last clock reading of its recorder, or of `winnow record`, and had
 * started wall_ns before. None of that time is in the graph.
 *
 * @param elapsed_ns  from the first event to the last one, pauses included.
 * @param out         written only if known.
 * @return false if the end was not observed, or the times contradict each other. Cost O(1). Pure.
 */
bool wn_outside_of(const struct wn_graph *g, uint64_t elapsed_ns, struct wn_outside *out);
