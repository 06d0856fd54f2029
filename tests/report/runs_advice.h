/* SPDX-License-Identifier: MIT */
/*
 * runs_advice.h - made-up runs with one fault each, whose cost can be read in runs_advice.c.
 */
#ifndef WN_TESTS_REPORT_RUNS_ADVICE_H
#define WN_TESTS_REPORT_RUNS_ADVICE_H

#include "fake_trace.h"

enum { WIDE = 0x6000, NARROW = 0x7000 };

void make_regions(struct fake *f);

#endif /* WN_TESTS_REPORT_RUNS_ADVICE_H */
