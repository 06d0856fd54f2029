/* SPDX-License-Identifier: MIT */
/*
 * runs_advice.h - made-up runs with one fault each, whose cost can be read in runs_advice.c.
 */
#ifndef WN_TESTS_REPORT_RUNS_ADVICE_H
#define WN_TESTS_REPORT_RUNS_ADVICE_H

#include "fake_trace.h"

enum {
	WIDE = 0x6000,
	NARROW = 0x7000,
	LONE = 0x8000,
	INNER = 0x9000,
	MANY = 0xa000,
	FEW = 0xb000,
	MUTEX = 0xc000
};

void make_regions(struct fake *f);
void make_mutex(struct fake *f);
void make_mutex_twice(struct fake *f);
void make_mutex_apart(struct fake *f);
void make_alternate(struct fake *f);
void make_late_thread(struct fake *f);
void make_barriers(struct fake *f);
void make_barriers_apart(struct fake *f);
void make_barriers_alone(struct fake *f);
void make_few_barriers_alone(struct fake *f);
void make_barriers_by_turns(struct fake *f);
void make_slow_loops(struct fake *f);
void make_slow_regions(struct fake *f);
void make_barriers_asleep(struct fake *f);
void make_lonely(struct fake *f);
void make_singles(struct fake *f);
void make_lonely_halves(struct fake *f);
void make_inline_many(struct fake *f);
void make_gaps_random(struct fake *f);
void make_gaps_steady(struct fake *f);
void make_uneven_twice(struct fake *f);
void make_gaps_stolen(struct fake *f);
void make_gap_stolen(struct fake *f);
void make_gaps_by_speed(struct fake *f);
void make_gaps_by_spread(struct fake *f);
void make_gaps_against_speed(struct fake *f);
void make_gaps_nearly(struct fake *f);
void make_gap_once(struct fake *f);
void make_gap_wide(struct fake *f);
void make_last_alone(struct fake *f);
void make_mutex_held(struct fake *f);
void make_mutex_short(struct fake *f);
void make_lock_unplaced(struct fake *f);
void make_serial(struct fake *f);
void make_serial_tasks(struct fake *f);
void make_lone(struct fake *f);
void make_producer(struct fake *f);
void make_producer_again(struct fake *f);
void make_lone_limited(struct fake *f);
void make_lone_requested(struct fake *f);
void make_feeder(struct fake *f);
void make_start_loaded(struct fake *f);
void make_start_loading(struct fake *f);
void make_start_off(struct fake *f);
void make_start_early(struct fake *f);
void make_start(struct fake *f);
void make_start_short(struct fake *f);
void make_ends(struct fake *f);
void make_near(struct fake *f);
void make_alone(struct fake *f);
void make_sections(struct fake *f);
void make_sections_by_speed(struct fake *f);
void make_inflated(struct fake *f);
void make_inline(struct fake *f);
void make_queued(struct fake *f);
void make_recursion(struct fake *f);
void make_shared_cpu(struct fake *f);
void make_shared_uneven(struct fake *f);
void make_gap_beyond_spread(struct fake *f);
void make_slow_wake(struct fake *f);
void make_bound(struct fake *f);
void make_quota(struct fake *f);
void make_faults(struct fake *f);
void make_first_touch(struct fake *f);
void make_touched_once(struct fake *f);
void make_passive(struct fake *f);
void make_slow_start(struct fake *f);
void make_small_everywhere(struct fake *f);
void make_taskwait(struct fake *f);
void make_nested(struct fake *f);
void make_one_lock(struct fake *f);

#endif /* WN_TESTS_REPORT_RUNS_ADVICE_H */
