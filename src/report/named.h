/* SPDX-License-Identifier: MIT */
/* named.h - the grains that the program gave a label to, by label. */
#pragma once

#include "graph/graph.h"

struct named_grains {
	const char *label; /* of the trace */
	uint64_t n_grains;
	uint64_t work_ns;
	uint64_t max_work_ns; /* of one grain */
};

/* Computes all labels, most work first; the caller releases *out with wn_free(), NULL if there are
 * none. Returns false if out of memory. One pass over the grains. */
bool named_grains_of(const struct wn_graph *g, struct named_grains **out, size_t *n);
