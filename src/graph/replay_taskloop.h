/* SPDX-License-Identifier: MIT */
/* replay_taskloop.h - taskloops that a grain has met. */
#ifndef WN_GRAPH_REPLAY_TASKLOOP_H
#define WN_GRAPH_REPLAY_TASKLOOP_H

#include "graph/replay_latest.h"

struct replay;
struct replay_thread;
struct live;

struct live_taskloop {
	bool is_open;
	wn_grain first; /* task that the open one made */
	uint32_t n;     /* tasks that it made */
	uint64_t trips;
	uint64_t ns;     /* making them */
	uint32_t number; /* of the one met last, from 0 in its context */
	uint32_t n_loops, n_tasks;
	uint32_t n_loops_in_context, n_tasks_in_context;
	/* A task of a taskloop may be a splitter, which makes tasks in its parent's name: a parent
	 * that has ended is known to them, and to nobody else, until none of them is left. */
	uint32_t n_may_split; /* children of its taskloops that have not ended */
	uint32_t splits_for;  /* of such a child: its parent's place in the pool, else NO_INDEX */
};

#endif /* WN_GRAPH_REPLAY_TASKLOOP_H */
