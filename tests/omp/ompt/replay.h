/* SPDX-License-Identifier: MIT */
/*
 * replay.h - plays a trace's streams again, slowly and obviously, and counts (tally.def).
 *
 * What must hold of every stream: begins and ends match and nest; a task begins after it was
 * created and ends once; the iterations of each loop and taskloop are covered exactly once.
 */
#ifndef WN_TESTS_OMPT_REPLAY_H
#define WN_TESTS_OMPT_REPLAY_H

#include "trace/trace_reader.h"

#include <stdio.h>

#define REPLAY_FAULTS_MAX  20
#define REPLAY_THREADS_MAX 4096
#define REPLAY_MUTEXES_MAX 1024

enum tally {
#define TALLY(name, text) TALLY_##name,
#include "tally.def"
#undef TALLY
	TALLY_N
};

/* A range of iterations that some thread ran of some loop. */
struct covered {
	uint64_t loop[3]; /* region thread, region number, how many-th loop of the implicit task */
	uint64_t first, last;
	uint64_t trip_count;
};

struct replay {
	struct wn_trace *trace;
	bool is_uncovered; /* set before: loops need not be covered */
	long count[TALLY_N];
	uint16_t *task[REPLAY_THREADS_MAX]; /* of each thread, per id: TASK_* bits */
	uint64_t *ended_tick[REPLAY_THREADS_MAX];
	struct covered *covered;
	size_t n_covered;
	size_t max_covered;
	uint64_t mutex[REPLAY_MUTEXES_MAX];
	size_t n_mutexes;
	char fault[REPLAY_FAULTS_MAX][160];
	int n_faults;
};

void replay_run(struct replay *r);
void replay_dump(struct replay *r, FILE *out);
long replay_count(const struct replay *r, const char *name);
void replay_free(struct replay *r);

#endif /* WN_TESTS_OMPT_REPLAY_H */
