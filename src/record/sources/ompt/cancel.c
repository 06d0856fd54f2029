/* SPDX-License-Identifier: MIT */
/*
 * cancel.c - cancellation: requests, cancellation points taken, and discarded tasks.
 *
 * A cancelled loop has no end event of its own: the next barrier closes it (loop_close()). The
 * runtime reports a discarded task as the current one. It never was on this thread's stack, so its
 * record is enclosed by a begin and an end with nothing in between.
 */
#include "record/sources/ompt/callbacks.h"

static uint32_t
cancel_flags(int flags)
{
	static const uint8_t map[] = {WN_CANCEL_PARALLEL,  WN_CANCEL_SECTIONS,  WN_CANCEL_LOOP,
	                              WN_CANCEL_TASKGROUP, WN_CANCEL_ACTIVATED, WN_CANCEL_DETECTED,
	                              WN_CANCEL_DISCARDED};
	uint32_t out = 0;

	for (unsigned bit = 0; bit < sizeof map; bit++)
		if (flags & 1 << bit)
			out |= map[bit];
	return out;
}

void
ompt_on_cancel(ompt_data_t *task, int flags, const void *codeptr)
{
	struct wn_thread *t = wn_self;

	if (!t || (t->source_flags & FLAG_MUTED))
		return;
	if ((flags & WN_OMPT_CANCEL_DISCARDED) && task && (task->value & TASK_DISCARDED))
		return; /* another part of the same cancellation */
	uint64_t tick = wn_clock();
	bool is_elsewhere = (flags & WN_OMPT_CANCEL_DISCARDED) && task && task->value &&
	                    task->value != wn_stack_peek(t, 0) && wn_stack_is_known(t);
	if (is_elsewhere) {
		creation_close(t, tick);
		wn_ev_task_begin(t, tick, task->value);
	}
	wn_ev_cancel(t, tick, user_code_or_null(codeptr), cancel_flags(flags));
	if (is_elsewhere) {
		wn_ev_task_end(t, tick);
		task->value |= TASK_DISCARDED;
	}
}
