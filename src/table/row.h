/* SPDX-License-Identifier: MIT */
/* row.h - the formulas of columns over one grain's row. A row is filled from two sources: the
 * graph (metrics/fill.h) and the columns of run.grains (page/table_values.c). All else is here, so
 * that the command and the page compute the same. */
#pragma once

#include "grains/format.h"

#include <stdbool.h>
#include <stdint.h>

/* The inputs of formulas. Times are ns. */
enum wn_input {
	WN_IN_ID,
	WN_IN_KIND,  /* enum wn_grains_kind */
	WN_IN_FLAGS, /* enum wn_grains_flag */
	WN_IN_PARENT,
	WN_IN_CHILD_NUMBER,
	WN_IN_FORK_JOIN,
	WN_IN_JOINED_BY,
	WN_IN_REGION,
	WN_IN_LOOP,
	WN_IN_RANGE_FIRST,
	WN_IN_RANGE_ITERATIONS,
	WN_IN_TASKLOOP,
	WN_IN_THREAD,
	WN_IN_CPU,
	WN_IN_CHILDREN,
	WN_IN_BEGIN,
	WN_IN_END,
	WN_IN_EXEC,
	WN_IN_WORK,
	WN_IN_MADE,
	WN_IN_CREATION,
	WN_IN_SYNC,
	WN_IN_LOCKED,
	WN_IN_CREATE_INSTANT,
	WN_IN_INST_PAR_TWICE, /* twice the median: a whole number */
	WN_IN_INST_PAR_MIN,
	WN_IN_INST_PAR_MAX,
	WN_IN_IS_PROBLEM,
	WN_IN_GAIN, /* the part of its time that counts as benefit: work, unless options differ */
	/* of the parent */
	WN_IN_PARENT_SYNC,
	WN_IN_PARENT_CHILDREN,
	/* of the tasks of its fork-join: their number and work */
	WN_IN_SIBLINGS,
	WN_IN_SIBLINGS_SUM,
	WN_IN_SIBLINGS_MAX,
	/* of its loop: chunks and their work; threads that met it and their work; dispatch time,
	 * and the part of it that led to no chunk */
	WN_IN_LOOP_CHUNKS,
	WN_IN_LOOP_SUM,
	WN_IN_LOOP_MAX,
	WN_IN_LOOP_THREADS,
	WN_IN_LOOP_THREAD_SUM,
	WN_IN_LOOP_THREAD_MAX,
	WN_IN_LOOP_OVERHEAD,
	WN_IN_LOOP_TRAILING,
	/* of its loop's region: fork/join overhead; loops and sections in it */
	WN_IN_REGION_FORKING,
	WN_IN_REGION_PARTS,
	WN_IN_N
};

#define WN_INPUT(which) (UINT64_C(1) << WN_IN_##which)

/* Only the requested inputs are set. */
struct wn_grain_row {
	uint64_t value[WN_IN_N]; /* 0 where it is missing */
	bool has[WN_IN_N];
};

#define WN_ROW_MISSING __builtin_nan("")

static inline double
wn_row_number(const struct wn_grain_row *r, enum wn_input which)
{
	return r->has[which] ? (double)r->value[which] : WN_ROW_MISSING;
}

/* [P1, P3] A grain's work divided by its parallelisation cost: its creation, and its share of its
 * parent's waits; for chunks, its share of the dispatch calls that delivered none. */
static inline double
wn_row_parallel_benefit(const struct wn_grain_row *r)
{
	uint64_t kind = r->value[WN_IN_KIND];
	bool is_part = kind == WN_GRAINS_LOOP_CHUNK || kind == WN_GRAINS_SECTION;
	bool is_task = kind == WN_GRAINS_TASK || kind == WN_GRAINS_TASKLOOP;
	/* no computed index, which would keep the row in memory */
	uint64_t n = is_part ? r->value[WN_IN_LOOP_CHUNKS] : r->value[WN_IN_PARENT_CHILDREN];
	if (!(is_part || is_task) || !(r->value[WN_IN_FLAGS] & WN_GRAINS_COMPLETED) ||
	    !r->has[WN_IN_CREATION] || n == 0)
		return WN_ROW_MISSING;
	uint64_t shared_ns = is_part ? r->value[WN_IN_LOOP_TRAILING] : r->value[WN_IN_PARENT_SYNC];
	double cost_ns = (double)r->value[WN_IN_CREATION] + (double)shared_ns / (double)n;
	return cost_ns > 0 ? (double)r->value[WN_IN_GAIN] / cost_ns : WN_ROW_MISSING;
}

