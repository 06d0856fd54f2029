/* SPDX-License-Identifier: MIT */
/* replay_cancel.h - cancellation: tasks that have not begun, and how they are discarded. */
#pragma once

#include "graph/replay_latest.h"

struct replay;
struct replay_thread;
struct live;

/* Links of its group's or team's list, while it has not begun. */
struct live_unstarted {
	wn_grain next, previous;
	bool is_listed;
	bool is_discarded; /* and its predecessors are running: its dependents wait for those */
};

/* replay_cancel.c */
void unstarted_add(struct replay *r, struct live *l);
void unstarted_unlist(struct replay *r, struct live *l); /* a listed one */
/* Clears a list whose group or team no longer exists. */
void unstarted_forget(struct replay *r, wn_grain *list);
/* Discards all tasks of a list. */
wn_status discard_all(struct replay *r, wn_grain *list, uint64_t now_ns);
/* Returns whether the open group of this grain, an enclosing one, or the region has been
 * cancelled. */
bool group_is_cancelled(struct replay *r, const struct live *owner);
/* Closes a construct left by cancelling, whose end was not reported. */
void forget_cancelled(struct live *l);
