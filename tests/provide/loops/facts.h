/* SPDX-License-Identifier: MIT */
/*
 * facts.h - what write.c knows of the loops it has written, for check.c.
 */
#ifndef LOOP_FACTS_H
#define LOOP_FACTS_H

#include <stdint.h>

enum schedule { STATIC = 1, DYNAMIC, GUIDED, AUTO }; /* omp_sched_t */

enum {
	FACT_UNSIGNED = 1,
	FACT_RUNTIME = 2, /* schedule(runtime); `schedule` is what the program has set */
	FACT_ORDERED = 4,
	FACT_DEFAULT = 8,         /* no schedule clause */
	FACT_FRONT_END = 16,      /* the front end counts from 0 by 1, whatever the user wrote */
	FACT_TASK_REDUCTION = 32, /* reduction(task, ...) */
	FACT_CONDITIONAL = 64     /* lastprivate(conditional: ...) */
};

struct fact {
	int64_t lower, step; /* the user's; of a collapsed loop, 0 and 1 */
	uint64_t trip;
	int is_collapsed, schedule, chunk, n_threads; /* chunk 0 = not given */
	unsigned flags;
};

extern const struct fact facts[];
extern const int n_facts;

#endif /* LOOP_FACTS_H */
