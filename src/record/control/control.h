/* SPDX-License-Identifier: MIT */
/*
 * control.h - commands of the program to the recorder: omp_control_tool(), and winnow_control() of
 * winnow/mark.h, which programs on libgomp use.
 *
 * The commands are a fallback. If a source reports the chunks of a loop, or the duration of a
 * creation, commands with the same data are ignored. A source with less data declares that here: it
 * offers its record for replacement by data from commands.
 */
#pragma once

#include "record/events.h"

#ifndef WN_PROVIDE /* has no record to replace, so its wn_offer_ functions do nothing */

#define WN_CONTROL_HIDDEN __attribute__((visibility("hidden")))

/* Commands. 1 to 4 are OpenMP's; a tool's own start at 64. A value is arg, as a 64-bit number, plus
 * modifier, for callers without arg (Fortran). include/winnow/mark.h has the same list. */
enum wn_command {
	WN_COMMAND_START = 1,
	WN_COMMAND_PAUSE = 2,
	WN_COMMAND_FLUSH = 3,
	WN_COMMAND_END = 4,
	WN_COMMAND_CHUNK_ITERATION =
	    64, /* value of the loop variable; at the top of an iteration */
	WN_COMMAND_TASK_CREATE_BEGIN = 65,
	WN_COMMAND_TASK_CREATE_END = 66,
	WN_COMMAND_LOOP_BEGIN =
	    67, /* schedule: 0 any, 1 static, 2 dynamic, 3 guided; + 256: unsigned */
	WN_COMMAND_LOOP_END = 68,
	WN_COMMAND_LOOP_LOWER = 69, /* first value of the loop variable */
	WN_COMMAND_LOOP_STEP = 70,
	WN_COMMAND_LOOP_CHUNK = 71 /* 0 = each thread has one range */
};

/* Result of a command: OpenMP's omp_control_tool_result_t. */
enum wn_control_result {
	WN_CONTROL_DONE = 0,   /* done, or not needed because the source has the data */
	WN_CONTROL_IGNORED = 1 /* nothing is recorded, or the command is invalid here */
};

/* Executes a command of the calling thread; `site` is the calling code. Thread-safe, at any time;
 * costs a few nanoseconds if nothing is recorded. */
WN_CONTROL_HIDDEN int wn_control(int command, int modifier, void *arg, const void *site);

/* The same for winnow/mark.h. */
WN_CONTROL_HIDDEN int wn_control_tool(int command, int modifier, void *arg);

/* chunks.c: commands about loops; false if the command is invalid here */
WN_CONTROL_HIDDEN bool wn_command_iteration(struct wn_thread *t, uint64_t value, const void *site);
WN_CONTROL_HIDDEN bool wn_command_loop_begin(struct wn_thread *t, uint64_t kind, const void *site);
WN_CONTROL_HIDDEN bool wn_command_loop_end(struct wn_thread *t);
WN_CONTROL_HIDDEN bool wn_command_loop_info(struct wn_thread *t, enum wn_command what,
                                            uint64_t value);

/* --- for sources ------------------------------------------------------------------------------ */

/* Call before writing the record of a share whose chunks the source cannot time ... */
static inline void
wn_offer_begin(struct wn_thread *t)
{
	t->commands.undo = (struct wn_command_undo){
	    .before = t->w.next,
	    .tick = t->w.last_tick,
	    .n_ids = t->n_ids,
	    .chunk_next = t->chunk_next,
	    .sequence = t->w.block->sequence,
	};
}

/* ... and after it: `share` describes the chunks, NULL = unknown to the source. The record stays
 * unless commands come. t->loop is that of this loop. */
WN_CONTROL_HIDDEN void wn_offer_end(struct wn_thread *t, const struct wn_command_share *share);

/* The loop is over. True if the record is undone: the program announced its iterations, and
 * reported none. */
WN_CONTROL_HIDDEN bool wn_offer_drop(struct wn_thread *t);

/* Commands report the chunks of the open loop. */
static inline bool
wn_offer_is_taken(const struct wn_thread *t)
{
	return t->loop.command && !t->commands.loop[t->loop.command - 1].is_offer;
}

/* Time at which a command reported that the current task begins to create, if one did. */
static inline uint64_t
wn_command_creation_tick(const struct wn_thread *t, wn_id task)
{
	uint32_t n = t->commands.n_creations;
	if (__builtin_expect(n == 0, 1) || n > WN_COMMAND_CREATIONS)
		return 0;
	const struct wn_command_creation *c = &t->commands.creation[n - 1];
	return c->task == task ? c->tick : 0;
}

#endif /* WN_PROVIDE */