/* Largest divided by mean; missing without members, or if the sum is 0. */
static inline double
wn_row_balance(uint64_t max_ns, uint64_t sum_ns, uint64_t n)
{
	double mean_ns = n ? (double)sum_ns / (double)n : 0;
	return mean_ns > 0 ? (double)max_ns / mean_ns : WN_ROW_MISSING;
}

/* [P3, P5] */
static inline double
wn_row_sibling_balance(const struct wn_grain_row *r)
{
	uint64_t kind = r->value[WN_IN_KIND];
	if (kind != WN_GRAINS_TASK && kind != WN_GRAINS_TASKLOOP)
		return WN_ROW_MISSING;
	return wn_row_balance(r->value[WN_IN_SIBLINGS_MAX], r->value[WN_IN_SIBLINGS_SUM],
	                      r->value[WN_IN_SIBLINGS]);
}

/* [P3, P5] */
static inline double
wn_row_chunk_balance(const struct wn_grain_row *r)
{
	if (r->value[WN_IN_KIND] != WN_GRAINS_LOOP_CHUNK ||
	    r->value[WN_IN_FLAGS] & WN_GRAINS_ESTIMATED)
		return WN_ROW_MISSING;
	return wn_row_balance(r->value[WN_IN_LOOP_MAX], r->value[WN_IN_LOOP_SUM],
	                      r->value[WN_IN_LOOP_CHUNKS]);
}

/* [P3, P5] */
static inline double
wn_row_chunk_cpu_balance(const struct wn_grain_row *r)
{
	if (r->value[WN_IN_KIND] != WN_GRAINS_LOOP_CHUNK)
		return WN_ROW_MISSING;
	return wn_row_balance(r->value[WN_IN_LOOP_THREAD_MAX], r->value[WN_IN_LOOP_THREAD_SUM],
	                      r->value[WN_IN_LOOP_THREADS]);
}

static inline double
wn_row_inst_par_median(const struct wn_grain_row *r)
{
	return wn_row_number(r, WN_IN_INST_PAR_TWICE) / 2;
}

static inline double
wn_row_inst_par_min(const struct wn_grain_row *r)
{
	return wn_row_number(r, WN_IN_INST_PAR_MIN);
}

static inline double
wn_row_inst_par_max(const struct wn_grain_row *r)
{
	return wn_row_number(r, WN_IN_INST_PAR_MAX);
}

/* Inputs of wn_row_is_even_enough(). */
#define WN_ROW_EVEN_INPUTS                                                                         \
	(WN_INPUT(LOOP_CHUNKS) | WN_INPUT(LOOP_SUM) | WN_INPUT(LOOP_MAX) |                         \
	 WN_INPUT(LOOP_THREADS) | WN_INPUT(LOOP_THREAD_SUM) | WN_INPUT(LOOP_THREAD_MAX) |          \
	 WN_INPUT(LOOP_OVERHEAD) | WN_INPUT(REGION_FORKING) | WN_INPUT(REGION_PARTS))

/* The chunks, or the threads, of a loop are balanced well enough if no thread waits longer for the
 * longest one than the loop's parallel overhead: chunk dispatch or, where that is not measured,
 * the loop's share of its region's fork/join overhead. A finer criterion would report noise where
 * chunks take nanoseconds. */
static inline bool
wn_row_is_even_enough(const struct wn_grain_row *r, bool is_of_threads)
{
	uint64_t max_ns = r->value[is_of_threads ? WN_IN_LOOP_THREAD_MAX : WN_IN_LOOP_MAX];
	uint64_t sum_ns = r->value[is_of_threads ? WN_IN_LOOP_THREAD_SUM : WN_IN_LOOP_SUM];
	uint64_t n = r->value[is_of_threads ? WN_IN_LOOP_THREADS : WN_IN_LOOP_CHUNKS];
	uint64_t n_threads = r->value[WN_IN_LOOP_THREADS], n_parts = r->value[WN_IN_REGION_PARTS];
	double cost_ns = (double)r->value[WN_IN_REGION_FORKING] / (double)(n_parts ? n_parts : 1);
	if (r->value[WN_IN_LOOP_OVERHEAD] > 0)
		cost_ns =
		    (double)r->value[WN_IN_LOOP_OVERHEAD] / (double)(n_threads ? n_threads : 1);
	return n > 0 && (double)max_ns - (double)sum_ns / (double)n < cost_ns;
}
