/* SPDX-License-Identifier: MIT */
/* replay_cancel.h - cancellation: tasks that have not begun, and what discards them. */
#ifndef WN_GRAPH_REPLAY_CANCEL_H
#define WN_GRAPH_REPLAY_CANCEL_H

#include "graph/replay_latest.h"

struct replay;
struct replay_thread;
struct live;

/* A place in the list of its group or team, while it has not begun. */
struct live_unstarted {
	wn_grain next, previous;
	bool is_listed;
	bool is_discarded; /* and what it depends on runs: those that depend on it wait for that */
};

/* replay_cancel.c */
wn_status on_cancel(struct replay *r, struct replay_thread *t);
void unstarted_add(struct replay *r, struct live *l);
void unstarted_remove(struct replay *r, struct live *l);
/* Tasks of a list that nobody knows any more. */
void unstarted_forget(struct replay *r, wn_grain *list);
/* Tasks of a list that will not run any more. */
wn_status discard_all(struct replay *r, wn_grain *list, uint64_t now_ns);
/* Has the group that this grain has open been cancelled, or one round it, or the region? */
bool group_is_cancelled(struct replay *r, const struct live *owner);
/* A construct left by cancelling is behind this grain: nobody told its end. */
void forget_cancelled(struct live *l);

#endif /* WN_GRAPH_REPLAY_CANCEL_H */
