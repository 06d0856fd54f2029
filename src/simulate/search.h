/* SPDX-License-Identifier: MIT */
/* search.h - finds the best value of a change: the limit of a cut-off, the size of a loop's chunks,
 * the number of parts of a task. */
#pragma once

#include "simulate/simulate.h"

#define WN_SEARCH_VALUES_MAX 96u

/* Times that differ by less are equally good: runs of one program differ by as much. */
#define WN_SEARCH_NEAR 1.05

struct wn_search_value {
	uint64_t value;
	uint64_t ns;             /* predicted */
	struct wn_prediction at; /* of a brief search zero */
};

struct wn_search {
	struct wn_search_value values[WN_SEARCH_VALUES_MAX]; /* [n] ascending */
	size_t n;
	size_t best;
	size_t first, last; /* values beside the best one that are as good: a range around it */
	struct wn_prediction without; /* without the searched change; brief: without any */
};

/**
 * Predicts the run with each value of the last change of a scenario: depths of a cut-off from 0 to
 * the last one that removes a task, its limits by work from 500 ns or by descendants from 2,
 * doubled and as far as they remove tasks; chunk sizes 1, 2, 4, ... up to the iterations of a
 * thread, without those that give the loops over 2^23 chunks (2^19 in a brief search); 2, 4, ...
 * parts, up to 256, or 16 of a brief search.
 *
 * @param scenario  its last change is WN_SIM_CHANGE_CUTOFF, WN_SIM_CHANGE_CHUNK or
 *                  WN_SIM_CHANGE_SPLIT; amount is ignored.
 * @param out       written only on success; n = 0: no value has an effect.
 * @return as wn_predict()
 * Cost     one wn_predict() for each value.
 * Threads  pure. Source   doc/prediction.md, "Search". Oracle   tests/unit/test_simulate.c
 */
WN_MUST_CHECK wn_status wn_search(const struct wn_simulation *s, const struct wn_self_check *check,
                                  const struct wn_scenario *scenario, struct wn_search *out,
                                  wn_err *err);

/**
 * The same with one simulation of each value, and nothing else: without ranges, and with races as
 * the recorded run decided them. `ns` is the simulated time, and `without` the run without any
 * change: other changes only make the last one possible, as the schedule whose chunks are searched.
 * Depths are fewer the deeper they are, and end where the time has risen for good.
 */
WN_MUST_CHECK wn_status wn_search_brief(const struct wn_simulation *s,
                                        const struct wn_scenario *scenario, struct wn_search *out,
                                        wn_err *err);
