/* SPDX-License-Identifier: MIT */
/*
 * replay_off_cpu.h - when threads were off the CPU, while their time is accounted (account.c).
 *
 * A piece of a thread's time is cut by what the kernel recorded in it. Which part of a preemption
 * hurt depends on what the team did meanwhile: that is sampled when it begins and ends, in the
 * order of the events of all threads.
 */
#pragma once

#include "trace/trace_switches.h"
#include "winnow/base.h"

struct replay;
struct replay_thread;

/* Of one thread. */
struct off_cpu {
	/* the first interval that ends after the time up to which the thread is accounted */
	struct wn_switch_cursor here;
	struct wn_switch next;
	bool has_next;

	/* the same for the time of the events: */
	struct wn_switch_cursor ahead;
	struct wn_switch now;
	uint64_t turn_ns; /* when `now` begins or, if it has begun, ends; UINT64_MAX = never */
	bool is_out;      /* it has begun, and is a preemption */
	/* of the current piece of a wait: time with a ready task, as team_ready_ns() counts it,
	 * when the open preemption began; and its sum in those that ended */
	uint64_t ready_at_out_ns, ready_ns;
};

/* Parts of a piece of time. */
struct off_piece {
	uint64_t ns[WN_SWITCH_KIND_N];
};

/* If the trace has switch records; else r->off stays NULL. */
wn_status off_cpu_init(struct replay *r);
void off_cpu_fini(struct replay *r);

/* Samples the teams at all switches up to a time, of which r->off_turn_ns is the next: before the
 * events of that time. */
void off_cpu_sample(struct replay *r, uint64_t until_ns);

/* A piece of a wait of the thread begins now. */
void off_cpu_wait_begins(struct replay *r, const struct replay_thread *t);

/* The intervals in a part of the time of a thread that is not accounted yet; all parts end where
 * they began if the thread has no records, and where they end by t->off_next_ns. Cost: once each
 * interval that has ended, and those of the part. */
struct off_piece off_cpu_in(struct replay *r, struct replay_thread *t, uint64_t from_ns,
                            uint64_t to_ns);

/* Returns the time of preemptions in the current piece of a wait in which the team had a ready
 * task. */
uint64_t off_cpu_ready_ns(const struct replay *r, const struct replay_thread *t, uint64_t now_ns);
