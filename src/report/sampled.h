/* SPDX-License-Identifier: MIT */
/* sampled.h - what samples of code show: whose code it is, calls of the runtime that count as
 * work, and the function in which one thread is alone. Private to this folder. */
#pragma once

#include "report/report.h"
#include "trace/trace_samples.h"

/* Whose code is at an address; all false: Winnow's, or unknown. */
struct report_owner {
	bool is_own;     /* neither of a runtime, nor Winnow's, nor unknown */
	bool is_runtime; /* of OpenMP */
	bool is_library; /* the C library ... */
	bool is_loader;  /* ... and its dynamic loader, which libomp calls for a thread's data */
};
struct report_owner report_owner(const struct wn_places *places, uint64_t addr);

/* Is it a function of a runtime that programs call in loops that wait, and hardly elsewhere? */
bool report_is_waiting_call(const char *symbol);

/* Finds the time in the runtime that counts as work, in r->runtime_calls, and the function in which
 * one thread is alone, in r->alone; of [n] samples in the order of their addresses. */
WN_MUST_CHECK wn_status report_find_runtime_calls(struct wn_report *r,
                                                  const struct wn_trace_sample *samples, size_t n);
WN_MUST_CHECK wn_status report_find_alone(struct wn_report *r,
                                          const struct wn_trace_sample *samples, size_t n);

/* Finds the files whose code has most of [n] samples in the order of their addresses. */
void report_find_modules(struct wn_report *r, const struct wn_trace_sample *samples, size_t n);

/* Finds the statement that touches most pages first, if one function has much of the sampled page
 * faults, and adds its place: r->touched. */
WN_MUST_CHECK wn_status report_find_touched(struct wn_report *r, wn_err *err);

/* Adds the finding of these calls; names that function in findings about code of one thread. */
WN_MUST_CHECK wn_status report_add_runtime_calls(struct wn_report *r, wn_err *err);
void report_name_alone(struct wn_report *r);

/* Gives the finding about page faults that place. */
void report_place_faults(struct wn_report *r);

/* Returns the place of the grains with most work; r->places.n if none has one. */
uint32_t report_busiest_place(const struct wn_report *r);

/* Is the source a header of the system, whose code is compiled into the program's? */
bool report_is_of_system(const struct wn_place *source);

/* Appends to the finding's message that most of it is in the function; NULL: nothing. */
void report_add_function(struct wn_report_finding *f, const char *function);

/* Removes the findings by a set of rules, WN_RULE_BIT(), at a place (NULL: at any) with a loss of
 * at most that. Returns the largest loss of them, or 0, and that finding (unless NULL). */
uint64_t report_take_findings(struct wn_report *r, uint64_t rules,
                              const struct wn_report_place *place, uint64_t most_ns,
                              struct wn_finding *largest);
