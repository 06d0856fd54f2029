/* SPDX-License-Identifier: MIT */
/* replay_latest.h - distances from the start of the program, and the latest end that a join waits
 * for. */
#pragma once

#include "graph/graph.h"

enum span_kind { SPAN_LOGICAL = 0, SPAN_SCHEDULED = 1, SPAN_BURDENED = 2, SPAN_N };

/* The latest end so far, and its grain. */
struct latest {
	uint64_t dist[SPAN_N];
	wn_grain winner; /* for SPAN_LOGICAL */
	uint32_t winner_pos;
	uint64_t end_ns; /* real time of the last one that ended */
};
