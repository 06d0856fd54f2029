/* SPDX-License-Identifier: MIT */
/* replay_taskloop.h - the taskloops of a grain. */
#pragma once

#include "graph/replay_latest.h"

struct replay;
struct replay_thread;
struct live;

struct live_taskloop {
	bool is_open;
	wn_grain first; /* first task of the open one */
	uint32_t n;     /* tasks created */
	uint64_t trips;
	uint64_t ns;     /* creation time */
	uint32_t number; /* index of the last one in its context, from 0 */
	uint32_t n_loops, n_tasks;
	uint32_t n_loops_in_context, n_tasks_in_context;
	/* A task of a taskloop may be a splitter, which creates tasks on behalf of its parent: a
	 * parent that has ended is kept for them until none is left. */
	uint32_t n_may_split; /* children of its taskloops that have not ended */
	uint32_t splits_for;  /* for such a child: its parent's index in the pool, else NO_INDEX */
};
