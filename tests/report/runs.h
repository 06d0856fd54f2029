/* SPDX-License-Identifier: MIT */
/*
 * runs.h - the made-up runs that the tests of this folder report on.
 */
#ifndef WN_TESTS_REPORT_RUNS_H
#define WN_TESTS_REPORT_RUNS_H

#include "fake_trace.h"

/* Fills `f`, sealed. NULL in `name` ends the list. */
struct run {
	const char *name;
	void (*make)(struct fake *f);
};

extern const struct run runs[];

/* False if there is no such run. */
bool run_make(const char *name, struct fake *f);

#endif /* WN_TESTS_REPORT_RUNS_H */
