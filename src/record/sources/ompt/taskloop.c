/* SPDX-License-Identifier: MIT */
/*
 * taskloop.c - begin and end records of a taskloop.
 *
 * libomp opens the implied taskgroup, creates the tasks, and waits, all inside one call. The begin
 * record must follow the group's, the end record must precede the wait; the first event that
 * observes either writes it.
 */
#include "record/sources/ompt/source.h"

void
source_taskloop_open(struct wn_thread *t, uint64_t tick)
{
	struct source_taskloop *loop = taskloop_of(t);

	if (!loop || loop->phase != TASKLOOP_PENDING || loop->depth != wn_stack_depth(t))
		return;
	loop->phase = TASKLOOP_OPEN;
	wn_ev_taskloop_begin(t, tick, loop->site, loop->site_flags, loop->trip_count,
	                     loop->n_tasks);
}

void
source_taskloop_close(struct wn_thread *t, uint64_t tick)
{
	struct source_taskloop *loop = taskloop_of(t);

	if (!loop || loop->phase == TASKLOOP_DONE || loop->depth != wn_stack_depth(t))
		return;
	source_taskloop_open(t, tick);
	loop->phase = TASKLOOP_DONE;
	wn_ev_taskloop_end(t, tick);
}
