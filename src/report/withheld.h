/* SPDX-License-Identifier: MIT */
/* withheld.h - decides whether a recording allows a verdict. It does not where the program imports
 * entry points of its OpenMP runtime in which threads may wait or create tasks unrecorded: waits
 * then count as work, and a report would be confidently wrong.
 * Nor does it where only the first of several copies of libomp was recorded, or where the runtime
 * reported events of unknown kinds. */
#pragma once

#include "graph/graph.h"

#define WN_WITHHELD_BYTES 400u

/* Writes the reason why verdict and findings are withheld, e.g. "the program imports
 * GOMP_barrier_next
 * ...", to `out`; "" if they are not. Returns whether they are. Cost: none. Threads: any. */
bool wn_withheld(const struct wn_graph *g, char out[WN_WITHHELD_BYTES]);
