/* SPDX-License-Identifier: MIT */
/* properties.h - computes the ten properties by which programs are characterised ([P2]), and the
 * three times per task by which cut-offs are. */
#pragma once

#include "characterize/cutoffs.h"
#include "report/report.h"

enum wn_property {
	WN_PROPERTY_TASKS = 0,
	WN_PROPERTY_FOOTPRINT,
	WN_PROPERTY_MEMORY_READS,
	WN_PROPERTY_MEMORY_WRITES,
	WN_PROPERTY_STACK_READS,
	WN_PROPERTY_STACK_WRITES,
	WN_PROPERTY_INSTRUCTIONS,
	WN_PROPERTY_JOIN_DEGREE,
	WN_PROPERTY_CRITICAL_PATH,
	WN_PROPERTY_WORK,
	WN_PROPERTY_N
};

struct wn_property_name {
	const char *name;  /* "memory_reads": key, column title */
	const char *title; /* "reads of memory, median task" */
};

extern const struct wn_property_name wn_property_names[WN_PROPERTY_N];

/* Returns the property of that name; WN_PROPERTY_N: none. */
enum wn_property wn_property_named(const char *name);

struct wn_cases;

/* Work / critical path of a case whose variables are properties; NAN if one is missing. */
double wn_exposed_parallelism(const struct wn_cases *c, size_t i);

/**
 * Computes the properties of a run.
 *
 * @param weight  of critical path and work: "instructions", or whatever wn_graph_use_weight()
 * knows. Without that weight both are NAN.
 * @param out     [WN_PROPERTY_N] NAN = not measured.
 * @return WN_OK · WN_E_NOMEM
 * Cost     O(n log n). Threads  pure. Source  [P2] tables 1 and 2; doc/characterize.md.
 */
WN_MUST_CHECK wn_status wn_properties(const struct wn_report *r, const char *weight,
                                      double out[WN_PROPERTY_N], wn_err *err);

/* Times per task: execution, parallelisation, idleness. */
struct wn_task_times {
	uint64_t n_tasks, n_known;                         /* those with a measured creation time */
	double median_ns[WN_TREND_N], mean_ns[WN_TREND_N]; /* NAN = not measured */
};

/**
 * Computes the execution time, parallelisation cost and idle time of tasks ([P2] figure 2).
 *
 * @return WN_OK · WN_E_NOMEM · WN_E_ARG (an imported table, which lacks threads' times)
 * Cost     O(n log n). Threads  pure. Source  doc/characterize.md.
 */
WN_MUST_CHECK wn_status wn_task_times(const struct wn_report *r, struct wn_task_times *out,
                                      wn_err *err);
