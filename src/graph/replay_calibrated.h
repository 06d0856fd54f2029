/* SPDX-License-Identifier: MIT */
/*
 * replay_calibrated.h - takes out of the threads' time what recording has added to it, by the
 * trace's calibration (trace/trace_calibration.h).
 *
 * Each piece of time between two events owes the cost of the probes at its ends. Work, task
 * creation, chunk dispatch and fork/join pay; waits do not, since a shorter grain elsewhere moves
 * their end. A piece shorter than its debt pays what it has, and the next piece of the same place
 * pays the rest: no time is negative, and the sum over a place is right as far as the costs are.
 */
#pragma once

#include "trace/trace_calibration.h"

struct live;
struct replay;
struct replay_thread;

/* Of one thread. */
struct calibrated {
	uint64_t piece_ps;   /* cost of the probes since the thread was accounted last */
	uint64_t runtime_ps; /* what pieces inside the runtime could not pay */
};

struct compensation {
	const struct wn_calibration *by; /* NULL: the trace has none */
	uint64_t *owed_ps;               /* [capacity] by place: what its pieces could not pay */
	size_t capacity;
};

wn_status calibrated_init(struct replay *r);
void calibrated_fini(struct replay *r);

/* Called after the last event. */
void calibrated_end(struct replay *r);

/* With a calibration: takes out of a piece of the thread's time that is no wait, without the time
 * off the CPU in it, what recording has added to it; returns the rest. `is_own`: work of the grain.
 */
uint64_t calibrated_rest(struct replay *r, struct replay_thread *t, const struct live *l,
                         bool is_own, uint64_t ns);
