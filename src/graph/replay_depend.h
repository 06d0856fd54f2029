/* SPDX-License-Identifier: MIT */
/* replay_depend.h - dependences: the state of a live grain, and the functions of the replay. */
#pragma once

#include "graph/replay_latest.h"

struct replay;
struct replay_thread;
struct live;

/* Lists of links; NO_INDEX = none. */
struct live_depend {
	uint32_t member_of; /* sets that it is a member of, until it ends */
	uint32_t follows;   /* sets that precede it, until it begins */
	uint32_t n_unmet;   /* of those, sets with members that have not ended */
	uint32_t table;     /* addresses of its children */
	wn_grain waitpoint; /* the last child, if it is a waitpoint */
};

/* replay_depend.c */
void depend_init(struct replay *r);
void depend_fini(struct replay *r);
wn_status depend_clauses_end(struct replay *r, struct replay_thread *t);
/* For depend_begin(), depend_end() and depend_free(): a grain with dependences. */
void depend_follow(struct replay *r, struct live *l);
void depend_leave(struct replay *r, struct live *l, uint64_t now_ns);
void depend_drop(struct replay *r, struct live *l);
/* Removes a task that never began: its dependents wait for its predecessors. */
void depend_discard(struct replay *r, struct live *l, uint64_t now_ns);
/* Joins at the last waitpoint that `p` has created. */
bool depend_wait_joins(struct replay *r, const struct live *p);
uint64_t depend_wait_met_ns(struct replay *r, const struct live *p);
wn_status depend_wait_end(struct replay *r, struct live *p);
/* `p` creates another child, which is not the one that the waitpoint was for. */
void depend_drop_waitpoint(struct replay *r, struct live *p);

/* dependences.c */
wn_status dependences_make(struct replay *r);
