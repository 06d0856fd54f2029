/* SPDX-License-Identifier: MIT */
/* commands.h - per-thread state of commands by the program (control/). Data only: stored in struct
 * wn_thread, which the recorder does not interpret. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Maximum nesting of loops with commands on one thread, each in a chunk of the previous one. */
#define WN_COMMAND_LOOPS 8u
/* Maximum nesting of creations on one thread, each in a task run by the previous one. */
#define WN_COMMAND_CREATIONS 64u

enum wn_command_state {
	WN_COMMAND_NONE = 0, /* none, or over, or the source's data is better */
	WN_COMMAND_BEGUN,    /* LOOP_BEGIN was received; nothing is recorded yet */
	WN_COMMAND_SHARE,    /* ranges from the source, times from the commands */
	WN_COMMAND_CHUNKS    /* both from the commands */
};

/* A thread's share of a static loop, in logical iterations: n chunks of `chunk`, `stride` apart,
 * the last one of `last`. */
struct wn_command_share {
	uint64_t first;
	uint64_t n;
	uint64_t chunk;
	uint64_t stride;
	uint64_t last;
};

/* Arguments of LOOP_LOWER, LOOP_STEP and LOOP_CHUNK for the next loop. */
struct wn_command_info {
	uint64_t lower;
	int64_t step;
	uint64_t chunk; /* 0 = each thread has one range */
	uint32_t n_works;
	bool has_lower, has_step, has_chunk;
};

struct wn_command_loop {
	uint64_t task; /* the implicit task that is in the loop */
	uint8_t state; /* enum wn_command_state */
	bool is_begun; /* LOOP_BEGIN was received; LOOP_END is due */
	bool is_offer; /* the source's record is still in place */
	bool is_guess; /* the step is inferred from the values so far */
	bool has_lower;
	uint32_t kind;    /* enum wn_work_kind | WN_LOOP_* */
	uint32_t n_works; /* number of constructs entered before LOOP_BEGIN */
	uint64_t begin_tick;
	const void *site;

	/* the open chunk */
	uint64_t n;     /* its iterations so far */
	uint64_t first; /* values of its first and its latest iteration */
	uint64_t latest;
	uint64_t latest_tick; /* while the step is a guess */
	uint64_t base;        /* its first logical iteration is written relative to this */
	uint8_t *range;       /* where its record stores the range; NULL = nowhere */
	uint32_t sequence;    /* of the block that contains this record */
	bool is_begin;        /* this record is its CHUNK_BEGIN */

	uint64_t lower;
	int64_t step; /* 0 = unknown */
	/* runs of iterations are split into chunks of this size; 0 = they are not */
	uint64_t chunk;

	struct wn_command_share share; /* of the chunks that have not begun */
};

/* A record that the commands may undo: the state before it was written. */
struct wn_command_undo {
	uint8_t *before;
	uint8_t *after; /* NULL = it cannot be undone */
	uint64_t tick;
	uint64_t n_ids;
	uint64_t chunk_next;
	uint32_t sequence;
};

struct wn_command_creation {
	uint64_t task; /* the task between TASK_CREATE_BEGIN and TASK_CREATE_END */
	uint64_t tick;
};

struct wn_commands {
	struct wn_command_loop loop[WN_COMMAND_LOOPS]; /* by the depth of the thread's stack */
	uint32_t n_creations;   /* may exceed WN_COMMAND_CREATIONS: those beyond are not stored */
	bool owes_creation_end; /* CREATE_END is recorded with TASK_CREATE_END */
	struct wn_command_info info;
	struct wn_command_undo undo;
	uint8_t *misused; /* count field of the NOTE in the block `misused_in` */
	uint32_t misused_in;
	struct wn_command_creation creation[WN_COMMAND_CREATIONS];
};
