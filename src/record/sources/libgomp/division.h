/* SPDX-License-Identifier: MIT */
/* division.h - how libgomp divides the iterations of a taskloop among tasks: in order, in shares
 * that differ by at most one, larger ones first; a strict grain size gives equal shares and a
 * remainder. Observed behaviour of libgomp, confirmed on GCC 12 by
 * tests/omp/libgomp/programs/taskloop.c. */
#pragma once

#include "record/sources/libgomp/task.h"
#include "record/sources/libgomp/work.h"

/* n_big tasks of `big` iterations, the others of `small`; n_big UINT64_MAX = all but the last,
 * which has the remainder. */
struct division {
	uint64_t n_tasks, n_big, big, small;
};

/* `given` is the number of tasks or the grain size, as GOMP_taskloop takes it. trip_count > 0. */
static inline struct division
divide(uint64_t trip_count, uint64_t given, unsigned flags, uint64_t n_threads)
{
	uint64_t n_tasks = given;
	if (flags & GOMP_TASK_GRAINSIZE) {
		uint64_t grain = given ? given : 1;
		if ((flags & GOMP_TASK_STRICT) && grain < trip_count)
			return (struct division){gomp_trip_count(trip_count, grain), UINT64_MAX,
			                         grain, 1};
		n_tasks = trip_count / grain;
		if (n_tasks == 0)
			n_tasks = 1;
	} else if (given == 0) {
		n_tasks = n_threads;
	}
	if (n_tasks > trip_count)
		n_tasks = trip_count;
	uint64_t small = trip_count / n_tasks;
	return (struct division){n_tasks, trip_count % n_tasks, small + 1, small};
}

/* Index of the task that starts at logical iteration `first`; n_tasks if none does. */
static inline uint64_t
division_index(const struct division *d, uint64_t first)
{
	uint64_t big_part = d->n_big == UINT64_MAX ? UINT64_MAX : d->n_big * d->big;
	bool is_big = first < big_part;
	uint64_t offset = is_big ? first : first - big_part;
	uint64_t size = is_big ? d->big : d->small;
	if (offset % size != 0)
		return d->n_tasks;
	uint64_t index = offset / size + (is_big ? 0 : d->n_big);
	return index < d->n_tasks ? index : d->n_tasks;
}
