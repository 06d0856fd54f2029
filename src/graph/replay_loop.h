/* SPDX-License-Identifier: MIT */
/* replay_loop.h - worksharing: the current construct of a grain, and the functions of the replay.
 */
#pragma once

#include "graph/replay_latest.h"

struct replay;
struct replay_thread;
struct live;

/* The innermost loop or sections construct of an implicit task. */
struct live_work {
	uint32_t loop; /* loop id, UINT32_MAX = none */
	uint32_t loop_fj;
	uint32_t loop_site, loop_flags; /* of the event by which this implicit task met it */
	uint64_t loop_dist[SPAN_N];
	struct latest chunks;
	uint64_t loop_work_ns;    /* of the chunks of this loop ... */
	uint64_t chunks_work_ns;  /* ... and of all loops */
	uint64_t dispatch_ns;     /* since the last chunk ended */
	uint64_t next_iteration;  /* logical end of the last chunk */
	uint32_t n_chunks;        /* so far, all loops: birth order on this thread */
	uint32_t depth;           /* nesting of single, sections, loops */
	uint32_t cancelled_depth; /* of a construct that was left by cancelling; 0 = none */
	uint8_t kind[8];          /* innermost last; deeper ones are not tracked */
	uint32_t section;         /* of a section: 1 + its index */
	/* a static share of several chunks runs as its first chunk */
	uint64_t share[5];
	bool is_share;
};

/* replay_loop.c */
wn_status leave_loop(struct replay *r, struct live *l); /* if it is in one */
/* Ends the chunk on top of the stack. */
wn_status chunk_leave(struct replay *r, struct replay_thread *t);
void chunk_completed(struct replay *r, struct live *l, uint64_t now_ns);
